// The list of runs: live, filtered, page by page, with the form for a new one on top.

import { get } from "./api.js";
import { serverNow } from "./clock.js";
import { add, announce, coded, h, put, say } from "./dom.js";
import { shortcut } from "./keys.js";
import { submitForm } from "./submit.js";
import { ago, clip, count, duration, endingWords, host, isOver, money, plural, statusChip, statusWords, time, verdictChip } from "./words.js";

const PAGE = 50;
/** How often the first page is asked for, with something under way and without. */
const SOON = 2000;
const LATER = 5000;

const STATUSES = [["", "any state"], ["waiting", "needs you"], ["running", "under way"], ["queued", "waiting in line"], ["taken_over", "taken over"], ["paused", "paused or put away"], ["put_away", "put away"],
  ["ended", "ended"], ["succeeded", "claimed or judged done"], ["failed", "not done"], ["interrupted", "interrupted"], ["cancelled", "taken back"]];
/** Runs that need somebody, which are told of whatever the list shows. */
const WAITING = "/v1/runs?status=waiting&limit=20";
const VERDICTS = [["", "any verdict"], ["pass", "pass"], ["fail", "fail"], ["uncertain", "uncertain"], ["unjudged", "not judged"]];

export async function show(main, { instance }) {
  const wanted = new URLSearchParams(location.search);
  const filter = { status: wanted.get("status") ?? "", verdict: wanted.get("verdict") ?? "", q: wanted.get("q") ?? "" };
  const rows = new Map();
  // What is shown beyond the first page; a run that a newer one pushes off that page goes to its front.
  let older = [];
  let wantsOlder = false;
  let shown = [];
  let next = null;
  let timer = 0;
  let asked = 0;
  let loading = false;
  // A list that shows every run there is has those that need somebody among its own.
  let hasAll = false;

  const form = submitForm(instance, () => toggleForm(false));
  const holder = h("section", { id: "new-run", hidden: true, "aria-label": "New run" }, form.element);
  const opener = h("button", { class: "primary", "aria-expanded": "false", "aria-controls": "new-run", on: { click: () => toggleForm(holder.hidden) } }, "New run");
  const queue = h("span", { class: "soft small" });
  const body = h("tbody");
  const table = h("table", { class: "table cards runs" },
    h("caption", { class: "sr" }, "Runs, the newest first"),
    h("thead", {}, h("tr", {}, ["State", "Task", "Verdict", "Steps", "Cost", "Took", "When"].map((name, place) =>
      h("th", { scope: "col", class: place > 2 ? "right" : null }, name)))), body);
  const empty = h("div", { class: "card empty", hidden: true });
  const more = h("div", { class: "more", hidden: true }, h("button", { on: { click: loadOlder } }, "Show older runs"));
  const needs = h("div", { class: "needs", hidden: true, role: "status" });
  const problem = h("div", { class: "problem-box", role: "alert", hidden: true });

  const search = h("input", { id: "q", type: "search", value: filter.q, placeholder: "task, address, brain or id", on: { input: later } });
  const pick = (id, name, choices, value) => h("div", {}, h("label", { for: id }, name),
    h("select", { id, on: { change: changed } }, choices.map(([key, words]) => h("option", { value: key, selected: key === value }, words))));
  const status = pick("status", "State", STATUSES, filter.status);
  const verdict = pick("verdict", "Verdict", VERDICTS, filter.verdict);

  put(main,
    h("div", { class: "page-head" }, h("h1", {}, "Runs"), h("div", { class: "grow" }, queue), opener),
    holder, needs,
    h("div", { class: "filters" }, h("div", { class: "wide" }, h("label", { for: "q" }, "Search"), search), status, verdict),
    problem, table, empty, more);

  shortcut("n", "new run", () => toggleForm(true));
  shortcut("/", "search", () => search.focus());
  opener.disabled = !instance.scopes.includes("run");
  if (opener.disabled) opener.title = "your token may not start runs";

  /** The form as it was for an earlier run, as far as the server tells. */
  async function again(id) {
    // Loaded anew, the page is the list.
    history.replaceState(null, "", location.pathname);
    toggleForm(true);
    try {
      form.fill(await get(`/v1/runs/${encodeURIComponent(id)}?result=off`));
    } catch (error) {
      problem.hidden = false;
      put(problem, h("b", {}, "The run to do again could not be read: "), error.message);
    }
  }

  function toggleForm(open) {
    if (opener.disabled) return;
    holder.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    if (open) form.focus();
    else opener.focus();
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(changed, 250);
  }

  function changed() {
    filter.q = search.value.trim();
    filter.status = status.querySelector("select").value;
    filter.verdict = verdict.querySelector("select").value;
    const address = new URLSearchParams(Object.entries(filter).filter(([, value]) => value));
    history.replaceState(null, "", `${location.pathname}${address.size ? `?${address}` : ""}`);
    older = [];
    wantsOlder = false;
    next = null;
    hasAll = false;
    more.hidden = true;
    refresh();
  }

  const query = (before) => {
    const all = new URLSearchParams({ limit: String(PAGE) });
    for (const [name, value] of Object.entries(filter)) if (value) all.set(name, value);
    if (before) all.set("before", before);
    return `/v1/runs?${all}`;
  };

  async function refresh() {
    clearTimeout(timer);
    const own = ++asked;
    let busy = false;
    let failed = false;
    try {
      const [page, line, waiting] = await Promise.all([get(query()), get("/v1/queue"), hasAll ? null : get(WAITING)]);
      if (own !== asked) return;
      hasAll = !page.next && !Object.values(filter).some(Boolean);
      needed(waiting?.runs ?? page.runs.filter((run) => run.question));
      problem.hidden = true;
      if (!wantsOlder) next = page.next;
      const first = new Set(page.runs.map((run) => run.run_id));
      if (wantsOlder) older = shown.filter((run) => !first.has(run.run_id));
      draw([...page.runs, ...older]);
      busy = page.runs.some((run) => !isOver(run.status));
      say(queue, `${count(line.running)} of ${count(line.slots)} at work${line.queued ? `, ${count(line.queued)} waiting` : ""}`);
    } catch (error) {
      if (own !== asked) return;
      failed = true;
      const words = [error.message, error.hint ? ` (${error.hint})` : ""].join("");
      // Said once, however often it is met.
      if (problem.hidden || problem.dataset.words !== words) put(problem, h("b", {}, "The list could not be loaded: "), words);
      problem.dataset.words = words;
      problem.hidden = false;
    }
    if (own === asked) timer = setTimeout(refresh, document.hidden || failed ? LATER * 3 : busy ? SOON : LATER);
  }

  async function loadOlder() {
    if (loading || !next) return;
    loading = true;
    const of = query();
    try {
      const page = await get(query(next));
      // Another filter was chosen meanwhile, and these runs are not of it.
      if (of !== query()) return;
      wantsOlder = true;
      const known = new Set(shown.map((run) => run.run_id));
      shown = [...shown, ...page.runs.filter((run) => !known.has(run.run_id))];
      next = page.next;
    } catch { /* The list itself says what is wrong. */
    } finally {
      loading = false;
    }
    refresh();
  }

  function draw(runs) {
    shown = runs;
    const seen = new Set(runs.map((run) => run.run_id));
    for (const [id, row] of rows) if (!seen.has(id)) { row.element.remove(); rows.delete(id); }
    let place = body.firstElementChild;
    for (const run of runs) {
      let row = rows.get(run.run_id);
      if (!row) rows.set(run.run_id, row = runRow());
      row.update(run);
      if (row.element === place) place = place.nextElementSibling;
      else body.insertBefore(row.element, place);
    }
    const filtered = Object.values(filter).some(Boolean);
    table.hidden = runs.length === 0;
    empty.hidden = runs.length > 0;
    if (runs.length === 0) put(empty, filtered ? nothingFound() : firstSteps(instance, () => toggleForm(true)));
    more.hidden = !next;
  }

  function needed(waiting) {
    needs.hidden = waiting.length === 0;
    document.title = waiting.length > 0 ? `(${count(waiting.length)}) Needs you · Runs · Surehand` : "Runs · Surehand";
    const of = waiting.map((run) => run.question?.id).join();
    if (waiting.length === 0 || needs.dataset.of === of) return;
    needs.dataset.of = of;
    put(needs, h("b", {}, `${plural(waiting.length, "run")} ${waiting.length === 1 ? "needs" : "need"} you: `),
      waiting.map((run, index) => [index ? ", " : null, h("a", { href: run.links.page }, clip(run.task, 60)), run.question ? ` (${questionWords(run.question)})` : null]));
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  await refresh();
  if (wanted.get("again") && !opener.disabled) await again(wanted.get("again"));
}

/** What a person is asked, with the thing that it is about. */
function questionWords({ kind, text, target, url }) {
  if (kind !== "approval") return `asks: ${clip(text, 90)}`;
  return [clip(text, 90), target ? `on ${clip(target, 60)}` : "", url ? `at ${host(url)}` : ""].filter(Boolean).join(" ");
}

/** One line of the list, which is changed and never made anew: a reader's focus stays where it is. */
function runRow() {
  const state = h("td", { "data-name": "State" });
  const link = h("a", { class: "task" });
  const about = h("span", { class: "soft small about" });
  const cells = Object.fromEntries(["verdict", "steps", "cost", "took", "when"].map((name) =>
    [name, h("td", { "data-name": name[0].toUpperCase() + name.slice(1), class: name === "verdict" ? null : "right number" })]));
  const [took, since] = [h("span", {}), h("span", { class: "soft small about" })];
  add(cells.took, [took, since]);
  const element = h("tr", {}, state, h("td", { class: "main", "data-name": "Task" }, link, about), Object.values(cells));
  let known = "";
  let status = "";
  return {
    element,
    update(run) {
      const now = JSON.stringify([run.status, run.steps, run.cost, run.verdict, run.question?.id, run.words, run.position]);
      if (now !== known) {
        known = now;
        if (status && status !== run.status && (isOver(run.status) || run.status === "waiting")) announce(`${clip(run.task, 60)}: ${statusWords(run.status)}`);
        status = run.status;
        put(state, statusChip(run.status));
        link.href = run.links.page;
        say(link, clip(run.task, 160) || "(no task)");
        put(about, coded([host(run.start_url), run.brain, run.owner && run.owner !== "local" ? `by ${run.owner}` : "", run.words ?? ""].filter(Boolean).map((text) => clip(text, 80)).join(" · ")));
        put(cells.verdict, run.verdict ? [verdictChip(run.verdict), h("span", { class: "soft small about" }, endingWords(run.termination_reason))] : h("span", { class: "soft" }, run.status === "queued" ? `place ${count((run.position ?? 0) + 1)}` : "–"));
        say(cells.steps, count(run.steps));
        say(cells.cost, money(run.cost));
      }
      const began = run.started_at ?? run.created_at;
      // Of a run under way that rested before, the figure is that of its last rest. Nothing here tells how long people held it.
      const isUnderWay = !isOver(run.status) && run.status !== "put_away" && run.status !== "queued" && Boolean(run.started_at);
      say(took, isUnderWay ? duration((serverNow() - Date.parse(run.started_at)) / 1000) : run.status === "queued" || (!isOver(run.status) && run.status !== "put_away") ? "–" : duration(run.duration_s));
      say(since, isUnderWay ? "since it began" : "");
      say(cells.when, ago(began));
      cells.when.title = time(began);
    },
  };
}

function nothingFound() {
  return [h("h2", {}, "No run is like that"), h("p", {}, "Take a filter away, or look for another word.")];
}

function firstSteps(instance, open) {
  const steps = instance.brains.length > 0
    ? [h("p", {}, "Say what to do and where; a browser of its own does it, step by step, and everything is checked and kept."),
      h("p", {}, h("button", { class: "primary", disabled: !instance.scopes.includes("run"), on: { click: open } }, "Start the first run"))]
    : [h("p", {}, "This server was started without a brain. Start it with one, or name a provider in the form whose key it has."), h("pre", {}, "surehand serve --brain anthropic")];
  return [h("h2", {}, "No runs yet"), steps, h("p", { class: "small" }, "Programs send the same to POST /v1/cua; /openapi.json has every field.")];
}
