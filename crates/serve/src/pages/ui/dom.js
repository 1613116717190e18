// Elements from data. Text only ever becomes text: whatever pages, brains and people wrote cannot become markup here,
// nor turn the words around it.

const SVG = "http://www.w3.org/2000/svg";

/** Control codes, and marks that make text read backwards: as in the report, each is shown as one sign. */
const STEERING = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Attributes that people read or hear. */
const SHOWN = new Set(["title", "alt", "aria-label"]);

/** Text as it may be shown. */
export function visible(text) {
  return String(text).replace(STEERING, "\ufffd");
}

/** An element; `props` are attributes, except `on` (listeners), `class`, `data` and `style` (custom properties). */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for drawings. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "data") {
      Object.assign(element.dataset, value);
    } else if (name === "style") {
      for (const [property, setting] of Object.entries(value)) element.style.setProperty(property, setting);
    } else if (name === "value" && "value" in element) {
      element.value = value;
    } else {
      element.setAttribute(name, value === true ? "" : SHOWN.has(name) ? visible(value) : String(value));
    }
  }
  add(element, children);
  return element;
}

/** Appends texts and elements; what is null or false is left out. */
export function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : visible(child));
  }
  return element;
}

/** Puts other children in place of those that are there. */
export function put(element, ...children) {
  element.replaceChildren();
  return add(element, children);
}

/** Changes a text only where it differs, so that readers are not told the same twice. */
export function say(element, text) {
  const words = visible(text ?? "");
  if (element.textContent !== words) element.textContent = words;
}

/** A sentence whose words between backticks are code. */
export function coded(text) {
  return String(text ?? "").split("`").map((part, place) => (place % 2 ? h("code", {}, part) : part));
}

/** A link only where the address is one of the web; a text where it is anything else. */
export function outside(address, text) {
  let known = null;
  try {
    const url = new URL(address);
    if (url.protocol === "http:" || url.protocol === "https:") known = url.href;
  } catch { /* Not an address. */ }
  const words = text ?? address;
  if (!known) return h("span", {}, words);
  return h("a", { href: known, target: "_blank", rel: "noopener noreferrer" }, words);
}

/** What went wrong, and what helps, as sentences. */
export function inWords(error) {
  const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?…:]$/.test(text) ? "" : ".");
  return [error.message, error.hint].filter(Boolean).map(sentence).join(" ");
}

/** How long a sentence for people who listen stays: long enough to be read out after others. */
const SPOKEN = 15_000;

/** Tells people who listen. Each is a line of its own, so that none replaces another and the same is told twice. */
export function announce(text) {
  const place = document.getElementById("announcer");
  if (!place || !text) return;
  const line = h("p", {}, text);
  place.append(line);
  setTimeout(() => line.remove(), SPOKEN);
}

/** Calls it once for many wishes, when the screen is drawn next. */
export function gathered(work) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    const run = () => { if (asked) { asked = false; work(); } };
    requestAnimationFrame(run);
    // Frames are not drawn in a tab that nobody sees.
    setTimeout(run, 250);
  };
}

/** As long as it takes to see that something new is there, and what. */
const READ = 800;

/** Buttons that have just come into somebody's way: a press that was meant for what stood there before does not meet them. */
export function notYet(buttons) {
  buttons.classList.add("not-yet");
  setTimeout(() => buttons.classList.remove("not-yet"), READ);
  return buttons;
}
