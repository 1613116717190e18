// The film strip: one small picture a step. Pictures are fetched when they come into sight, so that a long run costs no
// more than what is looked at.

import { h } from "./dom.js";
import { Rove } from "./rove.js";
import { clip, SIGNS } from "./words.js";

/** How long after a picture could not be had it is asked for again, where it is in sight. */
const AGAIN = 15_000;

export class Film {
  constructor(frames, chosen) {
    this.frames = frames;
    this.chosen = chosen;
    this.items = new Map();
    this.list = h("ol", {});
    this.rove = new Rove(this.list, () => [...this.items.values()].map((item) => item.button));
    this.element = h("nav", { class: "film", "aria-label": "Steps as pictures" }, this.list);
    this.seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.load(target);
    }, { root: this.list, rootMargin: "0px 300px" });
  }

  async load(image) {
    this.seen.unobserve(image);
    if (!image.dataset.want) return;
    await this.frames.into(image, image.dataset.want, "small");
    // It could not be had now; whoever still looks at it then gets it.
    if ("missing" in image.dataset) setTimeout(() => this.seen.observe(image), AGAIN);
  }

  /** Adds or changes one step. */
  put(step) {
    const tone = toneOf(step);
    const sha = step.after?.sha256 ?? step.before?.sha256 ?? "";
    let item = this.items.get(step.step);
    if (!item) {
      const image = h("img", { alt: "", draggable: "false" });
      const sign = h("i");
      const button = h("button", { type: "button", class: "thumb", tabindex: this.items.size === 0 ? "0" : "-1", on: { click: () => this.chosen(step.step) } },
        image, h("span", { class: "thumb-label" }, h("span", { class: "number" }, String(step.step)), sign));
      item = { image, sign, button, element: h("li", {}, button) };
      this.items.set(step.step, item);
      this.list.append(item.element);
      this.seen.observe(image);
    }
    item.sign.className = tone;
    item.sign.textContent = step.by === "person" ? "☝" : SIGNS[tone];
    item.button.setAttribute("aria-label", `Step ${step.step}: ${clip(step.words, 120)}`);
    item.button.title = `${step.step}: ${clip(step.words, 200)}`;
    if (item.image.dataset.want !== sha) {
      item.image.dataset.want = sha;
      this.seen.unobserve(item.image);
      this.seen.observe(item.image);
    }
  }

  mark(number) {
    if (this.current) this.current.removeAttribute("aria-current");
    const item = this.items.get(number);
    this.current = item?.button;
    if (!item) return;
    this.rove.rest(item.button);
    item.button.setAttribute("aria-current", "step");
    const { offsetLeft, offsetWidth } = item.element;
    if (offsetLeft < this.list.scrollLeft || offsetLeft + offsetWidth > this.list.scrollLeft + this.list.clientWidth) {
      this.list.scrollLeft = offsetLeft - this.list.clientWidth / 2 + offsetWidth / 2;
    }
  }
}

/** How a step went, for its sign. */
export function toneOf(step) {
  // Nobody decided about it: it was asked again, or is the brain's to offer once more.
  if (step.policy?.answer === "withdrawn") return "neutral";
  if (!step.ok || step.cut_off || step.error) return "bad";
  if (step.done_rejected_reason) return "bad";
  switch (step.effect?.status) {
    case "confirmed": return "good";
    case "no_effect": return "bad";
    // Shown first, or a native control that waits for its choice; what was denied is not ok, and bad above.
    case "refused": return "neutral";
    case "unverifiable": return "unsure";
    default: return "neutral";
  }
}
