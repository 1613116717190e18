// Starts the page: icons, the parts that draw themselves after every change, and the address.
import { composeNew } from "/assets/compose.js";
import { fillIcons } from "/assets/icons.js";
import { askForLabel } from "/assets/labels.js";
import { showList } from "/assets/list.js";
import { showRail } from "/assets/rail.js";
import { showReader } from "/assets/reader.js";
import { boxAddress, currentBox, onChange, refresh, store } from "/assets/store.js";

const search = document.getElementById("search");

fillIcons();
onChange(showRail);
onChange(showList);
onChange(showReader);

document.getElementById("compose").addEventListener("click", composeNew);
document.getElementById("new-label").addEventListener("click", () => askForLabel());

document.getElementById("search-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const words = search.value.trim();
  window.location.hash = words ? boxAddress("search", words) : boxAddress("folder", "inbox");
});

window.addEventListener("hashchange", enter);
enter();

function enter() {
  const box = currentBox();
  search.value = box.kind === "search" ? box.name : "";
  store.selected.clear();
  store.open = null;
  refresh();
}
