// Joins the parts of the page: first load, the ticking clock, and the keyboard.
import { load, seek, set, store } from "/assets/store.js";
import { togglePlay, toggleTheatre } from "/assets/stage.js";
import { closeMenu, toggleMute } from "/assets/controls.js";
import { leaveMode } from "/assets/annotate.js";
import "/assets/side.js";

const SEEK_STEP = 5;

const clock = document.getElementById("clock");

tick();
start();

async function start() {
  if ((await load()) && store.player.playing) {
    // Another visit ended in the middle of playing; this page begins paused.
    await set({ playing: false });
  }
}

function tick() {
  const now = new Date();
  const parts = [now.getHours(), now.getMinutes(), now.getSeconds()];
  clock.textContent = parts.map((number) => String(number).padStart(2, "0")).join(":");
  // Aimed at the next full second, so the clock never skips one.
  setTimeout(tick, 1000 - now.getMilliseconds());
}

// A button that was clicked keeps no focus, so the space bar means play again and not that button.
document.addEventListener("click", (event) => {
  if (event.detail > 0) {
    event.target.closest?.("button")?.blur();
  }
});

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches('input[type="text"]');
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !store.player) {
    return;
  }
  const isButton = event.target.matches("button");
  const isSlider = event.target.matches("input, [role=slider]");
  if (event.key === " " && !isButton) {
    event.preventDefault();
    togglePlay();
  } else if (event.key === "ArrowLeft" && !isSlider) {
    seek(store.position - SEEK_STEP);
  } else if (event.key === "ArrowRight" && !isSlider) {
    seek(store.position + SEEK_STEP);
  } else if (event.key === "m") {
    toggleMute();
  } else if (event.key === "t") {
    toggleTheatre();
  } else if (event.key === "Escape" && !closeMenu() && !leaveMode() && store.player.theatre) {
    toggleTheatre();
  }
});
