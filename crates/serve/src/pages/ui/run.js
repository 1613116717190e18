// One run: what it does now, every step that it took, what became of it, and a person's word in between. This file only
// holds the pieces together; each of them is a module of its own.

import { Ask } from "./ask.js";
import { Collected } from "./collected.js";
import { blob, get, send } from "./api.js";
import { serverNow } from "./clock.js";
import { announce, coded, gathered, h, inWords, outside, put, say } from "./dom.js";
import { Film } from "./film.js";
import { Follower } from "./follow.js";
import { Frames, Glimpse } from "./frames.js";
import { Hand } from "./hand.js";
import { shortcut } from "./keys.js";
import { Lanes } from "./lanes.js";
import { Log } from "./logs.js";
import { Plan } from "./plan.js";
import { Spent } from "./spent.js";
import { MODES, Stage } from "./stage.js";
import { stepPanel } from "./step.js";
import { verdictPanel } from "./verdict.js";
import { clip, clockTime, count, duration, endingWords, isOver, money, plural, statusChip, statusSentence, time, verdictChip } from "./words.js";

export async function show(main, { instance, id }) {
  const view = await get(`/v1/runs/${encodeURIComponent(id)}?result=off`);
  new RunPage(main, instance, view).begin();
}

/** How long a first press of Cancel waits for the second. */
const SURE = 5000;
/** In seconds: how old a picture may be and still be live, where a newer one could not be had, and where it only takes time. */
const FRESH = 2;
const OLD = 8;
/** Longer tasks are shown by their beginning first. */
const SHOWN = 320;
/** What a person may wish for: in which states, and what its button says before and after the press. */
const WISHES = {
  pause: { words: "Pause", busy: "Pausing…", when: new Set(["running", "waiting"]) },
  resume: { words: "Resume", busy: "Resuming…", when: new Set(["paused", "interrupted", "put_away"]) },
  takeover: { words: "Take over", busy: "Taking over…", when: new Set(["running", "waiting", "paused"]) },
  release: { words: "Hand back", busy: "Handing back…", when: new Set(["taken_over"]) },
  cancel: { words: "Cancel", busy: "Cancelling…" },
};
/** States in which something is in the way of a run, which its words tell. */
const STANDS = new Set(["put_away", "failed", "cancelled", "interrupted"]);

class RunPage {
  constructor(main, instance, view) {
    this.id = view.run_id;
    this.path = `/v1/runs/${encodeURIComponent(this.id)}`;
    this.mayControl = instance.scopes.includes("control");
    this.instance = instance;
    this.view = view;
    this.status = view.status;
    this.steps = new Map();
    this.numbers = [];
    this.changedSteps = new Set();
    this.live = { frame: null, point: null };
    this.spent = new Spent();
    this.mode = "live";
    this.chosen = null;
    this.draw = gathered(() => this.flush());
    this.build(main);
  }

