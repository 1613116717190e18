// Keyboard shortcuts: one list, from which both the listener and the help are made.

import { h } from "./dom.js";

const known = [];
/** Kept by the browser: whoever speaks to their machine may not want single letters to be wishes. */
const OFF = "surehand.no-single-keys";

function areOff() {
  return localStorage.getItem(OFF) !== null;
}

/** `key` as the browser names it; ignored while somebody types. */
export function shortcut(key, words, work) {
  known.push({ key, words, work });
}

export function listen() {
  shortcut("?", "this list", help);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target, event.key)) return;
    if (document.querySelector("dialog[open]")) return;
    if (areOff() && event.key.length === 1) return;
    const found = known.find((one) => one.key === event.key);
    if (!found) return;
    event.preventDefault();
    found.work();
  });
}

function isTyping(target, key) {
  if (!(target instanceof Element)) return false;
  if (target.closest("[data-keys=taken]")) return true;
  if (key.startsWith("Arrow") && target.closest("[data-keys=arrows]")) return true;
  // Arrow keys belong to whatever has the focus; a range and radio buttons use them.
  return target.closest("input, textarea, select, [contenteditable]") !== null;
}

const NAMES = { ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };

export function help() {
  const rows = known.map(({ key, words }) => [h("dt", {}, h("kbd", {}, NAMES[key] ?? key)), h("dd", {}, words)]);
  const alone = h("input", { type: "checkbox", id: "single-keys", checked: !areOff(), on: { change: () => {
    if (alone.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "off");
  } } });
  const box = h("dialog", { class: "plain", "aria-label": "Keyboard shortcuts" },
    h("div", { class: "card" }, h("h2", {}, "Keyboard"), h("dl", { class: "keys" }, rows),
      h("label", { class: "check-line", for: "single-keys" }, alone, "Single letters, digits and signs are shortcuts"),
      h("form", { method: "dialog", on: { submit: (event) => { event.preventDefault(); box.close(); } } },
        h("button", { type: "submit" }, "Close"))));
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  box.showModal();
}
