// One step in full: what was thought, done, foretold and seen, and why anything was refused.

import { h, put } from "./dom.js";
import { toneOf } from "./film.js";
import { chip, clockTime, duration, SIGNS } from "./words.js";

const EFFECTS = { confirmed: "effect confirmed", no_effect: "no effect", unverifiable: "not measurable", refused: "refused" };
const TIMES = [["observe", "look"], ["think", "think"], ["act", "act"], ["settle", "settle"], ["verify", "verify"]];

export function stepPanel(place, step, none = "No step yet.") {
  if (!step) return put(place, h("p", { class: "empty" }, none));
  const tone = toneOf(step);
  // While a run is followed, the next step comes into the same place: a reader who opened the call goes on to see it.
  const earlier = place.querySelector("details");
  const wasOpen = earlier?.open;
  const hadFocus = earlier?.contains(document.activeElement);
  const asItWas = h("summary", {}, "Call and feedback as they were");
  // A list that was opened was not refused: it waits for a choice.
  const opened = step.ok && step.effect?.reason === "native_control" ? "opened, waits for a choice" : null;
  const withdrawn = step.policy?.answer === "withdrawn";
  const effect = withdrawn ? chip("neutral", SIGNS.neutral, "not decided")
    : step.effect ? chip(opened ? "active" : tone, SIGNS[tone], opened ?? EFFECTS[step.effect.status] ?? step.effect.status) : null;
  put(place,
    h("header", { class: "step-head" },
      h("h2", {}, h("span", { class: "step-number" }, String(step.step)), step.words),
      h("p", { class: "chips" }, effect, !step.ok && !effect && !step.cut_off ? chip("bad", SIGNS.bad, "did not work") : null,
        step.by === "person" ? chip("active", "☝", "by a person") : null, step.cut_off ? chip("bad", SIGNS.bad, "cut off") : null,
        h("span", { class: "soft small" }, clockTime(step.at)))),
    said("Thought", step.thought, "thought"),
    said("What came of it", step.message, step.ok || withdrawn ? "" : "bad-words"), places(step),
    step.error && step.error.hint ? said("Hint to the brain", step.error.hint) : null,
    evidence(step), predictions(step), notes(step), notRun(step), observed(step), timing(step.timing_ms),
    h("details", { open: wasOpen }, asItWas, h("pre", {}, JSON.stringify(step.call, null, 2)), step.feedback ? h("pre", {}, step.feedback) : null));
  if (hadFocus) asItWas.focus({ preventScroll: true });
}

function said(title, text, kind) {
  if (!text) return null;
  return h("div", { class: `said ${kind ?? ""}` }, h("h3", {}, title), h("p", {}, text));
}

/** Calls and pixels count places differently. */
function places({ message, dispatched, words }) {
  if (!dispatched || !/\[\d+, \d+\]/.test(`${message} ${words}`)) return null;
  return h("p", { class: "soft small" }, `[x, y] counts to 1000 across and down the page; in pixels it went to ${dispatched.x}, ${dispatched.y}.`);
}

function evidence(step) {
  const found = step.effect?.evidence ?? [];
  if (found.length === 0 && !step.effect?.reason) return null;
  return h("div", { class: "said" }, h("h3", {}, "Effect"),
    step.effect.reason ? h("p", { class: "soft" }, step.effect.reason.replaceAll("_", " ")) : null,
    h("ul", { class: "evidence" }, found.map((one) => h("li", {}, h("b", {}, one.kind.replaceAll("_", " ")), " ", one.detail))));
}

function predictions(step) {
  if (step.predictions.length === 0) return null;
  return h("div", { class: "said" }, h("h3", {}, "Foretold"), h("ul", { class: "evidence" }, step.predictions.map((one) => {
    const tone = one.result === true ? "good" : one.result === false ? "bad" : "unsure";
    const words = one.result === true ? "came true" : one.result === false ? "did not" : "not measured";
    return h("li", {}, chip(tone, SIGNS[tone], words), " ", one.predicate, one.reason ? h("span", { class: "soft" }, ` (${one.reason.replaceAll("_", " ")})`) : null);
  })));
}

const HAPPENED = { environment: "by itself", person: "person", note: "note", confirmation: "asked", unusable_reply: "brain" };

/** Markers that nothing else on this panel says. */
const TOLD = new Set(["hint", "action", "unusable_reply", "missing_target", "not_run", "effect", "prediction", "address", "title", "focus", "inspected", "happening"]);

function notes(step) {
  const markers = step.markers.filter((marker) => !TOLD.has(marker.kind));
  const happenings = step.happenings ?? [];
  if (markers.length + happenings.length + step.hints.length === 0) return null;
  return h("ul", { class: "lane-notes" },
    markers.map((marker) => h("li", {}, h("b", {}, marker.lane), h("i", { class: marker.tone, "aria-hidden": "true" }, SIGNS[marker.tone]), " ", marker.words)),
    step.hints.map((hint) => h("li", {}, h("b", {}, "hint"), h("span", { class: "lines" }, hint.text))),
    happenings.map((one) => h("li", {}, h("b", {}, HAPPENED[one.kind] ?? one.kind), one.words)));
}

function notRun(step) {
  return (step.not_run ?? []).map((group) => h("div", { class: "said" }, h("h3", {}, "Not run any more"), h("p", { class: "soft" }, group.reason),
    h("pre", {}, group.calls.map((call) => JSON.stringify(call)).join("\n"))));
}

function observed(step) {
  const { url, title, focus } = step.observed;
  const element = focus && typeof focus === "object" ? focus.element ?? focus : null;
  const focused = element?.label || element?.name || element?.role || element?.tag || (typeof focus === "string" ? focus : null);
  const rows = [["Address", url], ["Title", title], ["Focus", focused]].filter(([, value]) => value);
  if (rows.length === 0) return null;
  return h("dl", { class: "facts-list" }, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))]));
}

function timing(spent) {
  if (!spent || !(spent.total > 0)) return null;
  const parts = TIMES.map(([name, words]) => [name, words, spent[name]]).filter(([, , value]) => value > 0);
  return h("div", { class: "timing" }, h("h3", {}, `Time: ${duration(spent.total / 1000)}`),
    // A person's own step is only told as a whole.
    parts.length === 0 ? null : h("div", { class: "timebar", "aria-hidden": "true" }, parts.map(([name, , value]) => h("span", { class: `t-${name}`, style: { "flex-grow": String(value) } }))),
    h("ul", {}, parts.map(([name, words, value]) => h("li", {}, h("span", { class: `key t-${name}`, "aria-hidden": "true" }), `${words} ${duration(value / 1000)}`))));
}
