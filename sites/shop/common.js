// What several pages share: calls to the server, prices, toasts, small DOM helpers. Text always
// goes in as text nodes, so no product name can inject markup.

const TOAST_MILLISECONDS = 4000;

/** Sends JSON or a form and gives { ok, status, data }; a lost connection is status 0. */
export async function callApi(method, path, body) {
  const isForm = body instanceof FormData;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined || isForm ? {} : { "content-type": "application/json" },
      body: body === undefined || isForm ? body : JSON.stringify(body),
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
    if (name.startsWith("aria-") || name.startsWith("data-") || name === "role" || name === "for") {
      made.setAttribute(name, value);
    } else {
      made[name] = value;
    }
  }
  made.append(...children);
  return made;
}

export function money(cents) {
  return `$${(cents / 100).toFixed(2)}`;
}

/** "2026-11-05" as "Thursday 5 November 2026", the same in every language setting. */
export function dateText(date) {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}

export function showCartCount(pieces) {
  document.getElementById("cart-count").textContent = String(pieces);
}

/** Text, and optionally a link { text, href } beside it. */
export function showToast(text, { isProblem = false, link = null } = {}) {
  const toast = element("div", { className: isProblem ? "toast toast-problem" : "toast" }, text);
  if (link) {
    toast.append(element("a", { href: link.href }, link.text));
  }
  document.getElementById("toast-place").replaceChildren(toast);
  setTimeout(() => toast.remove(), TOAST_MILLISECONDS);
}

/** The rows of a sum, from the totals the server counts. */
export function sumRows(totals, promo) {
  const rows = [["Subtotal", money(totals.subtotal_cents), ""]];
  if (promo) {
    rows.push([`Code ${promo.code} (−${promo.percent} %)`, `−${money(totals.discount_cents)}`, "sum-discount"]);
  }
  rows.push(["Delivery", totals.delivery_cents === 0 ? "Free" : money(totals.delivery_cents), ""]);
  if (totals.gift_wrap_cents > 0) {
    rows.push(["Gift wrap", money(totals.gift_wrap_cents), ""]);
  }
  rows.push(["Total", money(totals.total_cents), "sum-total"]);
  return rows.flatMap(([label, value, className]) => [
    element("dt", { className }, label),
    element("dd", { className }, value),
  ]);
}

/** Shows or clears the problem of one field: `<p id="NAME-error">` and the control `#NAME`. */
export function showProblem(field, text) {
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

/** "M · Moss · Monogram": the options of a line. */
export function optionText(line) {
  return [line.size, line.colour, ...line.extras].join(" · ");
}
