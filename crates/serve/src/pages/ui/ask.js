// What a person is asked: may this be done, or what does the brain want to know. With the reason, the picture of the
// moment and the time that is left; silence is a no.

import { send } from "./api.js";
import { serverNow } from "./clock.js";
import { announce, h, inWords, notYet, put, say } from "./dom.js";
import { duration } from "./words.js";

/** The server takes no longer answer. */
const LONGEST = 2000;

export class Ask {
  /** `askedAt` gives the time of the run's last event, which is when it stopped to ask; `rest` takes the focus. */
  constructor(runId, frames, mayControl, askedAt, rest) {
    this.path = `/v1/runs/${encodeURIComponent(runId)}`;
    this.frames = frames;
    this.mayControl = mayControl;
    this.askedAt = askedAt;
    this.rest = rest;
    this.card = h("section", { class: "ask", tabindex: "-1", hidden: true, "aria-label": "A question for you" });
    this.late = h("section", { class: "note-box late", hidden: true, "aria-label": "A question that is gone" });
    this.element = h("div", {}, this.card, this.late);
  }

  /** `status` tells why a question is gone. */
  show(question, status) {
    if (this.asked?.id === question?.id) return;
    // What became of the word that is on its way is told by its own answer.
    if (this.sending) { this.next = { question, status }; return; }
    this.next = null;
    const hadFocus = this.card.contains(document.activeElement);
    if (this.asked && !this.taken) this.leave(this.asked, status);
    this.taken = false;
    this.asked = question;
    clearInterval(this.timer);
    this.card.hidden = !question;
    put(this.card);
    if (question) this.draw(question);
    // Whoever answered with the keyboard goes on with the next question, or at the head of the run.
    const atRest = this.rested === document.activeElement || ["BODY", "MAIN"].includes(document.activeElement?.tagName);
    if (hadFocus || (question && this.rested && atRest)) {
      this.rested = question ? this.title : this.rest();
      this.rested.focus({ preventScroll: !question });
    }
  }

