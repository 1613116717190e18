// The list of products. What is shown follows from the address alone, so links, reload and back
// keep search, category and order.
import { art, firstColour } from "/assets/art.js";
import { callApi, element, money, showToast } from "/assets/common.js";

const sort = document.getElementById("sort");

window.addEventListener("popstate", load);
load();

sort.addEventListener("change", () => {
  const parameters = parametersWith("sort", sort.value === "featured" ? "" : sort.value);
  window.history.pushState(null, "", address(parameters));
  load();
});

function parametersWith(name, value) {
  const parameters = new URLSearchParams(window.location.search);
  if (value) {
    parameters.set(name, value);
  } else {
    parameters.delete(name);
  }
  return parameters;
}

function address(parameters) {
  const text = parameters.toString();
  return text ? `/?${text}` : "/";
}

async function load() {
  const parameters = new URLSearchParams(window.location.search);
  sort.value = parameters.get("sort") || "featured";
  const answer = await callApi("GET", `/api/products?${parameters}`);
  if (!answer.ok) {
    showToast(answer.data.error.message, { isProblem: true });
    return;
  }
  show(answer.data, parameters);
}

function show(result, parameters) {
  const category = parameters.get("category") ?? "";
  const words = parameters.get("q")?.trim();
  const count = result.total === 1 ? "1 product" : `${result.total} products`;
  document.getElementById("heading").textContent = category || "All products";
  document.getElementById("result-count").textContent = words ? `${count} for “${words}”` : count;
  document.getElementById("categories").replaceChildren(
    ...Object.entries(result.counts).map(([name, number]) => categoryLink(name, number, category)),
  );
  document.getElementById("products").replaceChildren(...result.products.map(card));
  document.getElementById("empty").hidden = result.total > 0;
}

function categoryLink(name, number, current) {
  const value = name === "All" ? "" : name;
  const link = element("a", { href: address(parametersWith("category", value)) }, name, element("span", {}, String(number)));
  if (value === current) {
    link.setAttribute("aria-current", "page");
  }
  return element("li", {}, link);
}

function card(product) {
  const stars = (product.rating_tenths / 10).toFixed(1);
  const made = element(
    "li",
    { className: "product", "data-id": String(product.id) },
    element(
      "a",
      { href: `/products/${product.id}` },
      element("div", { className: "product-art" }, art(product.art, firstColour(product))),
      element("h3", {}, product.name),
      element(
        "div",
        { className: "product-facts" },
        element("span", {}, money(product.price_cents)),
        element("span", { className: "rating", title: `${product.reviews} reviews` }, element("b", { "aria-hidden": "true" }, "★ "), stars),
      ),
    ),
  );
  if (product.is_new) {
    made.append(element("span", { className: "new" }, "New"));
  }
  return made;
}
