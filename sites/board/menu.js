// The menu of a right click on a card, in place of the browser's own.
import { element } from "/assets/common.js";
import { act, findCard } from "/assets/store.js";
import { archiveCard, editTitle } from "/assets/cards.js";
import { openPanel } from "/assets/panel.js";

const EDGE = 6;

const menu = document.getElementById("context-menu");

export function openContextMenu(card, x, y) {
  const entry = (text, action, className = "") => {
    const button = element("button", { type: "button", className, role: "menuitem" }, text);
    button.addEventListener("click", () => {
      close();
      action();
    });
    return button;
  };
  menu.replaceChildren(
    entry("Open", () => openPanel(card.id)),
    entry("Rename", () => editTitle(card.id)),
    entry("Duplicate", () => act("POST", `/api/cards/${card.id}/duplicate`)),
    entry("Move to top", () => moveToTop(card)),
    element("hr"),
    entry("Archive", () => archiveCard(card), "danger"),
  );
  menu.hidden = false;
  const box = menu.getBoundingClientRect();
  menu.style.left = `${Math.min(x, window.innerWidth - box.width - EDGE)}px`;
  menu.style.top = `${Math.min(y, window.innerHeight - box.height - EDGE)}px`;
}

function moveToTop(card) {
  const place = findCard(card.id);
  if (place) {
    act("POST", `/api/cards/${card.id}/move`, { column: place.column.id, index: 0 });
  }
}

function close() {
  menu.hidden = true;
}

document.addEventListener("pointerdown", (event) => {
  if (!menu.contains(event.target)) {
    close();
  }
});

document.addEventListener("scroll", close, true);
window.addEventListener("resize", close);
menu.addEventListener("contextmenu", (event) => event.preventDefault());

document.addEventListener("keydown", (event) => {
  if (menu.hidden) {
    return;
  }
  const buttons = [...menu.querySelectorAll("button")];
  const current = buttons.indexOf(document.activeElement);
  if (event.key === "Escape") {
    event.stopImmediatePropagation();
    close();
  } else if (event.key === "ArrowDown") {
    event.preventDefault();
    buttons[(current + 1) % buttons.length].focus();
  } else if (event.key === "ArrowUp") {
    event.preventDefault();
    buttons[(current + buttons.length - (current < 0 ? 0 : 1)) % buttons.length]?.focus();
  }
});