  build(main) {
    this.title = `${clip(this.view.task, 60)} · Surehand`;
    document.title = this.title;
    this.frames = new Frames(this.id);
    this.ask = new Ask(this.id, this.frames, this.mayControl, () => this.spent.last, () => this.heading);
    this.stage = new Stage(this.id, this.frames, (mode) => this.setMode(mode));
    this.hand = new Hand(this.id, this.stage, { tell: (message) => this.tell({ message }), look: () => this.glimpse.look(), release: () => this.steer("release") });
    this.glimpse = this.makeGlimpse();
    this.film = new Film(this.frames, (number) => this.choose(number));
    this.lanes = new Lanes((number) => this.choose(number));
    this.log = new Log();
    this.plan = new Plan((number) => this.choose(number));
    this.collected = new Collected(this.frames, (sha) => this.stepOf(sha), (number) => { this.choose(number); this.stage.element.scrollIntoView({ block: "nearest" }); });
    this.chips = h("p", { class: "chips" });
    this.facts = h("p", { class: "run-facts soft small" });
    this.checks = h("p", { class: "run-facts small", hidden: true });
    this.actions = this.makeActions();
    this.holderWords = h("span", {});
    this.joiner = h("button", { type: "button", on: { click: () => this.join() } }, "Work on it here");
    this.holderNote = h("div", { class: "note-box holder", hidden: true }, this.holderWords, this.joiner);
    this.problem = h("div", { class: "problem-box", role: "alert", hidden: true });
    this.words = h("p", { class: "note-box", hidden: true });
    this.panels = { step: h("div", { class: "panel" }), plan: h("div", { class: "panel" }, this.plan.element), verdict: h("div", { class: "panel" }), log: h("div", { class: "panel" }, this.log.element) };
    this.tabs = this.makeTabs();
    const { task } = this.view;
    const isLong = task.length > SHOWN || task.split("\n").length > 4;
    this.heading = h("h1", { class: isLong ? "run-task clipped" : "run-task", tabindex: "-1" }, task);
    this.whole = isLong ? h("button", { type: "button", class: "quiet whole", "aria-expanded": "false", on: { click: () => {
      const isShort = this.heading.classList.toggle("clipped");
      this.whole.setAttribute("aria-expanded", String(!isShort));
      say(this.whole, isShort ? "Show all of it" : "Show less");
    } } }, "Show all of it") : null;
    put(main,
      h("div", { class: "run-head" }, h("div", { class: "grow" }, h("p", { class: "small" }, h("a", { href: "/runs" }, "Runs"), h("span", { class: "soft" }, ` / ${this.id}`)), this.heading, this.whole, this.chips, this.facts, this.checks), this.actions),
      this.problem, this.words, this.ask.element, this.holderNote,
      h("div", { class: "run-grid" },
        h("div", { class: "run-left" }, this.stage.element, this.hand.element, this.film.element, this.lanes.element, this.collected.element),
        h("aside", { class: "run-side card", "aria-label": "Details" }, this.tabs.element, Object.values(this.panels))));
    this.keys();
  }

  makeTabs() {
    const names = [["step", "Step"], ["plan", "Plan"], ["verdict", "Verdict"], ["log", "Log"]];
    const buttons = names.map(([name, words]) => h("button", { role: "tab", type: "button", id: `tab-${name}`, "aria-controls": `panel-${name}`, on: { click: () => select(name), keydown: (event) => move(event) } }, words));
    const select = (name, focus) => names.forEach(([other], place) => {
      const own = other === name;
      buttons[place].setAttribute("aria-selected", String(own));
      buttons[place].tabIndex = own ? 0 : -1;
      this.panels[other].hidden = !own;
      if (own && focus) buttons[place].focus();
    });
    const move = (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const there = names.filter((name, place) => !buttons[place].hidden);
      const place = there.findIndex(([name]) => `tab-${name}` === event.currentTarget.id);
      select(there[(place + by + there.length) % there.length][0], true);
    };
    for (const [name] of names) {
      Object.entries({ id: `panel-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}`, tabindex: "0" }).forEach(([key, value]) => this.panels[name].setAttribute(key, value));
    }
    const element = h("div", { class: "tabs", role: "tablist", "aria-label": "Details" }, buttons);
    select("step");
    const plan = buttons[names.findIndex(([name]) => name === "plan")];
    plan.hidden = true;
    return { element, select, plan };
  }

  keys() {
    const go = (by) => () => {
      const place = this.chosen === null ? (by < 0 ? this.numbers.length - 1 : -1) : this.numbers.indexOf(this.chosen) + by;
      if (this.numbers[place] !== undefined) this.choose(this.numbers[place]);
    };
    shortcut("ArrowLeft", "the step before", go(-1));
    shortcut("ArrowRight", "the next step", go(1));
    shortcut("l", "the page as it is now", () => this.setMode("live"));
    MODES.slice(1).forEach(([mode, name], place) => shortcut(String(place + 1), `${name.toLowerCase()} of the chosen step`, () => this.setMode(mode)));
    shortcut("s", "step, plan, verdict and log in turn", () => {
      const order = ["step", "plan", "verdict", "log"].filter((name) => name !== "plan" || this.plan.isThere);
      const now = order.findIndex((name) => !this.panels[name].hidden);
      this.tabs.select(order[(now + 1) % order.length]);
    });
  }

