// What several pages share: calls to the server, toasts, small DOM helpers. Text always goes in
// as text nodes, so no record can inject markup.

const TOAST_MILLISECONDS = 4000;
const FLASH_KEY = "northbeam-flash";
const LIST_KEY = "northbeam-list";

/** Sends JSON and gives { ok, status, data }; a lost connection is status 0, never an exception. */
export async function callApi(method, path, body, signal) {
  let response;
  try {
    response = await fetch(path, {
      method,
      signal,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    const message = "The server did not answer. Check the connection and try again.";
    return { ok: false, status: 0, cancelled: error.name === "AbortError", data: { error: { message } } };
  }
  const data = await response.json().catch(() => ({ error: { message: "The server sent an unreadable answer." } }));
  if (response.status === 401 && path !== "/api/login") {
    window.location.assign("/login");
  }
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

export function badge(status) {
  return element("span", { className: `badge badge-${status.toLowerCase()}` }, status);
}

export function avatar(name) {
  const initials = name.split(" ").filter(Boolean).map((word) => word[0]).slice(0, 2).join("");
  return element("span", { className: "avatar", "aria-hidden": "true" }, initials.toUpperCase());
}

/** "2026-10-03" as "3 Oct 2026"; nothing as a dash. */
export function dateText(date) {
  if (!date) {
    return "–";
  }
  const [year, month, day] = date.split("-").map(Number);
  return `${day} ${monthName(month)} ${year}`;
}

export function monthName(month) {
  return ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][month - 1];
}

/** The time of day as HH:MM:SS, the same in every language setting. */
export function clockText(time = new Date()) {
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((number) => String(number).padStart(2, "0"))
    .join(":");
}

export function showToast(text, isProblem = false) {
  const place = document.getElementById("toast-place");
  const toast = element("div", { className: isProblem ? "toast toast-problem" : "toast" });
  toast.innerHTML = isProblem
    ? '<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="#ffb4ab" stroke-width="2" stroke-linecap="round" aria-hidden="true"><path d="M8 3v6M8 12.5v.5"/></svg>'
    : '<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="#7fe0a5" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M2.5 8.5l3.5 3.5 7.5-8"/></svg>';
  toast.append(text);
  place.replaceChildren(toast);
  setTimeout(() => toast.remove(), TOAST_MILLISECONDS);
}

/** Shows the time of the last save in the header. */
export function showSaved(time = clockText()) {
  const place = document.getElementById("last-saved");
  place.textContent = `Last saved ${time}`;
  place.hidden = false;
}

/** Keeps the address of the list, so that leaving a contact returns to the same search. */
export function rememberList(address) {
  sessionStorage.setItem(LIST_KEY, address);
}

export function listAddress() {
  return sessionStorage.getItem(LIST_KEY) ?? "/contacts";
}

/** Leaves a toast for the next page of this tab. */
export function flashOnNextPage(text, savedAt = null) {
  sessionStorage.setItem(FLASH_KEY, JSON.stringify({ text, savedAt }));
}

/** Shows what the previous page left, once. */
export function showFlash() {
  const stored = sessionStorage.getItem(FLASH_KEY);
  if (!stored) {
    return;
  }
  sessionStorage.removeItem(FLASH_KEY);
  const { text, savedAt } = JSON.parse(stored);
  showToast(text);
  if (savedAt) {
    showSaved(savedAt);
  }
}
