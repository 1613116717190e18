// Where every page begins: the bar at the top, who is signed in, and which page the address means.

import { get, token } from "./api.js";
import { h, put } from "./dom.js";
import { help, listen } from "./keys.js";

const PAGES = [
  { start: "/runs", name: "Runs", load: () => import("./runs.js") },
  { start: "/toggles", name: "Checks", load: () => import("./toggles.js") },
  { start: "/lessons", name: "Lessons", load: () => import("./lessons.js") },
  { start: "/eval", name: "Eval", load: () => import("./eval.js") },
];

const [, first, second, ...more] = location.pathname.split("/");
const page = PAGES.find((one) => one.start === `/${first}`);
/** Pages about one thing have its name behind theirs; nothing else has anything there. */
const isKnown = page && more.length === 0 && (second === undefined || (second !== "" && ["runs", "eval"].includes(first)));

put(document.getElementById("nav"), PAGES.map((one) =>
  h("a", { href: one.start, "aria-current": one === page ? "page" : null }, one.name)));
document.title = `${isKnown ? page.name : "No such page"} · Surehand`;

async function begin() {
  const main = document.getElementById("main");
  if (!isKnown) return put(main, missing());
  put(main, h("p", { class: "empty" }, "Loading…"));
  try {
    const instance = await get("/v1/instance");
    bar(instance);
    const module = first === "runs" && second ? await import("./run.js") : await page.load();
    await module.show(main, { instance, id: second ? decodeURIComponent(second) : null });
  } catch (error) {
    if (error.status === 404) document.title = "There is nothing here · Surehand";
    put(main, trouble(error));
  }
}

function bar(instance) {
  put(document.getElementById("bar-end"),
    instance.tokens ? h("span", { class: "soft who", title: `may: ${instance.scopes.join(", ")}` }, instance.caller) : null,
    instance.tokens ? h("button", { class: "quiet", on: { click: () => { token.forget(); location.reload(); } } }, "Sign out") : null,
    h("button", { class: "quiet", "aria-label": "Keyboard shortcuts", title: "Keyboard shortcuts (?)", on: { click: help } }, "?"),
  );
}

/** One thing that went wrong, in words, with what may help. */
export function trouble(error) {
  return h("div", { class: "card trouble-card", role: "alert" },
    h("h1", {}, error.status === 404 ? "There is nothing here" : "That did not work"),
    h("p", {}, error.message ?? String(error)),
    error.hint ? h("p", { class: "soft" }, error.hint) : null,
    h("p", {}, page ? h("a", { href: page.start }, `To ${page.name}`) : null));
}

function missing() {
  return h("div", { class: "card trouble-card" }, h("h1", {}, "There is no such page"), h("p", {}, "The address is not one of this server's pages."),
    h("p", {}, PAGES.map((one, place) => [place ? " · " : null, h("a", { href: one.start }, one.name)])));
}

listen();
begin();