  begin() {
    this.heardAt = serverNow();
    this.follower = new Follower(this.id, {
      connected: () => this.found(),
      broken: (error) => {
        this.lostAt ??= error.status === 0 ? this.heardAt : null;
        this.tell(error, "lost");
        this.drawFacts();
      },
      status: (now) => this.heardStatus(now),
      event: (event, missed) => this.heard(event, missed),
      view: (view) => { this.found(); this.view = { ...this.view, ...view }; this.heardStatus(view); },
    });
    // A tab that is loaded again goes on, but the focus is wherever its reader puts it.
    this.hold(this.status === "taken_over" && sessionStorage.getItem(`surehand.hand.${this.id}`) !== null);
    this.heardStatus(this.view);
    this.follower.run();
    setInterval(() => {
      if (isOver(this.status) || document.hidden) return;
      this.drawFacts();
      if (this.status === "taken_over" && this.mode === "live") this.drawStage();
    }, 1000);
    document.addEventListener("visibilitychange", () => this.glimpse.run());
  }

  /** The server answers (again): what it was told before is its own to remember, and buttons wait for nothing any more. */
  found() {
    this.heardAt = serverNow();
    if (!this.problem.hidden && this.problem.dataset.kind === "lost") this.problem.hidden = true;
    if (!this.lostAt) return;
    this.lostAt = null;
    for (const name of Object.keys(WISHES)) this.rest(name);
  }

  heardStatus(now) {
    const before = this.status;
    // It was let go on, and stands again: its words say why.
    if (this.resumes && STANDS.has(now.status ?? this.status)) this.rest("resume");
    this.status = now.status ?? this.status;
    if (STANDS.has(before) && !STANDS.has(this.status)) this.spent.rest();
    // Why it stood still holds no longer than it stands still.
    this.view.words = now.words ?? (STANDS.has(this.status) && before === this.status ? this.view.words : null);
    this.view.position = now.position ?? null;
    this.ask.show(now.question ?? null, this.status);
    // A tab among many says by its name that somebody is waited for.
    document.title = now.question ? `(!) Needs you: ${this.title}` : this.title;
    // The question itself has been told.
    if (before !== this.status && !now.question) announce(statusSentence(this.status));
    if (before !== this.status && before === "taken_over") this.hold(false);
    if (before !== this.status && this.status === "taken_over" && this.isHere) this.setMode("live");
    this.drawHand();
    this.drawHead = true;
    this.draw();
  }

  heard(event, missed) {
    this.log.add(event, missed);
    this.spent.heard(event);
    switch (event.type) {
      case "run_started":
        this.started = event;
        this.tellChecks(event.toggles ?? {});
        this.view.started_at ??= event.at;
        break;
      case "frame":
        this.takeFrame({ sha256: event.sha256, view: event.view ?? { width: event.width, height: event.height }, stale: event.stale }, event.at);
        break;
      case "replied":
        this.cost = (this.cost ?? 0) + (event.usage?.cost_usd ?? 0);
        break;
      case "call_started":
        this.openCall = event.step;
        break;
      case "environment":
        if (event.kind === "dialog_opened" && !event.dialog.handled) this.hand.asks({ kind: "dialog", ...event.dialog });
        break;
      case "step": case "not_run":
        if (event.view) this.takeStep(event.view);
        break;
      case "plan":
        this.plan.heard(event.view);
        break;
      case "person":
        // A run that was put away had an end, and goes on all the same.
        if (event.kind === "resumed") { this.end = null; this.lanes.dropEnd(); this.drawHead = true; }
        if (event.kind === "took_over") { this.holder = event.by; this.drawHand(); }
        break;
      case "run_ended":
        // Put away by a server that stops, it goes on with the next one: nothing has been decided.
        if (event.view.run.termination_reason !== "paused") this.end = event.view;
        this.drawHead = true;
        break;
      default:
    }
    this.draw();
  }

  takeFrame(frame, at) {
    this.live.frame = frame;
    this.live.at = Date.parse(at);
    this.live.seen = null;
    this.glimpse.forget();
  }

