// What is drawn over a frame: where input was sent, what was hit, the cursor, and what changed. Positions are percent of
// the view, sizes are pixels of the reader's screen, so marks stay readable at any width.

import { s } from "./dom.js";

const CROSS = "M-22 0H-5M5 0H22M0 -22V-5M0 5V22";
const ARROW = "M0 0V18L4.6 13.8L7.4 20.2L10.4 18.9L7.7 12.7H14Z";

const percent = (value, extent) => `${Math.min(100, Math.max(0, (value + 0.5) * 100 / Math.max(1, extent))).toFixed(2)}%`;
const grid = (value) => `${(Math.min(1000, value) / 10).toFixed(1)}%`;

/** The marks of a step for its frame before, or none. */
export function marks(step) {
  const point = step?.dispatched;
  const box = step?.hit?.box;
  const view = step?.before?.view ?? step?.after?.view;
  if (!view || (!point && !box)) return null;
  const drawn = box ? boxed(box) : s("svg", { class: "marks", "aria-hidden": "true" });
  if (point) {
    const [x, y] = [percent(point.x, view.width), percent(point.y, view.height)];
    if (point.from) {
      const [x0, y0] = [percent(point.from.x, view.width), percent(point.from.y, view.height)];
      for (const name of ["halo", "path"]) drawn.append(s("line", { class: name, x1: x0, y1: y0, x2: x, y2: y }));
      drawn.append(s("circle", { class: "start", cx: x0, cy: y0, r: 6 }));
    }
    const aim = s("svg", { class: "aim", x, y });
    for (const name of ["halo", "ring"]) aim.append(s("circle", { class: name, r: 13 }), s("path", { class: name, d: CROSS }));
    drawn.append(aim);
  }
  return drawn;
}

/** A place on the grid of 1000 by 1000, framed. */
export function boxed([x0, y0, x1, y1]) {
  const drawn = s("svg", { class: "marks", "aria-hidden": "true" });
  for (const name of ["halo", "box"]) drawn.append(s("rect", { class: name, x: grid(x0), y: grid(y0), width: grid(x1 - x0), height: grid(y1 - y0), rx: 3 }));
  return drawn;
}

/** The cursor where the hand is now. */
export function cursor(point, view) {
  if (!point || !view) return null;
  return s("svg", { class: "marks", "aria-hidden": "true" },
    s("svg", { class: "aim", x: percent(point.x, view.width), y: percent(point.y, view.height) }, s("path", { class: "cursor", d: ARROW })));
}

/** Dims all but what changed. */
export function changed(found) {
  if (!found || found.boxes.length === 0) return null;
  const { width, height } = found.view;
  const holes = found.boxes.map((box) => {
    const [x0, y0] = [Math.max(0, box.x0 - 3), Math.max(0, box.y0 - 3)];
    const [x1, y1] = [Math.min(width, box.x1 + 3), Math.min(height, box.y1 + 3)];
    return `M${x0} ${y0}H${x1}V${y1}H${x0}Z`;
  }).join("");
  return s("svg", { class: "changes", "aria-hidden": "true", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none" },
    s("path", { class: "dim", d: `M0 0H${width}V${height}H0Z${holes}` }), s("path", { class: "edge", d: holes }));
}
