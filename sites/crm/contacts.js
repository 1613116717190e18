// The contact list. What is shown follows from `view` alone; every change of it goes into the
// address, so reload and back keep search, filter, order and page.
import { avatar, badge, callApi, dateText, element, rememberList, showToast } from "/assets/common.js";

const SEARCH_DELAY_MILLISECONDS = 150;
const STATUSES = ["All", "Lead", "Prospect", "Customer", "Churned"];
const DEFAULTS = { q: "", status: "", owner: "", sort: "name", direction: "ascending", page: "1" };

const search = document.getElementById("search");
const view = { ...DEFAULTS };
for (const [name, value] of new URLSearchParams(window.location.search)) {
  if (name in DEFAULTS) {
    view[name] = value;
  }
}
search.value = view.q;

let running = null;
let searchTimer = 0;

markSavedView();
load();

async function load() {
  // An answer that arrives late must not overwrite a newer one, so only the newest call lives.
  running?.abort();
  running = new AbortController();
  const parameters = new URLSearchParams(Object.entries(view).filter(([name, value]) => value !== DEFAULTS[name]));
  const text = parameters.toString();
  const address = text ? `/contacts?${text}` : "/contacts";
  window.history.replaceState(null, "", address);
  rememberList(address);
  const answer = await callApi("GET", `/api/contacts?${text}`, undefined, running.signal);
  if (answer.cancelled) {
    return;
  }
  if (!answer.ok) {
    showToast(answer.data.error.message, true);
    return;
  }
  view.page = String(answer.data.page);
  show(answer.data);
}

function change(part) {
  Object.assign(view, { page: "1" }, part);
  markSavedView();
  load();
}

search.addEventListener("input", () => {
  clearTimeout(searchTimer);
  searchTimer = setTimeout(() => change({ q: search.value.trim() }), SEARCH_DELAY_MILLISECONDS);
});

document.getElementById("clear-filters").addEventListener("click", () => {
  search.value = "";
  change({ q: "", status: "", owner: "" });
});

document.getElementById("owner-filter").addEventListener("click", () => change({ owner: "" }));

for (const button of document.querySelectorAll("[data-sort]")) {
  button.addEventListener("click", () => {
    const sort = button.dataset.sort;
    const turnsAround = view.sort === sort && view.direction === "ascending";
    change({ sort, direction: turnsAround ? "descending" : "ascending" });
  });
}

function show(result) {
  const isEmpty = result.total === 0;
  document.getElementById("result-count").textContent =
    result.total === 1 ? "1 contact" : `${result.total} contacts`;
  document.getElementById("contact-table").hidden = isEmpty;
  document.getElementById("pages").hidden = isEmpty;
  document.getElementById("empty").hidden = !isEmpty;
  document.getElementById("rows").replaceChildren(...result.contacts.map(row));
  showChips(result.counts);
  showOwner();
  showOrder();
  showPages(result);
}

function row(contact) {
  const address = `/contacts/${contact.id}`;
  const made = element(
    "tr",
    { "data-id": String(contact.id) },
    element("td", {}, element("span", { className: "name" }, avatar(contact.name), element("a", { href: address }, contact.name))),
    element("td", { title: contact.company }, contact.company),
    element("td", { title: contact.email }, contact.email),
    element("td", {}, contact.city),
    element("td", {}, badge(contact.status)),
    element("td", {}, contact.owner),
    element("td", {}, dateText(contact.last_contact)),
  );
  made.addEventListener("click", (event) => {
    if (!event.target.closest("a")) {
      window.location.assign(address);
    }
  });
  return made;
}

function showChips(counts) {
  const place = document.getElementById("chips");
  if (place.children.length === 0) {
    for (const status of STATUSES) {
      const chip = element("button", { type: "button", className: "chip", "data-status": status });
      chip.addEventListener("click", () => change({ status: status === "All" ? "" : status }));
      place.append(chip);
    }
  }
  for (const chip of place.children) {
    const status = chip.dataset.status;
    chip.setAttribute("aria-pressed", String((view.status || "All") === status));
    chip.replaceChildren(status, element("span", {}, String(counts[status])));
  }
}

function showOwner() {
  const button = document.getElementById("owner-filter");
  button.hidden = view.owner === "";
  button.textContent = `Owner: ${view.owner}  ×`;
  button.setAttribute("aria-label", `Remove the filter on owner ${view.owner}`);
}

function showOrder() {
  for (const button of document.querySelectorAll("[data-sort]")) {
    const isSorted = button.dataset.sort === view.sort;
    button.parentElement.setAttribute("aria-sort", isSorted ? view.direction : "none");
  }
}

function showPages(result) {
  const first = (result.page - 1) * result.page_size + 1;
  const last = first + result.contacts.length - 1;
  const place = document.getElementById("pages");
  place.replaceChildren(
    element("span", { className: "range" }, `Showing ${first}–${last} of ${result.total}`),
    pageButton("Previous", result.page - 1, result.page > 1),
  );
  for (let number = 1; number <= result.pages; number += 1) {
    const button = pageButton(String(number), number, true);
    if (number === result.page) {
      button.setAttribute("aria-current", "page");
    }
    place.append(button);
  }
  place.append(pageButton("Next", result.page + 1, result.page < result.pages));
}

function pageButton(label, page, isEnabled) {
  const button = element("button", { type: "button", className: "page-button", disabled: !isEnabled }, label);
  button.addEventListener("click", () => {
    change({ page: String(page) });
    window.scrollTo(0, 0);
  });
  return button;
}

/** Marks the link of the sidebar that says the same as the current filters. */
function markSavedView() {
  for (const link of document.querySelectorAll('.sidebar a[href^="/contacts"]')) {
    const wanted = new URL(link.href).searchParams;
    const matches = (wanted.get("status") ?? "") === view.status && (wanted.get("owner") ?? "") === view.owner;
    if (matches) {
      link.setAttribute("aria-current", "page");
    } else {
      link.removeAttribute("aria-current");
    }
  }
}
