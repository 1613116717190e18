// Marking the picture: pins dropped by a click, strokes drawn by dragging. Both are kept in pixels
// of the canvas, whatever size it is shown at.
import { clamp, element } from "/assets/common.js";
import { act, onChange, notify, refresh, store, tenths } from "/assets/store.js";
import { HEIGHT, WIDTH } from "/assets/scenes.js";
import { draw } from "/assets/stage.js";
import { showMarker } from "/assets/side.js";

const PIN_RADIUS = 15;
const MOST_POINTS = 2000;
const LEAST_STEP = 3;
const COLORS = { yellow: "#ffd84d", coral: "#ff6f61", mint: "#5fe0b0", white: "#ffffff" };

const stage = document.getElementById("stage");
const canvas = document.getElementById("canvas");
const annotateButton = document.getElementById("annotate");
const drawButton = document.getElementById("draw");
const undoButton = document.getElementById("undo");
const clearButton = document.getElementById("clear");
const swatches = document.getElementById("swatches");
let mode = null;
let color = "yellow";
let points = null;

/** The stroke under the pointer that is not on the server yet. */
export function draft() {
  return points;
}

export function drawMarks(context, clip, drafted) {
  for (const stroke of store.player.strokes.filter((known) => known.clip === clip.id)) {
    drawStroke(context, stroke.points, COLORS[stroke.color]);
  }
  if (drafted) {
    drawStroke(context, drafted, COLORS[color]);
  }
  for (const marker of markersOf(clip.id)) {
    drawPin(context, marker);
  }
}

export function markersOf(clip) {
  return store.player.markers.filter((marker) => marker.clip === clip);
}

function drawStroke(context, line, style) {
  context.strokeStyle = style;
  context.lineWidth = 6;
  context.lineCap = "round";
  context.lineJoin = "round";
  context.beginPath();
  line.forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.stroke();
}

function drawPin(context, marker) {
  context.beginPath();
  context.arc(marker.x, marker.y, PIN_RADIUS, 0, Math.PI * 2);
  context.fillStyle = "#f0a63a";
  context.fill();
  context.lineWidth = store.chosenMarker === marker.id ? 5 : 2.5;
  context.strokeStyle = "#fff";
  context.stroke();
  context.fillStyle = "#1b1406";
  context.font = '700 16px "Liberation Sans", Arial, sans-serif';
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(String(marker.id), marker.x, marker.y + 1);
}

function place(event) {
  const box = canvas.getBoundingClientRect();
  const x = clamp(Math.round(((event.clientX - box.left) / box.width) * WIDTH), 0, WIDTH);
  const y = clamp(Math.round(((event.clientY - box.top) / box.height) * HEIGHT), 0, HEIGHT);
  return [x, y];
}

export function setMode(wanted) {
  mode = mode === wanted ? null : wanted;
  stage.classList.toggle("is-annotating", mode === "annotate");
  stage.classList.toggle("is-drawing", mode === "draw");
  annotateButton.setAttribute("aria-pressed", String(mode === "annotate"));
  drawButton.setAttribute("aria-pressed", String(mode === "draw"));
}

/** Whether a mode was on and now is off. */
export function leaveMode() {
  const wasOn = mode !== null;
  setMode(mode);
  return wasOn;
}

canvas.addEventListener("click", async (event) => {
  if (mode !== "annotate") {
    return;
  }
  const [x, y] = place(event);
  const clip = store.player.current;
  // The newest lies on top, so it is the one that is hit.
  const hit = markersOf(clip).findLast((marker) => Math.hypot(marker.x - x, marker.y - y) <= PIN_RADIUS + 3);
  if (hit) {
    store.chosenMarker = hit.id;
    showMarker(hit.id);
    notify();
    return;
  }
  if (await act("POST", "/api/markers", { clip, x, y, time: tenths(store.position) })) {
    await refresh();
  }
});

canvas.addEventListener("pointerdown", (event) => {
  if (mode === "draw" && event.button === 0) {
    canvas.setPointerCapture(event.pointerId);
    points = [place(event)];
  }
});

canvas.addEventListener("pointermove", (event) => {
  if (!points || points.length >= MOST_POINTS) {
    return;
  }
  const [x, y] = place(event);
  const [lastX, lastY] = points.at(-1);
  if (Math.hypot(x - lastX, y - lastY) >= LEAST_STEP) {
    points.push([x, y]);
    draw();
  }
});

canvas.addEventListener("pointerup", async () => {
  const line = points;
  if (line && line.length > 1) {
    const stroke = { clip: store.player.current, time: tenths(store.position), color, points: line };
    await act("POST", "/api/strokes", stroke);
    points = null;
    await refresh();
  }
  points = null;
});

canvas.addEventListener("pointercancel", () => {
  points = null;
  draw();
});

annotateButton.addEventListener("click", () => setMode("annotate"));
drawButton.addEventListener("click", () => setMode("draw"));

undoButton.addEventListener("click", async () => {
  const last = store.player.strokes.findLast((stroke) => stroke.clip === store.player.current);
  if (last && (await act("DELETE", `/api/strokes/${last.id}`))) {
    await refresh();
  }
});

clearButton.addEventListener("click", async () => {
  if (await act("DELETE", `/api/clips/${store.player.current}/annotations`)) {
    await refresh();
  }
});

onChange(() => {
  const { current, strokes, stroke_colors: colors } = store.player;
  const hasStrokes = strokes.some((stroke) => stroke.clip === current);
  undoButton.disabled = !hasStrokes;
  clearButton.disabled = !hasStrokes && markersOf(current).length === 0;
  if (swatches.children.length === 0) {
    swatches.append(...colors.map(swatch));
  }
});

function swatch(name) {
  const button = element("button", { className: `swatch swatch-${name}`, type: "button", title: name, "aria-pressed": String(name === color) });
  button.setAttribute("aria-label", `Draw in ${name}`);
  button.addEventListener("click", () => {
    color = name;
    for (const other of swatches.children) {
      other.setAttribute("aria-pressed", String(other === button));
    }
  });
  return button;
}
