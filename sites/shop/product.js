// One product. The price follows every choice; the checks here repeat the server's for quick
// feedback, and the server's errors land at the same fields.
import { art, firstColour } from "/assets/art.js";
import { callApi, element, money, showCartCount, showProblem, showToast } from "/assets/common.js";

const FIELDS = ["size", "colour", "extras", "quantity"];
const form = document.getElementById("options");
const add = document.getElementById("add");
let product = null;

start();

async function start() {
  const answer = await callApi("GET", `/api/products/${form.dataset.id}`);
  if (!answer.ok) {
    showToast(answer.data.error.message, { isProblem: true });
    return;
  }
  product = answer.data;
  const { size, colour, extras } = form.elements;
  size.append(element("option", { value: "" }, "Choose a size"), ...product.sizes.map(option));
  colour.append(element("option", { value: "" }, "Choose a colour"), ...colourGroups());
  extras.append(...product.extras.map(option));
  const stars = (product.rating_tenths / 10).toFixed(1);
  document.getElementById("rating").textContent = `★ ${stars} from ${product.reviews} reviews`;
  show();
  add.disabled = false;
}

function option(choice) {
  const surcharge = choice.extra_cents > 0 ? ` (+${money(choice.extra_cents)})` : "";
  return element("option", { value: choice.name }, `${choice.name}${surcharge}`);
}

function colourGroups() {
  const groups = [...new Set(product.colours.map((colour) => colour.group))];
  return groups.map((label) =>
    element(
      "optgroup",
      { label },
      ...product.colours
        .filter((colour) => colour.group === label)
        .map((colour) =>
          element(
            "option",
            { value: colour.name, disabled: !colour.in_stock },
            colour.in_stock ? colour.name : `${colour.name} – sold out`,
          ),
        ),
    ),
  );
}

function choice() {
  const { size, colour, extras, quantity } = form.elements;
  return {
    product: product.id,
    size: size.value,
    colour: colour.value,
    extras: [...extras.selectedOptions].map((chosen) => chosen.value),
    quantity: Number(quantity.value),
  };
}

function show() {
  const chosen = choice();
  const surcharges = [...product.sizes.filter((size) => size.name === chosen.size), ...product.extras.filter((extra) => chosen.extras.includes(extra.name))];
  const cents = surcharges.reduce((sum, part) => sum + part.extra_cents, product.price_cents);
  document.getElementById("price").textContent = money(cents);
  const colour = product.colours.find((known) => known.name === chosen.colour)?.hex ?? firstColour(product);
  document.getElementById("stage").replaceChildren(art(product.art, colour));
}

form.addEventListener("input", (event) => {
  showProblem(event.target.name, null);
  show();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const wanted = choice();
  const problems = {};
  if (!wanted.size) {
    problems.size = "Choose a size.";
  }
  if (!wanted.colour) {
    problems.colour = "Choose a colour.";
  }
  if (!Number.isInteger(wanted.quantity) || wanted.quantity < 1 || wanted.quantity > 20) {
    problems.quantity = "Choose a quantity from 1 to 20.";
  }
  showProblems(problems);
  if (Object.keys(problems).length > 0) {
    return;
  }
  add.disabled = true;
  const answer = await callApi("POST", "/api/cart/lines", wanted);
  add.disabled = false;
  if (!answer.ok) {
    showProblems(answer.data.error.fields ?? {});
    showToast(answer.data.error.message, { isProblem: true });
    return;
  }
  showCartCount(answer.data.pieces);
  showToast(`${product.name} is in your cart`, { link: { text: "View cart", href: "/cart" } });
});

function showProblems(problems) {
  for (const field of FIELDS) {
    showProblem(field, problems[field] ?? null);
  }
  const first = FIELDS.find((field) => problems[field]);
  document.getElementById(first)?.focus();
}
