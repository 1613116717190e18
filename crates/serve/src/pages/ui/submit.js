// The form for a new run: one task, or a plan of many steps. What the server refuses is said next to the field that it
// is about.

import { newKey, send } from "./api.js";
import { h, put, say } from "./dom.js";
import { count, plural } from "./words.js";

/** What is asked for one task alone, and for a plan alone. */
const OF_TASK = ["instruction", "start_url", "output_schema"];
const OF_PLAN = ["plan", "values"];

/** Longest task that a server takes. */
const LONGEST = 20_000;

/** Fields of a contract stand by themselves in the server's sentences: of what is no field here, a contract is meant. */
const PART_OF = { hosts: "allow", rubric: "contract", checks: "contract" };

const CONFIRM = [["", "as the server does"], ["risky", "risky actions"], ["all", "every action"], ["none", "nothing (unattended)"]];

/** Of a path, its end tells one from another. */
function shortened(spec) {
  return spec.length > 26 && spec.includes("/") ? `${spec.split(":")[0]}:…/${spec.split("/").at(-1)}` : spec;
}

/** An address as people say it: `127.0.0.1:4317` begins with no scheme, and `localhost:80` only seems to. */
function withScheme(text) {
  const address = text.trim();
  return !address || /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(address) ? address : `http://${address}`;
}

