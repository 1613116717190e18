// What runs have taught: from which run, how it has served, and a person's word on it.

import { get, send } from "./api.js";
import { announce, h, inWords, put, say } from "./dom.js";
import { shortcut } from "./keys.js";
import { lines, spark } from "./plots.js";
import { ago, chip, clip, clockTime, count, date, percent, plural, time } from "./words.js";

const PAGE = 50;
const STATUS = { candidate: ["neutral", "◌", "candidate"], promoted: ["good", "✓", "promoted"], suppressed: ["bad", "⊘", "suppressed"], archived: ["neutral", "▪", "archived"] };

export async function show(main, { instance }) {
  const wanted = new URLSearchParams(location.search);
  const filter = { q: wanted.get("q") ?? "", status: wanted.get("status") ?? "", origin: wanted.get("origin") ?? "" };
  const mayChange = instance.scopes.includes("admin");
  const list = h("div", {});
  const top = h("div", {});
  const more = h("div", { class: "more", hidden: true }, h("button", { on: { click: () => load(true) } }, "Show more"));
  const problem = h("div", { class: "problem-box", role: "alert", hidden: true });
  const search = h("input", { id: "q", type: "search", value: filter.q, placeholder: "words of a rule", on: { input: later } });
  const origin = h("input", { id: "origin", value: filter.origin, placeholder: "any site", spellcheck: "false", on: { input: later } });
  const status = h("select", { id: "status", on: { change: changed } }, [["", "any state"], ...Object.keys(STATUS).map((key) => [key, key])].map(([key, words]) => h("option", { value: key, selected: key === filter.status }, words)));
  let timer = 0;
  let next = null;
  let shown = [];
  /** Counts the questions that were asked: an answer that comes after a later question is not wanted any more. */
  let asked = 0;
  put(main,
    h("div", { class: "page-head" }, h("h1", {}, "Lessons")),
    h("p", { class: "lead" }, "What failed in a run and what helped, kept as rules. Only lessons of runs whose outcome was judged are shown to brains; each is credited or blamed for what came of it."),
    top,
    h("div", { class: "filters" }, h("div", { class: "wide" }, h("label", { for: "q" }, "Search"), search), h("div", {}, h("label", { for: "origin" }, "Site"), origin), h("div", {}, h("label", { for: "status" }, "State"), status)),
    problem, list, more);
  shortcut("/", "search", () => search.focus());

  function later() {
    clearTimeout(timer);
    timer = setTimeout(changed, 250);
  }

  function changed() {
    Object.assign(filter, { q: search.value.trim(), status: status.value, origin: origin.value.trim() });
    const address = new URLSearchParams(Object.entries(filter).filter(([, value]) => value));
    history.replaceState(null, "", `${location.pathname}${address.size ? `?${address}` : ""}`);
    load(false);
  }

  async function load(further) {
    const query = new URLSearchParams({ limit: String(PAGE) });
    for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
    if (further && next !== null) query.set("after", String(next));
    problem.hidden = true;
    const own = ++asked;
    try {
      const page = await get(`/v1/lessons?${query}`);
      if (own !== asked) return;
      next = page.next ?? null;
      shown = further ? [...shown, ...page.lessons] : page.lessons;
      more.hidden = next === null;
      if (!further) list.replaceChildren();
      list.append(...page.lessons.map((item) => lessonCard(item, mayChange)));
      if (shown.length === 0) {
        const any = Object.values(filter).some(Boolean);
        put(list, h("div", { class: "card empty" }, h("h2", {}, any ? "No lesson is like that" : "No lessons yet"),
          h("p", {}, any ? "Take a filter away, or look for another word." : "Runs with steps that failed make them. Give runs a contract, so that what they teach can be trusted.")));
      }
    } catch (error) {
      if (own !== asked) return;
      more.hidden = true;
      if (error.status === 404) return put(list, h("div", { class: "card empty" }, h("h2", {}, "Lessons cannot be listed here"), h("p", {}, "This server has no address for lessons yet. On the machine itself, this shows them:"), h("pre", {}, "surehand lessons ls")));
      problem.hidden = false;
      put(problem, h("b", {}, error.message), error.hint ? ` ${error.hint}` : null);
    }
  }

  await load(false);
  try {
    put(top, totals(await get("/v1/lessons/stats")));
  } catch { /* The list says what is wrong. */ }
}

