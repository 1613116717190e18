// The panel of one card: description, due date, assignee, labels, checklist. Its address is
// /cards/<number>, so a card can be linked to.
import { element, showToast } from "/assets/common.js";
import { act, findCard, onBoard, store } from "/assets/store.js";

const FIRST_YEAR = 2000;
const LAST_YEAR = 2099;

const panel = document.getElementById("card-panel");
const boardTitle = "Lighthouse launch · Cardwall";
let openId = null;
let shown = "";

export function openPanel(id, isNewAddress = true) {
  openId = id;
  shown = "";
  if (isNewAddress && window.location.pathname !== `/cards/${id}`) {
    history.pushState(null, "", `/cards/${id}`);
  }
  document.getElementById("activity-panel").hidden = true;
  document.getElementById("activity-button").setAttribute("aria-expanded", "false");
  render();
  panel.scrollTop = 0;
}

export function closePanel(isNewAddress = true) {
  if (openId === null) {
    return;
  }
  openId = null;
  if (isNewAddress) {
    history.pushState(null, "", "/");
  }
  render();
}

/** Opens what the address asks for: at the start, and when somebody goes back. */
export function followAddress() {
  const id = Number(window.location.pathname.match(/^\/cards\/(\d+)$/)?.[1]);
  if (id && findCard(id)) {
    openPanel(id, false);
  } else {
    closePanel(false);
  }
}

window.addEventListener("popstate", followAddress);
onBoard(render);

function render() {
  const found = openId === null ? null : findCard(openId);
  for (const item of document.querySelectorAll(".card")) {
    item.classList.toggle("is-open", found !== null && Number(item.dataset.id) === openId);
  }
  document.title = found ? `${found.card.title} · Cardwall` : boardTitle;
  if (!found) {
    // The open card was archived, or nothing is open.
    panel.hidden = true;
    if (openId !== null) {
      openId = null;
      history.replaceState(null, "", "/");
    }
    return;
  }
  const text = JSON.stringify([found.card, found.column.id]);
  if (text === shown) {
    return;
  }
  shown = text;
  const draft = unsavedDescription(found.card.id);
  const newItem = panel.querySelector("#new-item");
  const isAddingItem = newItem !== null && newItem === document.activeElement;
  panel.replaceChildren(...contents(found.card, found.column));
  panel.dataset.id = found.card.id;
  panel.hidden = false;
  if (draft !== null) {
    const field = panel.querySelector("#description");
    field.value = draft;
    field.dispatchEvent(new Event("input"));
  }
  if (isAddingItem) {
    panel.querySelector("#new-item").focus();
  }
}

/** What somebody typed and has not saved; a change elsewhere on the card must not lose it. */
function unsavedDescription(id) {
  const field = panel.querySelector("#description");
  const isSameCard = Number(panel.dataset.id) === id && !panel.hidden;
  return field && isSameCard && field.value !== field.defaultValue ? field.value : null;
}

function contents(card, column) {
  const close = element("button", { className: "icon-button", type: "button", "aria-label": "Close the card" }, "×");
  close.addEventListener("click", () => closePanel());
  return [
    element("header", { className: "panel-head" }, element("span", {}, `#${card.id} in ${column.title}`), close),
    element("h2", { className: "panel-title" }, card.title),
    element("div", { className: "panel-pair" }, dueField(card), assigneeField(card)),
    labelField(card),
    descriptionField(card),
    checklistField(card),
  ];
}

function field(text, id, ...children) {
  const caption = element("label", { className: "panel-label", htmlFor: id }, text);
  return element("div", { className: "panel-field" }, caption, ...children);
}

function change(card, fields) {
  return act("PATCH", `/api/cards/${card.id}`, fields);
}

