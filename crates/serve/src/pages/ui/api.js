// Talking to the server: the token in a header and never in an address, errors with their hint, events as a stream that
// goes on where it broke off.

import { heardTime } from "./clock.js";
import { signIn } from "./signin.js";

const KEY = "surehand.token";
/** Longest silence of a stream; the server says that it is there every 15 s. */
const SILENCE = 45_000;

export class Refusal extends Error {
  constructor(status, facts) {
    // Some sentences bring their hint along.
    const [message, ...hints] = (facts?.message ?? `the server answered with ${status}`).split(/[.;]?\s+hint: /);
    super(message);
    this.status = status;
    this.code = facts?.code ?? "";
    this.hint = facts?.hint || hints.join(" ");
  }
}

export const token = {
  get: () => sessionStorage.getItem(KEY) ?? "",
  set: (value) => sessionStorage.setItem(KEY, value),
  forget: () => sessionStorage.removeItem(KEY),
};

function headers(more) {
  const all = new Headers(more);
  if (token.get()) all.set("authorization", `Bearer ${token.get()}`);
  return all;
}

async function refusal(response) {
  let facts = null;
  try {
    facts = (await response.json()).error;
  } catch { /* Something else answered. */ }
  return new Refusal(response.status, facts);
}

/** Longest wait before a question that came too soon is asked again, and how often that is done. */
const LATER = 30_000;
const AGAIN = 4;

/** Until the server wants to be asked again. */
function untilLater(response, signal) {
  const seconds = Number(response.headers.get("retry-after"));
  const wait = Math.min(LATER, Math.max(1, Number.isFinite(seconds) ? seconds : 1) * 1000);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, wait);
    signal?.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
}

/** Asks until it is let in or refused for another reason than a missing token. */
async function ask(path, options = {}) {
  for (let tooSoon = 0; ;) {
    let response;
    const cache = options.cache ?? "no-store";
    try {
      response = await fetch(path, { ...options, headers: headers(options.headers), cache });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refusal(0, { code: "unreachable", message: "the server cannot be reached", hint: "is it still running?" });
    }
    if (cache === "no-store") heardTime(response.headers.get("date"));
    // What only looks is asked again later; a person's wish is theirs to repeat.
    if (response.status === 429 && !options.method && tooSoon < AGAIN) {
      tooSoon += 1;
      await untilLater(response, options.signal);
      continue;
    }
    if (response.status !== 401) return response;
    const refused = await refusal(response);
    await signIn(token.get() ? refused.message : "", token);
  }
}

export async function get(path, options) {
  const response = await ask(path, options);
  if (!response.ok) throw await refusal(response);
  return response.json();
}

/** `key` makes one wish of many requests. */
export async function send(path, body = {}, method = "POST", key = null) {
  const headers = { "content-type": "application/json" };
  if (key) headers["idempotency-key"] = key;
  const response = await ask(path, { method, body: JSON.stringify(body), headers });
  if (!response.ok) throw await refusal(response);
  return response.json();
}

/** A key that nobody else has; `crypto.randomUUID` is only there where the address is https or this machine. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A picture or a page; it may come from the browser's store where it never changes under its address. */
export async function blob(path, signal, cache = "default") {
  const response = await ask(path, { cache, signal });
  if (!response.ok) throw await refusal(response);
  return response.blob();
}

/** The messages of an event stream, after the one with the number `last`. */
export async function* events(path, last, signal) {
  const silence = new AbortController();
  const both = AbortSignal.any([signal, silence.signal]);
  const wanted = { accept: "text/event-stream" };
  if (last > 0) wanted["last-event-id"] = String(last);
  const response = await ask(path, { headers: wanted, signal: both });
  if (!response.ok) throw await refusal(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let timer = setTimeout(() => silence.abort(), SILENCE);
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE);
      rest += value;
      let end;
      while ((end = rest.indexOf("\n\n")) >= 0) {
        const message = parsed(rest.slice(0, end));
        rest = rest.slice(end + 2);
        if (message) yield message;
      }
    }
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
}

/** One message; null for a sign of life. What is cut off at the end of a stream is never one. */
export function parsed(text) {
  const message = { id: null, event: "message", data: "" };
  const data = [];
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const field = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") message.id = Number(value);
    else if (field === "event") message.event = value;
    else if (field === "data") data.push(value);
  }
  if (data.length === 0) return null;
  message.data = data.join("\n");
  return message;
}
