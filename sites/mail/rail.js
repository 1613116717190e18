// The rail: folders and labels with their unread counts.
import { element, iconButton } from "/assets/common.js";
import { icon } from "/assets/icons.js";
import { deleteLabel } from "/assets/labels.js";
import { dot } from "/assets/menu.js";
import { boxAddress, currentBox, store } from "/assets/store.js";

const FOLDERS = [
  ["inbox", "Inbox", "inbox"],
  ["starred", "Starred", "star"],
  ["snoozed", "Snoozed", "clock"],
  ["sent", "Sent", "send"],
  ["drafts", "Drafts", "draft"],
  ["archive", "Archive", "archive"],
  ["spam", "Spam", "spam"],
  ["trash", "Trash", "trash"],
];

export function showRail() {
  const box = currentBox();
  document.getElementById("folders").replaceChildren(
    ...FOLDERS.map(([name, title, picture]) => {
      const counts = store.boxes.folders.find((folder) => folder.name === name);
      // For drafts every one of them waits, read or not.
      const waiting = name === "drafts" ? counts?.total : counts?.unread;
      return element("li", {}, link("folder", name, title, icon(picture), waiting, box));
    }),
  );
  document.getElementById("labels").replaceChildren(
    ...store.boxes.labels.map((label) => {
      const remove = iconButton(`Delete label ${label.name}`, icon("close"), () => deleteLabel(label.name), "row-icon label-delete");
      return element("li", {}, remove, link("label", label.name, label.name, dot(label.colour), label.unread, box));
    }),
  );
  document.title = `${boxTitle(box)} · Pinemail`;
}

function boxTitle(box) {
  if (box.kind === "search") {
    return `Search: ${box.name}`;
  }
  return FOLDERS.find(([name]) => box.kind === "folder" && name === box.name)?.[1] ?? box.name;
}

function link(kind, name, title, picture, waiting, box) {
  const made = element("a", { className: "rail-link", href: boxAddress(kind, name) }, picture, element("span", { className: "name" }, title));
  if (waiting) {
    made.append(element("span", { className: "count" }, String(waiting)));
  }
  if (box.kind === kind && box.name === name) {
    made.setAttribute("aria-current", "page");
  }
  return made;
}
