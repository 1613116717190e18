// What all scripts share: calls to the server, toasts, small DOM helpers. Text always goes in as
// text nodes, so no note can inject markup.

const TOAST_MILLISECONDS = 3500;

let lastCall = Promise.resolve();

/**
 * Sends JSON and gives { ok, status, data }; a lost connection is status 0, never an exception.
 * One after the other: a pause that overtakes a seek would leave the wrong position behind.
 */
export function callApi(method, path, body, keepalive = false) {
  const call = lastCall.then(() => send(method, path, body, keepalive));
  lastCall = call;
  return call;
}

async function send(method, path, body, keepalive) {
  let response;
  try {
    response = await fetch(path, {
      method,
      keepalive,
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
  play: '<path d="M5 3.2v11.6l9.6-5.8z" fill="currentColor" stroke="none"/>',
  pause: '<path d="M4.5 3.5h3v11h-3zM10.5 3.5h3v11h-3z" fill="currentColor" stroke="none"/>',
  loud: '<path d="M3 7h2.6L9 4v10l-3.4-3H3zM11.6 6.4a3.6 3.6 0 0 1 0 5.2M13.5 4.5a6.3 6.3 0 0 1 0 9"/>',
  silent: '<path d="M3 7h2.6L9 4v10l-3.4-3H3zM12 7l4 4M16 7l-4 4"/>',
  theatre: '<path d="M2.5 4.5h13v9h-13z"/><path d="M5.5 7.5v-1h2M12.5 10.5v1h-2"/>',
  up: '<path d="M5 10.5L9 6.5l4 4"/>',
  down: '<path d="M5 7.5L9 11.5l4-4"/>',
  eye: '<path d="M2.5 9c1.7-3 3.9-4.5 6.5-4.5s4.8 1.5 6.5 4.5c-1.7 3-3.9 4.5-6.5 4.5S4.2 12 2.5 9z"/><circle cx="9" cy="9" r="2"/>',
};

/** A line drawing, 18 pixels wide; the markup is ours. */
export function icon(name) {
  const holder = document.createElement("span");
  holder.innerHTML = `<svg width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${ICONS[name]}</svg>`;
  return holder.firstChild;
}

/** 75.4 as "1:15". */
export function timeText(seconds) {
  const whole = Math.floor(seconds + 0.001);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function clamp(value, least, most) {
  return Math.min(most, Math.max(least, value));
}

export function showToast(text, isProblem = false) {
  const toast = element("div", { className: isProblem ? "toast toast-problem" : "toast" }, text);
  document.getElementById("toast-place").replaceChildren(toast);
  setTimeout(() => toast.remove(), TOAST_MILLISECONDS);
}
