// What the page waits for after a person's click: one of a list's options, a date, a colour, a file, a yes to a click
// that was only shown, or the answer to a dialog. The browser's own pickers and dialogs cannot be reached through a
// picture, so they are offered here.

import { h, notYet, put } from "./dom.js";

const DATES = new Set(["date", "time", "datetime-local", "month", "week"]);

/** What the last step left open, as far as the step itself tells; null for nothing. */
export function leftOpen(step) {
  if (step?.by !== "person" || !step.ok) return null;
  if (step.effect?.reason === "preview") return { kind: "click" };
  if (step.effect?.reason !== "native_control") return null;
  const focus = step.observed?.focus;
  const type = focus && typeof focus === "object" ? focus.type ?? "" : "";
  const kind = focus?.tag === "select" || step.hit?.tag === "select" ? "select" : DATES.has(type) ? "date" : type;
  return { kind, type, name: focus?.label || focus?.name || step.hit?.name || "", value: focus?.value ?? "" };
}

/** The dialog that is open after a step, as far as its words tell; null where there is none. */
export function opened({ message, error }) {
  const quoted = error?.code === "dialog_open" ? /^a dialog is open in \S+ \((".*")\);/s.exec(message ?? error.message) : /; a dialog opened: ("(?:[^"\\]|\\.)*")/s.exec(message ?? "");
  if (quoted) return { kind: "dialog", type: "confirm", message: unquoted(quoted[1]) };
  if (error?.code === "dialog_open") return { kind: "dialog", type: "confirm", message: "" };
  return message?.includes("; the page asks whether to leave it: ") ? { kind: "dialog", type: "beforeunload", message: "" } : null;
}

/** Its own event, which comes at about the same time, has the text as it is. */
function unquoted(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(1, -1);
  }
}

/** What the page's own buttons would say. */
const ANSWERS = { beforeunload: ["Leave the page", "Stay"] };

export class Offer {
  /** `call` sends a call of the run; `left` gets the focus of whoever has answered. */
  constructor(call, left) {
    this.call = call;
    this.left = left;
    this.element = h("div", { class: "offer", role: "group", "aria-label": "What the page waits for", hidden: true });
  }

  /** `open`: what `leftOpen` gives, with the options where the server told them. */
  show(open) {
    // The same again: a text that was begun, and the focus, stay.
    const known = JSON.stringify(open);
    if (this.known === known) return;
    this.known = known;
    const hadFocus = this.element.contains(document.activeElement);
    const content = open ? this.content(open) : null;
    this.element.hidden = !content;
    put(this.element, content);
    if (hadFocus && !content) this.left();
  }

  content(open) {
    switch (open.kind) {
      case "click": case "drag": return [h("span", {}, "Is this the right place?"), notYet(h("div", { class: "hand-keys" }, this.button("Yes, do it", { tool: "mouse", action: "confirm" }, "primary"), this.notNow()))];
      case "dialog": return this.dialog(open);
      case "select": return this.select(open);
      case "date": return this.field(open, DATES.has(open.type) ? open.type : "date", `Set ${open.name || "it"} to`);
      case "color": return this.field(open, "color", `Set ${open.name || "it"} to`);
      case "file": return h("p", {}, "A file is wanted here. Files come from the server's upload folders: More, “Any call”, with ", h("code", {}, '{"tool": "upload_file", "paths": ["…"]}'), ".");
      default: return null;
    }
  }

  button(words, call, kind) {
    return h("button", { type: "button", class: kind ?? null, on: { click: () => this.call(call) } }, words);
  }

  notNow() {
    return h("button", { type: "button", on: { click: () => this.show(null) } }, "Not now");
  }

  dialog({ type, message, default: first }) {
    const [yes, no] = ANSWERS[type] ?? ["Accept", "Dismiss"];
    const field = type === "prompt" ? h("input", { id: "offer-prompt", autocomplete: "off", value: first || null }) : null;
    const answer = (dialog_action) => this.call({ tool: "dialog", dialog_action, ...(field && dialog_action === "accept" ? { prompt_text: field.value } : {}) });
    return h("form", { class: "offer-dialog", on: { submit: (event) => { event.preventDefault(); answer("accept"); } } },
      h("p", { role: "alert" }, h("b", {}, type === "beforeunload" ? "The page asks whether to leave it." : "The page asks: "), message),
      field ? [h("label", { for: "offer-prompt", class: "sr" }, "Your answer to the page"), field] : null,
      notYet(h("div", { class: "hand-keys" }, h("button", { class: "primary" }, yes), h("button", { type: "button", on: { click: () => answer("dismiss") } }, no))));
  }

  select({ options, multiple, name }) {
    const label = name ? `Choose for ${name}` : "Choose";
    const choose = (values) => { if (values.length > 0) this.call({ tool: "select_option", values }); };
    if (!options?.length) {
      const text = h("input", { id: "offer-option", autocomplete: "off", placeholder: "words of the option" });
      return this.form(label, text, "Choose", () => choose(text.value.trim() ? [text.value.trim()] : []));
    }
    // A value names its option best; an empty one, or one that several have, is told by its words.
    const known = (option) => option.value && options.filter((other) => other.value === option.value).length === 1 ? option.value : option.label;
    if (multiple) {
      const list = h("select", { id: "offer-option", multiple: true, size: String(Math.min(8, options.length)) },
        options.map((option, place) => h("option", { value: String(place), disabled: option.disabled, selected: option.selected }, option.label || option.value)));
      return this.form(label, list, "Choose these", () => choose([...list.selectedOptions].map((one) => known(options[Number(one.value)]))));
    }
    return [h("span", {}, label), this.notNow(), notYet(h("div", { class: "offer-list" }, options.map((option) =>
      h("button", { type: "button", disabled: option.disabled, "aria-pressed": String(Boolean(option.selected)), on: { click: () => choose([known(option)]) } }, option.label || option.value || "(empty)"))))];
  }

  field(open, type, label) {
    const input = h("input", { id: "offer-option", type, value: open.value || null });
    return this.form(label, input, "Set", () => { if (input.value) this.call({ tool: "keyboard", action: "type", text: input.value }); });
  }

  form(label, input, words, send) {
    return h("form", { on: { submit: (event) => { event.preventDefault(); send(); } } },
      h("label", { for: input.id }, label), input, notYet(h("div", { class: "hand-keys" }, h("button", { class: "primary" }, words), this.notNow())));
  }
}
