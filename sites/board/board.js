// Joins the parts of the board page: first load, the activity panel, and the keyboard shortcuts.
import { element } from "/assets/common.js";
import { load, onBoard, store } from "/assets/store.js";
import { openComposer } from "/assets/columns.js";
import { closePanel, followAddress } from "/assets/panel.js";
import "/assets/steps.js";

const activityButton = document.getElementById("activity-button");
const activityPanel = document.getElementById("activity-panel");

onBoard((board) => {
  document.getElementById("activity-empty").hidden = board.activity.length > 0;
  document.getElementById("activity").replaceChildren(
    ...board.activity.map((entry) =>
      element("li", {}, element("span", { className: "number" }, String(entry.number)), entry.text),
    ),
  );
});

start();

async function start() {
  if (await load()) {
    followAddress();
  }
}

activityButton.addEventListener("click", () => showActivity(activityPanel.hidden));
document.getElementById("activity-close").addEventListener("click", () => showActivity(false));

function showActivity(isShown) {
  if (isShown) {
    closePanel();
  }
  activityPanel.hidden = !isShown;
  activityButton.setAttribute("aria-expanded", String(isShown));
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, textarea, select");
  if (event.key === "Escape") {
    showActivity(false);
    closePanel();
  } else if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !store.board) {
    return;
  } else if (event.key === "n") {
    event.preventDefault();
    openComposer(store.board.columns[0].id);
  } else if (event.key === "/") {
    event.preventDefault();
    document.getElementById("filter").focus();
  }
});