export function submitForm(instance, close) {
  const problem = h("div", { class: "problem-box", role: "alert", hidden: true });
  const fields = {};
  const field = (name, label, input, help, wide) => {
    const said = h("p", { class: "problem", id: `${name}-problem` });
    input.id = name;
    input.name = name;
    input.setAttribute("aria-describedby", `${name}-problem`);
    const element = h("div", { class: wide === true ? "wide" : wide ?? null }, h("label", { for: name }, label), input, said, help ? h("p", { class: "soft small" }, help) : null);
    fields[name] = { input, said, element };
    return element;
  };
  const kind = (value, words) => h("label", { class: "check-line" }, h("input", { type: "radio", name: "kind", value, checked: value === "task", on: { change: () => { forget(); dress(); } } }), words);
  const kinds = h("fieldset", { class: "kinds" }, h("legend", { class: "sr" }, "What is to be done"), kind("task", "One task"), kind("plan", "A plan of many steps"));
  const brain = instance.brains.length > 0
    ? h("select", { title: instance.brains[0] }, instance.brains.map((spec, place) => h("option", { value: spec }, place === 0 && instance.brains.length > 1 ? `${shortened(spec)} (default)` : shortened(spec))))
    : h("input", { placeholder: "anthropic", spellcheck: "false" });
  let sent = null;
  const start = h("button", { class: "primary", type: "submit" }, "Start the run");
  const element = h("form", { class: "card new-run", novalidate: true, on: { submit: submit } },
    h("h2", {}, "New run"), kinds,
    field("plan", "Plan (YAML or JSON)", h("textarea", { class: "code", rows: "10", spellcheck: "false", placeholder: "name: read-the-news\nstart_url: https://example.com/\nsteps:\n  - id: first\n    type: act\n    intent: Open the newest article." }), "It reads no files of the server; rows are given below.", true),
    field("values", "Values of the plan (JSON)", h("textarea", { class: "code", spellcheck: "false", placeholder: '{"status": "Customer", "people": [{"name": "Ada"}]}' }), null, true),
    field("instruction", "What to do", h("textarea", { required: true, on: { input: () => tooLong() }, placeholder: "Open the first invoice and read its total" }), null, true),
    h("div", { class: "fields" },
      field("start_url", "Where to begin", h("input", { type: "url", inputmode: "url", placeholder: "https://example.com/", spellcheck: "false", on: { change: (event) => { event.target.value = withScheme(event.target.value); } } }), null, "double"),
      field("brain", "Brain", brain, instance.brains.length > 0 ? null : "anthropic, openai or gemini"),
      field("max_steps", "Most steps", h("input", { type: "number", min: "1", max: "10000", placeholder: String(instance.max_steps) })),
      field("confirm", "Ask me about", h("select", {}, CONFIRM.filter(([key]) => key !== "none" || instance.scopes.includes("unattended")).map(([key, words]) =>
        h("option", { value: key }, key === "" ? `${CONFIRM.find(([other]) => other === instance.confirm)?.[1] ?? instance.confirm} (default)` : words))))),
    h("details", {}, h("summary", {}, `More: contract, judge, limits, ${instance.secrets.length > 0 ? "secrets, " : ""}checks`),
      h("div", { class: "fields" },
        field("contract", "Contract (JSON)", h("textarea", { class: "code", spellcheck: "false", placeholder: '{"id": "order-is-placed", "checks": [{"type": "url", "regex": "/done$"}]}' }), "What has to hold at the end. Without one the brain's word is only a claim.", true),
        field("judge", "Visual judge", h("input", { spellcheck: "false", placeholder: instance.judge ?? "none" }), "A model that looks at the last frames, apart from the brain."),
        field("max_cost", "Most dollars", h("input", { type: "number", min: "0", step: "any", placeholder: "no limit" })),
        field("max_time_minutes", "Most minutes", h("input", { type: "number", min: "0", step: "any", placeholder: "as the server has it" })),
        field("session", "Session", h("input", { spellcheck: "false", placeholder: "none" }), "A named profile whose logins are kept."),
        field("viewport", "Size of the page", h("input", { spellcheck: "false", placeholder: "1280x720" })),
        field("allow", "Only these hosts", h("input", { spellcheck: "false", placeholder: "all" }), "Separated by spaces."),
        instance.secrets.length > 0
          ? field("secrets", "Secrets it may type", h("select", { multiple: true, size: String(Math.min(4, instance.secrets.length)) }, instance.secrets.map((name) => h("option", { value: name }, name))), `${plural(instance.secrets.length, "secret")} on this server; values never leave it.`)
          : null,
        field("toggles", "Checks of this run (JSON)", h("textarea", { class: "code", spellcheck: "false", placeholder: '{"done_gate": "off"}' }), null, true),
        field("output_schema", "Schema of the output (JSON)", h("textarea", { class: "code", spellcheck: "false" }), null, true))),
    problem,
    h("div", { class: "actions" }, start, h("button", { type: "button", on: { click: close } }, "Close")));

  /** Whether it is; said beside the field while it is written, and nothing is cut off. */
  function tooLong() {
    const { input, said } = fields.instruction;
    const over = [...input.value].length - LONGEST;
    if (over <= 0) {
      if (input.value && input.getAttribute("aria-invalid")) { say(said, ""); input.removeAttribute("aria-invalid"); }
      return false;
    }
    input.setAttribute("aria-invalid", "true");
    say(said, `This is ${count(over)} characters too long; a task has at most ${count(LONGEST)}.`);
    return true;
  }

  const isPlan = () => element.elements.kind.value === "plan";

  function dress() {
    for (const name of OF_TASK) fields[name].element.hidden = isPlan();
    for (const name of OF_PLAN) fields[name].element.hidden = !isPlan();
    say(start, isPlan() ? "Start the plan" : "Start the run");
    // A plan's steps have the limit each, and the plan itself none.
    fields.max_steps.input.placeholder = isPlan() ? `${instance.max_steps} for each step` : String(instance.max_steps);
  }

  async function submit(event) {
    event.preventDefault();
    forget();
    if (!isPlan() && tooLong()) return fields.instruction.input.focus();
    let request;
    try {
      request = read();
    } catch (error) {
      return tell(error);
    }
    start.disabled = true;
    // The same wish, sent again because its answer was lost, is the same run.
    const wish = JSON.stringify(request);
    if (sent?.wish !== wish) sent = { wish, key: newKey() };
    try {
      const accepted = await send(isPlan() ? "/v1/predict" : "/v1/cua", request, "POST", sent.key);
      sent = null;
      location.assign(accepted.links.page);
    } catch (error) {
      // What was refused is a new wish the next time; what got no answer of the server's own may have been heard.
      if (error.status >= 400 && error.status < 500) sent = null;
      tell(error);
      start.disabled = false;
    }
  }

  function read() {
    fields.start_url.input.value = withScheme(fields.start_url.input.value);
    const request = { detached: true };
    const unwanted = isPlan() ? OF_TASK : OF_PLAN;
    const text = (name) => unwanted.includes(name) ? "" : fields[name]?.input.value.trim() ?? "";
    const first = isPlan() ? "plan" : "instruction";
    if (!text(first)) throw wrong(first, isPlan() ? "give the text of a plan" : "say in words what to do");
    request[first] = text(first);
    for (const name of ["start_url", "brain", "confirm", "judge", "session", "viewport"]) if (text(name)) request[name] = text(name);
    for (const name of ["max_steps", "max_cost", "max_time_minutes"]) {
      if (!text(name)) continue;
      const value = Number(text(name));
      if (!Number.isFinite(value)) throw wrong(name, "this is not a number");
      request[name] = value;
    }
    for (const name of ["values", "contract", "toggles", "output_schema"]) {
      if (!text(name)) continue;
      try {
        request[name] = JSON.parse(text(name));
      } catch (error) {
        throw wrong(name, `this is not JSON: ${error.message}`);
      }
    }
    if (text("allow")) request.allow = text("allow").split(/[\s,]+/);
    const secrets = [...(fields.secrets?.input.selectedOptions ?? [])].map((option) => option.value);
    if (secrets.length > 0) request.secrets = secrets;
    return request;
  }

  function wrong(name, words) {
    return Object.assign(new Error(`${name}: ${words}`), { hint: "" });
  }

  /** The server's sentences begin with the field that they are about, or with a part of what stands in it. */
  function tell(error) {
    const [, name, path = "", rest] = /^([a-z_$]+)((?:[.[][^:\s]*)?): (.*)$/s.exec(error.message) ?? [];
    const own = fields[name] ?? fields[PART_OF[name] ?? (name && fields.contract.input.value.trim() ? "contract" : "")];
    // A part is named, where the field alone would not tell; a toggle's name is in its sentence.
    const words = !own || !fields[name] ? error.message : (name === "toggles" ? rest : `${path.replace(/^\./, "")}${path ? ": " : ""}${rest}`);
    problem.hidden = false;
    put(problem, h("p", {}, h("b", {}, "Not started: "), own ? `${nameOf(own)}: ${words}` : error.message), error.hint ? h("p", { class: "soft" }, error.hint) : null);
    if (!own) return problem.scrollIntoView({ block: "nearest" });
    say(own.said, words);
    own.input.setAttribute("aria-invalid", "true");
    own.input.closest("details")?.setAttribute("open", "");
    own.input.focus();
  }

  function nameOf(field) {
    return field.element.querySelector("label").textContent;
  }

  function forget() {
    problem.hidden = true;
    for (const { input, said } of Object.values(fields)) {
      input.removeAttribute("aria-invalid");
      said.textContent = "";
    }
  }

  /** What an earlier run was given; the rest is as for any new one. */
  function fill({ task, start_url, brain: own }) {
    forget();
    element.elements.kind.value = "task";
    dress();
    fields.instruction.input.value = task ?? "";
    fields.start_url.input.value = start_url ?? "";
    if (own && (brain.tagName === "INPUT" || instance.brains.includes(own))) brain.value = own;
    start.focus();
  }

  // Whoever comes back to this page by the browser's own way finds the button as it was left.
  addEventListener("pageshow", (event) => { if (event.persisted) start.disabled = false; });
  dress();
  return { element, fill, focus: () => fields[isPlan() ? "plan" : "instruction"].input.focus() };
}