function totals({ totals: sums, utilities = [] }) {
  const tile = (value, words, tone) => h("div", { class: `tile ${tone ?? ""}` }, h("b", {}, value), h("span", {}, words));
  const tiles = h("div", { class: "tiles" }, tile(count(sums.candidate), sums.candidate === 1 ? "candidate" : "candidates"), tile(count(sums.promoted), "promoted"),
    tile(count(sums.trusted), "of these two trusted"), tile(count(sums.suppressed), "suppressed"), tile(count(sums.shown), sums.shown === 1 ? "hint given to a brain" : "hints given to brains"), tile(sums.counted > 0 ? percent(sums.helpful / sums.counted) : "–", "of counted outcomes helped"));
  if (utilities.length === 0) return tiles;
  const recent = utilities.slice(-200);
  const place = (index) => recent.length < 2 ? 0.5 : index / (recent.length - 1);
  let sum = 0;
  const means = recent.map((point, index) => {
    sum += point.utility;
    if (index >= 10) sum -= recent[index - 10].utility;
    return [place(index), sum / Math.min(10, index + 1)];
  });
  // Short enough for the axis on a phone: outcomes of one day are told apart by the hour.
  const moment = date(recent[0].at) === date(recent.at(-1).at) ? clockTime : date;
  return [tiles, h("section", { class: "figure" }, h("h2", {}, "How lessons served over time"),
    lines({
      label: `Utility of the latest ${recent.length} outcomes, from -1 (harmful) to 1 (helpful), and the mean of ten`,
      range: [-1, 1], ticks: [[-1, "−1 harmful"], [0, "0"], [1, "1 helpful"]].map(([value, words]) => [value, words.split(" ")[0]]),
      marks: [[0, moment(recent[0].at)], [1, moment(recent.at(-1).at)]],
      series: [{ name: "mean of ten", kind: "first", points: means }, { name: "one outcome", kind: "second", dots: true, points: recent.map((point, index) => [place(index), point.utility]) }],
    }), h("p", { class: "soft small" }, `1 is helpful, −1 is harmful. Shown: ${plural(recent.length, "outcome")} in ${plural(new Set(recent.map((point) => point.run)).size, "run")}.`))];
}

