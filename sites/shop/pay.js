// The payment box. It lives on another origin than the page around it, so the page can neither read
// nor fill these fields. The number is checked here and stays here; only its last four digits leave.
import { callApi, showProblem } from "/assets/common.js";

const FIRST_VALID_MONTH = 26 * 12 + 10;
const FIELDS = ["number", "expiry", "cvc"];
const form = document.getElementById("card");
const parentOrigin = form.dataset.parent;
const { number, expiry, cvc } = form.elements;

function tell(message) {
  if (window.parent !== window) {
    window.parent.postMessage(message, parentOrigin);
  }
}

function digits(input) {
  return input.value.replace(/\D/g, "");
}

function brandOf(text) {
  if (text.startsWith("4")) {
    return "Visa";
  }
  if (/^(5[1-5]|2[2-7])/.test(text)) {
    return "Mastercard";
  }
  return /^3[47]/.test(text) ? "Amex" : "Card";
}

/** The check digit every card number ends with. */
function passesLuhn(text) {
  const sum = [...text].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

number.addEventListener("input", () => {
  // Only what was typed at the end is put into groups: rewriting around the caret would move it.
  if (number.selectionStart === number.value.length) {
    number.value = digits(number).replace(/(\d{4})(?=\d)/g, "$1 ");
  }
  const text = digits(number);
  document.getElementById("brand").textContent = text ? brandOf(text) : "";
});

expiry.addEventListener("input", (event) => {
  if (event.inputType !== "deleteContentBackward" && expiry.selectionStart === expiry.value.length) {
    const text = digits(expiry).slice(0, 4);
    expiry.value = text.length >= 2 ? `${text.slice(0, 2)}/${text.slice(2)}` : text;
  }
});

form.addEventListener("input", (event) => {
  showProblem(event.target.name, null);
  tellHeight();
  tell({ kind: "edited" });
});

form.addEventListener("submit", (event) => event.preventDefault());

function problems() {
  const found = {};
  const text = digits(number);
  if (!text) {
    found.number = "Enter the card number.";
  } else if (text.length < 13 || text.length > 19 || !passesLuhn(text)) {
    found.number = "This is not a valid card number.";
  }
  const [, month, year] = /^(\d\d)\/(\d\d)$/.exec(expiry.value.trim()) ?? [];
  if (!month || Number(month) < 1 || Number(month) > 12) {
    found.expiry = "Enter the expiry as MM/YY.";
  } else if (Number(year) * 12 + Number(month) < FIRST_VALID_MONTH) {
    found.expiry = "This card has expired.";
  }
  if (!/^\d{3,4}$/.test(cvc.value.trim())) {
    found.cvc = "Enter 3 or 4 digits.";
  }
  return found;
}

window.addEventListener("message", async (event) => {
  if (event.origin !== parentOrigin || event.source !== window.parent || event.data?.kind !== "submit") {
    return;
  }
  const found = problems();
  for (const field of FIELDS) {
    showProblem(field, found[field] ?? null);
  }
  tellHeight();
  if (Object.keys(found).length > 0) {
    tell({ kind: "card", problem: "Check the card details." });
    return;
  }
  const text = digits(number);
  const card = { brand: brandOf(text), last_four: text.slice(-4), expiry: expiry.value.trim() };
  const answer = await callApi("POST", "/api/cards", card);
  if (answer.ok) {
    tell({ kind: "card", token: answer.data.token });
    return;
  }
  tell({ kind: "card", problem: answer.data.error.fields?.expiry ?? answer.data.error.message });
});

function tellHeight() {
  // The border of the frame counts into its height.
  tell({ kind: "height", height: form.offsetHeight + 2 });
}

tellHeight();
