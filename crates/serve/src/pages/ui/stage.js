// The large picture: the page as it is now, or a step before, after, one over the other, and what changed.

import { get } from "./api.js";
import { changed, cursor, marks } from "./compare.js";
import { h, put, say, visible } from "./dom.js";

export const MODES = [["live", "Live"], ["before", "Before"], ["after", "After"], ["over", "Slider"], ["changes", "Changes"]];

export class Stage {
  constructor(runId, frames, chosen) {
    this.path = `/v1/runs/${encodeURIComponent(runId)}`;
    this.frames = frames;
    this.under = h("img", { alt: "", draggable: "false" });
    this.over = h("img", { alt: "", class: "over", draggable: "false", hidden: true });
    this.marks = h("div", { class: "layer" });
    this.note = h("p", { class: "stage-note" });
    this.caption = h("p", { class: "stage-caption soft small" });
    this.shot = h("div", { class: "shot", role: "img", tabindex: "-1", style: { "--ratio": "16/9" } }, this.under, this.over, this.marks, this.note);
    this.split = h("input", { type: "range", min: "0", max: "100", value: "50", "aria-label": "How much of the frame before to show", on: { input: () => this.slide() } });
    this.splitter = h("label", { class: "split", hidden: true }, h("span", {}, "before"), this.split, h("span", {}, "after"));
    this.buttons = new Map(MODES.map(([mode, name]) => [mode, h("button", { type: "button", "aria-pressed": "false", on: { click: () => chosen(mode) } }, name)]));
    this.element = h("section", { class: "stage", "aria-label": "Picture" }, this.shot,
      h("div", { class: "stage-foot" }, h("div", { class: "modes", role: "group", "aria-label": "What the picture shows" }, [...this.buttons.values()]), this.splitter, this.caption));
    this.slide();
  }

  slide() {
    this.shot.style.setProperty("--split", `${this.split.value}%`);
  }

  /** `live`: {frame, point, running}; `step`: the chosen one, for the other modes. */
  async draw(mode, live, step) {
    const now = { mode, live, step };
    this.now = now;
    for (const [name, button] of this.buttons) {
      button.setAttribute("aria-pressed", String(name === mode));
      if (name === "live") say(button, live.running ? "Live" : "Last");
      else button.disabled = !step || (name !== "before" && name !== "after" && !comparable(step));
    }
    const shows = mode === "live" ? live.frame : mode === "before" ? step?.before ?? step?.after : step?.after ?? step?.before;
    const view = shows?.view;
    if (view) this.shot.style.setProperty("--ratio", `${view.width}/${view.height}`);
    const isOver = mode === "over" && comparable(step);
    this.splitter.hidden = !isOver;
    this.over.hidden = !isOver;
    this.shot.classList.toggle("splitting", isOver);
    if (mode === "live" && shows) this.keepUp(shows.sha256);
    else this.frames.into(this.under, isOver ? step.before.sha256 : shows?.sha256 ?? null);
    if (isOver) this.frames.into(this.over, step.after.sha256);
    say(this.note, shows ? "" : mode === "live" ? live.words : "This step has no picture.");
    this.note.hidden = Boolean(shows);
    put(this.marks, mode === "live" ? [marks(live.step), live.running ? cursor(live.point, view) : null] : mode === "before" || isOver ? marks(step) : null);
    this.tell(captionOf(mode, live, step, shows));
    if (mode === "changes" && comparable(step)) await this.drawChanges(now, step);
  }

  /** One picture at a time: a run that is faster than the line skips some, and never falls behind. */
  async keepUp(sha) {
    this.newest = sha;
    if (this.loading) return;
    this.loading = true;
    while (this.now.mode === "live" && this.under.dataset.sha !== this.newest) {
      const wanted = this.newest;
      await this.frames.into(this.under, wanted);
      // It cannot be had; the next one may.
      if (this.under.dataset.sha !== wanted && "missing" in this.under.dataset) break;
    }
    this.loading = false;
  }

  async drawChanges(now, step) {
    if (step.before.sha256 === step.after.sha256) return this.tell("The same picture as before.");
    try {
      const found = await this.difference(step.before.sha256, step.after.sha256);
      if (this.now !== now) return;
      put(this.marks, changed(found));
      this.tell(`Step ${step.step}: ${found.words}.`);
    } catch (error) {
      if (this.now === now) this.tell(error.message);
    }
  }

  /** Asked for once, also while the answer is under way, and where it is a no. */
  difference(before, after) {
    this.known ??= new Map();
    const key = `${before}${after}`;
    if (!this.known.has(key)) {
      const found = get(`${this.path}/changes?before=${before}&after=${after}`);
      // The server could not be reached, or is too busy: the next time may be better.
      found.catch((error) => { if (![400, 404].includes(error.status)) this.known.delete(key); });
      this.known.set(key, found);
    }
    return this.known.get(key);
  }

  tell(words) {
    say(this.caption, words);
    this.shot.setAttribute("aria-label", visible(words));
  }
}

export function comparable(step) {
  return Boolean(step?.before && step?.after);
}

function captionOf(mode, live, step, shows) {
  const stale = shows?.stale ? " An older picture: a newer one could not be taken." : "";
  if (mode === "live") return `${live.words}${stale}`;
  if (!step) return "";
  const point = step.dispatched;
  if (mode === "after") return `Step ${step.step}, after the page had settled.${stale}`;
  if (mode === "over") return `Step ${step.step}: move the slider from before to after.`;
  if (mode === "changes") return `Step ${step.step}: looking for what changed…`;
  if (!point) return `Step ${step.step}: nothing was sent to a point.${stale}`;
  const hit = step.hit ? ` It hit ${step.hit.descriptor}.` : "";
  return point.from ? `Step ${step.step}: dragged from ${point.from.x}, ${point.from.y} to ${point.x}, ${point.y}.${hit}${stale}` : `Step ${step.step}: input went to the ring at ${point.x}, ${point.y}.${hit}${stale}`;
}
