// Times, numbers and states in words. Every state has a sign and a word beside its colour.

import { serverNow } from "./clock.js";
import { h, visible } from "./dom.js";

const number = new Intl.NumberFormat();
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const dateOnly = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export const SIGNS = { good: "✓", bad: "✕", unsure: "?", neutral: "•" };

const STATUS = {
  queued: ["neutral", "◷", "waiting in line"],
  running: ["active", "▸", "running"],
  paused: ["unsure", "‖", "paused"],
  taken_over: ["unsure", "☝", "taken over"],
  waiting: ["alert", "!", "needs you"],
  put_away: ["unsure", "‖", "put away"],
  ended: ["neutral", "■", "ended"],
  failed: ["bad", "✕", "could not start"],
  cancelled: ["neutral", "⊘", "taken back"],
  interrupted: ["bad", "⚡", "interrupted"],
};

const VERDICTS = {
  pass: ["good", "✓", "pass"],
  fail: ["bad", "✕", "fail"],
  uncertain: ["unsure", "?", "uncertain"],
  unjudged: ["neutral", "–", "not judged"],
};

const ENDINGS = {
  done: "claimed done", done_failed: "gave up", done_unverified: "done not believed", env_done: "ended by the page", max_steps: "steps used up",
  loop: "went in circles", budget: "budget used up", timeout: "out of time", paused: "put away", cancelled: "cancelled", brain_error: "brain failed", env_error: "browser lost",
};

/** Why a run ended, in a few words. A plan claims nothing: its steps hold by their own conditions, or do not. */
export function endingWords(reason, isPlan = false) {
  if (isPlan && reason === "done") return "came to its end";
  return ENDINGS[reason] ?? String(reason ?? "").replaceAll("_", " ");
}

export function count(value) {
  return value === null || value === undefined ? "–" : number.format(value);
}

export function percent(share, digits = 0) {
  return share === null || share === undefined ? "–" : `${(share * 100).toFixed(digits)} %`;
}

export function money(value) {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "$0";
  return value < 0.01 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`;
}

export function bytes(value) {
  if (value < 1024) return `${value} B`;
  return value < 1024 * 1024 ? `${(value / 1024).toFixed(0)} KB` : `${(value / 1048576).toFixed(1)} MB`;
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  const exact = Math.max(0, seconds);
  if (exact < 0.95) return `${Math.round(exact * 1000)} ms`;
  if (exact < 9.95) return `${exact.toFixed(1)} s`;
  // Rounded first: no minute has 60 seconds left over.
  const whole = Math.round(exact);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, "0")} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

export function ago(text, now = serverNow()) {
  const at = Date.parse(text ?? "");
  if (Number.isNaN(at)) return "–";
  const seconds = Math.max(0, (now - at) / 1000);
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86400);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

/** In the reader's own time zone. */
export function time(text) {
  const at = new Date(text ?? "");
  return Number.isNaN(at.getTime()) ? "–" : day.format(at);
}

export function date(text) {
  const at = new Date(text ?? "");
  return Number.isNaN(at.getTime()) ? "–" : dateOnly.format(at);
}

export function clockTime(text) {
  const at = new Date(text ?? "");
  return Number.isNaN(at.getTime()) ? "–" : clock.format(at);
}

export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function clip(text, most) {
  const whole = visible(text ?? "");
  return whole.length > most ? `${whole.slice(0, most - 1)}…` : whole;
}

export function host(address) {
  try {
    return new URL(address).host;
  } catch {
    return address ?? "";
  }
}

export function chip(tone, sign, words, title) {
  return h("span", { class: `chip ${tone}`, title }, h("i", { "aria-hidden": "true" }, sign), words);
}

export function statusChip(status) {
  const [tone, sign, words] = STATUS[status] ?? ["neutral", "•", String(status ?? "").replaceAll("_", " ")];
  return chip(tone, sign, words);
}

export function statusWords(status) {
  return (STATUS[status] ?? ["", "", String(status ?? "").replaceAll("_", " ")])[2];
}

/** For people who listen. */
export function statusSentence(status) {
  return status === "waiting" ? "The run needs you." : status === "failed" ? "The run could not start." : status === "ended" ? "The run has ended." : `The run is ${statusWords(status)}.`;
}

export function verdictChip(verdict, title) {
  const [tone, sign, words] = VERDICTS[verdict] ?? ["neutral", "–", String(verdict ?? "none yet")];
  return chip(tone, sign, words, title);
}

export function isOver(status) {
  return ["ended", "failed", "cancelled", "interrupted"].includes(status);
}
