// The header of the signed-in pages: the ticking clock, the user menu, and the toast a previous
// page left behind.
import { callApi, clockText, showFlash, showToast } from "/assets/common.js";

const clock = document.getElementById("clock");
const button = document.getElementById("user-button");
const panel = document.getElementById("user-panel");

tick();
showFlash();

function tick() {
  const now = new Date();
  clock.textContent = clockText(now);
  // Aimed at the next full second, so the clock never skips one.
  setTimeout(tick, 1000 - now.getMilliseconds());
}

button.addEventListener("click", () => showMenu(panel.hidden));

document.addEventListener("click", (event) => {
  if (!event.target.closest(".user-menu")) {
    showMenu(false);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !panel.hidden) {
    showMenu(false);
    button.focus();
  }
});

function showMenu(open) {
  panel.hidden = !open;
  button.setAttribute("aria-expanded", String(open));
}

document.getElementById("sign-out").addEventListener("click", async () => {
  const answer = await callApi("POST", "/api/logout");
  if (answer.ok) {
    window.location.assign("/login");
  } else {
    showToast(answer.data.error.message, true);
  }
});
