// A popup menu of our own, as many apps have: not a native list, but the same keys. Arrows walk,
// letters jump, Enter chooses, Escape and a press outside close, and the focus goes back.
import { element } from "/assets/common.js";

let close = null;

/** Items: { text, hint?, colour?, checked? (true, false or "mixed"), onChoose } or null for a line. */
export function openMenu(anchor, name, items) {
  close?.();
  const menu = element("div", { className: "menu", role: "menu", "aria-label": name });
  for (const item of items) {
    menu.append(item ? entry(item, anchor) : element("hr", { role: "separator" }));
  }
  document.body.append(menu);
  place(menu, anchor);
  anchor.setAttribute("aria-expanded", "true");
  const entries = [...menu.querySelectorAll(".menu-item")];
  entries[0]?.focus();

  const onPress = (event) => {
    if (!menu.contains(event.target)) {
      close?.();
    }
  };
  close = () => {
    document.removeEventListener("pointerdown", onPress, true);
    menu.remove();
    anchor.setAttribute("aria-expanded", "false");
    close = null;
  };
  document.addEventListener("pointerdown", onPress, true);
  menu.addEventListener("keydown", (event) => walk(event, entries, anchor));
}

function entry(item, anchor) {
  const hasCheck = item.checked !== undefined;
  const made = element("button", {
    type: "button",
    className: "menu-item",
    role: hasCheck ? "menuitemcheckbox" : "menuitem",
    tabIndex: -1,
  });
  if (hasCheck) {
    made.setAttribute("aria-checked", String(item.checked));
    made.append(element("span", { className: "mark", "aria-hidden": "true" }, { true: "✓", mixed: "–" }[item.checked] ?? ""));
  }
  if (item.colour) {
    made.append(dot(item.colour));
  }
  made.append(item.text);
  if (item.hint) {
    made.append(element("span", { className: "hint" }, item.hint));
  }
  made.addEventListener("click", () => {
    close?.();
    anchor.focus();
    item.onChoose();
  });
  return made;
}

export function dot(colour) {
  const made = element("span", { className: `dot colour-${colour}`, "aria-hidden": "true" });
  // The class also sets a pale ground for chips; a dot takes the strong colour.
  made.style.background = "var(--dot)";
  return made;
}

function place(menu, anchor) {
  const at = anchor.getBoundingClientRect();
  const size = menu.getBoundingClientRect();
  const below = at.bottom + 4;
  const top = below + size.height > window.innerHeight - 8 ? Math.max(8, at.top - size.height - 4) : below;
  menu.style.top = `${top}px`;
  menu.style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - size.width - 8))}px`;
}

function walk(event, entries, anchor) {
  const here = entries.indexOf(document.activeElement);
  const focusAt = (index) => entries.at(index % entries.length)?.focus();
  if (event.key === "ArrowDown") {
    focusAt(here + 1);
  } else if (event.key === "ArrowUp") {
    focusAt(here - 1);
  } else if (event.key === "Home") {
    focusAt(0);
  } else if (event.key === "End") {
    focusAt(-1);
  } else if (event.key === "Escape" || event.key === "Tab") {
    close?.();
    anchor.focus();
  } else if (event.key.length === 1 && event.key !== " ") {
    const after = [...entries.slice(here + 1), ...entries.slice(0, here + 1)];
    after.find((item) => item.textContent.replace(/^[✓–]/, "").toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}
