// Hides the controls when the pointer rests, playing or not, and brings them back when it moves.

const IDLE_MILLISECONDS = 2000;

const stage = document.getElementById("stage");
const controls = document.getElementById("controls");
let timer = 0;
let last = "";

export function wake() {
  stage.classList.remove("is-idle");
  clearTimeout(timer);
  timer = setTimeout(rest, IDLE_MILLISECONDS);
}

function rest() {
  // An open menu, a held slider and the keyboard's focus keep what they belong to in sight.
  const isInUse = controls.querySelector(".menu:not([hidden]), .is-held, :focus-visible") !== null;
  if (isInUse) {
    timer = setTimeout(rest, IDLE_MILLISECONDS);
  } else {
    stage.classList.add("is-idle");
  }
}

stage.addEventListener("pointermove", (event) => {
  // Browsers also tell of a pointer that stands still while the page moves below it.
  const place = `${event.clientX},${event.clientY}`;
  if (place !== last) {
    last = place;
    wake();
  }
});

stage.addEventListener("pointerdown", wake);
controls.addEventListener("focusin", wake);
