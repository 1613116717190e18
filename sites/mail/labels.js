// Labels: the menu that puts them on mails and the dialog that makes new ones.
import { mailsOf, mark } from "/assets/actions.js";
import { callApi, element, showProblem, showToast } from "/assets/common.js";
import { openMenu } from "/assets/menu.js";
import { boxAddress, currentBox, refresh, store } from "/assets/store.js";

const COLOURS = ["blue", "green", "amber", "rust", "violet", "slate"];

const dialog = document.getElementById("label-dialog");
const form = document.getElementById("label-form");
const nameField = document.getElementById("label-name");
const error = document.getElementById("label-error");
/** The mails a new label is put on at once. */
let waiting = [];

for (const colour of COLOURS) {
  const input = element("input", { type: "radio", name: "label-colour", value: colour, "aria-label": colour });
  const label = element("label", { className: `colour-${colour}`, title: colour }, input);
  label.style.background = "var(--dot)";
  document.getElementById("label-colours").append(label);
}

export function labelMenu(anchor, ids) {
  const mails = mailsOf(ids);
  const items = store.boxes.labels.map((label) => {
    const having = mails.filter((mail) => mail.labels.includes(label.name)).length;
    const checked = having === 0 ? false : having === mails.length ? true : "mixed";
    return {
      text: label.name,
      colour: label.colour,
      checked,
      onChoose: () => mark(ids, checked === true ? { remove_label: label.name } : { add_label: label.name }),
    };
  });
  openMenu(anchor, "Labels", [...items, null, { text: "Create label…", onChoose: () => askForLabel(ids) }]);
}

export function askForLabel(ids = []) {
  waiting = ids;
  nameField.value = "";
  form.elements["label-colour"].value = COLOURS[0];
  showError(null);
  dialog.showModal();
  nameField.focus();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!nameField.value.trim()) {
    showError("Enter a name.");
    nameField.focus();
    return;
  }
  const answer = await callApi("POST", "/api/labels", { name: nameField.value, colour: form.elements["label-colour"].value });
  if (!answer.ok) {
    showError(answer.data.error.fields?.name ?? answer.data.error.message);
    nameField.focus();
    return;
  }
  dialog.close();
  showToast(`Label “${answer.data.name}” created`);
  if (waiting.length > 0) {
    await mark(waiting, { add_label: answer.data.name });
  } else {
    await refresh();
  }
});

nameField.addEventListener("input", () => showError(null));
document.getElementById("label-cancel").addEventListener("click", () => dialog.close());

function showError(text) {
  error.hidden = !text;
  error.textContent = text ?? "";
  nameField.setAttribute("aria-invalid", String(Boolean(text)));
}

export async function deleteLabel(name) {
  if (!window.confirm(`Delete the label “${name}”? The mails stay.`)) {
    return;
  }
  const answer = await callApi("DELETE", `/api/labels/${encodeURIComponent(name)}`);
  if (!answer.ok) {
    showProblem(answer);
    return;
  }
  const box = currentBox();
  if (box.kind === "label" && box.name === name) {
    window.location.hash = boxAddress("folder", "inbox");
  } else {
    await refresh();
  }
}
