// A field of addresses: each becomes a chip on Enter, comma, Tab or leaving; known people are
// suggested while typing.
import { element } from "/assets/common.js";

const MOST_SUGGESTIONS = 5;

export function isAddress(text) {
  return /^[\w.%+'-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text);
}

/** Builds the field into `place`; gives { values, setValues, focus, setProblem }. */
export function chipField(place, name, people, onEdit) {
  const id = name.toLowerCase();
  const input = element("input", {
    className: "plain-input",
    id,
    type: "text",
    autocomplete: "off",
    spellcheck: false,
    role: "combobox",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
    "aria-controls": `${id}-suggestions`,
  });
  const chips = element("div", { className: "chips" }, input);
  const list = element("ul", { className: "suggestions", id: `${id}-suggestions`, role: "listbox", hidden: true });
  place.append(element("label", { for: id }, name), chips, list);
  let values = [];
  let marked = 0;

  function show() {
    for (const old of chips.querySelectorAll(".chip")) {
      old.remove();
    }
    input.before(
      ...values.map((address) => {
        const known = people().find((person) => person.email.toLowerCase() === address.toLowerCase());
        const remove = element("button", { type: "button", "aria-label": `Remove ${address}` }, "×");
        remove.addEventListener("click", () => {
          values = values.filter((kept) => kept !== address);
          show();
          onEdit();
          input.focus();
        });
        return element("span", { className: isAddress(address) ? "chip" : "chip wrong", title: address }, known?.name ?? address, remove);
      }),
    );
  }

  /** Takes what was typed, or the marked suggestion; several addresses may come at once. */
  function take(text) {
    for (const part of text.split(/[,;\s]+/).filter(Boolean)) {
      if (!values.includes(part)) {
        values.push(part);
      }
    }
    input.value = "";
    hide();
    show();
    onEdit();
  }

  function suggestions() {
    const typed = input.value.trim().toLowerCase();
    if (!typed) {
      return [];
    }
    return people()
      .filter((person) => !values.includes(person.email))
      .filter((person) => `${person.name} ${person.email}`.toLowerCase().includes(typed))
      .slice(0, MOST_SUGGESTIONS);
  }

  function suggest() {
    const found = suggestions();
    marked = Math.min(marked, Math.max(found.length - 1, 0));
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(found.length > 0));
    list.replaceChildren(
      ...found.map((person, index) => {
        const item = element("li", { role: "option", "aria-selected": String(index === marked) }, person.name, element("small", {}, person.email));
        // Before the field loses its focus, which would take the typed letters instead.
        item.addEventListener("pointerdown", (event) => {
          event.preventDefault();
          take(person.email);
        });
        return item;
      }),
    );
  }

  function hide() {
    marked = 0;
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  }

  input.addEventListener("input", () => {
    marked = 0;
    if (/[,;]/.test(input.value)) {
      take(input.value);
    } else {
      suggest();
      onEdit();
    }
  });

  input.addEventListener("keydown", (event) => {
    const found = list.hidden ? [] : suggestions();
    if (event.key === "Enter" || (event.key === "Tab" && input.value.trim())) {
      event.preventDefault();
      const typed = input.value.trim();
      // A complete address is meant as typed, even if it begins another one.
      take(found.length > 0 && !isAddress(typed) ? found[marked].email : typed);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      marked = (marked + (event.key === "ArrowDown" ? 1 : -1) + found.length) % (found.length || 1);
      suggest();
    } else if (event.key === "Escape" && !list.hidden) {
      event.stopPropagation();
      hide();
    } else if (event.key === "Backspace" && input.value === "" && values.length > 0) {
      values.pop();
      show();
      onEdit();
    }
  });

  input.addEventListener("blur", () => {
    if (input.value.trim()) {
      take(input.value);
    }
    hide();
  });

  chips.addEventListener("click", (event) => {
    if (event.target === chips) {
      input.focus();
    }
  });

  return {
    /** The addresses, with what is still being typed. */
    values: () => [...values, ...input.value.split(/[,;\s]+/).filter(Boolean)],
    setValues(wanted) {
      values = [...wanted];
      input.value = "";
      hide();
      show();
    },
    focus: () => input.focus(),
  };
}