function lessonCard(item, mayChange) {
  let lesson = item.lesson ?? item;
  const state = h("span", { class: "lesson-state" });
  const actions = h("div", { class: "actions" });
  const problem = h("p", { class: "problem", role: "alert" });
  const story = h("div", { class: "story" });
  const history = lesson.utility_history ?? [];
  const sources = lesson.sources ?? [];
  const counts = lesson.counts ?? {};
  const details = h("details", { on: { toggle: () => { if (details.open) tellStory(); } } }, h("summary", {}, "Its story"), story);
  const element = h("article", { class: "lesson" },
    h("div", { class: "lesson-top" },
      h("div", {}, h("p", { class: "rule" }, lesson.rule), h("p", { class: "about soft small" }, state, " ",
        lesson.origin ? `on ${lesson.origin}` : "anywhere", lesson.task ? ` · only for “${clip(lesson.task, 80)}”` : "", ` · shown in ${plural(counts.shown ?? 0, "run")}, helped ${count(counts.helpful ?? 0)}, harmed ${count(counts.harmful ?? 0)} · reliability ${percent(lesson.reliability)} · `, h("span", { title: time(lesson.updated_at) }, ago(lesson.updated_at))),
        h("p", { class: "about soft small" }, "Learned in ", sources.length === 0 ? "an import" : sources.slice(-4).map((source, index) => [index ? ", " : null, h("a", { href: `/runs/${encodeURIComponent(source.run)}` }, clip(source.run, 12)), ` (${source.verdict})`]))),
      history.length > 0 ? spark(history, `Utility of the latest ${history.length} outcomes: ${history.map((value) => value.toFixed(1)).join(", ")}`) : h("p", { class: "soft small" }, "No outcome was counted yet."),
      actions),
    problem, details);

  async function change(wish, words, reason) {
    say(problem, "");
    try {
      const answer = await send(`/v1/lessons/${encodeURIComponent(lesson.id)}/${wish}`, reason ? { reason } : {});
      lesson = { ...lesson, ...(answer.lesson ?? (answer.id ? answer : {})) };
    } catch (error) {
      // What was typed stays, and so does the focus.
      say(problem, inWords(error));
      return;
    }
    announce(words);
    story.replaceChildren();
    if (details.open) tellStory();
    redraw();
  }

  async function tellStory() {
    if (story.childElementCount > 0) return;
    try {
      const { events = [] } = await get(`/v1/lessons/${encodeURIComponent(lesson.id)}`);
      put(story, events.slice(-40).reverse().map((event) => h("p", {}, h("span", { class: "soft number" }, `${time(event.at)} `), happened(event),
        event.run ? [" in ", h("a", { href: `/runs/${encodeURIComponent(event.run)}` }, clip(event.run, 12))] : null)));
      if (events.length === 0) put(story, h("p", { class: "soft" }, "Nothing was noted about it yet."));
      story.append(h("p", { class: "soft small" }, `Triggers: ${(lesson.triggers ?? []).join(", ") || "none"}. Tags: ${(lesson.tags ?? []).join(", ") || "none"}. Id: ${lesson.id}`));
    } catch (error) {
      put(story, h("p", { class: "problem" }, error.message));
    }
  }

  function draw() {
    put(state, chip(...(STATUS[lesson.status] ?? ["neutral", "•", lesson.status])));
    put(actions,
      lesson.status === "suppressed" ? h("button", { disabled: !mayChange, on: { click: () => change("lift", "The lesson is a candidate again.") } }, "Lift") : null,
      lesson.status !== "promoted" && lesson.status !== "suppressed" ? h("button", { disabled: !mayChange, on: { click: () => change("promote", "The lesson is promoted.") } }, "Promote") : null,
      lesson.status !== "suppressed" ? h("button", { class: "danger", disabled: !mayChange, on: { click: askWhy } }, "Suppress") : null);
  }

  /** After a press here: whoever made it goes on at the same place. */
  function redraw() {
    const hadFocus = actions.contains(document.activeElement);
    draw();
    if (hadFocus) actions.querySelector("button")?.focus();
  }

  /** For the log, where others may want to know. */
  function askWhy() {
    const id = `why-${lesson.id}`;
    const why = h("input", { id, maxlength: "500", autocomplete: "off" });
    put(actions, h("form", { class: "why", on: { submit: (event) => { event.preventDefault(); change("suppress", "The lesson will not be shown again.", why.value.trim()); } } },
      h("label", { for: id }, "Why (for the audit log, may be empty)"), why,
      h("div", { class: "actions" }, h("button", { class: "danger" }, "Suppress it"), h("button", { type: "button", on: { click: redraw } }, "Keep it"))));
    why.focus();
  }
  draw();
  return element;
}

function happened(event) {
  const what = event.happened ?? event.what ?? event;
  const kind = typeof what === "string" ? what : what.kind ?? Object.keys(what)[0] ?? "";
  const facts = typeof what === "string" ? {} : what[kind] ?? what;
  if (kind === "outcome") return `outcome ${Number(facts.utility ?? 0).toFixed(1)}${facts.counted === false ? ", not counted" : ""}`;
  return String(kind).replaceAll("_", " ");
}
