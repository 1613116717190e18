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

const [, first, second] = location.pathname.split("/");
const page = PAGES.find((one) => one.start === `/${first}`) ?? PAGES[0];

put(document.getElementById("nav"), PAGES.map((one) =>
  h("a", { href: one.start, "aria-current": one === page ? "page" : null }, one.name)));
document.title = `${page.name} · Surehand`;

async function begin() {
  const main = document.getElementById("main");
  put(main, h("p", { class: "empty" }, "Loading…"));
  try {
    const instance = await get("/v1/instance");
    bar(instance);
    const module = first === "runs" && second ? await import("./run.js") : await page.load();
    await module.show(main, { instance, id: second ? decodeURIComponent(second) : null });
  } catch (error) {
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
    h("p", {}, h("a", { href: "/runs" }, "To the runs")));
}

listen();
begin();
