// The compose window: new mails, replies, forwards and drafts. A draft is dirty from the first
// change until it is saved, sent or discarded, and a dirty draft asks before the page is left.
import { callApi, element, showProblem, showToast, sizeText } from "/assets/common.js";
import { chipField, isAddress } from "/assets/chips.js";
import { makeEditor } from "/assets/editor.js";
import { boxAddress, refresh } from "/assets/store.js";

const layer = document.getElementById("compose-layer");
const app = document.getElementById("app");
const form = document.getElementById("compose-form");
const subject = document.getElementById("subject");
const status = document.getElementById("draft-status");
const problem = document.getElementById("compose-error");
const send = document.getElementById("send");
const attachInput = document.getElementById("attach");
const dropHint = document.getElementById("drop-hint");

let people = [];
let draftId = null;
let files = [];
let isDirty = false;
let uploads = 0;

const to = chipField(document.getElementById("to-field"), "To", () => people, edited);
const cc = chipField(document.getElementById("cc-field"), "Cc", () => people, edited);
const editor = makeEditor(document.getElementById("editor"), { onEdit: edited, onState: showFormats });
const formatButtons = [...document.querySelectorAll("[data-format]")];

for (const button of formatButtons) {
  // The press must not take the focus, or the selection it is about would be gone.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => editor.format(button.dataset.format));
}

function showFormats(active) {
  for (const button of formatButtons) {
    button.setAttribute("aria-pressed", String(active[button.dataset.format]));
  }
}

export function composeNew() {
  open("New mail", { to: [], cc: [], subject: "", html: "", attachments: [] });
  to.focus();
}

export function composeDraft(mail) {
  open("Draft", { ...written(mail), attachments: mail.attachments }, mail.id);
  editor.focus();
}

export function composeReply(mail) {
  const receiver = mail.kind === "sent" ? mail.to[0]?.email : mail.from.email;
  const title = /^re:/i.test(mail.subject) ? mail.subject : `Re: ${mail.subject}`;
  open("Reply", { to: [receiver].filter(Boolean), cc: [], subject: title, html: quote(mail), attachments: [] });
  editor.focus();
}

export function composeForward(mail) {
  const title = /^fwd:/i.test(mail.subject) ? mail.subject : `Fwd: ${mail.subject}`;
  open("Forward", { to: [], cc: [], subject: title, html: quote(mail), attachments: mail.attachments });
  to.focus();
}

function written(mail) {
  const addresses = (list) => list.map((person) => person.email);
  return { to: addresses(mail.to), cc: addresses(mail.cc), subject: mail.subject, html: mail.html };
}

function quote(mail) {
  const intro = element("p", {}, `${mail.from.name} wrote:`);
  return `<p><br></p>${intro.outerHTML}<blockquote>${mail.html}</blockquote>`;
}

async function open(title, content, id = null) {
  document.getElementById("compose-title").textContent = title;
  draftId = id;
  files = [...content.attachments];
  to.setValues(content.to);
  cc.setValues(content.cc);
  subject.value = content.subject;
  editor.setHtml(content.html);
  isDirty = false;
  status.textContent = "";
  showProblemText(null);
  showFiles();
  showFormats({});
  layer.hidden = false;
  // Nothing behind the window can be reached, neither by mouse nor by keys.
  app.inert = true;
  if (people.length === 0) {
    const answer = await callApi("GET", "/api/people");
    people = answer.ok ? answer.data.people : [];
  }
}

function close() {
  layer.hidden = true;
  app.inert = false;
  isDirty = false;
  document.getElementById("compose").focus();
}

function edited() {
  isDirty = true;
  status.textContent = "Not saved";
  showProblemText(null);
}

subject.addEventListener("input", edited);

