// The checks of this instance: what each is for, what it did in the latest runs, and how it is set. A change holds for
// runs that start later.

import { get, send } from "./api.js";
import { announce, h, inWords, put, say } from "./dom.js";
import { shortcut } from "./keys.js";
import { count, plural, time } from "./words.js";

const GROUPS = [
  ["What counts as an effect", /^(effect_verify|noop_probe|perceptual_verify|predicate_verify|no_effect_patience|feedback_from|prediction_forms|strip_prediction_dots|focus_rules)$/],
  ["When a “done” is believed", /^(done_|verify_done|progress_windows|plan_completion|required_fields|count_verifier|substituted_waits|submit_)/],
  ["Going in circles", /^(loop_|effect_fed_loops|governor|batch_after|recovery_)/],
  ["The hand", /^(density_gate|native_controls|pace|hover_|settle_cap|adaptive_settle|form_controller)/],
  ["Lessons", /^lessons/],
  ["Referee", /^(judge|grid_)/],
  ["Other", /./],
];

/** Units of the figures that have one. */
const UNITS = { hover_settle_cap: "seconds", settle_cap: "seconds", no_effect_patience: "seconds", judge_timeout: "seconds", done_gate_budget: "rejections", governor_streak: "inspections", judge_samples: "answers", judge_confidence_floor: "of 1" };

/** A setting as it is said: its value with the unit. */
function valued(name, value) {
  return value === "" ? "empty" : UNITS[name] ? `${value} ${UNITS[name]}` : value;
}

export async function show(main, { instance }) {
  const [{ toggles }, effects] = await Promise.all([get("/v1/toggles"), get("/v1/toggles/effects").catch(() => null)]);
  const mayChange = instance.scopes.includes("admin");
  const counts = new Map((effects?.checks ?? []).map((check) => [check.name, check.counts]));
  const groups = GROUPS.map(([name]) => [name, []]);
  for (const toggle of toggles) groups[GROUPS.findIndex(([, pattern]) => pattern.test(toggle.name))][1].push(toggle);
  const checks = [];
  const made = (toggle) => {
    const own = check(toggle, counts.get(toggle.name) ?? [], mayChange);
    checks.push({ element: own.element, matches: own.matches });
    return own.element;
  };
  const sections = groups.filter(([, own]) => own.length > 0).map(([name, own]) => h("section", { class: "check-group" }, h("h2", {}, name), own.map(made)));
  const none = h("p", { class: "card empty", hidden: true }, "No check is like that. Take the search away, or look for another word.");
  const found = h("span", { class: "soft small", role: "status" });
  const search = h("input", { id: "q", type: "search", placeholder: "words or a name", autocomplete: "off", on: { input: sift } });
  const only = h("input", { id: "changed-only", type: "checkbox", on: { change: sift } });

  /** Only those that have every word, and a group only where it has one of them. */
  function sift() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const one of checks) one.element.hidden = !one.matches(words, only.checked);
    for (const section of sections) section.hidden = !section.querySelector(".check:not([hidden])");
    const shown = checks.filter((one) => !one.element.hidden).length;
    none.hidden = shown > 0;
    say(found, words.length > 0 || only.checked ? `${plural(shown, "check")} of ${count(checks.length)}` : "");
  }

  shortcut("/", "search", () => search.focus());
  put(main,
    h("div", { class: "page-head" }, h("h1", {}, "Checks")),
    h("p", { class: "lead" }, "Every check can be switched, to see what it is worth. A change holds for runs that start later, also after a restart, and is written to the log; runs under way keep what they began with.",
      mayChange ? null : " Your token may only look."),
    h("p", { class: "soft small counted" }, effects && effects.runs > 0 ? `Counts are from the latest ${plural(effects.runs, "run")} that ended, since ${time(effects.since)}.` : "Counts come when runs have ended."),
    h("div", { class: "filters check-filters" }, h("div", { class: "wide" }, h("label", { for: "q" }, "Search"), search), h("label", { class: "check-line", for: "changed-only" }, only, "Only what is not at its default"), found),
    sections, none);
}

