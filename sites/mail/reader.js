// The reading pane. Opening a mail marks it as read; opening a draft opens the compose window.
import { mark, move, remove, snoozeMenu } from "/assets/actions.js";
import { callApi, element, iconButton, initials, longDate, showProblem, sizeText } from "/assets/common.js";
import { composeDraft, composeForward, composeReply } from "/assets/compose.js";
import { icon } from "/assets/icons.js";
import { labelMenu } from "/assets/labels.js";
import { changed, labelColour, refresh, store } from "/assets/store.js";

const pane = document.getElementById("reader");
let shownId = null;

export async function openMail(id) {
  const answer = await callApi("GET", `/api/mails/${id}`);
  if (!answer.ok) {
    showProblem(answer);
    await refresh();
    return;
  }
  if (answer.data.kind === "draft") {
    composeDraft(answer.data);
    return;
  }
  store.open = answer.data;
  changed();
  if (!answer.data.read) {
    await mark([id], { read: true });
  }
}

export function showReader() {
  const mail = store.open;
  if (!mail) {
    shownId = null;
    pane.replaceChildren(element("div", { className: "reader-empty" }, icon("opened"), element("p", {}, "Choose a mail to read it here")));
    return;
  }
  const body = element("div", { className: "mail-body" });
  body.innerHTML = mail.html;
  pane.replaceChildren(
    tools(mail),
    element("h1", {}, mail.subject || "(no subject)"),
    element("div", { className: "reader-labels" }, ...mail.labels.map((name) => labelChip(mail, name))),
    people(mail),
    body,
    files(mail),
    element("div", { className: "reply-buttons" }, textButton("Reply", "reply", () => composeReply(mail)), textButton("Forward", "forward", () => composeForward(mail))),
  );
  if (shownId !== mail.id) {
    shownId = mail.id;
    pane.scrollTop = 0;
  }
}

function tools(mail) {
  const ids = [mail.id];
  const star = iconButton(mail.starred ? "Remove star" : "Star", icon("star", mail.starred), () => mark(ids, { starred: !mail.starred }));
  star.classList.toggle("starred", mail.starred);
  const close = iconButton("Close mail", icon("close"), () => {
    store.open = null;
    changed();
  });
  close.classList.add("push");
  const buttons = [
    iconButton("Reply", icon("reply"), () => composeReply(mail)),
    iconButton("Forward", icon("forward"), () => composeForward(mail)),
    element("span", { className: "divider" }),
    star,
    iconButton("Archive", icon("archive"), () => move(ids, "archive")),
    iconButton("Delete", icon("trash"), () => remove(ids)),
    iconButton("Labels", icon("tag"), (button) => labelMenu(button, ids)),
  ];
  if (mail.kind === "received") {
    buttons.push(iconButton("Snooze", icon("clock"), (button) => snoozeMenu(button, ids)));
  }
  return element("div", { className: "reader-tools", role: "toolbar", "aria-label": "Open mail" }, ...buttons, close);
}

function labelChip(mail, name) {
  const removing = element("button", { type: "button", "aria-label": `Remove label ${name}` }, "×");
  removing.addEventListener("click", () => mark([mail.id], { remove_label: name }));
  return element("span", { className: `label-chip colour-${labelColour(name)}` }, name, removing);
}

function people(mail) {
  const names = (list) => list.map((person) => person.name).join(", ");
  const lines = element("p", {}, element("strong", {}, mail.from.name), element("small", {}, ` <${mail.from.email}>`), element("br"));
  lines.append(element("small", {}, `to ${names(mail.to)}${mail.cc.length > 0 ? `, cc ${names(mail.cc)}` : ""}`));
  if (mail.snoozed_until) {
    lines.append(element("br"), element("small", {}, `Snoozed until ${longDate(mail.snoozed_until)}`));
  }
  return element(
    "div",
    { className: "reader-people" },
    element("span", { className: "avatar", "aria-hidden": "true" }, initials(mail.from.name)),
    lines,
    element("time", {}, longDate(mail.date)),
  );
}

function files(mail) {
  return element(
    "div",
    { className: "reader-files", hidden: mail.attachments.length === 0 },
    ...mail.attachments.map((file) =>
      element(
        "a",
        { href: `/api/attachments/${file.id}`, download: file.name, title: `Download ${file.name}` },
        icon("clip"),
        file.name,
        element("small", {}, sizeText(file.bytes)),
      ),
    ),
  );
}

function textButton(text, picture, onClick) {
  const button = element("button", { type: "button", className: "button" }, icon(picture), text);
  button.addEventListener("click", onClick);
  return button;
}
