// The clock of a run: the time in which it was under way, told by its own events. The time between a server that ended
// and the one that took the run up again is not its own.

import { serverNow } from "./clock.js";

export class Spent {
  constructor() {
    this.total = 0;
    this.last = null;
    this.isHeld = false;
  }

  /** Every event of the run, in order. */
  heard(event) {
    const at = Date.parse(event.at);
    if (Number.isNaN(at)) return;
    // One that goes on without having been paused was left by its server; from a person's hand it is handed back.
    const wasLeft = event.type === "person" && event.kind === "resumed" && !this.isHeld;
    if (this.last !== null && !wasLeft) this.total += Math.max(0, at - this.last);
    this.last = at;
    if (event.type === "person") this.isHeld = event.kind === "paused";
    if (event.type === "run_ended") this.isHeld = false;
  }

  /** In seconds, up to now or to the last event; null before the first one. */
  seconds(isUnderWay) {
    if (this.last === null) return null;
    return (this.total + (isUnderWay ? Math.max(0, serverNow() - this.last) : 0)) / 1000;
  }
}
