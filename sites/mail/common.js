// What several parts share: calls to the server, dates, toasts, small DOM helpers. Text always goes
// in as text nodes; only bodies the server has cleaned become markup.

const TOAST_MILLISECONDS = 5000;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/** The day all seed data is written from. */
const TODAY = "2026-10-30";

let toastTimer = 0;

/** Sends JSON or a form and gives { ok, status, data }; a lost connection is status 0. */
export async function callApi(method, path, body, signal) {
  const isForm = body instanceof FormData;
  let response;
  try {
    response = await fetch(path, {
      method,
      signal,
      headers: body === undefined || isForm ? {} : { "content-type": "application/json" },
      body: body === undefined || isForm ? body : JSON.stringify(body),
    });
  } catch (error) {
    const message = "The server did not answer. Check the connection and try again.";
    return { ok: false, status: 0, cancelled: error.name === "AbortError", data: { error: { message } } };
  }
  const data = await response.json().catch(() => ({ error: { message: "The server sent an unreadable answer." } }));
  return { ok: response.ok, status: response.status, data };
}

/** Makes an element: properties, then children (text or elements). */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("aria-") || name.startsWith("data-") || name === "role" || name === "for") {
      made.setAttribute(name, value);
    } else {
      made[name] = value;
    }
  }
  made.append(...children);
  return made;
}

/** A button that shows only an icon; its name is told and shows as a tooltip. */
export function iconButton(name, picture, onClick, className = "icon-button") {
  const button = element("button", { type: "button", className, title: name, "aria-label": name }, picture);
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    onClick(button);
  });
  return button;
}

/** "2026-10-30 09:41" as the time for today and as a day otherwise; nothing as "Now". */
export function shortDate(date) {
  if (!date) {
    return "Now";
  }
  const [day, time] = date.split(" ");
  if (day === TODAY) {
    return time;
  }
  const [, month, number] = day.split("-").map(Number);
  return `${number} ${MONTHS[month - 1]}`;
}

export function longDate(date) {
  if (!date) {
    return "Just now";
  }
  const [day, time] = date.split(" ");
  const [year, month, number] = day.split("-").map(Number);
  return `${number} ${MONTHS[month - 1]} ${year}, ${time}`;
}

export function sizeText(bytes) {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} kB`;
}

export function initials(name) {
  return name.split(" ").map((word) => word[0]).slice(0, 2).join("").toUpperCase();
}

export function count(number, word) {
  return number === 1 ? `1 ${word}` : `${number} ${word}s`;
}

/** Text for five seconds, with an optional button { text, onClick }. */
export function showToast(text, { isProblem = false, button = null } = {}) {
  clearTimeout(toastTimer);
  const toast = element("div", { className: isProblem ? "toast toast-problem" : "toast" }, text);
  if (button) {
    const made = element("button", { type: "button" }, button.text);
    made.addEventListener("click", () => {
      toast.remove();
      button.onClick();
    });
    toast.append(made);
  }
  document.getElementById("toast-place").replaceChildren(toast);
  toastTimer = setTimeout(() => toast.remove(), TOAST_MILLISECONDS);
}

export function showProblem(answer) {
  showToast(answer.data.error.message, { isProblem: true });
}
