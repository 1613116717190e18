// Moving cards with the browser's own drag-and-drop: the card's number travels in the data
// transfer, a line shows where it would land.
import { element } from "/assets/common.js";
import { act, findCard } from "/assets/store.js";

const CARD_TYPE = "application/x-cardwall-card";

const line = element("div", { className: "drop-line" });
let dragged = null;

document.addEventListener("dragstart", (event) => {
  const item = event.target.closest?.(".card");
  if (!item) {
    return;
  }
  dragged = item;
  event.dataTransfer.setData(CARD_TYPE, item.dataset.id);
  event.dataTransfer.setData("text/plain", item.querySelector(".card-title").textContent);
  event.dataTransfer.effectAllowed = "move";
  // After the browser has taken its picture of the card, which should show it as it was.
  requestAnimationFrame(() => {
    if (dragged === item) {
      item.classList.add("is-dragged");
      document.body.classList.add("is-dragging");
    }
  });
});

document.addEventListener("dragend", endDrag);

function endDrag() {
  dragged?.classList.remove("is-dragged");
  dragged = null;
  document.body.classList.remove("is-dragging");
  clearTarget();
}

function clearTarget() {
  line.remove();
  document.querySelector(".column.is-target")?.classList.remove("is-target");
}

/** Lets cards be dropped anywhere in a column; the height decides between which cards. */
export function acceptDrops(section, list, columnId) {
  section.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes(CARD_TYPE)) {
      return;
    }
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
    if (!section.classList.contains("is-target")) {
      clearTarget();
      section.classList.add("is-target");
    }
    showLine(list, landing(list, event.clientY));
  });
  section.addEventListener("dragleave", (event) => {
    if (!section.contains(event.relatedTarget)) {
      clearTarget();
    }
  });
  section.addEventListener("drop", async (event) => {
    const id = Number(event.dataTransfer.getData(CARD_TYPE));
    if (!id) {
      return;
    }
    event.preventDefault();
    const { before } = landing(list, event.clientY);
    const others = [...list.children].filter((item) => item.matches(".card") && Number(item.dataset.id) !== id);
    const index = before ? others.indexOf(before) : others.length;
    const item = dragged;
    endDrag();
    const from = findCard(id);
    if (!from || (from.column.id === columnId && from.index === index)) {
      return;
    }
    // Shown at its new place at once; the answer of the server then confirms it.
    if (item) {
      list.insertBefore(item, before);
    }
    await act("POST", `/api/cards/${id}/move`, { column: columnId, index });
  });
}

/** The visible card that would come directly below, and the one above the gap. */
function landing(list, y) {
  const visible = [...list.children].filter((item) => item.matches(".card") && !item.hidden && item !== dragged);
  const position = visible.findIndex((item) => {
    const box = item.getBoundingClientRect();
    return y < box.top + box.height / 2;
  });
  const before = position < 0 ? null : visible[position];
  const after = position < 0 ? visible.at(-1) : visible[position - 1];
  return { before, after };
}

function showLine(list, { before, after }) {
  // In the middle of the gap, measured inside the list so that it scrolls along.
  const gap = 8;
  let top = 0;
  if (before) {
    top = before.offsetTop - gap / 2 - 1.5;
  } else if (after) {
    top = after.offsetTop + after.offsetHeight + gap / 2 - 1.5;
  }
  line.style.top = `${Math.max(0, top)}px`;
  if (line.parentElement !== list) {
    list.append(line);
  }
}
