// The log: every event of the trace as one line, in order. Long logs show their end; the rest is a click away.

import { gathered, h } from "./dom.js";
import { bytes, clip, clockTime, money, plural } from "./words.js";

/** Lines on the page at once, unless somebody wants all. */
const SHOWN = 300;

export class Log {
  constructor() {
    this.waiting = [];
    this.total = 0;
    this.all = [];
    this.list = h("ol", { class: "log" });
    this.earlier = h("button", { type: "button", hidden: true, on: { click: () => this.showAll() } });
    this.element = h("div", {}, this.earlier, this.list);
    this.draw = gathered(() => this.flush());
  }

  add(event, missed) {
    this.missed = (this.missed ?? 0) + missed;
    this.list.dataset.missed = String(this.missed);
    const words = missed > 0 ? `${plural(missed, "event")} before this one ${missed === 1 ? "is" : "are"} missing. ${inWords(event)}` : inWords(event);
    if (!words) return;
    this.total += 1;
    const line = { seq: event.seq, at: event.at, type: event.type, words, warns: event.level === "warning" || Boolean(event.problem) || event.view?.tone === "bad" };
    this.all.push(line);
    this.waiting.push(line);
    this.draw();
  }

  flush() {
    const follows = this.list.scrollTop + this.list.clientHeight >= this.list.scrollHeight - 8;
    this.list.append(...this.waiting.splice(0).slice(-SHOWN).map(row));
    if (!this.whole) while (this.list.children.length > SHOWN) this.list.firstElementChild.remove();
    const hidden = this.total - this.list.children.length;
    this.earlier.hidden = hidden <= 0;
    this.earlier.textContent = `Show ${plural(hidden, "earlier line")}`;
    if (follows) this.list.scrollTop = this.list.scrollHeight;
  }

  showAll() {
    this.whole = true;
    this.waiting = [];
    this.list.replaceChildren(...this.all.map(row));
    this.earlier.hidden = true;
  }
}

function row(line) {
  return h("li", { class: line.warns ? "warns" : null }, h("span", { class: "number soft" }, String(line.seq)),
    h("time", { class: "number soft", datetime: line.at }, clockTime(line.at)), h("b", {}, line.type.replaceAll("_", " ")), h("span", {}, line.words));
}

function inWords(event) {
  switch (event.type) {
    case "run_started": return `${event.brain} in ${event.environment}${event.max_steps ? `, at most ${plural(event.max_steps, "step")}` : ""}`;
    case "frame": return `${event.width} × ${event.height}${event.stale ? ", older than it should be" : ""}`;
    case "turn_started": return `the brain is asked for step ${event.step}${event.hints?.length ? `, with ${plural(event.hints.length, "hint")}` : ""}`;
    case "replied": return `${event.problem ? `unusable: ${event.problem}` : plural(event.calls.length, "call")}, after ${(event.think_ms / 1000).toFixed(1)} s${event.usage?.cost_usd ? `, ${money(event.usage.cost_usd)}` : ""}`;
    case "call_started": return `step ${event.step}: ${clip(JSON.stringify(event.call), 200)}`;
    case "step": return event.view ? `${event.view.step}: ${clip(event.view.words, 200)}` : "";
    case "not_run": return `calls of the reply were left out`;
    case "person": return `${event.kind.replaceAll("_", " ")}${event.by ? ` by ${event.by}` : ""}`;
    case "confirmation": return `${clip(event.what, 120)} (rule ${event.rule}): ${String(event.answer).replaceAll("_", " ")} after ${event.seconds.toFixed(1)} s`;
    case "note": return clip(event.message, 400);
    case "environment": return environment(event);
    case "plan": return clip(event.view.words, 400);
    case "run_ended": return event.view.run.headline;
    default: return "";
  }
}

function environment(event) {
  const kind = event.kind.replaceAll("_", " ");
  if (event.kind === "download") return `${kind}: ${event.path} (${bytes(event.bytes)})`;
  const more = event.url ?? event.title ?? event.reason ?? event.dialog?.message ?? event.tab ?? "";
  return `${kind}: ${clip(more, 200)}`;
}
