// What all scripts share: calls to the server, toasts, small DOM helpers. Text always goes in as
// text nodes, so no card can inject markup.

const TOAST_MILLISECONDS = 3500;

/** Sends JSON and gives { ok, status, data }; a lost connection is status 0, never an exception. */
export async function callApi(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    const message = "The server did not answer. Check the connection and try again.";
    return { ok: false, status: 0, data: { error: { message } } };
  }
  const data = await response.json().catch(() => ({ error: { message: "The server sent an unreadable answer." } }));
  return { ok: response.ok, status: response.status, data };
}

/** Makes an element: properties, then children (text or elements). */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("aria-") || name.startsWith("data-") || name === "role") {
      made.setAttribute(name, value);
    } else {
      made[name] = value;
    }
  }
  made.append(...children);
  return made;
}

const ICONS = {
  pencil: '<path d="M2.5 11.5l.6-2.7 6.2-6.2 2.1 2.1-6.2 6.2zM8 3.9L10.1 6"/>',
  archive: '<path d="M1.8 2.5h10.4v2.6H1.8zM2.7 5.1v6.4h8.6V5.1M5.4 7.6h3.2"/>',
  calendar: '<path d="M2 3h10v9H2zM2 5.7h10M4.6 1.6v2.2M9.4 1.6v2.2"/>',
  check: '<path d="M2 2h10v10H2zM4.6 7l1.8 1.8L9.6 5.4"/>',
  handle: '<path d="M5 3h.01M9 3h.01M5 7h.01M9 7h.01M5 11h.01M9 11h.01" stroke-width="2.4"/>',
};

/** A line drawing, 14 pixels wide; the markup is ours, never a card's. */
export function icon(name) {
  const holder = document.createElement("span");
  holder.innerHTML = `<svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${ICONS[name]}</svg>`;
  return holder.firstChild;
}

export function avatar(name, people) {
  const initials = name.split(" ").map((word) => word[0]).join("");
  return element("span", { className: `avatar avatar-${people.indexOf(name)}`, title: name }, initials);
}

/** "2026-11-03" as "3 Nov". */
export function dayText(date) {
  const [, month, day] = date.split("-").map(Number);
  return `${day} ${["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][month - 1]}`;
}

export function showToast(text, isProblem = false) {
  const toast = element("div", { className: isProblem ? "toast toast-problem" : "toast" }, text);
  document.getElementById("toast-place").replaceChildren(toast);
  setTimeout(() => toast.remove(), TOAST_MILLISECONDS);
}
