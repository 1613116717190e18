// Pointing without a pointer: a cross over the picture that the arrow keys move, and that clicks where it stands.

import { h, s } from "./dom.js";

/** Steps on the grid of 1000: as it is, with Shift, with Alt. */
const STEP = 20;
const FAR = 100;
const FINE = 2;
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Point {
  /** `click` is called with a place and how often. */
  constructor(shot, click) {
    this.click = click;
    this.at = [500, 500];
    const cross = s("svg", { viewBox: "-24 -24 48 48", "aria-hidden": "true" },
      ["halo", "ring"].map((name) => [s("circle", { class: name, r: 9 }), s("path", { class: name, d: "M-22 0H-4M4 0H22M0 -22V-4M0 4V22" })]));
    this.element = h("div", { class: "point", tabindex: "0", role: "application", hidden: true, on: { keydown: (event) => this.key(event) } }, cross);
    this.help = h("p", { class: "soft small point-help", hidden: true }, [[["↑ ↓ ← →"], "move the cross"], [["Shift"], "far"], [["Alt"], "a little"], [["Enter"], "click"], [["Shift", "Enter"], "click twice"], [["Esc"], "end"]].map(([keys, words]) =>
      h("span", {}, keys.map((key) => [h("kbd", {}, key), " "]), words)));
    this.button = h("button", { type: "button", "aria-pressed": "false", title: "Arrow keys move a cross over the picture, Enter clicks", on: { click: () => (this.element.hidden ? this.start() : this.stop()) } }, "Point with keys");
    shot.append(this.element);
  }

  start() {
    this.element.hidden = false;
    this.help.hidden = false;
    this.button.setAttribute("aria-pressed", "true");
    this.draw();
    this.element.focus({ preventScroll: true });
  }

  stop() {
    if (this.element.hidden) return;
    const hadFocus = document.activeElement === this.element;
    this.element.hidden = true;
    this.help.hidden = true;
    this.button.setAttribute("aria-pressed", "false");
    if (hadFocus) this.button.focus();
  }

  key(event) {
    if (event.key === "Tab" || event.ctrlKey || event.metaKey) return;
    // The picture's own keys go to the page; these do not.
    event.stopPropagation();
    const move = MOVES[event.key];
    if (!move && !["Enter", " ", "Escape"].includes(event.key)) return;
    event.preventDefault();
    if (event.key === "Escape") return this.stop();
    if (!move) {
      if (!event.repeat) this.click(this.at, event.shiftKey ? 2 : 1);
      return;
    }
    const step = event.shiftKey ? FAR : event.altKey ? FINE : STEP;
    this.at = this.at.map((value, axis) => Math.min(1000, Math.max(0, value + move[axis] * step)));
    this.draw();
  }

  draw() {
    const [x, y] = this.at;
    this.element.style.setProperty("left", `${x / 10}%`);
    this.element.style.setProperty("top", `${y / 10}%`);
    // A larger picture goes along with it.
    this.element.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.element.setAttribute("aria-label", `The cross is at ${x}, ${y} of 1000. Arrow keys move it, with Shift far and with Alt a little; Enter clicks, Shift and Enter click twice, Escape ends it.`);
  }
}