  draw(question) {
    const isApproval = question.kind === "approval";
    const { words, choices } = isApproval ? { words: question.text, choices: [] } : choicesOf(question.text);
    this.left = h("span", { class: "number" });
    this.bar = h("div", { class: "left-bar", "aria-hidden": "true" }, h("span"));
    this.problem = h("p", { class: "problem", role: "alert" });
    const image = h("img", { alt: "The page at this moment" });
    const isGate = question.rule === "plan-gate";
    const facts = [[isGate ? "The plan asks" : "It would", question.text], ["On", question.target], ["At", question.url], ["Rule", question.rule], ["Because", question.reason]];
    // Only a plan knows beforehand what silence leads to.
    const asker = question.without_answer ? "The plan" : "The brain";
    this.title = h("h2", { tabindex: "-1" }, isApproval ? "May this be done?" : choices.length > 0 ? "You are asked to choose" : `${asker} asks`);
    this.field = null;
    put(this.card,
      h("div", { class: "ask-words" }, this.title,
        isApproval
          ? h("dl", { class: "facts-list" }, facts.filter(([, value]) => value).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]))
          : h("p", { class: "quote" }, words),
        h("p", { class: "soft small" }, isApproval ? "No answer is a no." : question.without_answer ? `Without an answer: ${question.without_answer}.` : "Without an answer the brain goes on.", " Time left: ", this.left), this.bar,
        isApproval ? this.approval(question) : choices.length > 0 ? this.choices(question, choices) : this.answer(question), this.problem),
      // A plan's gate is about no place, and a cursor in its picture would seem to be one.
      question.frame ? h("figure", {}, image, isGate ? h("figcaption", { class: "soft small" }, "The page at this moment. Nothing is clicked: the cursor only rests there.") : null) : null);
    if (question.frame) this.frames.into(image, question.frame);
    announce(isApproval ? `A person is needed: ${question.text}` : `${asker} asks: ${question.text}`);
    this.count(question);
  }

  /** By the server's clock, and from when it was asked: a tab that was opened later sees the same. */
  count(question) {
    const end = Date.parse(question.until);
    let warned = false;
    const tick = () => {
      const now = serverNow();
      const left = Math.max(0, end - now);
      const whole = Math.max(1, end - Math.min(now, this.askedAt() ?? now));
      say(this.left, duration(Math.ceil(left / 1000)));
      this.bar.firstElementChild.style.setProperty("width", `${Math.min(100, left * 100 / whole)}%`);
      if (left <= 10_000 && !warned) { warned = true; announce("Ten seconds are left to answer."); }
    };
    tick();
    this.timer = setInterval(tick, 500);
  }

  /** `press` is one for a question that could be read: not the second half of a double click on the one before. */
  button(words, kind, press) {
    return h("button", { type: "button", class: kind, disabled: !this.mayControl, on: { click: (event) => { if (event.detail < 2) press(); } } }, words);
  }

  approval(question) {
    const word = (wish) => () => this.say(wish, { question: question.id });
    return notYet(h("div", { class: "actions" }, this.button("Approve", "primary", word("approve")), this.button("Deny", "danger", word("deny"))));
  }

  /** Each with its own button; words of one's own are taken as well. */
  choices(question, choices) {
    return [notYet(h("div", { class: "actions", role: "group", "aria-label": "Choices" }, choices.map((choice) =>
      this.button(choice, null, () => this.say("answer", { question: question.id, text: choice }))))),
    h("details", {}, h("summary", {}, "Another answer"), this.answer(question))];
  }

  answer(question) {
    this.field = h("textarea", { id: "answer", required: true, rows: "2", on: { input: () => this.measure() } });
    return h("form", { class: "answer", on: { submit: (event) => {
      event.preventDefault();
      if (this.measure()) this.say("answer", { question: question.id, text: this.field.value });
    } } },
      h("label", { for: "answer" }, "Your answer"), this.field, notYet(h("div", {}, h("button", { class: "primary", disabled: !this.mayControl }, "Answer"))));
  }

  /** Nothing that was pasted is cut off unseen. */
  measure() {
    const over = [...this.field.value].length - LONGEST;
    say(this.problem, over > 0 ? `That is ${over} characters too long: an answer has at most ${LONGEST}.` : "");
    return over <= 0;
  }

  async say(wish, body) {
    if (this.sending || this.taken) return;
    this.sending = true;
    say(this.problem, "");
    // Not `disabled`, which would take the focus away from whoever works with the keyboard.
    for (const button of this.card.querySelectorAll("button")) button.setAttribute("aria-disabled", "true");
    let gone = false;
    try {
      await send(`${this.path}/${wish}`, body);
      this.taken = true;
      announce("Your word was taken.");
    } catch (error) {
      gone = error.status === 409;
      if (!gone) say(this.problem, inWords(error));
    }
    this.sending = false;
    if (!this.taken) for (const button of this.card.querySelectorAll("button")) button.removeAttribute("aria-disabled");
    const { next } = this;
    this.tried = gone;
    if (gone) this.show(next?.question ?? null, next?.status);
    else if (next) this.show(next.question, next.status);
  }

  /** A question went away without this tab's answer: whoever was about to give one is told, and keeps what they wrote. */
  leave(question, status) {
    const typed = this.field?.value.trim() ? this.field.value : "";
    if (!typed && !this.tried) return;
    this.tried = false;
    const isOver = serverNow() >= Date.parse(question.until);
    const isHeld = status === "taken_over" || status === "paused";
    const why = isOver ? "The time to answer was over." : isHeld ? "The question was taken back, because somebody holds the run." : status === "ended" || status === "cancelled" ? "The run has ended before you answered." : "Somebody else answered this question.";
    const words = `${why}${typed ? " What you typed was not sent:" : ""}`;
    announce(words);
    this.late.hidden = false;
    put(this.late, h("p", {}, h("b", {}, words), typed ? null : ` (${question.text})`),
      typed ? h("textarea", { readonly: true, rows: "2", "aria-label": "What you typed", value: typed }) : null,
      h("button", { type: "button", on: { click: () => { this.late.hidden = true; this.rest().focus({ preventScroll: true }); } } }, "Close"));
  }
}

/** A plan's choices stand behind its question, each with its number: `Which one? (1: this, 2: that)`. */
function choicesOf(text) {
  const [, words, list] = /^(.+) \((1: .+)\)$/s.exec(text) ?? [];
  const numbered = list?.split(/, (?=\d+: )/) ?? [];
  const inOrder = numbered.length > 1 && numbered.every((choice, place) => choice.startsWith(`${place + 1}: `));
  return inOrder ? { words, choices: numbered.map((choice) => choice.slice(choice.indexOf(": ") + 2)) } : { words: text, choices: [] };
}
