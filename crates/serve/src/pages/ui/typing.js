// Typing into the picture. A text field that nobody sees takes it, as any field does: keys, an input method, an emoji
// picker, dictation. What arrives there is the text; only keys that write nothing are taken as keys.

import { h } from "./dom.js";

/** Text that comes in so quickly is one call. */
const TYPING = 350;

const NAMED = { Enter: "enter", Backspace: "backspace", Delete: "delete", Escape: "escape", ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", Home: "home", End: "end", PageUp: "pageup", PageDown: "pagedown" };
const ALONE = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Dead", "Process", "Unidentified"]);

export class Typing {
  /** `call` sends a call of the run, `may` says whether the picture is in somebody's hand. */
  constructor(shot, call, may) {
    this.shot = shot;
    this.call = call;
    this.may = may;
    this.text = "";
    this.field = h("textarea", { class: "taker", tabindex: "-1", rows: "1", autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: "false", "aria-label": "Typed into the page" });
    shot.append(this.field);
    this.listen();
  }

  /** A finger gets no keyboard of the screen at every touch; there is a field for its text. */
  focus(isTouch) {
    (isTouch ? this.shot : this.field).focus({ preventScroll: true });
  }

  listen() {
    const when = (work) => (event) => { if (this.may()) work(event); };
    this.shot.addEventListener("keydown", when((event) => this.key(event)));
    this.field.addEventListener("beforeinput", when((event) => this.deletes(event)));
    this.field.addEventListener("input", when((event) => { if (!event.isComposing) this.take(); }));
    this.field.addEventListener("compositionend", when(() => this.take()));
    this.shot.addEventListener("focus", when((event) => {
      // Whoever comes back out of the field by Tab goes on, and is not caught.
      if (event.relatedTarget !== this.field && !matchMedia("(pointer: coarse)").matches) this.focus(false);
    }));
  }

  key(event) {
    // Tab goes on to the buttons: nobody is caught in the picture. There is a button for it.
    if (event.key === "Tab" || event.isComposing || ALONE.has(event.key)) return;
    if (writes(event)) {
      // Its text comes into the field, once, whichever way it was made.
      if (document.activeElement !== this.field) this.focus(false);
      return;
    }
    event.preventDefault();
    this.flush();
    const modifiers = heldBy(event);
    this.call({ tool: "keyboard", action: "press", key: NAMED[event.key] ?? event.key.toLowerCase(), ...modifiers });
  }

  /** Keyboards of a screen delete without a key; in a field that is empty nothing else would tell of it. */
  deletes(event) {
    if (event.isComposing || !event.inputType.startsWith("delete")) return;
    event.preventDefault();
    this.flush();
    this.call({ tool: "keyboard", action: "press", key: event.inputType.endsWith("Forward") ? "delete" : "backspace" });
  }

  take() {
    const text = this.field.value;
    this.field.value = "";
    if (!text) return;
    if (text === "\n") {
      this.flush();
      this.call({ tool: "keyboard", action: "press", key: "enter" });
      return;
    }
    this.text += text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), TYPING);
  }

  /** What was typed and not sent, which then is not. */
  forget() {
    clearTimeout(this.timer);
    const text = this.text;
    this.text = "";
    this.field.value = "";
    return text;
  }

  /** Text that was typed before something else is done goes first. */
  flush() {
    clearTimeout(this.timer);
    const text = this.text;
    this.text = "";
    if (text) this.call({ tool: "keyboard", action: "type", text });
  }
}

/** Whether a key writes something: with AltGr, or Option on a Mac, it does too. */
function writes(event) {
  if ([...event.key].length !== 1) return false;
  if (event.getModifierState("AltGraph")) return true;
  return !event.ctrlKey && !event.metaKey && (!event.altKey || event.key.codePointAt(0) > 127);
}

export function heldBy(event) {
  const held = [["ctrlKey", "ctrl"], ["shiftKey", "shift"], ["altKey", "alt"], ["metaKey", "meta"]].filter(([field]) => event[field]).map(([, name]) => name);
  return held.length > 0 ? { modifiers: held } : {};
}
