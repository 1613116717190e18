// Following one run: every event of its trace once and in order, however often the connection breaks, and where the run
// stands. The last number that was seen is all that is needed to go on.

import { events, get } from "./api.js";
import { isOver } from "./words.js";

const SHORTEST = 400;
const LONGEST = 8000;
/** A tab that nobody sees lets go of its connection after this time: a browser has few of them for a server. */
const UNSEEN = 30_000;
/** And asks so often where the run stands: the name of the tab tells when somebody is needed. */
const GLANCE = 10_000;

export class Follower {
  constructor(runId, heard) {
    this.path = `/v1/runs/${encodeURIComponent(runId)}`;
    this.heard = heard;
    this.last = 0;
    this.stopped = false;
    this.away = null;
    this.wake = () => {};
    document.addEventListener("visibilitychange", () => {
      clearTimeout(this.away);
      if (document.hidden) this.away = setTimeout(() => this.leave?.abort(), UNSEEN);
      else this.wake();
    });
  }

  /** Until the time is over, or somebody looks at the tab again. */
  pause(time) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time);
      this.wake = () => { clearTimeout(timer); resolve(); };
    });
  }

  /** Goes on until the run is over; called again, it looks whether there is more. */
  async run() {
    if (this.running) return;
    this.running = true;
    let delay = SHORTEST;
    while (!this.stopped) {
      // A tab that was opened in the background, or left while the connection was down, has none to let go of.
      if (document.hidden) await this.glance();
      this.leave = new AbortController();
      try {
        for await (const message of events(`${this.path}/events?view=steps`, this.last, this.leave.signal)) {
          delay = SHORTEST;
          this.take(message);
        }
        const view = await get(`${this.path}?result=off`);
        this.heard.view(view);
        if (isOver(view.status)) break;
      } catch (error) {
        if (error.status === 404) { this.heard.broken(error); break; }
        // A stream that ended in the middle is no trouble until it cannot be opened again.
        if (error.status !== undefined) this.heard.broken(error);
      }
      await this.pause(delay);
      delay = Math.min(delay * 2, LONGEST);
    }
    this.running = false;
  }

  /** Until somebody looks, or there is an end to be heard of. */
  async glance() {
    while (document.hidden && !this.stopped) {
      await this.pause(GLANCE);
      if (!document.hidden) return;
      try {
        const view = await get(`${this.path}?result=off`);
        this.heard.view(view);
        if (isOver(view.status)) return;
      } catch { /* It is asked again. */ }
    }
  }

  take(message) {
    this.heard.connected();
    let data;
    try {
      data = JSON.parse(message.data);
    } catch {
      return;
    }
    if (message.id === null) {
      if (message.event === "status") this.heard.status(data);
      return;
    }
    // Told already, before the connection broke.
    if (message.id <= this.last) return;
    // Numbers have no gaps; one that is skipped would be an event that nobody sees, and is told.
    const missed = message.id - this.last - 1;
    this.last = message.id;
    this.heard.event(data, missed);
  }
}
