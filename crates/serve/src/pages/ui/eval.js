// Results of experiments as they are stored: how sure a task is, what a check is worth, what lessons bring.

import { get } from "./api.js";
import { h, put } from "./dom.js";
import { bars, lines, strip } from "./plots.js";
import { ago, chip, clip, count, duration, money, percent, time, verdictChip } from "./words.js";

const KINDS = { consistency: "Scorecard", ablation: "Ablation", memory: "Lessons" };

export async function show(main, { id }) {
  if (id) return one(main, await get(`/v1/evals/${encodeURIComponent(id)}`));
  const { evals } = await get("/v1/evals");
  put(main,
    h("div", { class: "page-head" }, h("h1", {}, "Eval")),
    h("p", { class: "lead" }, "What experiments on this data folder found: a task played several times, a check switched on and off in pairs, lessons with and without."),
    evals.length === 0 ? nothing() : h("table", { class: "table cards" }, h("caption", { class: "sr" }, "Stored results, the newest first"),
      h("thead", {}, h("tr", {}, ["Kind", "What", "Outcome", "When"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, evals.map((head) => h("tr", {}, h("td", { "data-name": "Kind" }, chip("neutral", "▤", KINDS[head.kind] ?? head.kind)),
        h("td", { class: "main" }, h("a", { class: "task", href: `/eval/${encodeURIComponent(head.id)}` }, clip(head.title, 160))),
        h("td", { "data-name": "Outcome" }, head.headline, head.interrupted ? " (interrupted)" : ""),
        h("td", { "data-name": "When", class: "number", title: time(head.at) }, ago(head.at)))))));
}

function nothing() {
  return h("div", { class: "card empty" }, h("h2", {}, "No results yet"), h("p", {}, "Experiments run on the command line and are kept here:"),
    h("pre", {}, "surehand eval CONTRACT --brain anthropic --runs 5\nsurehand ablate --toggle effect_verify --suite fault --pairs 3\nsurehand eval memory --runs 5"));
}

function one(main, found) {
  document.title = `${clip(found.title, 60)} · Surehand`;
  const draw = { consistency, ablation, memory }[found.kind];
  put(main,
    h("p", { class: "small" }, h("a", { href: "/eval" }, "Eval"), h("span", { class: "soft" }, ` / ${KINDS[found.kind] ?? found.kind}`)),
    h("div", { class: "page-head" }, h("h1", {}, found.title), h("span", { class: "soft small" }, time(found.at), found.interrupted ? ", interrupted: what there is is shown" : "")),
    draw ? draw(found.result) : h("pre", {}, JSON.stringify(found.result, null, 2)));
}

const tile = (value, words, tone) => h("div", { class: `tile ${tone ?? ""}` }, h("b", {}, value), h("span", {}, words));

function table(title, head, rows) {
  return h("section", { class: "scroll-x" }, h("h2", {}, title), h("table", { class: "table cards" }, h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, place) => h("td", { class: place > 0 ? "number" : "main", "data-name": head[place] }, cell)))))));
}

const runLink = (run) => h("a", { href: `/runs/${encodeURIComponent(run)}` }, clip(run, 12));

function consistency(found) {
  const { summary, runs } = found;
  const [low, high] = summary.pass_interval;
  return [
    h("div", { class: "tiles" }, tile(percent(summary.pass_rate), `passed (${count(summary.pass_count)} of ${count(summary.run_count)})`, summary.fail_count > 0 ? "bad" : summary.pass_count === summary.run_count ? "good" : "unsure"),
      tile(`${percent(low)} – ${percent(high)}`, "where the pass rate lies, 95 % sure"), tile(count(summary.fail_count), "failed", summary.fail_count > 0 ? "bad" : ""), tile(count(summary.uncertain_count), "uncertain"),
      tile(summary.mean_steps.toFixed(1), "steps per run"), found.judge ? tile(percent(summary.disagreement_rate), "disagreement of contract and judge") : null,
      summary.truth ? tile(count(summary.truth.false_passes), "false passes", summary.truth.false_passes > 0 ? "bad" : "good") : null),
    h("section", { class: "figure" }, h("h2", {}, "Verdicts in order"), strip(runs)),
    h("section", { class: "figure" }, h("h2", {}, "Steps, run by run"), steps(runs)),
    table("Every run", ["run", "verdict", "the brain says", "score", "steps", "no effect", "took", "cost", "truth"], runs.map((run) => [runLink(run.run_id), verdictChip(run.verdict), run.self_report === null ? "–" : run.self_report ? "done" : "not done",
      run.score.toFixed(2), count(run.steps), count(run.no_effect), duration(run.seconds), money(run.cost), run.truth === null ? "–" : run.truth ? "achieved" : "not achieved"])),
    h("p", { class: "soft small" }, `Brain ${found.brain}${found.judge ? `, judge ${found.judge}` : ", no judge"}, contract ${found.contract}, at most ${count(found.max_steps)} steps.`),
  ];
}

