// The one question of a server with tokens: which one is yours. It is kept for this tab alone and leaves it in a header.

import { h } from "./dom.js";

let asking = null;

/** Resolves when there is a token to try. Many may wait for the same answer. */
export function signIn(problem, token) {
  asking ??= new Promise((resolve) => {
    const field = h("input", {
      id: "token", type: "password", autocomplete: "off", spellcheck: "false", required: true, maxlength: "500",
      "aria-describedby": "token-problem token-help",
    });
    const said = h("p", { id: "token-problem", class: "problem", role: "alert" }, problem || null);
    const form = h("form", { class: "card signin", on: { submit: (event) => {
      event.preventDefault();
      const given = field.value.trim();
      if (!given) return;
      token.set(given);
      box.close();
    } } },
      h("h1", {}, "Sign in"),
      h("p", { id: "token-help", class: "soft" }, "This server wants a token. It was shown once by ", h("code", {}, "surehand serve --new-token NAME"), "."),
      h("label", { for: "token" }, "Token"), field, said,
      h("button", { class: "primary", type: "submit" }, "Sign in"),
      h("p", { class: "soft small" }, "It is kept until this tab is closed, and sent to this server alone."),
    );
    const box = h("dialog", { class: "plain", "aria-label": "Sign in" }, form);
    box.addEventListener("cancel", (event) => event.preventDefault());
    box.addEventListener("close", () => { box.remove(); asking = null; resolve(); });
    document.body.append(box);
    box.showModal();
    field.focus();
  });
  return asking;
}