function content() {
  return {
    draft: draftId,
    to: to.values(),
    cc: cc.values(),
    subject: subject.value,
    html: editor.html(),
    attachments: files.map((file) => file.id),
  };
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const mail = content();
  const wrong = [...mail.to, ...mail.cc].find((address) => !isAddress(address));
  if (mail.to.length === 0 || wrong) {
    showProblemText(wrong ? `“${wrong}” is not an email address.` : "Enter at least one address.");
    to.focus();
    return;
  }
  if (uploads > 0) {
    showProblemText("Wait until every file has arrived.");
    return;
  }
  if (!mail.subject.trim() && !window.confirm("Send this mail without a subject?")) {
    subject.focus();
    return;
  }
  send.disabled = true;
  const answer = await callApi("POST", "/api/send", mail);
  send.disabled = false;
  if (!answer.ok) {
    showProblemText(Object.values(answer.data.error.fields ?? {})[0] ?? answer.data.error.message);
    return;
  }
  close();
  const show = () => {
    window.location.hash = boxAddress("folder", "sent");
  };
  showToast("Mail sent", { button: { text: "View sent", onClick: show } });
  await refresh();
});

// Enter in the subject goes on to the text instead of sending half a mail.
subject.addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    event.preventDefault();
    editor.focus();
  }
});

async function save() {
  const answer = await callApi("POST", "/api/drafts", content());
  if (!answer.ok) {
    showProblemText(Object.values(answer.data.error.fields ?? {})[0] ?? answer.data.error.message);
    return false;
  }
  draftId = answer.data.id;
  isDirty = false;
  status.textContent = "Draft saved";
  await refresh();
  return true;
}

document.getElementById("save-draft").addEventListener("click", save);

async function saveAndClose() {
  if (!isDirty || (await save())) {
    close();
  }
}

document.getElementById("compose-close").addEventListener("click", saveAndClose);

form.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    event.preventDefault();
    saveAndClose();
  } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
  } else if (event.key === "Tab") {
    keepFocusInside(event);
  }
});

function keepFocusInside(event) {
  const stops = [...form.querySelectorAll("button:enabled, input, [contenteditable]")].filter((stop) => stop.offsetParent);
  const edge = event.shiftKey ? stops[0] : stops.at(-1);
  if (document.activeElement === edge && !event.defaultPrevented) {
    event.preventDefault();
    (event.shiftKey ? stops.at(-1) : stops[0]).focus();
  }
}

document.getElementById("discard").addEventListener("click", async () => {
  const hasContent = draftId !== null || isDirty || editor.text() !== "" || files.length > 0;
  if (hasContent && !window.confirm("Discard this draft? This cannot be undone.")) {
    return;
  }
  if (draftId !== null) {
    const answer = await callApi("DELETE", `/api/drafts/${draftId}`);
    if (!answer.ok && answer.status !== 404) {
      showProblem(answer);
      return;
    }
  }
  close();
  showToast("Draft discarded");
  await refresh();
});

attachInput.addEventListener("change", () => {
  upload([...attachInput.files]);
  // So that the same file can be chosen again after it was removed.
  attachInput.value = "";
});

async function upload(chosen) {
  for (const file of chosen) {
    const body = new FormData();
    body.append("file", file);
    uploads += 1;
    const answer = await callApi("POST", "/api/attachments", body);
    uploads -= 1;
    if (answer.ok) {
      files.push(answer.data);
      showFiles();
      edited();
    } else {
      showProblemText(answer.data.error.message);
    }
  }
}

function showFiles() {
  document.getElementById("compose-files").replaceChildren(
    ...files.map((file) => {
      const remove = element("button", { type: "button", "aria-label": `Remove ${file.name}` }, "×");
      remove.addEventListener("click", () => {
        files = files.filter((kept) => kept !== file);
        showFiles();
        edited();
      });
      return element("li", {}, file.name, element("small", {}, sizeText(file.bytes)), remove);
    }),
  );
}

// Files can also be dropped anywhere on the window.
form.addEventListener("dragover", (event) => {
  if (event.dataTransfer.types.includes("Files")) {
    event.preventDefault();
    dropHint.hidden = false;
  }
});
form.addEventListener("dragleave", (event) => {
  if (!form.contains(event.relatedTarget)) {
    dropHint.hidden = true;
  }
});
form.addEventListener("drop", (event) => {
  dropHint.hidden = true;
  if (event.dataTransfer.files.length > 0) {
    event.preventDefault();
    upload([...event.dataTransfer.files]);
  }
});

function showProblemText(text) {
  problem.hidden = !text;
  problem.textContent = text ?? "";
}

window.addEventListener("beforeunload", (event) => {
  if (!layer.hidden && isDirty) {
    event.preventDefault();
    // Older engines ask only when a value is set.
    event.returnValue = "unsaved";
  }
});