  takeStep(step) {
    if (!this.steps.has(step.step)) {
      this.numbers.push(step.step);
      this.plan.called(step.step);
    }
    this.steps.set(step.step, step);
    this.changedSteps.add(step.step);
    // On another page the ring would point at something that it never meant.
    const elsewhere = step.effect?.evidence?.some((one) => one.kind === "navigation");
    this.live.step = step.dispatched && !elsewhere ? step : null;
    if (step.dispatched) this.live.point = { x: step.dispatched.x, y: step.dispatched.y };
    if (step.after) this.takeFrame(step.after, step.at);
    this.hand.saw(step);
  }

  /** Everything that changed since the screen was drawn last. */
  flush() {
    const changed = [...this.changedSteps].map((number) => this.steps.get(number));
    if (changed.length > 0) this.lanes.put(changed.map((step) => [step.step, step.markers]));
    for (const step of changed) this.film.put(step);
    const fresh = this.changedSteps.size > 0;
    const shown = this.chosen ?? this.numbers.at(-1);
    if (fresh && (this.chosen === null || this.changedSteps.has(this.chosen))) this.drawStep(shown);
    this.changedSteps.clear();
    if (this.end && !this.endShown) {
      this.endShown = true;
      this.lanes.put([["end", this.end.markers]]);
      if (this.chosen === null) this.tabs.select("verdict");
      announce(`The run has ended. ${this.end.run.headline}.`);
    }
    if (!this.end) this.endShown = false;
    if (this.drawHead) {
      this.drawHead = false;
      this.drawActions();
      this.drawVerdict();
      if (this.numbers.length === 0) stepPanel(this.panels.step, null, this.status === "failed" ? "It did not start." : isOver(this.status) ? "It took no step." : "No step yet.");
    }
    this.drawPlan();
    this.drawFacts();
    this.drawStage();
  }

  drawPlan() {
    if (!this.plan.isThere) return;
    if (this.tabs.plan.hidden) {
      this.tabs.plan.hidden = false;
      // Whoever follows a plan wants to know where it is; the end shows its verdict.
      if (this.chosen === null && !this.end) this.tabs.select("plan");
    }
    this.plan.draw(Boolean(this.end) || isOver(this.status) || STANDS.has(this.status));
    const end = this.end ?? null;
    if (this.collectedOf !== end) {
      this.collectedOf = end;
      this.collected.show(end);
    }
  }

  /** The step that ended with a frame, or began with it. */
  stepOf(sha) {
    const is = (frame) => frame?.sha256 === sha;
    const steps = [...this.steps.values()];
    return (steps.find((step) => is(step.after)) ?? steps.find((step) => is(step.before)))?.step ?? null;
  }

  /** Only where it would say something else: details that are open, and what is selected, stay. */
  drawVerdict() {
    const byHand = [...this.steps.values()].filter((step) => step.by === "person").length;
    const told = [this.ending(), this.status, byHand];
    if (this.verdictOf?.every((one, place) => one === told[place])) return;
    this.verdictOf = told;
    verdictPanel(this.panels.verdict, this.ending(), this.status, this.frames, byHand);
  }

  drawStep(number) {
    stepPanel(this.panels.step, this.steps.get(number));
    this.film.mark(number);
    this.lanes.mark(number);
  }

  drawStage() {
    const running = !isOver(this.status) && this.status !== "queued";
    const last = this.numbers.at(-1);
    const words = !this.live.frame ? (this.status === "queued" ? "It waits in line for a free place." : running ? "The browser starts…" : "There is no picture of this run.")
      : running ? (this.status === "taken_over" ? this.handWords(last) : `Live, after step ${last ?? 0}.`) : `The last picture, after step ${last ?? 0}.`;
    this.hand.arm(this.mode === "live");
    this.stage.draw(this.mode, { ...this.live, running, words }, this.steps.get(this.chosen ?? last));
  }