function steps(runs) {
  const most = Math.max(1, ...runs.map((run) => run.steps));
  const place = (index) => runs.length < 2 ? 0.5 : index / (runs.length - 1);
  return lines({ label: `Steps of ${runs.length} runs: ${runs.map((run) => run.steps).join(", ")}`, range: [0, most], ticks: [0, Math.ceil(most / 2), most].map((value) => [value, String(value)]),
    marks: runs.length < 2 ? [[0.5, "run 1"]] : [[0, "run 1"], [1, `run ${runs.length}`]], series: [{ name: "steps", kind: "first", points: runs.map((run, index) => [place(index), run.steps]) }] });
}

function ablation({ ablation: found, comparison }) {
  const [with_, without] = found.values;
  const shown = (figure, value) => figure.kind === "count" ? count(Math.round(value)) : figure.kind === "seconds" ? duration(value) : value.toFixed(1);
  const worse = comparison.figures.filter((figure) => figure.regression);
  const figure = (name) => comparison.figures.find((one) => one.name === name) ?? { arms: [0, 0], kind: "count" };
  return [
    h("div", { class: "tiles" },
      tile(`${shown(figure("achieved (truth)"), figure("achieved (truth)").arms[0])} : ${shown(figure("achieved (truth)"), figure("achieved (truth)").arms[1])}`, `achieved, ${with_} : ${without}, of ${count(comparison.runs)} each`),
      tile(`${shown(figure("false successes"), figure("false successes").arms[0])} : ${shown(figure("false successes"), figure("false successes").arms[1])}`, `false successes, ${with_} : ${without}`),
      tile(worse.length === 0 ? "none" : count(worse.length), "figures in which the first is worse", worse.length === 0 ? "good" : "bad")),
    found.about ? h("p", { class: "lead" }, found.about) : null,
    found.note ? h("p", { class: "note-box" }, found.note) : null,
    table("Figures", ["", `${found.toggle} = ${with_}`, `${found.toggle} = ${without}`, "difference", ""], comparison.figures.map((one) => [one.name, shown(one, one.arms[0]), shown(one, one.arms[1]),
      `${one.difference > 0 ? "+" : one.difference < 0 ? "−" : ""}${shown(one, Math.abs(one.difference))}`, one.regression ? chip("bad", "▼", "worse") : ""])),
    h("section", { class: "figure" }, h("h2", {}, "Steps per task"), bars(comparison.tasks, found.values)),
    table("Every pair", ["task", "pair", with_, "", without, ""], found.pairs.map((pair) => [pair.task, count(pair.number), ...pair.arms.flatMap((episode) => [episodeChip(episode), h("span", {}, `${count(episode.steps)} steps, `, runLink(episode.run_id))])])),
  ];
}

function episodeChip(episode) {
  if (episode.truth.achieved) return episode.claimed ? chip("good", "✓", "achieved") : chip("unsure", "?", "achieved, not claimed");
  return episode.claimed ? chip("bad", "✕", "false success") : chip("neutral", "–", "not achieved");
}

function memory(found) {
  const rounds = Math.max(1, ...found.curve.map((sum) => sum.round));
  const place = (round) => rounds === 1 ? 0.5 : (round - 1) / (rounds - 1);
  const chart = (field, words) => {
    const most = Math.max(1, ...found.curve.map((sum) => sum[field]));
    const of = (arm) => found.curve.filter((sum) => sum.arm === arm).map((sum) => [place(sum.round), sum[field]]);
    return h("section", { class: "figure" }, h("h2", {}, words), lines({ label: words, range: [0, most], ticks: [0, Math.ceil(most / 2), most].map((value) => [value, String(value)]),
      marks: Array.from({ length: rounds }, (_, index) => [place(index + 1), `round ${index + 1}`]), series: [{ name: "with lessons", kind: "first", points: of("with") }, { name: "without", kind: "second", points: of("without") }] }));
  };
  const clean = found.trusted_without_proof + found.page_rules + found.bad_hints + found.harm;
  return [
    h("div", { class: "tiles" }, tile(percent(found.saved), `wasted steps saved from the second round on (goal ${percent(found.goal)})`, found.saved >= found.goal ? "good" : "bad"),
      tile(count(found.lessons), "lessons"), tile(count(found.trusted_without_proof), "trusted without proof", found.trusted_without_proof ? "bad" : "good"), tile(count(clean), "signs of being misled", clean ? "bad" : "good")),
    chart("wasted", "Wasted steps, all tasks together"), chart("steps", "Steps, all tasks together"),
    table("Every run", ["task", "arm", "round", "verdict", "steps", "wasted", "hints", "new lessons"], found.runs.map((run) => [run.noise ? `${run.task} (${run.noise})` : run.task, run.arm, count(run.round), verdictChip(run.verdict), count(run.steps), count(run.wasted), count(run.hints), count(run.created)])),
  ];
}
