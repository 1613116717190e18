// Plots as drawings in the page. Series differ in dash and shape as well as in colour.

import { s } from "./dom.js";

/** As wide as its place on the screen, about: a drawing that is made smaller has letters that nobody can read. */
const widthNow = () => Math.max(300, Math.min(1000, document.documentElement.clientWidth - 62));
/** A letter, and the room between two words of an axis. */
const [LETTER, GAP] = [7, 12];

/** Those words of an axis that have room beside each other; the first and the last are the most telling. */
function roomy(marks, x, width) {
  const kept = [];
  const ends = marks.length > 1 ? [marks[0], marks.at(-1), ...marks.slice(1, -1)] : marks;
  for (const [share, words] of ends) {
    const long = words.length * LETTER;
    const from = share < 0.05 ? x(share) : share > 0.95 ? x(share) - long : x(share) - long / 2;
    if (from + long > width + LETTER || kept.some((other) => from < other.to + GAP && from + long > other.from - GAP)) continue;
    kept.push({ share, words, from, to: from + long });
  }
  return kept;
}

/** Values over time, from -1 to 1, small enough for a line of a list. */
export function spark(values, label) {
  const [width, height] = [170, 46];
  const shown = values.slice(-30);
  const x = (place) => shown.length < 2 ? width / 2 : 5 + (width - 10) * place / (shown.length - 1);
  const y = (value) => height / 2 - Math.min(1, Math.max(-1, value)) * (height / 2 - 5);
  const drawn = s("svg", { class: "spark", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    s("line", { class: "zero", x1: 0, x2: width, y1: height / 2, y2: height / 2 }));
  if (shown.length > 1) drawn.append(s("polyline", { class: "line-first", points: shown.map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`).join(" ") }));
  shown.forEach((value, place) => drawn.append(s("circle", { class: value < 0 ? "low" : "first", cx: x(place).toFixed(1), cy: y(value).toFixed(1), r: 2.6 })));
  return drawn;
}

/** Lines over a common axis. `series`: [{name, kind: "first"|"second", points: [[x from 0 to 1, value]]}]. */
export function lines({ label, series, range, ticks, marks }) {
  const WIDTH = widthNow();
  const [left, right, top, foot, height] = [WIDTH < 600 ? 34 : 64, 20, 34, 34, 280];
  const [low, high] = range;
  const x = (share) => left + (WIDTH - left - right) * share;
  const y = (value) => top + (height - top - foot) * (1 - (value - low) / Math.max(1e-9, high - low));
  const drawn = s("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label });
  ticks.forEach(([value, words]) => drawn.append(s("line", { class: value === 0 && low < 0 ? "zero" : "grid", x1: left, x2: WIDTH - right, y1: y(value), y2: y(value) }),
    s("text", { class: "soft", x: left - 8, y: y(value) + 4, "text-anchor": "end" }, words)));
  roomy(marks, x, WIDTH).forEach(({ share, words }) => drawn.append(s("text", { class: "soft", x: x(share), y: height - 10, "text-anchor": share < 0.05 ? "start" : share > 0.95 ? "end" : "middle" }, words)));
  series.forEach(({ name, kind, points, dots }, place) => {
    const at = left + place * Math.min(200, (WIDTH - left) / 2);
    drawn.append(s("line", { class: `line-${kind}`, x1: at, x2: at + 26, y1: 15, y2: 15 }), s("text", { x: at + 34, y: 19 }, name));
    if (points.length > 1 && !dots) drawn.append(s("polyline", { class: `line-${kind}`, points: points.map(([share, value]) => `${x(share).toFixed(1)},${y(value).toFixed(1)}`).join(" ") }));
    points.forEach(([share, value]) => drawn.append(mark(kind, x(share), y(value))));
  });
  return drawn;
}

function mark(kind, x, y) {
  if (kind === "first") return s("circle", { class: "first", cx: x.toFixed(1), cy: y.toFixed(1), r: 3.6 });
  return s("rect", { class: "second", x: (x - 3.5).toFixed(1), y: (y - 3.5).toFixed(1), width: 7, height: 7 });
}

/** Steps per task, both arms beside each other, with a dot for every run. */
export function bars(tasks, values) {
  const WIDTH = widthNow();
  // Where there is no room beside the bars, the name of a task stands above its own.
  const isNarrow = WIDTH < 600;
  const [left, right, top, bar, group, above] = isNarrow ? [4, 84, 40, 15, 66, 18] : [250, 90, 40, 15, 46, 0];
  const most = Math.max(1, ...tasks.flatMap((task) => task.arms.flatMap((arm) => [arm.steps, ...arm.each])));
  const tick = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => most / step <= (isNarrow ? 5 : 10)) ?? 1000;
  const end = Math.ceil(most / tick) * tick;
  const x = (steps) => left + (WIDTH - left - right) * steps / end;
  const height = top + group * tasks.length + 30;
  const drawn = s("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": `Steps per task, ${values[0]} against ${values[1]}` });
  ["first", "second"].forEach((kind, place) => drawn.append(s("rect", { class: kind, x: left + place * Math.min(180, WIDTH / 2), y: 8, width: 14, height: 14, rx: 3 }), s("text", { x: left + place * Math.min(180, WIDTH / 2) + 20, y: 20 }, values[place])));
  for (let step = 0; step <= end; step += tick) {
    drawn.append(s("line", { class: "grid", x1: x(step), x2: x(step), y1: top, y2: height - 26 }), s("text", { class: "soft", x: x(step), y: height - 8, "text-anchor": "middle" }, String(step)));
  }
  tasks.forEach((task, row) => {
    const y = top + 6 + row * group + above;
    drawn.append(s("text", isNarrow ? { x: left, y: y - 5 } : { x: left - 12, y: y + 21, "text-anchor": "end" }, task.task.length > 32 ? `${task.task.slice(0, 31)}…` : task.task));
    task.arms.forEach((arm, place) => {
      const at = y + place * (bar + 2);
      drawn.append(s("rect", { class: place === 0 ? "first" : "second", x: left, y: at, width: Math.max(0, x(arm.steps) - left).toFixed(1), height: bar, rx: 3 }));
      arm.each.forEach((steps) => drawn.append(s("circle", { class: "each", cx: x(steps).toFixed(1), cy: at + bar / 2, r: 3 })));
      const miss = arm.achieved < arm.runs ? `, true ${arm.achieved}/${arm.runs}` : "";
      drawn.append(s("text", { x: (x(Math.max(arm.steps, ...arm.each)) + 8).toFixed(1), y: at + 12 }, `${arm.steps.toFixed(1)}${miss}`));
    });
  });
  return drawn;
}

/** One cell a run: verdicts in order, with a letter for each. */
export function strip(runs) {
  const size = 34;
  const letters = { pass: ["good", "✓"], fail: ["bad", "✕"], uncertain: ["unsure", "?"], unjudged: ["neutral", "–"] };
  const columns = Math.min(28, Math.floor(widthNow() / size), Math.max(1, runs.length));
  const rows = Math.ceil(runs.length / columns);
  const drawn = s("svg", { class: "plot", viewBox: `0 0 ${columns * size} ${rows * size}`, role: "img", "aria-label": `Verdicts in order: ${runs.map((run) => run.verdict).join(", ")}`, style: { "max-width": `${columns * size}px` } });
  runs.forEach((run, place) => {
    const [tone, sign] = letters[run.verdict] ?? letters.unjudged;
    const [x, y] = [(place % columns) * size, Math.floor(place / columns) * size];
    drawn.append(s("rect", { x: x + 2, y: y + 2, width: size - 4, height: size - 4, rx: 6, style: { fill: `var(--${tone}-bg)` } }),
      s("text", { x: x + size / 2, y: y + size / 2 + 5, "text-anchor": "middle", style: { fill: `var(--${tone})`, "font-weight": "700" } }, sign));
  });
  return drawn;
}