  /** Which checks were set otherwise than they are by themselves: what a run is worth depends on it. */
  async tellChecks(own) {
    if (Object.keys(own).length === 0) return;
    const { toggles } = await get("/v1/toggles").catch(() => ({ toggles: [] }));
    const other = toggles.filter((toggle) => own[toggle.name] !== undefined && own[toggle.name] !== toggle.default);
    this.checks.hidden = other.length === 0;
    put(this.checks, "Checks set otherwise: ", other.map((toggle, place) => [place ? ", " : null, h("span", { title: toggle.about }, h("code", {}, toggle.name), ` ${own[toggle.name]}`)]));
  }

  /** True of the picture that is shown, however old it is. */
  handWords(last) {
    if (!this.isHere) return `The page is in a person's hand; the picture is from after step ${last ?? 0}.`;
    if (this.hand.dialog) return "The page is in your hand, and waits for an answer.";
    const age = (serverNow() - (this.live.at ?? serverNow())) / 1000;
    const { problem } = this.glimpse;
    if (age < (problem ? FRESH : OLD)) return "Live: the page is in your hand.";
    const old = age < 60 ? `${Math.round(age)} s` : duration(age);
    return `This picture is ${old} old, of the page in your hand${problem ? `: ${problem.message}` : ""}.`;
  }

  /** Between two calls nothing else tells what the page does. */
  makeGlimpse() {
    return new Glimpse(this.id, {
      wanted: () => this.status === "taken_over" && this.isHere && this.mayControl && this.mode === "live" && !document.hidden,
      free: () => !this.hand.sending && !this.hand.dialog,
      calls: () => this.hand.calls,
      width: () => Math.max(240, Math.min(this.live.frame?.view.width ?? 1280, Math.ceil(this.stage.shot.clientWidth * devicePixelRatio))),
      seen: ({ image, at }) => {
        this.live.at = at;
        if (image) this.live.seen = { image };
        this.live.frame ??= { view: { width: image.naturalWidth, height: image.naturalHeight } };
        this.drawStage();
      },
    });
  }

  drawFacts() {
    const { view } = this;
    const stands = isOver(this.status) || this.status === "put_away";
    const end = this.ending();
    const now = !stands && this.status !== "queued" ? this.lostAt ?? serverNow() : null;
    const took = end?.duration_s ?? this.spent.seconds(this.status === "waiting" ? null : now) ?? (stands ? view.duration_s : null);
    const held = this.spent.heldSeconds(now);
    const ending = end ? endingWords(end.run.termination_reason, Boolean(end.plan)) : null;
    const planAt = stands ? null : this.plan.position();
    const isLost = Boolean(this.lostAt) && !stands;
    const key = JSON.stringify([this.status, end?.verdict, ending, view.position, planAt, isLost]);
    if (this.chips.dataset.key !== key) {
      this.chips.dataset.key = key;
      put(this.chips, statusChip(this.status), isLost ? h("span", { class: "soft small" }, `when last heard of, at ${clockTime(this.lostAt)}`) : null, end ? verdictChip(end.verdict, end.run.headline) : null,
        ending ? h("span", { class: "ending" }, ending) : null,
        this.status === "queued" && view.position !== null ? h("span", { class: "soft small" }, `place ${count(view.position + 1)} in line`) : null,
        planAt ? h("span", { class: "small" }, `at ${clip(planAt, 80)}`) : null,
        this.numberFacts = h("span", { class: "run-numbers number" }));
    }
    // The list tells how long ago it began, which is both together.
    say(this.numberFacts, [this.stepsInWords(), money(end?.cost ?? this.cost ?? view.cost), held >= 1 ? `${duration(took)} at work, ${duration(held)} held by people` : duration(took)].join(" · "));
    if (!this.factsDone || (this.started && this.factsDone !== "all")) {
      this.factsDone = this.started ? "all" : "some";
      put(this.facts, this.started?.brain ?? view.brain, view.start_url ? [" · ", outside(view.start_url, clip(view.start_url, 90))] : null,
        ` · ${time(view.started_at ?? view.created_at)}`, view.owner && view.owner !== "local" ? ` · by ${view.owner}` : null,
        this.started?.resumed_from ? [" · goes on from ", h("a", { href: `/runs/${encodeURIComponent(this.started.resumed_from)}` }, this.started.resumed_from)] : null);
    }
    const words = STANDS.has(this.status) ? view.words ?? "" : "";
    if (this.words.dataset.said !== words) {
      this.words.dataset.said = words;
      // A hint is a line of its own.
      const [sentence, ...hints] = words.split(/[.;]?\s+hint: /);
      put(this.words, coded(sentence), hints.map((hint) => h("span", { class: "hint" }, coded(hint))));
    }
    this.words.hidden = !words;
  }

