// The form of one contact, for an existing record and for a new one. The checks here repeat the
// server's for quick feedback; the server has the last word and its errors land at the same fields.
import {
  badge,
  callApi,
  clockText,
  dateText,
  element,
  flashOnNextPage,
  listAddress,
  showSaved,
  showToast,
} from "/assets/common.js";

const FIELDS = ["first_name", "last_name", "company", "email", "phone", "city", "status", "owner", "notes"];
const KIND_NAMES = { call: "Call", email: "Email", meeting: "Meeting", change: "Change" };

const form = document.getElementById("contact-form");
const save = document.getElementById("save");
const id = form.dataset.id;
const isNew = id === "";
let savedValues = "";

start();

async function start() {
  save.textContent = isNew ? "Create contact" : "Save changes";
  document.getElementById("delete").hidden = isNew;
  for (const link of [document.getElementById("back"), document.getElementById("cancel")]) {
    link.href = listAddress();
  }
  const [owners, contact] = await Promise.all([
    callApi("GET", "/api/owners"),
    isNew ? { ok: true, data: null } : callApi("GET", `/api/contacts/${id}`),
  ]);
  const failed = [owners, contact].find((answer) => !answer.ok);
  if (failed) {
    showToast(failed.data.error.message, true);
    return;
  }
  form.elements.owner.replaceChildren(...owners.data.owners.map((name) => element("option", { value: name }, name)));
  if (isNew) {
    form.elements.status.value = "Lead";
    showActivity([]);
  } else {
    show(contact.data);
  }
  document.getElementById("fields").disabled = false;
  savedValues = JSON.stringify(values());
  showUnsaved();
}

function show(contact) {
  const name = `${contact.first_name} ${contact.last_name}`;
  document.title = `${name} · Contacts · Northbeam CRM`;
  document.getElementById("heading").textContent = name;
  document.getElementById("heading-badge").replaceChildren(badge(contact.status));
  for (const field of FIELDS) {
    form.elements[field].value = contact[field];
  }
  form.elements.newsletter.checked = contact.newsletter;
  showActivity(contact.activity);
}

function showActivity(entries) {
  document.getElementById("activity-empty").hidden = entries.length > 0;
  document.getElementById("activity").replaceChildren(
    ...entries.map((entry) =>
      element(
        "li",
        { className: `kind-${entry.kind}` },
        element("p", {}, entry.text),
        element("p", { className: "muted" }, `${KIND_NAMES[entry.kind]} · ${entry.by} · ${entry.date ? dateText(entry.date) : "Today"}`),
      ),
    ),
  );
}

function values() {
  const all = Object.fromEntries(FIELDS.map((field) => [field, form.elements[field].value]));
  return { ...all, newsletter: form.elements.newsletter.checked };
}

function showUnsaved() {
  document.getElementById("unsaved").hidden = JSON.stringify(values()) === savedValues;
}

form.addEventListener("input", (event) => {
  showProblem(event.target.name, null);
  showUnsaved();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const wanted = values();
  const problems = check(wanted);
  showProblems(problems);
  if (Object.keys(problems).length > 0) {
    return;
  }
  save.disabled = true;
  const answer = isNew
    ? await callApi("POST", "/api/contacts", wanted)
    : await callApi("PUT", `/api/contacts/${id}`, wanted);
  save.disabled = false;
  if (!answer.ok) {
    showProblems(answer.data.error.fields ?? {});
    showToast(answer.data.error.message, true);
    return;
  }
  if (isNew) {
    flashOnNextPage("Contact created", clockText());
    window.location.assign(`/contacts/${answer.data.id}`);
    return;
  }
  show(answer.data);
  savedValues = JSON.stringify(values());
  showUnsaved();
  showSaved();
  showToast("Changes saved");
});

document.getElementById("delete").addEventListener("click", async () => {
  const name = document.getElementById("heading").textContent;
  if (!window.confirm(`Delete ${name}? This cannot be undone.`)) {
    return;
  }
  const answer = await callApi("DELETE", `/api/contacts/${id}`);
  if (!answer.ok) {
    showToast(answer.data.error.message, true);
    return;
  }
  flashOnNextPage(`${name} was deleted`);
  window.location.assign("/contacts");
});

function check(wanted) {
  const problems = {};
  if (!wanted.first_name.trim()) {
    problems.first_name = "Enter a first name.";
  }
  if (!wanted.last_name.trim()) {
    problems.last_name = "Enter a last name.";
  }
  if (!wanted.email.trim()) {
    problems.email = "Enter an email address.";
  } else if (!/^[\w.%+'-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(wanted.email.trim())) {
    problems.email = "Enter an email address like name@company.com.";
  }
  const phone = wanted.phone.trim();
  if (/[^\d +\-().]/.test(phone)) {
    problems.phone = "Use digits, spaces and + - ( ) . only.";
  } else if (phone && phone.replace(/\D/g, "").length < 6) {
    problems.phone = "Enter at least 6 digits.";
  }
  return problems;
}

function showProblems(problems) {
  for (const field of FIELDS) {
    showProblem(field, problems[field] ?? null);
  }
  const first = FIELDS.find((field) => problems[field]);
  const control = first && document.getElementById(first);
  control?.focus();
}

function showProblem(field, text) {
  const place = document.getElementById(`${field}-error`);
  if (!place) {
    return;
  }
  place.hidden = !text;
  place.textContent = text ?? "";
  const control = document.getElementById(field);
  if (text) {
    control?.setAttribute("aria-invalid", "true");
  } else {
    control?.removeAttribute("aria-invalid");
  }
}
