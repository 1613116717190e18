// The list of archived cards, newest first, each with a way back to the board.
import { callApi, element, showToast } from "/assets/common.js";

const list = document.getElementById("archive-list");
const empty = document.getElementById("archive-empty");

load();

async function load() {
  const answer = await callApi("GET", "/api/board");
  if (!answer.ok) {
    showToast(answer.data.error.message, true);
    return;
  }
  const titles = Object.fromEntries(answer.data.columns.map((column) => [column.id, column.title]));
  list.replaceChildren(...answer.data.archive.map((card) => row(card, titles[card.column])));
  empty.hidden = answer.data.archive.length > 0;
}

function row(card, column) {
  const restore = element("button", { className: "button", type: "button" }, "Restore");
  restore.setAttribute("aria-label", `Restore ${card.title}`);
  restore.addEventListener("click", async () => {
    restore.disabled = true;
    const result = await callApi("POST", `/api/cards/${card.id}/restore`);
    showToast(result.ok ? `Restored “${card.title}” to ${column}` : result.data.error.message, !result.ok);
    await load();
  });
  const text = element("div", {}, element("strong", {}, card.title), element("span", { className: "muted" }, `#${card.id} from ${column}`));
  return element("li", {}, text, restore);
}
