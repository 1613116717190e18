// One card on the board: its looks, the controls that appear on hover, and the title that turns
// into a field.
import { avatar, dayText, element, icon, showToast } from "/assets/common.js";
import { act, store } from "/assets/store.js";
import { openPanel } from "/assets/panel.js";
import { openContextMenu } from "/assets/menu.js";

/** How long a click waits for a second one, which edits the title instead of opening the card. */
const DOUBLE_CLICK_MILLISECONDS = 230;

const made = new Map();

/** The element of a card; the same element as before while nothing on the card has changed. */
export function cardElement(card) {
  const text = JSON.stringify(card);
  const known = made.get(card.id);
  if (known?.text === text) {
    return known.item;
  }
  const item = build(card);
  made.set(card.id, { text, item });
  return item;
}

function build(card) {
  const title = element("p", { className: "card-title" }, card.title);
  const foot = element("div", { className: "card-foot" }, element("span", {}, `#${card.id}`));
  if (card.due) {
    foot.append(element("span", {}, icon("calendar"), dayText(card.due)));
  }
  if (card.checklist.length > 0) {
    const done = card.checklist.filter((entry) => entry.done).length;
    foot.append(element("span", {}, icon("check"), `${done}/${card.checklist.length}`));
  }
  if (card.assignee) {
    foot.append(avatar(card.assignee, store.board.people));
  }
  const item = element("li", { className: `card card-${card.color}`, draggable: true, tabIndex: 0, "data-id": card.id });
  if (card.labels.length > 0) {
    item.append(element("div", { className: "card-labels" }, ...card.labels.map(label)));
  }
  item.append(title, foot, tools(card), colors(card));
  listen(item, card);
  return item;
}

export function label(name) {
  return element("span", { className: `label label-${name}` }, name);
}

function tools(card) {
  const edit = element("button", { className: "icon-button", type: "button", title: "Edit title" }, icon("pencil"));
  edit.setAttribute("aria-label", `Edit the title of ${card.title}`);
  edit.addEventListener("click", () => editTitle(card.id));
  const archive = element("button", { className: "icon-button", type: "button", title: "Archive" }, icon("archive"));
  archive.setAttribute("aria-label", `Archive ${card.title}`);
  archive.addEventListener("click", () => archiveCard(card));
  return element("div", { className: "card-tools" }, edit, archive);
}

function colors(card) {
  const dots = store.board.colors.map((color) => {
    const dot = element("button", { className: `dot dot-${color}`, type: "button", title: color === "none" ? "No colour" : color });
    dot.setAttribute("aria-label", color === "none" ? "No colour" : `Colour ${color}`);
    dot.setAttribute("aria-pressed", String(card.color === color));
    dot.addEventListener("click", () => act("PATCH", `/api/cards/${card.id}`, { color }));
    return dot;
  });
  return element("div", { className: "card-colors" }, ...dots);
}

function listen(item, card) {
  let waiting = 0;
  item.addEventListener("click", (event) => {
    clearTimeout(waiting);
    if (event.target.closest("button, input") || event.detail > 1) {
      return;
    }
    waiting = setTimeout(() => openPanel(card.id), DOUBLE_CLICK_MILLISECONDS);
  });
  item.addEventListener("dblclick", (event) => {
    clearTimeout(waiting);
    if (!event.target.closest("button, input")) {
      editTitle(card.id);
    }
  });
  item.addEventListener("keydown", (event) => {
    if (event.target === item && event.key === "Enter") {
      event.preventDefault();
      openPanel(card.id);
    }
  });
  item.addEventListener("contextmenu", (event) => {
    if (event.target.closest("input")) {
      return;
    }
    event.preventDefault();
    clearTimeout(waiting);
    openContextMenu(card, event.clientX, event.clientY);
  });
}

export async function archiveCard(card) {
  if (await act("POST", `/api/cards/${card.id}/archive`)) {
    showToast(`Archived “${card.title}”`);
  }
}

/** Turns the title into a field: Enter and leaving it save, Escape does not. */
export function editTitle(id) {
  const item = document.querySelector(`.card[data-id="${id}"]`);
  const title = item?.querySelector(".card-title");
  if (!title || title.hidden) {
    return;
  }
  const input = element("input", { className: "title-input", type: "text", value: title.textContent, maxLength: 120 });
  input.setAttribute("aria-label", "Card title");
  title.hidden = true;
  title.after(input);
  item.classList.add("is-editing");
  // A draggable parent would take the mouse away from selecting text.
  item.draggable = false;
  input.focus();
  input.select();

  let isOver = false;
  const finish = async (isSaved) => {
    // Removing the field also takes its focus, which would save a second time.
    if (isOver) {
      return;
    }
    isOver = true;
    const wanted = input.value.trim();
    const changed = isSaved && wanted !== title.textContent;
    input.remove();
    title.hidden = false;
    item.classList.remove("is-editing");
    item.draggable = true;
    if (changed && !wanted) {
      showToast("A card needs a title.", true);
    } else if (changed) {
      title.textContent = wanted;
      await act("PATCH", `/api/cards/${id}`, { title: wanted });
    }
  };
  input.addEventListener("blur", () => finish(true));
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") {
      finish(true);
    } else if (event.key === "Escape") {
      finish(false);
    }
  });
}
