// The checkout. Placing an order takes two answers: the payment frame checks the card and hands
// over a token, then the form goes to the server with that token. Errors land at their fields.
import { art } from "/assets/art.js";
import { callApi, element, money, optionText, showProblem, sumRows } from "/assets/common.js";
import { documents, purchaseOrder } from "/assets/files.js";

const GIFT_WRAP_CENTS = 450;
const CARD_MILLISECONDS = 8000;
const TEXTS = ["name", "email", "street", "postcode", "city", "country", "delivery_date", "delivery_time", "gift_colour", "notes"];
const FIELDS = [...TEXTS, "purchase_order", "documents", "payment_token"];

const form = document.getElementById("checkout");
const frame = document.getElementById("pay-frame");
const place = document.getElementById("place");
const frameOrigin = frame.dataset.origin;
const chosenPurchaseOrder = purchaseOrder(() => showProblem("purchase_order", null));
const chosenDocuments = documents(() => showProblem("documents", null));
let cart = null;
let cardAnswered = null;

start();

async function start() {
  const answer = await callApi("GET", "/api/cart");
  if (!answer.ok) {
    showFormProblem(answer.data.error.message);
    return;
  }
  cart = answer.data;
  document.getElementById("mini-lines").replaceChildren(
    ...cart.lines.map((line) =>
      element(
        "li",
        {},
        element("div", { className: "mini-art" }, art(line.art, line.colour_hex)),
        element("div", {}, `${line.quantity} × ${line.name}`, element("small", {}, optionText(line))),
        element("span", {}, money(line.total_cents)),
      ),
    ),
  );
  showSums();
  place.disabled = false;
}

function showSums() {
  const gift = form.elements.gift_wrap.checked ? GIFT_WRAP_CENTS : 0;
  const totals = { ...cart.totals, gift_wrap_cents: gift, total_cents: cart.totals.total_cents + gift };
  document.getElementById("sums").replaceChildren(...sumRows(totals, cart.promo));
}

form.elements.gift_wrap.addEventListener("change", () => {
  form.elements.gift_colour.disabled = !form.elements.gift_wrap.checked;
  showSums();
});

form.addEventListener("input", (event) => {
  showProblem(event.target.name, null);
  showFormProblem(null);
});

// The frame speaks only through messages; anything from elsewhere is not for us.
window.addEventListener("message", (event) => {
  if (event.origin !== frameOrigin || event.source !== frame.contentWindow) {
    return;
  }
  const message = event.data ?? {};
  if (message.kind === "height" && Number.isFinite(message.height)) {
    frame.style.height = `${Math.min(Math.max(message.height, 120), 400)}px`;
  } else if (message.kind === "card") {
    cardAnswered?.(message);
  } else if (message.kind === "edited") {
    showProblem("payment_token", null);
    showFormProblem(null);
  }
});

/** Asks the frame for a token; gives { token } or { problem }. */
function askForCard() {
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => resolve({ problem: "The payment box did not answer. Try again." }), CARD_MILLISECONDS);
    cardAnswered = (message) => {
      clearTimeout(giveUp);
      resolve(message);
    };
    frame.contentWindow.postMessage({ kind: "submit" }, frameOrigin);
  });
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  place.disabled = true;
  place.textContent = "Placing the order…";
  await submit();
  place.disabled = false;
  place.textContent = "Place order";
});

async function submit() {
  const wanted = values();
  const problems = check(wanted);
  // Asked even when a field is wrong, so that everything to mend shows at once.
  const card = await askForCard();
  if (card.problem) {
    problems.payment_token = card.problem;
  }
  showProblems(problems);
  if (Object.keys(problems).length > 0) {
    showFormProblem("Some fields need another look.");
    return;
  }
  const body = new FormData();
  body.append("order", JSON.stringify({ ...wanted, payment_token: card.token }));
  if (chosenPurchaseOrder()) {
    body.append("purchase_order", chosenPurchaseOrder());
  }
  for (const file of chosenDocuments()) {
    body.append("documents", file);
  }
  const answer = await callApi("POST", "/api/orders", body);
  if (answer.ok) {
    window.location.assign(`/orders/${answer.data.number}`);
    return;
  }
  showProblems(answer.data.error.fields ?? {});
  showFormProblem(answer.data.error.message);
}

function values() {
  const all = Object.fromEntries(TEXTS.map((field) => [field, form.elements[field].value]));
  return { ...all, gift_wrap: form.elements.gift_wrap.checked, newsletter: form.elements.newsletter.checked };
}

function check(wanted) {
  const problems = {};
  const required = {
    name: "Enter the name of the person who receives the parcel.",
    email: "Enter an email address.",
    street: "Enter street and house number.",
    postcode: "Enter a postcode.",
    city: "Enter a city.",
    country: "Choose a country.",
    delivery_date: "Choose a delivery date.",
    delivery_time: "Choose a time.",
  };
  for (const [field, problem] of Object.entries(required)) {
    if (!wanted[field].trim()) {
      problems[field] = problem;
    }
  }
  if (!problems.email && !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(wanted.email.trim())) {
    problems.email = "Enter an email address like name@company.com.";
  }
  const date = form.elements.delivery_date;
  if (date.value && new Date(`${date.value}T00:00:00Z`).getUTCDay() === 0) {
    problems.delivery_date = "There is no delivery on Sundays.";
  }
  if (chosenDocuments().length > 3) {
    problems.documents = "Attach at most 3 documents.";
  }
  return problems;
}

function showProblems(problems) {
  for (const field of FIELDS) {
    showProblem(field, problems[field] ?? null);
  }
  const first = FIELDS.find((field) => problems[field]);
  document.getElementById(first === "payment_token" ? "pay-frame" : first)?.focus();
}

function showFormProblem(text) {
  const place = document.getElementById("form-error");
  place.hidden = !text;
  place.textContent = text ?? "";
}
