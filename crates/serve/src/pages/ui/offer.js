// What the page waits for after a person's click: one of a list's options, a date, a colour, a file, or a yes to a click
// that was only shown. The browser's own picker cannot be reached through a picture, so it is offered here.

import { h, put } from "./dom.js";

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

export class Offer {
  /** `call` sends a call of the run. */
  constructor(call) {
    this.call = call;
    this.element = h("div", { class: "offer", role: "group", "aria-label": "What the page waits for", hidden: true });
  }

  /** `open`: what `leftOpen` gives, with the options where the server told them. */
  show(open) {
    const content = open ? this.content(open) : null;
    this.element.hidden = !content;
    put(this.element, content);
  }

  content(open) {
    switch (open.kind) {
      case "click": case "drag": return [h("span", {}, "Is this the right place?"), this.button("Yes, do it", { tool: "mouse", action: "confirm" }, "primary")];
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
    return [h("span", {}, label), h("div", { class: "offer-list" }, options.map((option) =>
      h("button", { type: "button", disabled: option.disabled, "aria-pressed": String(Boolean(option.selected)), on: { click: () => choose([known(option)]) } }, option.label || option.value || "(empty)")))];
  }

  field(open, type, label) {
    const input = h("input", { id: "offer-option", type, value: open.value || null });
    return this.form(label, input, "Set", () => { if (input.value) this.call({ tool: "keyboard", action: "type", text: input.value }); });
  }

  form(label, input, words, send) {
    return h("form", { on: { submit: (event) => { event.preventDefault(); send(); } } },
      h("label", { for: input.id }, label), input, h("button", { class: "primary" }, words));
  }
}