  /** The end of a run that stands; one that goes on after all has none, whatever its last end said. */
  ending() {
    return isOver(this.status) || this.status === "put_away" ? this.end ?? null : null;
  }

  stepsInWords() {
    if (this.numbers.length === 0 && !this.cutOff()) return plural(this.view.steps, "step");
    const byHand = [...this.steps.values()].filter((step) => step.by === "person").length;
    // A call in whose middle the run died is a step as well: the list and the report count it.
    const own = this.numbers.length - byHand + (this.cutOff() ? 1 : 0);
    const most = this.started?.max_steps;
    // The list counts all of them; only the brain's own are limited.
    return [most ? `${count(own)} of ${plural(most, "step")}` : plural(own, "step"), byHand > 0 ? `${count(byHand)} by hand${own > 0 ? ` (${count(own + byHand)} in all)` : ""}` : null, this.cutOff() ? "the last cut off" : null].filter(Boolean).join(", ");
  }

  cutOff() {
    return this.status === "interrupted" && this.openCall !== undefined && !this.steps.has(this.openCall);
  }

  /**
   * Made once: a press, a question that was begun and the focus survive whatever the run does meanwhile. The second half
   * of a double click meets what the first one brought, and is no wish.
   */
  makeActions() {
    const wish = (name, kind, press = () => this.steer(name)) => [name, h("button", { class: kind ?? null, disabled: !this.mayControl,
      title: this.mayControl ? null : "your token may only look", on: { click: (event) => { if (event.detail < 2) press(); } } }, WISHES[name].words)];
    this.buttons = Object.fromEntries([wish("pause"), wish("resume", "primary"), wish("takeover"), wish("release", "primary"), wish("cancel", "danger", () => this.cancel())]);
    this.report = this.instance.tokens
      ? h("button", { on: { click: (event) => this.download(event.currentTarget) } }, "Download report")
      : h("a", { class: "button", href: `${this.path}/report`, target: "_blank", rel: "noopener" }, "Full report");
    this.again = h("a", { class: "button", hidden: true, href: `/runs?again=${encodeURIComponent(this.id)}`, title: "Opens the form with the same task, address and brain" }, "Run again");
    return h("div", { class: "actions" }, Object.values(this.buttons), this.instance.scopes.includes("run") ? this.again : null, this.report);
  }

  drawActions() {
    const { status } = this;
    const focused = document.activeElement;
    for (const [name, button] of Object.entries(this.buttons)) {
      button.hidden = name === "cancel" ? isOver(status) && status !== "interrupted" : !WISHES[name].when.has(status);
      if (this.actionsOf !== status) this.rest(name);
    }
    this.actionsOf = status;
    this.report.hidden = !this.started && this.numbers.length === 0;
    // The server tells the task of a run, and not the text of a plan.
    this.again.hidden = !isOver(status) || status === "interrupted" || this.plan.isThere;
    if (this.actions.contains(focused) && focused.hidden) [...this.actions.children].find((one) => !one.hidden)?.focus();
  }

  /** The hand has its own button to hand back, which is seen when nothing else is. */
  buttonsOf(name) {
    return name === "release" ? [this.buttons.release, this.hand.back] : [this.buttons[name]];
  }

  rest(name) {
    for (const button of this.buttonsOf(name)) {
      button.removeAttribute("aria-disabled");
      if (!button.dataset.sure) say(button, WISHES[name].words);
    }
  }

