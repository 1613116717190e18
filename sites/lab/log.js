// Records what the browser tells this document, and holds the facts and the verdict. It never
// touches the document, so that recording is not itself an effect somebody could see.
"use strict";

window.lab = (() => {
  const root = document.documentElement;
  const MOST_EVENTS = 500;
  const MOST_CHARACTERS = 200;

  const ALWAYS = [
    "pointerdown", "pointerup", "pointercancel", "mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu",
    "touchstart", "touchend", "keydown", "keypress", "keyup", "beforeinput", "input", "change", "focusin", "focusout",
    "submit", "dragstart", "dragenter", "dragover", "drop", "dragend", "wheel", "scroll", "toggle", "close", "paste",
    "compositionend", "hashchange", "popstate",
  ];
  // Floods: within one report, repeats on one target become one entry with a count.
  const FLOODS = new Set(["mousemove", "pointermove", "drag", "dragover", "scroll", "wheel"]);

  const lab = {
    name: root.dataset.name,
    run: Number(root.dataset.run),
    landed: root.dataset.landed || null,
    isFrame: root.dataset.kind === "frame",
    isQuiet: root.dataset.quiet === "yes",
    events: [],
    facts: {},
    verdict: null,
    number: 0,
    // What happens with a new entry or fact; send.js or frames.js decide.
    onChange: () => {},
    onEntry: null,
    judge: null,
  };

  const asked = new URLSearchParams(location.search).get("quiet");
  if (asked !== null) {
    lab.isQuiet = asked !== "0";
  }

  const short = (text) => (typeof text === "string" && text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text);

  function named(target) {
    if (target === window) {
      return "window";
    }
    if (!(target instanceof Element)) {
      return target === document ? "document" : "other";
    }
    if (target.id) {
      return target.id;
    }
    const tag = target.localName;
    const around = target.closest("[id]");
    return around ? `${around.id}>${tag}` : tag;
  }

  function held(target) {
    if (target instanceof HTMLSelectElement && target.multiple) {
      return { value: [...target.selectedOptions].map((option) => option.value).join(",") };
    }
    if (target instanceof HTMLInputElement && target.type === "file") {
      return { files: [...target.files].slice(0, 20).map((file) => file.name) };
    }
    if (target instanceof HTMLInputElement && (target.type === "checkbox" || target.type === "radio")) {
      return { checked: target.checked };
    }
    if ("value" in target && target.tagName !== "BUTTON") {
      return { value: short(String(target.value)) };
    }
    return target.isContentEditable ? { value: short(target.textContent) } : {};
  }

  function modifiers(event) {
    const held = ["ctrl", "shift", "alt", "meta"].filter((name) => event[`${name}Key`]);
    return held.length ? { mods: held.join("+") } : {};
  }

  function details(event, target) {
    if (event instanceof KeyboardEvent) {
      return { key: event.key, code: event.code, keyCode: event.keyCode, ...modifiers(event), ...(event.repeat ? { repeat: true } : {}) };
    }
    if (event instanceof MouseEvent) {
      const place = { x: Math.round(event.clientX), y: Math.round(event.clientY) };
      const wheel = event instanceof WheelEvent ? { dx: event.deltaX, dy: event.deltaY } : {};
      return { button: event.button, buttons: event.buttons, detail: event.detail, ...place, ...modifiers(event), ...wheel };
    }
    if (event instanceof InputEvent) {
      return { inputType: event.inputType, data: short(event.data), ...held(target) };
    }
    if (event.type === "change" || event.type === "input") {
      return held(target);
    }
    return {};
  }

  /** Adds an entry; `from` is the event it stands for, if any. */
  function add(entry) {
    const last = lab.events.at(-1);
    if (last && !last.sent && FLOODS.has(entry.type) && last.type === entry.type && last.target === entry.target) {
      Object.assign(last, entry, { n: last.n, times: (last.times ?? 1) + 1 });
      lab.onChange();
      return last;
    }
    lab.number += 1;
    const made = { n: lab.number, t: Math.round(performance.now()), ...entry };
    lab.events.push(made);
    if (lab.events.length > MOST_EVENTS) {
      lab.events.shift();
    }
    lab.onChange();
    return made;
  }

  const entries = new WeakMap();

  function record(event) {
    const target = event.composedPath()[0] ?? event.target;
    const known = entries.get(event);
    if (known) {
      // The second look comes from inside a closed shadow root and sees the real target.
      known.target = named(target);
      Object.assign(known, details(event, target));
      return;
    }
    const entry = { type: event.type, target: named(target), trusted: event.isTrusted, ...details(event, target) };
    if (lab.onEntry) {
      lab.onEntry(entry);
    } else {
      entries.set(event, add(entry));
    }
  }

  /** Also records what happens inside a shadow root, and counts its controls. */
  lab.listen = (shadow, more = []) => {
    lab.roots.push(shadow);
    for (const type of [...ALWAYS, ...more]) {
      shadow.addEventListener(type, record, { capture: true, passive: true });
    }
  };
  lab.roots = [document];

  /** Records further kinds of events, such as moves. */
  lab.also = (...types) => {
    for (const type of types) {
      window.addEventListener(type, record, { capture: true, passive: true });
    }
  };
  lab.also(...ALWAYS, "focus", "blur");

  /** An entry that the page writes itself. */
  lab.note = (type, more = {}) => {
    const entry = { type, target: "page", ...more };
    if (lab.onEntry) {
      lab.onEntry(entry);
    } else {
      add(entry);
    }
  };
  lab.add = add;

  /** States something about the page as it is now. */
  lab.fact = (name, value) => {
    lab.facts[name] = value;
    lab.onChange();
  };

  /** Looks again at a page that changed without an event. */
  lab.touch = () => lab.onChange();

  /** The boxes of all controls, in pixels of this document's view: [left, top, right, bottom]. */
  lab.boxes = () => {
    const boxes = {};
    for (const place of lab.roots) {
      for (const control of place.querySelectorAll("[data-control]")) {
        const { left, top, right, bottom } = control.getBoundingClientRect();
        boxes[control.id] = [left, top, right, bottom].map((edge) => Math.round(edge * 10) / 10);
      }
    }
    return boxes;
  };

  /** The element of that id. */
  lab.$ = (id) => document.getElementById(id);
  return lab;
})();
