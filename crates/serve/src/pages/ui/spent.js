// The clock of a run: the time in which it was under way, told by its own events, as its result counts it. The time in
// which people held it or were asked is not its own, nor that between a server that ended and the one that took the run up
// again.

export class Spent {
  constructor() {
    this.total = 0;
    /** Of people, in milliseconds. */
    this.held = 0;
    this.last = null;
    this.isHeld = false;
    this.rests = false;
    /** What came last asks a person, who takes until the next event. */
    this.asks = false;
  }

  /** It stood still. What goes on tells so itself, a moment after its state does. */
  rest() {
    this.rests = true;
  }

  /** Every event of the run, in order. */
  heard(event) {
    const at = Date.parse(event.at);
    if (Number.isNaN(at)) return;
    const kind = event.type === "person" ? event.kind : null;
    // One that goes on without having been paused was left by its server, and so was a call that was cut off.
    const wasLeft = (kind === "resumed" && !this.isHeld) || Boolean(event.view?.cut_off);
    const since = this.last === null || wasLeft ? 0 : Math.max(0, at - this.last);
    if (this.isHeld) this.held += since;
    else if (!this.asks) this.total += since;
    if (event.type === "confirmation") this.total = Math.max(0, this.total - (event.seconds ?? 0) * 1000);
    this.asks = (event.type === "call_started" && event.call?.tool === "ask_user")
      || (event.type === "plan" && event.kind === "step_started" && event.work === "ask");
    this.last = at;
    this.rests = false;
    if (kind === "paused" || kind === "took_over") this.isHeld = true;
    if (kind === "resumed" || kind === "handed_back" || event.type === "run_ended") this.isHeld = false;
  }

  /** In seconds, how long people held it up to `now`, or to the last event. */
  heldSeconds(now) {
    return (this.held + (now !== null && this.isHeld && !this.rests ? Math.max(0, now - this.last) : 0)) / 1000;
  }

  /** In seconds, up to `now` or, where that is null, to the last event; null before the first one. */
  seconds(now) {
    if (this.last === null) return null;
    return (this.total + (now !== null && !this.isHeld && !this.rests ? Math.max(0, now - this.last) : 0)) / 1000;
  }
}