function dueField(card) {
  const input = element("input", { className: "input", id: "due", type: "date", value: card.due ?? "" });
  // Each typed digit is a change, and on the way to 2026 the year is 2, 20 and 202. What is typed
  // counts when it is finished; what is picked from the calendar counts at once.
  let isTyped = false;
  const save = () => {
    const year = Number(input.value.slice(0, 4));
    if (input.validity.badInput || (input.value && (year < FIRST_YEAR || year > LAST_YEAR))) {
      input.value = card.due ?? "";
      showToast(`Enter a date between ${FIRST_YEAR} and ${LAST_YEAR}.`, true);
    } else if (input.value !== (card.due ?? "")) {
      change(card, { due: input.value });
    }
  };
  input.addEventListener("keydown", (event) => {
    isTyped = event.key !== "Enter";
    if (!isTyped) {
      save();
    }
  });
  input.addEventListener("pointerdown", () => {
    isTyped = false;
  });
  input.addEventListener("change", () => {
    if (!isTyped) {
      save();
    }
  });
  input.addEventListener("blur", save);
  return field("Due date", "due", input);
}

function assigneeField(card) {
  const options = ["", ...store.board.people].map((name) => element("option", { value: name }, name || "Nobody"));
  const select = element("select", { className: "input", id: "assignee" }, ...options);
  select.value = card.assignee ?? "";
  select.addEventListener("change", () => change(card, { assignee: select.value }));
  return field("Assignee", "assignee", select);
}

function labelField(card) {
  const chips = store.board.labels.map((name) => {
    const isOn = card.labels.includes(name);
    const chip = element("button", { className: isOn ? `chip label-${name}` : "chip", type: "button", "aria-pressed": String(isOn) }, name);
    chip.addEventListener("click", () => {
      const labels = isOn ? card.labels.filter((other) => other !== name) : [...card.labels, name];
      change(card, { labels });
    });
    return chip;
  });
  return element(
    "div",
    { className: "panel-field" },
    element("span", { className: "panel-label" }, "Labels"),
    element("div", { className: "chips", role: "group", "aria-label": "Labels" }, ...chips),
  );
}

function descriptionField(card) {
  const text = element("textarea", { className: "input", id: "description", rows: 5, maxLength: 4000, placeholder: "Add more detail", defaultValue: card.description });
  const save = element("button", { className: "button button-primary", type: "button" }, "Save description");
  const discard = element("button", { className: "button", type: "button" }, "Discard");
  const buttons = element("div", { className: "description-buttons", hidden: true }, save, discard);
  const showButtons = () => {
    buttons.hidden = text.value === text.defaultValue;
  };
  text.addEventListener("input", showButtons);
  save.addEventListener("click", async () => {
    const wanted = text.value;
    // From here on it is no draft any more, so the new board may replace it.
    text.defaultValue = wanted;
    if (await change(card, { description: wanted })) {
      showToast("Description saved");
    }
  });
  discard.addEventListener("click", () => {
    text.value = text.defaultValue;
    showButtons();
  });
  return field("Description", "description", text, buttons);
}

function checklistField(card) {
  const done = card.checklist.filter((item) => item.done).length;
  const bar = element("i");
  bar.style.width = `${card.checklist.length > 0 ? (100 * done) / card.checklist.length : 0}%`;
  const input = element("input", { className: "input", id: "new-item", type: "text", maxLength: 120, placeholder: "Add an item" });
  input.setAttribute("aria-label", "New checklist item");
  const form = element("form", { className: "add-item" }, input, element("button", { className: "button", type: "submit" }, "Add"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text) {
      input.value = "";
      act("POST", `/api/cards/${card.id}/checklist`, { text });
    }
  });
  return element(
    "div",
    { className: "panel-field" },
    element("span", { className: "panel-label" }, `Checklist ${done}/${card.checklist.length}`),
    element("div", { className: "progress" }, bar),
    element("ul", {}, ...card.checklist.map((item) => checklistItem(card, item))),
    form,
  );
}

function checklistItem(card, item) {
  const path = `/api/cards/${card.id}/checklist/${item.id}`;
  const box = element("input", { type: "checkbox", checked: item.done });
  box.addEventListener("change", () => act("PATCH", path, { done: box.checked }));
  const remove = element("button", { className: "icon-button", type: "button", title: "Remove" }, "×");
  remove.setAttribute("aria-label", `Remove ${item.text}`);
  remove.addEventListener("click", () => act("DELETE", path));
  return element("li", { className: item.done ? "check is-done" : "check" }, element("label", {}, box, item.text), remove);
}
