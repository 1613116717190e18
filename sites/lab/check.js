// Words for the checks: what a page demands of its log, in a form that gives one sentence for the
// first thing that is missing.
"use strict";

/** The log as a check sees it: a list with questions. */
class LabLog extends Array {
  /** Entries of a type, on a target if one is given. */
  of(type, target) {
    return this.filter((entry) => entry.type === type && (target === undefined || entry.target === target));
  }

  count(type, target) {
    return this.of(type, target).length;
  }

  /** Whether "type" or "type:target" steps come in this order, others in between allowed. */
  inOrder(...steps) {
    let next = 0;
    for (const entry of this) {
      const [type, target] = (steps[next] ?? "").split(":");
      if (next < steps.length && entry.type === type && (target === undefined || entry.target === target)) {
        next += 1;
      }
    }
    return next === steps.length;
  }

  /** Whether every entry of these types came from the browser itself. */
  trusted(...types) {
    return this.every((entry) => !types.includes(entry.type) || entry.trusted);
  }
}

/** Sets the check of this page: it gives a list of [condition, what is wrong if not], then what was right. */
lab.check = (demands) => {
  lab.judge = () => {
    const { must, right } = demands(LabLog.from(lab.events), lab.facts);
    const broken = must.find(([isMet]) => !isMet);
    return broken ? { ok: false, why: broken[1] } : { ok: true, why: right };
  };
  lab.touch();
};

/** What every real click of one button shows: the pairs in order, counted, trusted, with right buttons. */
lab.clicked = (log, target, times = 1) => {
  const presses = log.of("mousedown", target);
  const clicks = log.of("click", target);
  return [
    [clicks.length > 0, `Nothing clicked ${target} yet.`],
    [clicks.length === times, `${target} got ${clicks.length} clicks, not ${times}.`],
    [log.trusted("click", "mousedown", "mouseup"), "A mouse event came from a script."],
    [presses.length === times, `${target} got ${presses.length} presses, not ${times}.`],
    [log.inOrder(...Array(times).fill([`mousedown:${target}`, `mouseup:${target}`, `click:${target}`]).flat()),
      "Press, release and click did not come in order."],
    [presses.every((press) => press.button === 0 && press.buttons === 1), "A press did not hold the left button alone."],
    [clicks.every((click, index) => click.detail === index + 1), "The clicks were not counted 1, 2, 3."],
  ];
};

/** A field that holds a text, come to by events of the browser. */
lab.typed = (log, target, value, wanted) => [
  [log.count("input", target) > 0, `${target} got no input yet.`],
  [value === wanted, `${target} holds “${value}”, not “${wanted}”.`],
];

/** A select or file input that was set once, with input and change once each and in order. */
lab.setOnce = (log, target, value, wanted) => [
  [log.count("change", target) > 0, `${target} did not change yet.`],
  [value === wanted, `${target} holds “${value}”, not “${wanted}”.`],
  [log.count("change", target) === 1, `${target} got ${log.count("change", target)} change events, not 1.`],
  [log.count("input", target) === 1, `${target} got ${log.count("input", target)} input events, not 1.`],
  [log.inOrder(`input:${target}`, `change:${target}`), "Change came before input."],
];

/** A dialog of the browser, with its opening and its answer in the log. */
lab.dialog = (kind, text, preset) => {
  lab.note("dialog-opens", { kind, text });
  lab.flush();
  const answer = preset === undefined ? window[kind](text) : window[kind](text, preset);
  lab.note("dialog-answered", { kind, text, answer: answer ?? null });
  return answer;
};

/** Shows a line of text on the page, as the effect of an action. */
lab.show = (text, id = "shown") => {
  lab.$(id).textContent = text;
};

/** The three controls of a frame document, used through the frame of that path. */
lab.usedThree = (log, path) => {
  const inside = LabLog.from(log.filter((entry) => entry.frame === path));
  return {
    must: [
      [inside.length > 0, "Nothing happened inside the frame yet."],
      [inside.count("click", "go") === 1, "The button in the frame was not clicked exactly once."],
      [inside.of("click", "go").every((click) => click.trusted), "The click came from a script."],
      [inside.of("input", "word").at(-1)?.value === "reef", "The field in the frame does not hold reef."],
      [inside.of("change", "pick").at(-1)?.value === "s", "South is not chosen."],
      [inside.count("change", "pick") === 1, "The select changed more than once."],
    ],
    right: "Button, field and select of the frame were all used.",
  };
};

/** A file input that took files, once. */
lab.tookFiles = (log, target, { count, ending = "" }) => {
  const changes = log.of("change", target);
  const files = changes.at(-1)?.files ?? [];
  return [
    [changes.length > 0, "No file arrived yet."],
    [changes.length === 1, `There were ${changes.length} change events, not 1.`],
    [log.count("input", target) === 1, `There were ${log.count("input", target)} input events, not 1.`],
    [files.length === count, `There are ${files.length} files, not ${count}.`],
    [files.every((name) => name.endsWith(ending)), `A file does not end in ${ending}.`],
  ];
};

/** A select inside a shadow root, its events recorded; options as "value:label". */
lab.shadowSelect = (host, mode, options) => {
  const shadow = host.attachShadow({ mode });
  const select = document.createElement("select");
  select.id = "pick";
  select.dataset.control = "";
  for (const [value, label] of options.map((option) => option.split(":"))) {
    select.add(new Option(label, value));
  }
  shadow.append(select);
  lab.listen(shadow);
  return select;
};

/** Boxes of elements that are not at a fixed place, in the form of the fact. */
lab.boxesOf = (...ids) =>
  Object.fromEntries(ids.map((id) => {
    const { left, top, right, bottom } = lab.$(id).getBoundingClientRect();
    return [id, [left, top, right, bottom].map((edge) => Math.round(edge * 10) / 10)];
  }));

/** Takes over a fact that only the server knows, as soon as it is there (3 seconds at most). */
lab.awaitServer = (name, tries = 30) => {
  setTimeout(async () => {
    const { facts } = await lab.atServer();
    if (facts[name] !== undefined) {
      lab.fact(name, facts[name]);
    } else if (tries > 1) {
      lab.awaitServer(name, tries - 1);
    }
  }, 100);
};
