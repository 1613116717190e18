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
    this.shot = h("div", { class: "shot", role: "img", tabindex: "-1" }, this.under, this.over, this.marks, this.note);
    /** What lies around the picture where it is larger than its place. */
    this.port = h("div", { class: "port" }, this.shot);
    /** For what the page waits for: it lies over the picture, which never moves. */
    this.beside = h("div", { class: "beside" });
    this.zoom = new Zoom(this.port, this.shot);
    this.split = h("input", { type: "range", min: "0", max: "100", value: "50", "aria-label": "How much of the frame before to show", on: { input: () => this.slide() } });
    this.splitter = h("label", { class: "split", hidden: true }, h("span", {}, "before"), this.split, h("span", {}, "after"));
    this.buttons = new Map(MODES.map(([mode, name]) => [mode, h("button", { type: "button", "aria-pressed": "false", on: { click: () => chosen(mode) } }, name)]));
    this.element = h("section", { class: "stage", "aria-label": "Picture" }, h("div", { class: "picture" }, this.port, this.beside),
      h("div", { class: "stage-foot" }, h("div", { class: "modes", role: "group", "aria-label": "What the picture shows" }, [...this.buttons.values()]), this.splitter, this.caption));
    this.slide();
  }

  slide() {
    this.shot.style.setProperty("--split", `${this.split.value}%`);
  }

  /** `live`: {frame, seen, point, running}; `step`: the chosen one, for the other modes. */
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
    if (view) this.port.style.setProperty("--ratio", `${view.width}/${view.height}`);
    const isOver = mode === "over" && comparable(step);
    this.splitter.hidden = !isOver;
    // The slider stands where the caption stood, and says the same: nothing below it moves.
    this.caption.hidden = isOver;
    this.over.hidden = !isOver;
    this.shot.classList.toggle("splitting", isOver);
    const seen = mode === "live" ? live.seen : null;
    if (seen) this.change(seen.image);
    else if (mode === "live" && shows) this.keepUp(shows.sha256);
    else this.frames.into(this.under, isOver ? step.before.sha256 : shows?.sha256 ?? null);
    if (isOver) this.frames.into(this.over, step.after.sha256);
    say(this.note, shows ? "" : mode === "live" ? live.words : "This step has no picture.");
    this.note.hidden = Boolean(shows);
    // Of one over the other, the ring is at home on the one before.
    this.marks.classList.toggle("first-half", isOver);
    put(this.marks, mode === "live" ? [seen ? null : marks(live.step), live.running ? cursor(live.point, view) : null] : mode === "before" || isOver ? marks(step) : null);
    this.tell(captionOf(mode, live, step, shows));
    if (mode === "changes" && comparable(step)) await this.drawChanges(now, step);
  }

  /** Another picture in the place of this one, at once and without a gap. */
  change(image) {
    if (this.under === image) return;
    Object.assign(image, { alt: "", draggable: false });
    image.dataset.sha = "now";
    this.under.replaceWith(image);
    this.under = image;
  }

  /** One picture at a time: a run that is faster than the line skips some, and never falls behind. */
  async keepUp(sha) {
    this.newest = sha;
    if (this.loading) return;
    this.loading = true;
    while (this.now.mode === "live" && !this.now.live.seen && this.under.dataset.sha !== this.newest) {
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

/** Largest picture, against one that fits, and how much a press makes it larger. */
const LARGEST = 5;
const MORE = 1.5;

/** A picture larger than its place. It is made wider and not painted larger, so places on it are as exact as ever. */
export class Zoom {
  constructor(port, shot) {
    this.port = port;
    this.shot = shot;
    this.scale = 1;
    this.fingers = new Map();
    /** Two fingers are at work, which is nothing for the page; until both are gone. */
    this.isPinching = false;
    const button = (name, label, press) => h("button", { type: "button", "aria-label": label, title: label, on: { click: press } }, name);
    this.smaller = button("−", "Smaller picture", () => this.to(this.scale / MORE));
    this.fit = button("Fit", "The whole picture", () => this.to(1));
    this.larger = button("+", "Larger picture", () => this.to(this.scale * MORE));
    this.mover = h("button", { type: "button", "aria-pressed": "false", title: "Drags move the picture, and do nothing to the page", on: { click: () => this.move(!this.isMoving) } }, "Move");
    this.element = h("div", { class: "hand-keys", role: "group", "aria-label": "Size of the picture" }, this.smaller, this.fit, this.larger, this.mover);
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) port.addEventListener(type, (event) => this.heard(event), true);
    this.to(1);
  }

  /** What is at this place of the window stays there. */
  to(scale, { x, y } = this.middle()) {
    this.scale = Math.min(LARGEST, Math.max(1, scale));
    if (this.scale < 1.02) this.scale = 1;
    const from = this.shot.getBoundingClientRect();
    const [across, down] = [(x - from.left) / Math.max(1, from.width), (y - from.top) / Math.max(1, from.height)];
    this.port.style.setProperty("--zoom", String(this.scale));
    this.port.classList.toggle("zoomed", this.scale > 1);
    const now = this.shot.getBoundingClientRect();
    this.port.scrollLeft += now.left + across * now.width - x;
    this.port.scrollTop += now.top + down * now.height - y;
    this.smaller.disabled = this.fit.disabled = this.scale === 1;
    this.larger.disabled = this.scale === LARGEST;
    this.mover.disabled = this.scale === 1;
    if (this.scale === 1) this.move(false);
  }

  middle() {
    const { left, top, width, height } = this.port.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }

  move(isMoving) {
    this.isMoving = isMoving;
    this.shot.classList.toggle("moving", isMoving);
    this.mover.setAttribute("aria-pressed", String(isMoving));
  }

  heard(event) {
    if (event.pointerType !== "touch" || !this.shot.classList.contains("in-hand") || this.isMoving) return;
    const { fingers } = this;
    if (event.type === "pointerup" || event.type === "pointercancel") {
      fingers.delete(event.pointerId);
      // The last finger's own end is still one of two fingers.
      if (fingers.size === 0) setTimeout(() => { this.isPinching = fingers.size > 1; });
      return;
    }
    if (event.type === "pointermove" && !fingers.has(event.pointerId)) return;
    const before = [...fingers.values()];
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size < 2) return;
    this.isPinching = true;
    if (event.type === "pointermove" && before.length > 1) this.pinch(before, [...fingers.values()]);
  }

  pinch(before, now) {
    const of = ([one, other]) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, apart: Math.hypot(one.x - other.x, one.y - other.y) });
    const [was, is] = [of(before), of(now)];
    this.to(this.scale * is.apart / Math.max(1, was.apart), is);
    this.port.scrollLeft -= is.x - was.x;
    this.port.scrollTop -= is.y - was.y;
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
  return point.from ? `Step ${step.step}: dragged from ${point.from.x}, ${point.from.y} to ${point.x}, ${point.y} px.${hit}${stale}` : `Step ${step.step}: input went to the ring at ${point.x}, ${point.y} px.${hit}${stale}`;
}
