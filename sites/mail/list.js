// The list of mails and its toolbar.
import { mark, move, remove, selectAll, snoozeMenu, targets } from "/assets/actions.js";
import { element, iconButton, shortDate } from "/assets/common.js";
import { icon } from "/assets/icons.js";
import { labelMenu } from "/assets/labels.js";
import { openMail } from "/assets/reader.js";
import { boxAddress, changed, currentBox, labelColour, refresh, store } from "/assets/store.js";

const rows = document.getElementById("rows");
const all = document.getElementById("select-all");
const ACTIONS = {
  archive: (ids) => move(ids, "archive"),
  spam: (ids) => move(ids, "spam"),
  inbox: (ids) => move(ids, "inbox"),
  delete: remove,
  read: (ids) => mark(ids, { read: true }),
  unread: (ids) => mark(ids, { read: false }),
  snooze: (ids, button) => snoozeMenu(button, ids),
  label: (ids, button) => labelMenu(button, ids),
};
let shownBox = "";

export function showList() {
  const box = currentBox();
  const { list, selected } = store;
  const giveFocusBack = rememberFocus();
  rows.replaceChildren(...list.mails.map(row));
  giveFocusBack();
  // Rows drawn anew keep the place of the reader, except in another box or on another page.
  const boxName = `${box.kind}/${box.name}/${list.page}`;
  if (boxName !== shownBox) {
    shownBox = boxName;
    rows.scrollTop = 0;
  }
  document.getElementById("no-mails").hidden = list.total > 0;
  const first = (list.page - 1) * list.page_size + 1;
  document.getElementById("range").textContent =
    list.total === 0 ? "" : `${first}–${first + list.mails.length - 1} of ${list.total}`;
  document.getElementById("newer").disabled = list.page <= 1;
  document.getElementById("older").disabled = list.page >= list.pages;
  all.checked = selected.size > 0 && selected.size === list.mails.length;
  all.indeterminate = selected.size > 0 && !all.checked;
  const hasTargets = targets().length > 0;
  for (const button of document.querySelectorAll("#toolbar [data-action]")) {
    button.disabled = !hasTargets;
  }
}

/** Rows are drawn anew after every change; whoever walks by keys must not lose the place. */
function rememberFocus() {
  const controls = (place) => [...(place?.querySelectorAll("button, input") ?? [])];
  const place = document.activeElement?.closest(".row");
  const index = controls(place).indexOf(document.activeElement);
  return () => {
    if (index >= 0) {
      controls(rows.querySelector(`[data-id="${place.dataset.id}"]`))[index]?.focus({ preventScroll: true });
    }
  };
}

function row(mail) {
  const isSelected = store.selected.has(mail.id);
  const classes = ["row"];
  if (!mail.read) {
    classes.push("unread");
  }
  if (isSelected) {
    classes.push("selected");
  }
  if (store.open?.id === mail.id) {
    classes.push("open");
  }
  const tick = element("input", { type: "checkbox", className: "tick", checked: isSelected, "aria-label": `Select ${mail.subject}` });
  tick.addEventListener("click", (event) => {
    event.stopPropagation();
    if (tick.checked) {
      store.selected.add(mail.id);
    } else {
      store.selected.delete(mail.id);
    }
    changed();
  });
  const made = element(
    "li",
    { className: classes.join(" "), "data-id": String(mail.id) },
    tick,
    markButton(mail, "starred", "star", "Star", "Remove star"),
    markButton(mail, "important", "important", "Mark as important", "Mark as not important"),
    element("span", { className: "who", title: mail.who }, mail.who),
    element(
      "button",
      { type: "button", className: "subject" },
      mail.subject || "(no subject)",
      element("span", { className: "snippet" }, ` – ${mail.snippet}`),
    ),
    ...mail.labels.map((name) => element("span", { className: `label-chip colour-${labelColour(name)}` }, name)),
  );
  if (mail.has_attachments) {
    made.append(element("span", { className: "clip", title: "Has attachments" }, icon("clip")));
  }
  made.append(element("span", { className: "when" }, shortDate(mail.date)), hoverIcons(mail));
  made.addEventListener("click", () => openMail(mail.id));
  return made;
}

function markButton(mail, markName, picture, setText, clearText) {
  const isSet = mail[markName];
  const button = iconButton(
    isSet ? clearText : setText,
    icon(picture, isSet),
    () => mark([mail.id], { [markName]: !isSet }),
    isSet ? `row-icon ${markName}` : "row-icon",
  );
  button.setAttribute("aria-pressed", String(isSet));
  return button;
}

function hoverIcons(mail) {
  const icons = element("span", { className: "hover-icons" });
  if (mail.kind !== "draft" && mail.folder !== "archive") {
    icons.append(iconButton("Archive", icon("archive"), () => move([mail.id], "archive"), "row-icon"));
  }
  icons.append(iconButton("Delete", icon("trash"), () => remove([mail.id]), "row-icon"));
  if (mail.kind === "received") {
    icons.append(iconButton("Snooze", icon("clock"), (button) => snoozeMenu(button, [mail.id]), "row-icon"));
  }
  return icons;
}

for (const button of document.querySelectorAll("#toolbar [data-action]")) {
  button.addEventListener("click", () => ACTIONS[button.dataset.action](targets(), button));
}

all.addEventListener("change", () => selectAll(all.checked));
document.getElementById("refresh").addEventListener("click", refresh);
document.getElementById("newer").addEventListener("click", () => turnPage(-1));
document.getElementById("older").addEventListener("click", () => turnPage(1));

function turnPage(by) {
  const box = currentBox();
  window.location.hash = boxAddress(box.kind, box.name, store.list.page + by);
}
