// What a person is asked: may this be done, or what does the brain want to know. With the reason, the picture of the
// moment and the time that is left; silence is a no.

import { send } from "./api.js";
import { serverNow } from "./clock.js";
import { announce, h, inWords, put, say } from "./dom.js";

export class Ask {
  constructor(runId, frames, mayControl) {
    this.path = `/v1/runs/${encodeURIComponent(runId)}`;
    this.frames = frames;
    this.mayControl = mayControl;
    this.element = h("section", { class: "ask", hidden: true, "aria-label": "A question for you" });
  }

  show(question) {
    if (!question) {
      clearInterval(this.timer);
      this.asked = null;
      this.element.hidden = true;
      put(this.element);
      return;
    }
    if (this.asked === question.id) return;
    this.asked = question.id;
    this.element.hidden = false;
    const isApproval = question.kind === "approval";
    const { words, choices } = isApproval ? { words: question.text, choices: [] } : choicesOf(question.text);
    this.left = h("span", { class: "number" });
    this.bar = h("div", { class: "left-bar", "aria-hidden": "true" }, h("span"));
    this.problem = h("p", { class: "problem", role: "alert" });
    const image = h("img", { alt: "The page at this moment" });
    const facts = [[question.rule === "plan-gate" ? "The plan asks" : "It would", question.text], ["On", question.target], ["At", question.url], ["Rule", question.rule], ["Because", question.reason]];
    put(this.element,
      h("div", { class: "ask-words" },
        h("h2", {}, isApproval ? "May this be done?" : choices.length > 0 ? "You are asked to choose" : "The brain asks"),
        isApproval
          ? h("dl", { class: "facts-list" }, facts.filter(([, value]) => value).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]))
          : h("p", { class: "quote" }, words),
        h("p", { class: "soft small" }, isApproval ? "No answer is a no. Time left: " : `Without an answer the ${choices.length > 0 ? "run" : "brain"} goes on. Time left: `, this.left), this.bar,
        isApproval ? this.approval(question) : choices.length > 0 ? this.choices(question, choices) : this.answer(question), this.problem),
      question.frame ? h("figure", {}, image) : null);
    if (question.frame) this.frames.into(image, question.frame);
    announce(isApproval ? `A person is needed: ${question.text}` : `The brain asks: ${question.text}`);
    this.count(question);
  }

  count(question) {
    clearInterval(this.timer);
    const end = Date.parse(question.until);
    const whole = Math.max(1, end - serverNow());
    const tick = () => {
      const left = Math.max(0, end - serverNow());
      say(this.left, left > 90_000 ? `${Math.ceil(left / 60_000)} min` : `${Math.ceil(left / 1000)} s`);
      this.bar.firstElementChild.style.setProperty("width", `${Math.min(100, left * 100 / whole)}%`);
      if (left <= 10_000 && !this.warned) { this.warned = true; announce("Ten seconds are left to answer."); }
    };
    this.warned = false;
    tick();
    this.timer = setInterval(tick, 500);
  }

  approval(question) {
    const word = (wish) => () => this.say(wish, { question: question.id });
    return h("div", { class: "actions" },
      h("button", { class: "primary", disabled: !this.mayControl, on: { click: word("approve") } }, "Approve"),
      h("button", { class: "danger", disabled: !this.mayControl, on: { click: word("deny") } }, "Deny"));
  }

  /** Each with its own button; words of one's own are taken as well. */
  choices(question, choices) {
    return [h("div", { class: "actions", role: "group", "aria-label": "Choices" }, choices.map((choice) =>
      h("button", { disabled: !this.mayControl, on: { click: () => this.say("answer", { question: question.id, text: choice }) } }, choice))),
    h("details", {}, h("summary", {}, "Another answer"), this.answer(question))];
  }

  answer(question) {
    const field = h("textarea", { id: "answer", maxlength: "2000", required: true, rows: "2" });
    return h("form", { class: "answer", on: { submit: (event) => { event.preventDefault(); this.say("answer", { question: question.id, text: field.value }); } } },
      h("label", { for: "answer" }, "Your answer"), field, h("button", { class: "primary", disabled: !this.mayControl }, "Answer"));
  }

  async say(wish, body) {
    for (const button of this.element.querySelectorAll("button")) button.disabled = true;
    try {
      await send(`${this.path}/${wish}`, body);
      announce("Your word was taken.");
    } catch (error) {
      say(this.problem, inWords(error));
      for (const button of this.element.querySelectorAll("button")) button.disabled = !this.mayControl;
    }
  }
}

/** A plan's choices stand behind its question, each with its number: `Which one? (1: this, 2: that)`. */
function choicesOf(text) {
  const [, words, list] = /^(.+) \((1: .+)\)$/s.exec(text) ?? [];
  const numbered = list?.split(/, (?=\d+: )/) ?? [];
  const inOrder = numbered.length > 1 && numbered.every((choice, place) => choice.startsWith(`${place + 1}: `));
  return inOrder ? { words, choices: numbered.map((choice) => choice.slice(choice.indexOf(": ") + 2)) } : { words: text, choices: [] };
}
