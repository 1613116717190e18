// The picture: draws the current moment with everything marked on it, lets the clip run, and
// says what a click on the picture means. Without a running clip nothing is drawn again.
import { currentClip, notify, onChange, set, store, tenths } from "/assets/store.js";
import { HEIGHT, WIDTH, drawScene } from "/assets/scenes.js";
import { draft, drawMarks } from "/assets/annotate.js";
import { showTime } from "/assets/controls.js";

/** How long a click waits for a second one, which switches theatre mode instead. */
const DOUBLE_CLICK_MILLISECONDS = 240;

const stage = document.getElementById("stage");
const canvas = document.getElementById("canvas");
const context = canvas.getContext("2d");
let lastFrame = 0;
let waiting = 0;

onChange(() => {
  stage.classList.toggle("is-playing", store.playing);
  document.body.classList.toggle("is-theatre", store.player.theatre);
  draw();
});

export function draw() {
  const clip = currentClip();
  drawScene(context, clip, store.position);
  drawTimecode(clip);
  drawMarks(context, clip, draft());
  showTime();
}

/** In the picture itself, so that a position can be read from pixels alone. */
function drawTimecode(clip) {
  const seconds = tenths(store.position);
  const text = `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${(seconds % 60).toFixed(1).padStart(4, "0")}`;
  context.font = '700 26px "Liberation Sans", Arial, sans-serif';
  context.textBaseline = "top";
  context.textAlign = "left";
  context.fillStyle = "rgb(0 0 0 / 55%)";
  context.fillRect(28, 26, 122, 42);
  context.fillStyle = "#fff";
  context.fillText(text, 42, 34, WIDTH);
  context.font = '22px "Liberation Sans", Arial, sans-serif';
  context.fillStyle = "rgb(255 255 255 / 82%)";
  context.fillText(clip.title, 166, 36, HEIGHT);
}

export function togglePlay() {
  if (store.playing) {
    pause();
  } else {
    play();
  }
}

function play() {
  if (store.position >= currentClip().duration) {
    store.position = 0;
  }
  store.playing = true;
  lastFrame = performance.now();
  set({ playing: true, position: tenths(store.position) });
  requestAnimationFrame(run);
}

export function pause() {
  store.playing = false;
  // What is shown and what is stored are the same tenth.
  store.position = tenths(store.position);
  return set({ playing: false, position: store.position });
}

function run(now) {
  if (!store.playing) {
    return;
  }
  const { duration } = currentClip();
  store.position = Math.min(duration, store.position + (Math.max(0, now - lastFrame) / 1000) * store.player.speed);
  lastFrame = now;
  if (store.position >= duration) {
    pause();
    return;
  }
  draw();
  requestAnimationFrame(run);
}

export function toggleTheatre() {
  set({ theatre: !store.player.theatre });
}

canvas.addEventListener("click", (event) => {
  clearTimeout(waiting);
  if (isMarking() || event.detail > 1) {
    return;
  }
  waiting = setTimeout(togglePlay, DOUBLE_CLICK_MILLISECONDS);
});

canvas.addEventListener("dblclick", () => {
  clearTimeout(waiting);
  if (!isMarking()) {
    toggleTheatre();
  }
});

function isMarking() {
  return stage.matches(".is-annotating, .is-drawing");
}

// A page that goes away while playing leaves its position behind.
window.addEventListener("pagehide", () => {
  if (store.playing) {
    store.playing = false;
    fetch("/api/player", {
      method: "PATCH",
      keepalive: true,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ playing: false, position: tenths(store.position) }),
    });
  }
});

// Back from the browser's memory: it was stopped on leaving, so show it as stopped.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && store.player) {
    notify();
  }
});