  /** What cannot be taken back is asked for twice. */
  cancel() {
    const button = this.buttons.cancel;
    if (button.dataset.sure) {
      delete button.dataset.sure;
      return this.steer("cancel");
    }
    button.dataset.sure = "asked";
    say(button, "Really cancel?");
    announce("Press again to cancel the run.");
    setTimeout(() => { if (button.dataset.sure) { delete button.dataset.sure; this.rest("cancel"); } }, SURE);
  }

  async steer(name) {
    // Not `disabled`, which would take the focus away from whoever works with the keyboard.
    if (this.buttons[name].getAttribute("aria-disabled")) return;
    for (const button of this.buttonsOf(name)) {
      button.setAttribute("aria-disabled", "true");
      say(button, WISHES[name].busy);
    }
    try {
      if (name === "takeover") { this.hold(true); this.pressed = true; }
      if (name === "release") await this.hand.sent();
      const { message } = await send(`${this.path}/${name}`);
      this.problem.hidden = true;
      announce(message);
      this.resumes = name === "resume";
      // Nobody listens to a run that was interrupted.
      if (this.resumes || name === "cancel") this.follower.run();
    } catch (error) {
      if (name === "takeover") this.hold(false);
      this.rest(name);
      this.tell(error);
    }
  }

  /** Whether the page is worked from this tab; others see the same run and must not get the hand, nor the focus, by it. */
  hold(isHere) {
    this.isHere = isHere;
    this.pressed &&= isHere;
    if (isHere) sessionStorage.setItem(`surehand.hand.${this.id}`, "here");
    else sessionStorage.removeItem(`surehand.hand.${this.id}`);
  }

  drawHand() {
    const isTaken = this.status === "taken_over";
    const other = this.instance.tokens && this.holder && this.holder !== this.instance.caller ? this.holder : null;
    const words = !isTaken ? "" : this.isHere ? (other ? `${other} has taken over as well: you both work on this page.` : "")
      : other ? `${other} has taken over and works on the page.`
        : this.instance.tokens && this.holder ? "You have taken over, in another tab or with a program that has your token." : "Somebody has taken over and works on the page.";
    this.holderNote.hidden = !words;
    say(this.holderWords, words);
    this.joiner.hidden = this.isHere || !this.mayControl;
    const hadFocus = [this.hand.element, this.stage.shot].some((element) => element.contains(document.activeElement));
    this.hand.set(isTaken && this.mayControl && this.isHere, this.pressed);
    if (hadFocus && !this.hand.active) this.heading.focus({ preventScroll: true });
    this.glimpse.run();
  }

  /** Asked for by a press in this tab. */
  join() {
    this.pressed = true;
    this.hold(true);
    this.setMode("live");
    this.drawHand();
  }

  /** A page that is opened from here would have this page's rules, not its own; a file does not. */
  async download(button) {
    button.disabled = true;
    try {
      const url = URL.createObjectURL(await blob(`${this.path}/report`));
      h("a", { href: url, download: `surehand-${this.id}.html` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    } catch (error) {
      this.tell(error);
    }
    button.disabled = false;
  }

  tell(error, kind = "said") {
    const words = JSON.stringify([kind, error.message, error.hint]);
    // Said once, however often it is met.
    if (!this.problem.hidden && this.problem.dataset.words === words) return;
    this.problem.hidden = false;
    Object.assign(this.problem.dataset, { kind, words });
    this.hand.hear(error);
    put(this.problem, h("b", {}, inWords({ message: error.message })), error.hint ? h("span", { class: "hint" }, inWords({ message: error.hint })) : null);
  }

  choose(number) {
    if (number === "end") {
      this.tabs.select("verdict");
      this.lanes.mark("end");
      return;
    }
    this.chosen = number;
    this.tabs.select("step");
    this.drawStep(number);
    if (this.mode === "live") this.mode = "before";
    this.drawStage();
  }

  setMode(mode) {
    this.mode = mode;
    this.glimpse.run();
    if (mode === "live") {
      this.chosen = null;
      if (this.numbers.length > 0) this.drawStep(this.numbers.at(-1));
    } else if (this.chosen === null && this.numbers.length > 0) {
      this.chosen = this.numbers.at(-1);
    }
    this.drawStage();
  }
}
