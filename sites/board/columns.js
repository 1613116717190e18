// The columns: their lists of cards, the menu that unfolds on hover, the field for a new card, and
// the filter over all of them.
import { element, showToast } from "/assets/common.js";
import { act, onBoard, store } from "/assets/store.js";
import { cardElement } from "/assets/cards.js";
import { acceptDrops } from "/assets/drag.js";

const place = document.getElementById("columns");
const filter = document.getElementById("filter");
const filterClear = document.getElementById("filter-clear");
const filterCount = document.getElementById("filter-count");
const parts = new Map();

onBoard((board) => {
  for (const column of board.columns) {
    if (!parts.has(column.id)) {
      parts.set(column.id, build(column, board.columns));
    }
    const { list } = parts.get(column.id);
    const wanted = column.cards.map(cardElement);
    // Left alone when nothing differs, so a reload disturbs neither focus nor scroll position.
    if (wanted.length !== list.children.length || wanted.some((item, index) => list.children[index] !== item)) {
      list.replaceChildren(...wanted);
    }
  }
  document.getElementById("archive-count").textContent = board.archive.length;
  applyFilter();
});

function build(column, all) {
  const count = element("span", { className: "count" }, "0");
  const list = element("ul", { className: "cards", "aria-label": column.title });
  const empty = element("p", { className: "column-empty", hidden: true }, "No cards here.");
  const foot = element("div", { className: "column-foot" });
  const section = element(
    "section",
    { className: "column", "aria-label": column.title, "data-id": column.id },
    element("header", { className: "column-head" }, element("h2", {}, column.title), count, columnMenu(column, all)),
    list,
    empty,
    foot,
  );
  showAddButton(column, foot);
  acceptDrops(section, list, column.id);
  place.append(section);
  return { list, count, empty, foot, column };
}

function columnMenu(column, all) {
  const entry = (text, action, className = "") => {
    const button = element("button", { type: "button", className, role: "menuitem" }, text);
    button.addEventListener("click", async () => {
      // The pointer is still over it, so it folds until the pointer has left once.
      wrapper.classList.add("is-folded");
      button.blur();
      await action();
    });
    return button;
  };
  const path = `/api/columns/${column.id}`;
  const targets = all
    .filter((other) => other.id !== column.id)
    .map((other) => entry(other.title, () => act("POST", `${path}/move`, { to: other.id })));
  const button = element("button", { className: "icon-button", type: "button", "aria-haspopup": "menu" }, "⋯");
  button.setAttribute("aria-label", `Menu of ${column.title}`);
  const wrapper = element(
    "div",
    { className: "column-menu" },
    button,
    element(
      "div",
      { className: "menu", role: "menu", "aria-label": column.title },
      entry("Sort by title", () => act("POST", `${path}/sort`, { by: "title" })),
      entry("Sort by due date", () => act("POST", `${path}/sort`, { by: "due" })),
      element(
        "div",
        { className: "submenu" },
        element("button", { type: "button", role: "menuitem", "aria-haspopup": "menu" }, "Move all cards to", element("span", { "aria-hidden": "true" }, "›")),
        element("div", { className: "menu", role: "menu", "aria-label": "Move all cards to" }, ...targets),
      ),
      element("hr"),
      entry("Archive all cards", () => archiveAll(column, path), "danger"),
    ),
  );
  wrapper.addEventListener("pointerleave", () => wrapper.classList.remove("is-folded"));
  return wrapper;
}

async function archiveAll(column, path) {
  const answer = await act("POST", `${path}/archive`);
  if (answer) {
    showToast(`Archived ${answer.archived} cards of ${column.title}`);
  }
}

function showAddButton(column, foot) {
  const button = element("button", { className: "add-card", type: "button" }, element("span", { "aria-hidden": "true" }, "＋"), "Add a card");
  button.addEventListener("click", () => openComposer(column.id));
  foot.replaceChildren(button);
  return button;
}

/** The field for a new card at the bottom of a column. */
export function openComposer(id) {
  const { column, foot, list } = parts.get(id);
  if (foot.querySelector("textarea")) {
    foot.querySelector("textarea").focus();
    return;
  }
  const field = element("textarea", { className: "input", rows: 3, maxLength: 120, placeholder: "What needs to be done?" });
  field.setAttribute("aria-label", `New card in ${column.title}`);
  const cancel = element("button", { className: "icon-button", type: "button", "aria-label": "Cancel" }, "×");
  const form = element(
    "form",
    { className: "composer" },
    field,
    element("div", { className: "composer-buttons" }, element("button", { className: "button button-primary", type: "submit" }, "Add card"), cancel),
  );
  const close = () => showAddButton(column, foot);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    // A title is one line; a pasted line break becomes a space.
    const title = field.value.replace(/\s+/g, " ").trim();
    if (!title) {
      field.focus();
      return;
    }
    field.value = "";
    if (await act("POST", "/api/cards", { column: id, title })) {
      list.scrollTop = list.scrollHeight;
    }
    field.focus();
  });
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      form.requestSubmit();
    } else if (event.key === "Escape") {
      close();
    }
  });
  cancel.addEventListener("click", close);
  field.addEventListener("blur", (event) => {
    if (!field.value.trim() && !form.contains(event.relatedTarget)) {
      close();
    }
  });
  foot.replaceChildren(form);
  field.focus();
  list.scrollTop = list.scrollHeight;
}

function applyFilter() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  let total = 0;
  for (const { column: { id }, list, count, empty } of parts.values()) {
    const { cards } = store.board.columns.find((column) => column.id === id);
    let shownHere = 0;
    cards.forEach((card, index) => {
      const text = `${card.title} ${card.labels.join(" ")} ${card.assignee ?? ""} #${card.id}`.toLowerCase();
      const isShown = words.every((word) => text.includes(word));
      list.children[index].hidden = !isShown;
      shownHere += isShown ? 1 : 0;
    });
    count.textContent = words.length > 0 ? `${shownHere} of ${cards.length}` : cards.length;
    empty.hidden = shownHere > 0;
    empty.textContent = words.length > 0 && cards.length > 0 ? "No card matches the filter." : "No cards here.";
    shown += shownHere;
    total += cards.length;
  }
  filterClear.hidden = filter.value === "";
  filterCount.textContent = words.length > 0 ? `${shown} of ${total}` : "";
}

filter.addEventListener("input", applyFilter);

filter.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    clearFilter();
    filter.blur();
  }
});

filterClear.addEventListener("click", () => {
  clearFilter();
  filter.focus();
});

function clearFilter() {
  filter.value = "";
  applyFilter();
}
