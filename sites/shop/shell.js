// What every page does: the number at the cart, and the words of the last search in the field.
import { callApi, showCartCount } from "/assets/common.js";

document.getElementById("search").value = new URLSearchParams(window.location.search).get("q") ?? "";

const answer = await callApi("GET", "/api/cart");
if (answer.ok) {
  showCartCount(answer.data.pieces);
}