function check(first, counted, mayChange) {
  let toggle = first;
  const id = `check-${toggle.name}`;
  const problem = h("p", { class: "problem", id: `${id}-problem`, role: "alert" });
  const origin = h("span", { class: "soft small" });
  const isSwitch = toggle.choices.length === 2 && toggle.choices.includes("on");
  const input = isSwitch
    ? h("button", { id, class: "switch", role: "switch", type: "button", disabled: !mayChange, "aria-labelledby": `${id}-name`, on: { click: () => change(toggle.value === "on" ? "off" : "on") } })
    : toggle.choices.length > 0
      ? h("select", { id, disabled: !mayChange, "aria-labelledby": `${id}-name`, on: { change: () => change(input.value) } }, toggle.choices.map((choice) => h("option", { value: choice }, choice)))
      : h("input", { id, disabled: !mayChange, "aria-labelledby": `${id}-name`, "aria-describedby": `${id}-unit ${id}-problem`, inputmode: UNITS[toggle.name] ? "decimal" : null, on: { input: () => mark(""), change: () => change(input.value.trim()) } });
  const back = h("button", { type: "button", class: "quiet back", disabled: !mayChange, "aria-label": `${toggle.name}: back to the default`, on: { click: () => { input.focus(); change(toggle.default); } } }, "Back to the default");
  const element = h("div", { class: "check" },
    h("div", {}, h("h3", { id: `${id}-name` }, toggle.about, " ", h("code", { class: "soft" }, toggle.name), " ", h("span", { class: "mark" }, "not at its default")), origin),
    h("div", { class: "setting" }, back, input, UNITS[toggle.name] ? h("span", { id: `${id}-unit`, class: "soft small" }, UNITS[toggle.name]) : null),
    h("p", { class: "counts" }, counted.map((one) => h("span", { class: "count" }, h("b", {}, count(one.count)), ` ${one.words}`))), problem);

  /** What is said stands beside what it is about: a value that was refused stays in its field, to be mended. */
  function mark(words) {
    say(problem, words);
    if (words) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }

  async function change(value) {
    mark("");
    if (value === toggle.value) return draw();
    try {
      const { toggles } = await send("/v1/toggles", { toggles: { [toggle.name]: value } }, "PUT");
      toggle = toggles.find((one) => one.name === toggle.name) ?? toggle;
      announce(`${toggle.name} is ${valued(toggle.name, toggle.value)} for runs that start from now on.`);
    } catch (error) {
      mark(inWords({ message: error.message.replace(/^toggles\.\w+: /, ""), hint: error.hint }));
      if (error.status === 0) untilThere();
      if (error.status !== 0 && input.tagName === "INPUT") return;
    }
    draw();
  }

  /** Nothing was changed, and the switch shows that; it is said no longer than it is true. */
  async function untilThere() {
    while (problem.textContent) {
      await new Promise((resolve) => { setTimeout(resolve, 3000); });
      const isThere = await get("/v1/instance").then(() => true, (error) => error.status !== 0);
      if (isThere) return mark("");
    }
  }

  function draw() {
    if (isSwitch) {
      input.setAttribute("aria-checked", String(toggle.value === "on"));
      say(input, toggle.value);
    } else {
      input.value = toggle.value;
    }
    const isOther = toggle.value !== toggle.default;
    element.classList.toggle("changed", isOther);
    back.hidden = !isOther;
    const who = `by ${toggle.changed_by ?? "somebody"}, ${time(toggle.changed_at)}`;
    const setting = toggle.source === "instance" ? (isOther ? `; set to ${valued(toggle.name, toggle.value)} ${who}` : `; set back to it ${who}`)
      : toggle.source === "default" ? "" : `; ${valued(toggle.name, toggle.value)} comes from the server's ${toggle.source}`;
    say(origin, `The default is ${valued(toggle.name, toggle.default)}${setting}.`);
  }

  const told = `${toggle.about} ${toggle.name} ${toggle.name.replaceAll("_", " ")}`.toLowerCase();
  draw();
  return { element, matches: (words, onlyOther) => (!onlyOther || toggle.value !== toggle.default) && words.every((word) => told.includes(word)) };
}
