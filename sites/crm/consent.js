// The consent banner. The layer takes every click until one of the two buttons is used, the way
// such banners silently break scripts on real sites.
import { callApi } from "/assets/common.js";

const layer = document.getElementById("consent-layer");
const bar = document.getElementById("consent-bar");

layer.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-consent]");
  if (!button) {
    refuseClick();
    return;
  }
  const answer = await callApi("POST", "/api/consent", { choice: button.dataset.consent });
  if (answer.ok) {
    layer.remove();
  } else {
    refuseClick();
  }
});

function refuseClick() {
  bar.classList.remove("consent-refused");
  // Reading a size makes the browser apply the removal, so the animation starts again.
  void bar.offsetWidth;
  bar.classList.add("consent-refused");
}

bar.addEventListener("animationend", () => bar.classList.remove("consent-refused"));
