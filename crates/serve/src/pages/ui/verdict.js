// Who said what about the outcome, side by side, and what each of them saw.

import { h, put } from "./dom.js";
import { plural, SIGNS, statusSentence } from "./words.js";

/** Ends in which the brain said something about the outcome. */
const CLAIMED = new Set(["done", "done_failed", "done_unverified"]);

/** `byHand`: how many steps a person took. */
export function verdictPanel(place, end, status, frames, byHand) {
  if (!end) {
    return put(place, h("p", { class: "empty" }, status === "failed" || status === "cancelled" || status === "interrupted"
      ? `${statusSentence(status)} Nobody judged it.` : "The verdict comes when the run has ended."));
  }
  put(place,
    h("div", { class: `banner ${end.run.tone}` }, h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[end.run.tone]),
      h("div", {}, h("h2", {}, end.run.headline), h("p", { class: "soft" }, end.run.detail))),
    h("dl", { class: "parties" }, end.parties.map((party) => h("div", { class: party.tone }, h("dt", {}, party.name),
      h("dd", {}, h("i", { "aria-hidden": "true" }, SIGNS[party.tone]), " ", party.words)))),
    end.disagreement ? h("p", { class: "note-box" }, "Those who judged did not agree.") : null,
    end.checks.length > 0 ? section("Checks of the contract", h("ol", { class: "checks" }, worstFirst(end.checks).map((check) => checkLine(check, end, frames)))) : null,
    end.reasons.length > 0 ? section("Why", h("ul", { class: "evidence" }, end.reasons.map((reason) => h("li", {}, reasonWords(reason, end.checks))))) : null,
    end.trouble.length > 0 ? section("What went wrong", h("ul", { class: "evidence" }, end.trouble.map((one) => h("li", {}, one.words)))) : null,
    end.summary ? section(end.plan ? "The plan's own summary" : "What the brain says", h("p", { class: "quote" }, end.summary)) : null,
    end.plan ? h("p", { class: "soft small" }, "What the plan collected is shown below the timeline.") : null,
    !end.plan && end.output !== null && end.output !== undefined ? section("Its answer", h("pre", {}, typeof end.output === "string" ? end.output : JSON.stringify(end.output, null, 2))) : null,
    end.judge ? section("Visual judge", h("p", {}, end.judge.words), h("details", {}, h("summary", {}, "What it was asked"), h("p", { class: "soft" }, end.judge.rubric))) : null,
    (end.warnings ?? []).map((warning) => h("p", { class: "note-box" }, warning)),
    end.checks.length === 0 && !end.judge ? h("p", { class: "soft small" }, unjudged(end, byHand)) : null);
}

function unjudged(end, byHand) {
  const hand = byHand > 0 ? `A person did ${plural(byHand, "step")} of it by hand. ` : "";
  const who = !CLAIMED.has(end.run.termination_reason) ? "Nobody looked at this outcome."
    : end.plan ? "Nothing but the plan's own conditions speaks for this outcome." : "Nobody but the brain said anything about this outcome.";
  return `${hand}${who} A contract or a judge, given with the run, does.`;
}

/** What was found wrong stands where it is seen first. */
const WORST = ["bad", "unsure", "neutral", "good"];

function worstFirst(checks) {
  return [...checks].sort((one, other) => WORST.indexOf(one.tone) - WORST.indexOf(other.tone));
}

/** The referee names a check of the contract by its number: here it has the words that stand above. */
function reasonWords(reason, checks) {
  const [, number, rest] = /^checks\[(\d+)\](.*)$/s.exec(reason) ?? [];
  const check = checks.find((one) => one.index === Number(number));
  return check ? `Check “${check.title}”${rest.replaceAll("_", " ")}` : reason.replaceAll("_", " ");
}

function section(title, ...content) {
  return h("div", { class: "said" }, h("h3", {}, title), content);
}

function checkLine(check, end, frames) {
  return h("li", { class: check.tone }, h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[check.tone]),
    h("div", {}, h("b", {}, check.title), h("p", { class: "soft" }, check.words), check.bbox && end.frame ? crop(check.bbox, end.frame, frames) : null));
}

/** The part of the frame that a check looked at. */
function crop([x0, y0, x1, y1], sha, frames) {
  const canvas = h("canvas", { class: "crop", role: "img", "aria-label": "the part of the frame that was looked at" });
  frames.large(sha).then((url) => {
    const image = new Image();
    image.onload = () => {
      const margin = 12;
      const [left, top] = [Math.max(0, x0 - margin), Math.max(0, y0 - margin)];
      const [width, height] = [Math.min(image.naturalWidth, x1 + margin) - left, Math.min(image.naturalHeight, y1 + margin) - top];
      if (width < 1 || height < 1) return canvas.remove();
      canvas.width = width;
      canvas.height = height;
      canvas.getContext("2d").drawImage(image, left, top, width, height, 0, 0, width, height);
    };
    image.src = url;
  }, () => canvas.remove());
  return canvas;
}

