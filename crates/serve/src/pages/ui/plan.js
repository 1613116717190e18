// A plan of many steps: where it is now, what each of its steps came to, and which calls were made for it. The words are
// the server's; this keeps the table of them.

import { h, put, say } from "./dom.js";
import { clip, count, plural, SIGNS } from "./words.js";

/** Steps on the page at once, unless somebody wants all: a loop may pass thousands of times. */
const SHOWN = 200;

export class Plan {
  /** `chosen` is called with the number of a run's step. */
  constructor(chosen) {
    this.chosen = chosen;
    this.isThere = false;
    this.rows = [];
    this.changed = new Set();
    /** How many rows each table has. */
    this.tables = new Map();
    this.ended = null;
    this.title = h("h2", {});
    this.at = h("p", { class: "plan-at" });
    this.sums = h("p", { class: "soft small" });
    this.earlier = h("button", { type: "button", hidden: true, on: { click: () => this.showAll() } });
    this.body = h("tbody", {});
    this.table = h("table", { class: "plan-steps" }, h("caption", { class: "sr" }, "Steps of the plan in the order in which they were done"),
      h("thead", {}, h("tr", {}, ["Step", "Outcome", "Calls"].map((name) => h("th", { scope: "col" }, name)))), this.body);
    this.element = h("div", { class: "plan" }, this.title, this.at, this.sums, this.earlier, this.table);
  }

  /** One event of the plan, with the server's words for it. */
  heard({ event, ...told }) {
    this.isThere = true;
    switch (event.kind) {
      case "started": case "went_on":
        this.name = event.name;
        this.ended = null;
        if (event.rows) this.tables = new Map(Object.entries(event.rows));
        break;
      case "step_started":
        this.begin({ of: JSON.stringify(event.step), step: told.step, work: event.work, about: [event.work, event.words].filter(Boolean).join(": ") });
        break;
      case "step_ended": this.end(JSON.stringify(event.step), event.outcome, told); break;
      case "collected": this.tables.set(event.table, (this.tables.get(event.table) ?? 0) + event.added); break;
      case "ended": this.ended = { status: told.status, tone: told.tone, sentence: event.sentence }; break;
      default:
    }
  }

  begin(row) {
    const open = this.open();
    // A question before a step ends when the step itself begins: somebody agreed.
    if (open?.work === "ask" && open.of === row.of && row.work !== "ask") {
      Object.assign(open, { outcome: "agreed to", tone: "good" });
    }
    // A killed server leaves one that nothing will end.
    if (open) this.changed.add(open);
    this.rows.push({ about: "", outcome: null, tone: "neutral", why: null, first: null, calls: 0, ...row });
    this.changed.add(this.rows.at(-1));
  }

  end(of, outcome, told) {
    let row = this.open();
    if (row?.of !== of) {
      // Loops and choices end without having begun anything of their own.
      if (outcome === "done") return;
      this.begin({ of, step: told.step });
      row = this.rows.at(-1);
    }
    Object.assign(row, { outcome: told.outcome, tone: told.tone, why: told.why });
    this.changed.add(row);
  }

  /** A call was made: it is of the step that is under way. */
  called(number) {
    const row = this.open();
    if (!row) return;
    row.first ??= number;
    row.calls += 1;
    this.changed.add(row);
  }

  /** The step that is under way, or null between two. */
  open() {
    const last = this.rows.at(-1);
    return last && last.outcome === null ? last : null;
  }

  /** Where it is, in a few words; null for a plan that is over. */
  position() {
    return this.ended ? null : this.open()?.step ?? null;
  }

  /** `isOver`: nothing more will come. */
  draw(isOver) {
    if (!this.isThere) return;
    say(this.title, this.name ? `Plan ${clip(this.name, 80)}` : "Plan");
    const open = this.open();
    const now = this.ended ? `${SIGNS[this.ended.tone]} The plan ${this.ended.status.startsWith("failed") ? "" : "is "}${this.ended.status}${this.ended.sentence ? `: ${clip(this.ended.sentence, 400)}` : "."}`
      : isOver ? "It stands still, and can go on from its checkpoint."
        : open ? `Now: ${open.step}. ${clip(open.about, 200)}` : "Between two steps.";
    say(this.at, now);
    const done = this.rows.filter((row) => row.outcome !== null).length;
    const rows = [...this.tables].map(([name, number]) => `${plural(number, "row")} in ${clip(name, 40)}`).join(", ");
    say(this.sums, `${plural(done, "step")} brought to an end; ${rows || "no rows collected"}.`);
    for (const row of this.changed) this.drawRow(row, isOver);
    this.changed.clear();
    // One that was under way when the run ended stands so for ever.
    if (open) this.drawRow(open, isOver);
    if (!this.whole) while (this.body.children.length > SHOWN) this.body.firstElementChild.remove();
    const hidden = this.rows.length - this.body.children.length;
    this.earlier.hidden = hidden <= 0;
    say(this.earlier, `Show ${plural(hidden, "earlier step")}`);
  }

  drawRow(row, isOver) {
    if (!row.element) {
      row.sign = h("i", { "aria-hidden": "true" });
      row.said = h("span", {});
      row.reason = h("span", { class: "soft small about" });
      row.link = h("button", { type: "button", class: "quiet number", hidden: true, on: { click: () => this.chosen(row.first) } });
      row.cell = h("td", {}, row.sign, " ", row.said, row.reason);
      row.element = h("tr", {}, h("th", { scope: "row" }, row.step, row.about ? h("span", { class: "soft small about" }, clip(row.about, 160)) : null), row.cell, h("td", {}, row.link));
      this.body.append(row.element);
    }
    const isUnderWay = row.outcome === null && row === this.open() && !isOver && !this.ended;
    const tone = isUnderWay ? "active" : row.outcome === null ? "unsure" : row.tone;
    row.cell.className = tone;
    say(row.sign, isUnderWay ? "▸" : SIGNS[tone]);
    say(row.said, row.outcome ?? (isUnderWay ? "under way" : "not finished"));
    say(row.reason, row.why ? clip(row.why, 300) : "");
    row.link.hidden = row.first === null;
    say(row.link, count(row.calls));
    if (row.first !== null) {
      row.link.title = `Show step ${row.first} of the run`;
      row.link.setAttribute("aria-label", `${plural(row.calls, "call")}, from step ${row.first}`);
    }
    if (isUnderWay) row.element.setAttribute("aria-current", "step");
    else row.element.removeAttribute("aria-current");
  }

  showAll() {
    this.whole = true;
    put(this.body, this.rows.map((row) => row.element));
    this.earlier.hidden = true;
  }
}
