// The launch steps: a list put in order by its handles with plain pointer events, not with the
// browser's drag-and-drop. The other items make room while one is held.
import { element, icon } from "/assets/common.js";
import { act, onBoard, store } from "/assets/store.js";

const list = document.getElementById("steps");
let shown = "";

onBoard((board) => {
  const text = JSON.stringify(board.steps);
  if (text === shown) {
    return;
  }
  shown = text;
  const focused = document.activeElement?.closest?.(".step")?.dataset.id;
  list.replaceChildren(...board.steps.map(step));
  const done = board.steps.filter((item) => item.done).length;
  document.getElementById("steps-progress").textContent = `${done} of ${board.steps.length} done`;
  if (focused) {
    list.querySelector(`.step[data-id="${focused}"] .step-handle`)?.focus();
  }
});

function step(item) {
  const box = element("input", { type: "checkbox", checked: item.done });
  box.addEventListener("change", () => act("PATCH", `/api/steps/${item.id}`, { done: box.checked }));
  const handle = element("button", { className: "step-handle", type: "button", title: "Drag to move" }, icon("handle"));
  handle.setAttribute("aria-label", `Move ${item.text}`);
  const row = element("li", { className: item.done ? "step is-done" : "step", "data-id": item.id }, handle, element("label", {}, box, item.text));
  handle.addEventListener("pointerdown", (event) => {
    if (event.button === 0) {
      hold(row, handle, event);
    }
  });
  handle.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by) {
      event.preventDefault();
      const index = store.board.steps.findIndex((known) => known.id === item.id) + by;
      if (index >= 0 && index < store.board.steps.length) {
        move(item.id, index);
      }
    }
  });
  return row;
}

function move(id, index) {
  return act("POST", `/api/steps/${id}/move`, { index });
}

function hold(row, handle, start) {
  const rows = [...list.children];
  const from = rows.indexOf(row);
  const boxes = rows.map((item) => item.getBoundingClientRect());
  const room = boxes[from].height + 4;
  let to = from;
  // Without a default action no text is selected and no focus ring appears while dragging.
  start.preventDefault();
  handle.setPointerCapture(start.pointerId);
  row.classList.add("is-held");
  list.classList.add("is-sorting");

  const follow = (event) => {
    const lowest = boxes[0].top - boxes[from].top;
    const highest = boxes.at(-1).bottom - boxes[from].bottom;
    const shift = Math.min(highest, Math.max(lowest, event.clientY - start.clientY));
    row.style.transform = `translateY(${shift}px)`;
    const middle = boxes[from].top + boxes[from].height / 2 + shift;
    to = boxes.filter((box, index) => index !== from && box.top + box.height / 2 < middle).length;
    rows.forEach((item, index) => {
      if (item !== row) {
        const isPassedDown = index > from && index <= to;
        const isPassedUp = index < from && index >= to;
        item.style.transform = isPassedDown ? `translateY(${-room}px)` : isPassedUp ? `translateY(${room}px)` : "";
      }
    });
  };
  const release = (isKept) => {
    handle.removeEventListener("pointermove", follow);
    handle.removeEventListener("pointerup", keep);
    handle.removeEventListener("pointercancel", discard);
    document.removeEventListener("keydown", escape, true);
    list.classList.remove("is-sorting");
    row.classList.remove("is-held");
    for (const item of rows) {
      item.style.transform = "";
    }
    if (isKept && to !== from) {
      const others = rows.filter((item) => item !== row);
      list.insertBefore(row, others[to] ?? null);
      move(Number(row.dataset.id), to);
    }
  };
  const keep = () => release(true);
  const discard = () => release(false);
  const escape = (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      discard();
    }
  };
  handle.addEventListener("pointermove", follow);
  handle.addEventListener("pointerup", keep);
  handle.addEventListener("pointercancel", discard);
  document.addEventListener("keydown", escape, true);
}
