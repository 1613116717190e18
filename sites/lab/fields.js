// Fields as frameworks and widgets build them, for the pages that test writing into them.
"use strict";

/** A value set whole: the page heard input and change, and the value is the wanted one. */
lab.valued = (log, target, value, wanted) => [
  [log.count("input", target) > 0, `${target} got no input yet.`],
  [value === wanted, `${target} holds “${value}”, not “${wanted}”.`],
];

/**
 * A field held by its page, by the trick that React uses: the element's own `value` property is
 * replaced by one that remembers what scripts wrote, and an input event that brings nothing new
 * is ignored. Only the setter of the prototype, or real typing, gets past it.
 */
lab.tracked = (field, change = (text) => text) => {
  const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  let remembered = field.value;
  let state = field.value;
  Object.defineProperty(field, "value", {
    configurable: true,
    get() {
      return native.get.call(this);
    },
    set(text) {
      remembered = String(text);
      native.set.call(this, text);
    },
  });
  field.addEventListener("input", () => {
    const text = native.get.call(field);
    if (text === remembered) {
      lab.note("ignored");
    } else {
      state = change(text);
      remembered = text;
      lab.show(`State: ${state}`);
      lab.fact("state", state);
    }
    // The field always shows the state, whatever was written into it.
    queueMicrotask(() => {
      if (native.get.call(field) !== state) {
        field.value = state;
      }
    });
  });
  // A text that came without an event does not stay either.
  setInterval(() => {
    if (native.get.call(field) !== state) {
      field.value = state;
      lab.note("restored");
    }
  }, 150);
  return field;
};

/** A text field inside a shadow root, its events recorded. */
lab.shadowField = (host, mode) => {
  const shadow = host.attachShadow({ mode });
  const field = document.createElement("input");
  field.id = "field";
  field.dataset.control = "";
  field.autocomplete = "off";
  shadow.append(field);
  lab.listen(shadow);
  return field;
};
