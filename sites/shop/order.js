// The page after the order: what was bought and where it goes, as the server keeps it.
import { art } from "/assets/art.js";
import { callApi, dateText, element, money, optionText, showToast, sumRows } from "/assets/common.js";

const number = document.getElementById("order").dataset.number;
const answer = await callApi("GET", `/api/orders/${encodeURIComponent(number)}`);
if (answer.ok) {
  show(answer.data);
} else {
  showToast(answer.data.error.message, { isProblem: true });
}

function show(order) {
  document.getElementById("items").replaceChildren(
    ...order.items.map((item) =>
      element(
        "li",
        {},
        element("div", { className: "item-art" }, art(item.art, item.colour_hex)),
        element("div", {}, `${item.quantity} × ${item.name}`, element("small", {}, optionText(item))),
        element("span", {}, money(item.total_cents)),
      ),
    ),
  );
  document.getElementById("sums").replaceChildren(...sumRows(order.totals, order.promo));
  const { address } = order;
  const files = [order.purchase_order, ...order.documents].filter(Boolean).map((file) => file.name);
  const rows = [
    ["Deliver to", `${order.name}\n${address.street}\n${address.postcode} ${address.city}\n${address.country}`],
    ["Delivery", `${dateText(order.delivery_date)}, ${order.delivery_time}`],
    ["Card", `${order.card.brand} ending in ${order.card.last_four}`],
    ["Gift wrap", order.gift_wrap ? swatch(order.gift_wrap) : "No"],
    ["Papers", files.join("\n") || "None"],
    ["Note", order.notes || "None"],
    ["Seasonal letter", order.newsletter ? "Yes" : "No"],
  ];
  document.getElementById("details").replaceChildren(
    ...rows.flatMap(([label, value]) => [element("dt", {}, label), element("dd", {}, value)]),
  );
}

function swatch(colour) {
  const square = element("span", { className: "swatch" });
  square.style.background = colour;
  return element("span", {}, square, colour);
}
