// The cart. Every change goes to the server first; what is shown is always the server's answer.
import { art } from "/assets/art.js";
import { callApi, element, money, optionText, showCartCount, showProblem, showToast, sumRows } from "/assets/common.js";

const MOST = 20;

const answer = await callApi("GET", "/api/cart");
if (answer.ok) {
  show(answer.data);
} else {
  showToast(answer.data.error.message, { isProblem: true });
}

function show(cart) {
  const isEmpty = cart.lines.length === 0;
  document.getElementById("cart").hidden = isEmpty;
  document.getElementById("empty").hidden = !isEmpty;
  showCartCount(cart.pieces);
  document.getElementById("lines").replaceChildren(...cart.lines.map(row));
  document.getElementById("sums").replaceChildren(...sumRows(cart.totals, cart.promo));
  const goods = cart.totals.subtotal_cents - cart.totals.discount_cents;
  const missing = cart.free_delivery_from_cents - goods;
  document.getElementById("hint").textContent =
    missing > 0 ? `Add ${money(missing)} more for free delivery.` : "This order is delivered free of charge.";
  document.getElementById("promo-form").hidden = cart.promo !== null;
  document.getElementById("promo-active").hidden = cart.promo === null;
  document.getElementById("promo-code").textContent = cart.promo?.code ?? "";
}

function row(line) {
  const input = element("input", {
    className: "input",
    type: "number",
    min: "1",
    max: String(MOST),
    value: String(line.quantity),
    "aria-label": `Quantity of ${line.name}`,
  });
  input.addEventListener("change", () => setQuantity(line, Number(input.value)));
  const remove = element("button", { type: "button", className: "link-button", "aria-label": `Remove ${line.name}` }, "Remove");
  remove.addEventListener("click", () => change("DELETE", line));
  return element(
    "li",
    { className: "line", "data-line": String(line.line) },
    element("div", { className: "line-art" }, art(line.art, line.colour_hex)),
    element(
      "div",
      {},
      element("h3", {}, element("a", { href: `/products/${line.product}` }, line.name)),
      element("p", { className: "muted" }, optionText(line)),
      remove,
    ),
    element("div", { className: "stepper" }, step(line, -1), input, step(line, 1)),
    element("p", { className: "line-total" }, money(line.total_cents), element("small", {}, `${money(line.unit_cents)} each`)),
  );
}

function step(line, by) {
  const wanted = line.quantity + by;
  const button = element(
    "button",
    {
      type: "button",
      disabled: wanted < 1 || wanted > MOST,
      "aria-label": by < 0 ? `One ${line.name} less` : `One ${line.name} more`,
    },
    by < 0 ? "−" : "+",
  );
  button.addEventListener("click", () => setQuantity(line, wanted));
  return button;
}

async function setQuantity(line, quantity) {
  // A field that was emptied or holds a fraction asks for nothing the server could read.
  if (!Number.isInteger(quantity) || quantity < 1) {
    showToast("Choose a quantity from 1 to 20.", { isProblem: true });
    reload();
    return;
  }
  await change("PUT", line, { quantity });
}

async function change(method, line, body) {
  const changed = await callApi(method, `/api/cart/lines/${line.line}`, body);
  if (changed.ok) {
    show(changed.data);
    return;
  }
  showToast(changed.data.error.fields?.quantity ?? changed.data.error.message, { isProblem: true });
  reload();
}

async function reload() {
  const fresh = await callApi("GET", "/api/cart");
  if (fresh.ok) {
    show(fresh.data);
  }
}

document.getElementById("promo-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const code = document.getElementById("code");
  const applied = await callApi("PUT", "/api/cart/promo", { code: code.value });
  showProblem("code", applied.ok ? null : (applied.data.error.fields?.code ?? applied.data.error.message));
  if (applied.ok) {
    code.value = "";
    show(applied.data);
  } else {
    code.focus();
  }
});

document.getElementById("code").addEventListener("input", () => showProblem("code", null));

document.getElementById("promo-remove").addEventListener("click", async () => {
  const removed = await callApi("DELETE", "/api/cart/promo");
  if (removed.ok) {
    show(removed.data);
  }
});
