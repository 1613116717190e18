// The four lanes of a run: who steered it, what the world did, what was remembered, what was judged. One column a step,
// the end last; columns are only ever added.

import { h, put } from "./dom.js";
import { Rove } from "./rove.js";
import { clip, SIGNS } from "./words.js";

const LANES = ["policy", "state", "memory", "referee"];
const MEANING = {
  policy: "what was done, and who or what steered it",
  state: "effects, predictions and what the page did",
  memory: "hints of earlier runs, and what was learned",
  referee: "contract, judge and verdict",
};
/** What a sign says, in whichever lane. */
const TOLD = { good: "went well", bad: "went wrong", unsure: "could not be measured", neutral: "noted, nothing to judge" };
/** Signs in a cell; more are a number. */
const SHOWN = 3;
const WORST = ["bad", "unsure", "good", "neutral"];

export class Lanes {
  constructor(chosen) {
    this.chosen = chosen;
    this.columns = new Map();
    this.head = h("tr", {}, h("th", { scope: "col" }, "step"));
    this.rows = Object.fromEntries(LANES.map((lane) => [lane, h("tr", {}, h("th", { scope: "row", title: MEANING[lane] }, lane))]));
    this.table = h("table", {}, h("caption", { class: "sr" }, "Timeline lanes"), h("thead", {}, this.head), h("tbody", {}, Object.values(this.rows)));
    this.scroller = h("div", { class: "scroll", role: "region", "aria-label": "Timeline lanes" }, this.table);
    this.rove = new Rove(this.scroller, () => [...this.head.querySelectorAll("button")]);
    /** The signs that occur: their legend tells of no others. */
    this.signs = new Set();
    this.legend = h("p", { class: "signs soft small", hidden: true });
    this.element = h("section", { class: "lanes" }, h("div", { class: "section-head" }, h("h2", {}, "Timeline"),
      h("details", { class: "legend" }, h("summary", {}, "What the lanes mean"), h("dl", {}, LANES.map((lane) => h("div", {}, h("dt", {}, lane), h("dd", {}, MEANING[lane])))))), this.legend, this.scroller);
  }

  /**
   * Adds or changes columns: [[a step's number or "end", its markers]]. All at once, because the browser lays out the
   * whole table anew whenever it is asked where somebody has scrolled to.
   */
  put(columns) {
    // Whoever looks at the newest goes on to do so.
    const { scrollLeft, clientWidth, scrollWidth } = this.scroller;
    const follows = scrollLeft + clientWidth >= scrollWidth - 4;
    const known = this.columns.size;
    for (const [number, markers] of columns) this.column(number, markers);
    this.explain();
    if (follows && this.columns.size > known) this.scroller.scrollLeft = this.scroller.scrollWidth;
  }

  /** What the signs say, as soon as there are some. */
  explain() {
    if (this.signs.size === this.explained) return;
    this.explained = this.signs.size;
    this.legend.hidden = false;
    put(this.legend, WORST.filter((tone) => this.signs.has(tone)).map((tone) => h("span", { class: tone }, h("i", {}, SIGNS[tone]), ` ${TOLD[tone]}`)),
      this.signs.has("more") ? h("span", {}, h("i", { class: "more-signs" }, "+1"), " and one more: choose the step to read all") : null);
  }

  /** What ended goes on after all. */
  dropEnd() {
    const column = this.columns.get("end");
    if (!column) return;
    if (this.marked?.[0] === column.head) this.mark(null);
    for (const element of [column.head, ...Object.values(column.cells)]) element.remove();
    this.columns.delete("end");
  }

  column(number, markers) {
    let column = this.columns.get(number);
    if (!column) {
      const go = () => this.chosen(number);
      column = { head: h("th", { scope: "col" }, h("button", { type: "button", tabindex: this.columns.size === 0 ? "0" : "-1", on: { click: go }, "aria-label": number === "end" ? "The end" : `Step ${number}` }, String(number))), cells: {} };
      for (const lane of LANES) column.cells[lane] = h("td", { on: { click: go } });
      const before = number === "end" ? null : this.columns.get("end");
      this.head.insertBefore(column.head, before?.head ?? null);
      for (const lane of LANES) this.rows[lane].insertBefore(column.cells[lane], before?.cells[lane] ?? null);
      this.columns.set(number, column);
    }
    for (const lane of LANES) this.fill(column.cells[lane], markers.filter((marker) => marker.lane === lane));
  }

  fill(cell, markers) {
    const sorted = [...markers].sort((one, other) => WORST.indexOf(one.tone) - WORST.indexOf(other.tone));
    for (const { tone } of markers) this.signs.add(tone);
    if (markers.length > SHOWN) this.signs.add("more");
    cell.title = markers.map((marker) => clip(marker.words, 240)).join("\n");
    put(cell, sorted.slice(0, SHOWN).map((marker) => h("i", { class: marker.tone, "aria-hidden": "true" }, SIGNS[marker.tone])),
      sorted.length > SHOWN ? h("i", { class: "more-signs", "aria-hidden": "true" }, `+${sorted.length - SHOWN}`) : null,
      markers.length > 0 ? h("span", { class: "sr" }, clip(markers.map((marker) => marker.words).join("; "), 400)) : null);
  }

  mark(number) {
    for (const element of this.marked ?? []) element.classList.remove("chosen");
    this.marked?.[0].firstElementChild.removeAttribute("aria-current");
    const column = this.columns.get(number);
    this.marked = column ? [column.head, ...Object.values(column.cells)] : null;
    for (const element of this.marked ?? []) element.classList.add("chosen");
    if (!column) return;
    column.head.firstElementChild.setAttribute("aria-current", "step");
    this.rove.rest(column.head.firstElementChild);
    const { offsetLeft, offsetWidth } = column.head;
    const { scrollLeft, clientWidth } = this.scroller;
    if (offsetLeft < scrollLeft + 80 || offsetLeft + offsetWidth > scrollLeft + clientWidth) this.scroller.scrollLeft = offsetLeft - clientWidth / 2;
  }
}
