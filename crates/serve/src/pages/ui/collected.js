// What a plan collected: its tables and values, and for each field the place where it was read, as a picture.

import { boxed } from "./compare.js";
import { csv } from "./csv.js";
import { h, put } from "./dom.js";
import { chip, clip, count, plural, SIGNS } from "./words.js";

/** Rows of a table on the page, at first and at most; the file has all. */
const SHOWN = 100;
const MOST = 2000;

export class Collected {
  /** `stepOf` gives the step that ended or began with a frame, or null; `chosen` is called with its number. */
  constructor(frames, stepOf, chosen) {
    this.frames = frames;
    this.stepOf = stepOf;
    this.chosen = chosen;
    this.element = h("section", { class: "collected card", hidden: true, "aria-label": "What the plan collected" });
  }

  /** `end`: the end of the run, or null while there is none. */
  show(end) {
    const output = end?.plan && end.output && typeof end.output === "object" ? end.output : null;
    const parts = output ? Object.entries(output) : [];
    this.element.hidden = parts.length === 0;
    if (parts.length === 0) return put(this.element);
    this.places = places(end.plan.evidence ?? []);
    const left = end.plan.evidence_left_out ?? 0;
    put(this.element,
      h("div", { class: "section-head" }, h("h2", {}, "What the plan collected"), this.download(end)),
      parts.map(([name, value]) => (Array.isArray(value) ? this.table(name, value, end.plan.name) : this.value(name, value))),
      left > 0 ? h("p", { class: "soft small" }, `Where another ${plural(left, "field")} was read is in the run's folder alone.`) : null);
  }

  download(end) {
    const all = () => JSON.stringify({ plan: end.plan.name, output: end.output, evidence: end.plan.evidence }, null, 2);
    return h("button", { type: "button", on: { click: () => save(`${end.plan.name || "plan"}.json`, "application/json", all()) } }, "Download all as JSON");
  }

  value(name, value) {
    return h("dl", { class: "facts-list" }, h("dt", {}, name), h("dd", {}, this.cell(name, value, this.places.of([name]))));
  }

  table(name, rows, plan) {
    const columns = [...new Set(rows.flatMap((row) => (isRecord(row) ? Object.keys(row) : [])))];
    const bare = columns.length === 0;
    // Whole rows that were read at one place have it behind their number.
    const body = h("tbody", {});
    const more = h("button", { type: "button", hidden: rows.length <= SHOWN, on: { click: () => { more.remove(); fill(SHOWN, MOST); } } }, `Show ${rows.length > MOST ? `the first ${count(MOST)}` : "all"} rows`);
    const fill = (from, to) => body.append(...rows.slice(from, to).map((row, at) => {
      const place = from + at;
      const whole = this.places.exactly([name, String(place)]);
      return h("tr", {}, h("th", { scope: "row", class: "number" }, this.cell(`${name}[${place}]`, place + 1, whole)),
        bare ? h("td", {}, this.cell(`${name}[${place}]`, row, whole))
          : columns.map((column) => h("td", {}, this.cell(`${name}[${place}].${column}`, isRecord(row) ? row[column] : row, this.places.of([name, String(place), column])))));
    }));
    fill(0, SHOWN);
    const text = () => (bare ? csv(rows.map((value) => ({ value })), ["value"]) : csv(rows, columns));
    return h("div", { class: "collected-table" }, h("div", { class: "section-head" }, h("h3", {}, name, h("span", { class: "soft" }, ` ${plural(rows.length, "row")}`)),
      h("button", { type: "button", "aria-label": `Download ${name} as CSV`, on: { click: () => save(`${plan || "plan"}-${name}.csv`, "text/csv", text()) } }, "Download as CSV")),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Rows of ${name}`, data: { keys: "arrows" } },
        h("table", { class: "table" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Row"), (bare ? ["value"] : columns).map((column) => h("th", { scope: "col" }, column)))), body)), more);
  }

  /** A value, which can be pressed where it is known where it was read. */
  cell(field, value, seen) {
    const text = value === null || value === undefined ? "–" : typeof value === "object" ? JSON.stringify(value) : String(value);
    if (seen.length === 0) return clip(text, 400);
    const where = whereRead(field, seen);
    return h("button", { type: "button", class: "seen", title: `Where ${where}`, "aria-label": `${clip(text, 100)}: where ${where}`, on: { click: () => this.open(field, seen) } }, clip(text, 400));
  }

  /** The frames that show a field, each with its place marked. */
  open(field, seen) {
    const title = `Where ${whereRead(field, seen)}`;
    const box = h("dialog", { class: "plain wide", "aria-label": title });
    const figures = seen.slice(0, 5).map((one) => {
      const image = h("img", { alt: "The page when it was read" });
      this.frames.into(image, one.frame);
      const step = this.stepOf(one.frame);
      return h("figure", { class: "seen-at" },
        h("div", { class: "seen-shot" }, image, one.box ? boxed(one.box) : null),
        h("figcaption", {}, h("p", {}, checkedChip(one)), h("dl", { class: "facts-list" },
          seen.length > 1 || one.field !== field ? [h("dt", {}, "Field"), h("dd", {}, one.field)] : null,
          one.text ? [h("dt", {}, "There stood"), h("dd", {}, one.text)] : null,
          one.selector ? [h("dt", {}, "Selector"), h("dd", {}, h("code", {}, one.selector))] : null,
          one.box ? [h("dt", {}, "Place"), h("dd", {}, `${one.box.join(", ")} of 1000, the frame that is dashed`)] : null,
          step === null ? null : [h("dt", {}, "Step"), h("dd", {}, h("button", { type: "button", on: { click: () => { box.close(); this.chosen(step); } } }, `Show step ${step}`))])));
    });
    put(box, h("div", { class: "card" }, h("h2", {}, title), figures,
      seen.length > 5 ? h("p", { class: "soft small" }, `${count(seen.length - 5)} more places are in the file.`) : null,
      h("form", { method: "dialog", on: { submit: (event) => { event.preventDefault(); box.close(); } } }, h("button", { type: "submit" }, "Close"))));
    box.addEventListener("close", () => box.remove());
    box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
    document.body.append(box);
    box.showModal();
  }
}

/** What stands where a selector points was looked up. A box is only where the brain says that it looked. */
function isChecked(one) {
  return Boolean(one.selector);
}

function checkedChip(one) {
  const made = isChecked(one) ? chip("good", SIGNS.good, "was read here") : chip("unsure", SIGNS.unsure, "The brain says it read it here (not checked)");
  made.classList.add("sentence");
  return made;
}

function whereRead(field, seen) {
  return seen.some(isChecked) ? `${field} was read` : `the brain says it read ${field}`;
}

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function isRecord(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Places by the field that they show: `people[3].email` is `people`, `3`, `email`. */
function places(evidence) {
  const exact = new Map();
  const below = new Map();
  const add = (map, key, one) => { if (map.has(key)) map.get(key).push(one); else map.set(key, [one]); };
  for (const one of evidence) {
    const parts = one.field.split(/[.[\]]+/).filter(Boolean);
    add(exact, parts.join("\n"), one);
    for (const depth of [1, 3]) if (parts.length >= depth) add(below, parts.slice(0, depth).join("\n"), one);
  }
  return {
    exactly: (parts) => exact.get(parts.join("\n")) ?? [],
    of: (parts) => below.get(parts.join("\n").split(/[.[\]\n]+/).filter(Boolean).slice(0, 3).join("\n")) ?? [],
  };
}
