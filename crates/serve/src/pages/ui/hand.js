// A person's hand on the page: what is done to the picture becomes calls of the run, one after the other, with places on
// the grid of 1000 by 1000 that brains use as well. Every call passes the same checks as a brain's.

import { send } from "./api.js";
import { announce, h, inWords, say } from "./dom.js";
import { leftOpen, Offer, opened } from "./offer.js";
import { Point } from "./point.js";
import { heldBy, Typing } from "./typing.js";
import { plural } from "./words.js";

/** A second click within this time is a double click. */
const DOUBLE = 260;
/** Further than this, in pixels of the screen, a press is a drag, and a second click is one of its own. */
const DRAG = 6;
/** Fingers do not meet the same place twice. */
const DRAG_OF_FINGER = 20;
/** Turns of a wheel that follow each other so closely are one call. */
const WHEEL = 160;

/** Screens on which the picture needs all the room there is. */
const SMALL = "(max-width: 760px), (max-height: 560px)";

/** More than this is meant for a field, and would be a storm of shortcuts. */
const KEYS = 8;

/** Letters that were typed into the picture and that no field took are keys: of a game, or shortcuts of the page. */
function asKeys(call) {
  const letters = call.tool === "keyboard" && call.action === "type" ? [...call.text] : [];
  const plain = letters.length > 0 && letters.length <= KEYS && letters.every((letter) => /^[!-~]$/.test(letter));
  return plain ? letters.map((key) => ({ tool: "keyboard", action: "press", key })) : null;
}

export class Hand {
  /** `tell` is told what could not be done any more; `look` looks at the page of this moment; `release` hands it back. */
  constructor(runId, stage, { tell, look, release }) {
    this.path = `/v1/runs/${encodeURIComponent(runId)}/call`;
    this.stage = stage;
    this.shot = stage.shot;
    this.zoom = stage.zoom;
    this.tell = tell;
    this.look = look;
    this.release = release;
    this.active = false;
    this.armed = true;
    /** What waits to be sent: [{call, failed, mayBeKeys}], where `failed` gives back what somebody wrote. */
    this.line = [];
    /** Ends when the line is empty; null while nothing is sent. */
    this.sending = null;
    /** A click that may become a double click, and is not sent yet. */
    this.click = null;
    /** Turns of the wheel that are not sent yet. */
    this.wheel = null;
    /** Calls that were sent so far. */
    this.calls = 0;
    /** The dialog of the page that waits: nothing else can be done before it is answered. */
    this.dialog = null;
    this.typing = new Typing(this.shot, (call) => this.queue(call, null, true), () => this.active && this.armed);
    this.point = new Point(this.shot, (coordinate, count) => this.call({ tool: "mouse", action: "click", coordinate, button: "left", ...(count > 1 ? { count } : {}) }));
    this.offer = new Offer((call) => this.call(call), () => this.typing.focus(matchMedia("(pointer: coarse)").matches));
    this.stage.beside.append(this.offer.element);
    this.said = h("p", { class: "hand-said", role: "status" });
    this.element = this.panel();
    this.listen();
  }

  /** `takesFocus`: somebody has asked for the page right here, and goes on in the picture. */
  set(active, takesFocus) {
    if (this.active === active) return;
    this.active = active;
    this.element.hidden = !active;
    this.dress();
    this.fill(active && matchMedia(SMALL).matches);
    this.offers();
    if (active) {
      say(this.said, "The page is yours: click, drag, scroll and type into the picture.");
      announce("The page is yours. The brain waits until you hand back.");
      if (!takesFocus) return;
      this.shot.scrollIntoView({ block: "nearest" });
      this.typing.focus(matchMedia("(pointer: coarse)").matches);
    } else {
      this.zoom.to(1);
      this.drop();
    }
  }

  /** The picture and what works it, and nothing else: on a small screen there is no room for more. */
  fill(isFilling) {
    const bench = this.element.parentElement;
    if (!bench || bench.classList.contains("filling") === isFilling) return;
    bench.classList.toggle("filling", isFilling);
    document.documentElement.classList.toggle("filled", isFilling);
    // What lies behind it is not for keys either.
    for (let inner = bench; inner !== document.body; inner = inner.parentElement) {
      for (const other of inner.parentElement.children) if (other !== inner && other.id !== "announcer") other.inert = isFilling;
    }
    this.isFilling = isFilling;
    say(this.filler, isFilling ? "Leave full screen" : "Full screen");
    if (!isFilling && this.active) this.shot.scrollIntoView({ block: "nearest" });
  }

  /** What was not sent before the page went to somebody else must not be done at the next takeover. */
  drop() {
    const left = this.line.splice(0);
    const more = [this.takeClick(), this.takeWheel(), this.typing.forget()].filter(Boolean).length;
    for (const one of left) one.failed?.();
    if (left.length + more > 0) this.tell(`The page was handed back before ${plural(left.length + more, "thing")} that you did reached it.`);
  }

  /** Waits until everything that was done here has reached the page; throws what was in the way. */
  async sent() {
    this.refused = null;
    this.finish();
    const click = this.takeClick();
    if (click) this.queue(click.call);
    while (this.sending) await this.sending;
    if (this.refused) throw this.refused;
  }

  /** The newest step of the run: what it left open is offered. */
  saw(step) {
    const open = step.by === "person" && !step.ok ? this.held ?? null : leftOpen(step);
    // The answer of a call knows more than its step, and may come first.
    this.open = open && this.open?.kind === open.kind ? { ...this.open, ...open } : open;
    this.waits(opened(step));
  }

  /** The page opened a dialog, and says more of it than its words. */
  asks(dialog) {
    this.told = dialog;
    this.waits(dialog);
  }

  waits(dialog) {
    this.dialog = dialog && (this.told ?? dialog);
    if (!dialog) this.told = null;
    this.offers();
  }

  offers() {
    this.offer.show(this.active ? this.dialog ?? this.open ?? null : null);
  }

  /** Only the page as it is now can be touched: a place on an older picture may be something else by now. */
  arm(isLive) {
    if (this.armed === isLive) return;
    this.armed = isLive;
    this.dress();
    if (this.active) say(this.said, isLive ? "The page is yours again." : "This is an older picture. Choose Live to click into the page.");
  }

  /** What is said at the head of the run is said here too, which is where they look. */
  hear(error) {
    if (this.active) say(this.said, inWords(error));
  }

  dress() {
    const touchable = this.active && this.armed;
    if (!touchable) this.point.stop();
    this.point.button.disabled = !touchable;
    this.shot.classList.toggle("in-hand", touchable);
    this.shot.tabIndex = touchable ? 0 : -1;
    this.shot.setAttribute("role", touchable ? "application" : "img");
    if (touchable) this.shot.dataset.keys = "taken";
    else delete this.shot.dataset.keys;
  }

  panel() {
    const field = h("input", { id: "hand-text", placeholder: "Text for the field", autocomplete: "off", spellcheck: "false" });
    const type = h("form", { class: "hand-type", on: { submit: (event) => {
      event.preventDefault();
      const text = field.value;
      field.value = "";
      if (text) this.call({ tool: "keyboard", action: "type", text }, () => { field.value = text + field.value; });
    } } }, h("label", { for: "hand-text", class: "sr" }, "Text to type"), field, h("button", {}, "Type"));
    const keys = [["Enter", "enter"], ["Tab", "tab"], ["Esc", "escape"], ["⌫", "backspace", "Backspace"]].map(([name, key, label]) =>
      h("button", { type: "button", "aria-label": label ?? name, on: { click: () => this.call({ tool: "keyboard", action: "press", key }) } }, name));
    const button = ([name, call]) => h("button", { type: "button", on: { click: () => this.call(call) } }, name);
    const scroll = (direction) => ({ tool: "mouse", action: "scroll", direction, amount: 500 });
    const moves = [["Scroll ↑", scroll("up")], ["Scroll ↓", scroll("down")], ["Back", { tool: "tab", action: "back" }]].map(button);
    const again = h("button", { type: "button", on: { click: () => this.lookAgain() } }, "Look again");
    this.filler = h("button", { type: "button", class: "hand-filler", on: { click: () => this.fill(!this.isFilling) } }, "Full screen");
    this.back = h("button", { type: "button", class: "primary hand-back", on: { click: (event) => { if (event.detail < 2) this.release(); } } }, "Hand back");
    const other = h("textarea", { class: "code", id: "hand-call", spellcheck: "false", rows: "2", placeholder: '{"tool": "select_option", "values": ["Berlin"]}' });
    const any = h("form", { on: { submit: (event) => {
      event.preventDefault();
      try {
        this.call(JSON.parse(other.value));
      } catch (error) {
        say(this.said, `This is not JSON: ${error.message}`);
      }
    } } }, h("label", { for: "hand-call" }, "Any call, as JSON"), other, h("button", {}, "Send"));
    const more = h("details", { on: { toggle: () => { if (more.open) more.scrollIntoView({ block: "nearest" }); } } }, h("summary", {}, "More"), any);
    return h("section", { class: "hand", hidden: true, "aria-label": "Your hand" }, this.said, this.back, this.point.help, type, h("div", { class: "hand-keys" }, keys),
      h("div", { class: "hand-keys" }, moves, again, this.point.button), this.zoom.element, h("div", { class: "hand-keys" }, this.filler), more);
  }

  /** No call: nothing is done to the page, and nothing is written down. */
  async lookAgain() {
    say(this.said, "Looking…");
    try {
      await this.look();
      say(this.said, "The picture is of this moment.");
    } catch (error) {
      say(this.said, inWords(error));
    }
  }

  /** Text that still waits for more of it was typed before this call. */
  call(call, failed) {
    this.typing.flush();
    this.queue(call, failed);
  }

  /**
   * Calls wait for each other: the page has one hand. A click that waits for a second one comes before what follows it.
   * `mayBeKeys`: a text whose letters somebody pressed one by one, and did not write to be put into a field.
   */
  queue(call, failed, mayBeKeys = false) {
    if (!this.active) return failed?.();
    if (this.dialog && call.tool !== "dialog") {
      say(this.said, "The page waits for an answer to its dialog. Answer it first.");
      this.offer.element.querySelector("button, input")?.focus();
      return failed?.();
    }
    const click = this.takeClick();
    if (click) this.line.push({ call: click.call });
    this.line.push({ call, failed, mayBeKeys });
    this.sending ??= this.sendAll();
  }

  /** Text and turns of the wheel that wait for more of them wait no longer. */
  finish() {
    this.typing.flush();
    const wheel = this.takeWheel();
    if (wheel) this.queue(wheel);
  }

  /** The click that waits for a second one; it waits no longer. */
  takeClick() {
    const click = this.click;
    if (click) clearTimeout(click.timer);
    this.click = null;
    return click;
  }

  /** The turns of the wheel as one call. */
  takeWheel() {
    const wheel = this.wheel;
    this.wheel = null;
    if (!wheel) return null;
    clearTimeout(wheel.timer);
    const { x, y, at } = wheel;
    const across = Math.abs(x) > Math.abs(y);
    const extent = across ? this.shot.clientWidth : this.shot.clientHeight;
    const amount = Math.min(2000, Math.max(1, Math.round(Math.abs(across ? x : y) * 1000 / Math.max(1, extent))));
    return { tool: "mouse", action: "scroll", coordinate: at, direction: across ? (x > 0 ? "right" : "left") : y > 0 ? "down" : "up", amount };
  }

  async sendAll() {
    while (this.line.length > 0 && this.active) {
      const { call, failed, mayBeKeys } = this.line.shift();
      say(this.said, this.line.length > 0 ? `… and ${plural(this.line.length, "more call")} to send` : "…");
      // Any other call ends what waits; one that goes on with it and fails does not.
      this.held = ["select_option", "upload_file"].includes(call.tool) ? this.open : null;
      this.open = null;
      this.calls += 1;
      // The next one is another one.
      if (call.tool === "dialog") this.waits(null);
      this.offers();
      this.shot.classList.add("sending");
      try {
        const { ok, message, error, pending } = await send(this.path, call);
        this.knows(ok ? pending : pending ?? this.held);
        this.waits(opened({ ok, message, error }));
        const keys = mayBeKeys && error?.code === "nothing_editable" ? asKeys(call) : null;
        if (keys) this.line.unshift(...keys.map((key) => ({ call: key })));
        else if (!ok) failed?.();
        say(this.said, ok ? message : inWords(error ?? { message }));
      } catch (error) {
        this.refused = error;
        const left = this.line.splice(0);
        failed?.();
        for (const one of left) one.failed?.();
        say(this.said, [inWords(error), left.length > 0 ? "What you did after it was not sent." : ""].filter(Boolean).join(" "));
      }
      this.shot.classList.remove("sending");
    }
    this.sending = null;
  }

  /** What an answer tells of a control that waits: a list's options are in no step. */
  knows(pending) {
    if (pending === undefined) return;
    this.open = pending ? { ...(this.open?.kind === pending.kind ? this.open : {}), ...pending } : null;
    this.offers();
  }

  place(event) {
    // The picture begins inside of its border.
    const { left, top } = this.shot.getBoundingClientRect();
    const { clientLeft, clientTop, clientWidth, clientHeight } = this.shot;
    const grid = (value, start, extent) => Math.min(1000, Math.max(0, Math.round((value - start) * 1000 / Math.max(1, extent))));
    return [grid(event.clientX, left + clientLeft, clientWidth), grid(event.clientY, top + clientTop, clientHeight)];
  }

  listen() {
    let down = null;
    const when = (work) => (event) => { if (this.active && this.armed && !this.zoom.isMoving) work(event); };
    this.shot.addEventListener("pointerdown", when((event) => {
      if (this.zoom.isPinching) { down = null; return; }
      if (event.button > 2) return;
      event.preventDefault();
      this.typing.focus(event.pointerType === "touch");
      this.shot.setPointerCapture(event.pointerId);
      down = { x: event.clientX, y: event.clientY, at: this.place(event), button: ["left", "middle", "right"][event.button] };
    }));
    this.shot.addEventListener("pointerup", when((event) => {
      if (!down) return;
      const { at, button, x, y } = down;
      down = null;
      // What the page asks next must not lie over the place that it asks about.
      this.stage.beside.classList.toggle("at-top", at[1] > 500);
      const modifiers = heldBy(event);
      if (Math.hypot(event.clientX - x, event.clientY - y) > DRAG) {
        this.call({ tool: "mouse", action: "drag", start_coordinate: at, end_coordinate: this.place(event), button, ...modifiers });
        return;
      }
      if (this.click?.call.button === button && Math.hypot(this.click.x - x, this.click.y - y) <= (event.pointerType === "touch" ? DRAG_OF_FINGER : DRAG)) {
        const { call } = this.takeClick();
        this.queue({ ...call, count: 2, ...modifiers });
        return;
      }
      // Before the click is known to be one, not when it is sent: what is typed meanwhile comes after it.
      this.finish();
      const earlier = this.takeClick();
      if (earlier) this.queue(earlier.call);
      this.click = { x, y, call: { tool: "mouse", action: "click", coordinate: at, button, ...modifiers }, timer: setTimeout(() => this.queue(this.takeClick().call), DOUBLE) };
    }));
    this.shot.addEventListener("pointercancel", () => { down = null; });
    // In the picture it is the page's own key.
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.isFilling || event.defaultPrevented || event.isComposing || this.shot.contains(event.target) || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      this.fill(false);
      this.filler.focus();
    });
    this.shot.addEventListener("contextmenu", when((event) => event.preventDefault()));
    this.shot.addEventListener("wheel", when((event) => {
      event.preventDefault();
      this.wheel ??= { x: 0, y: 0 };
      const { wheel } = this;
      wheel.at = this.place(event);
      wheel.x += event.deltaX;
      wheel.y += event.deltaY;
      clearTimeout(wheel.timer);
      wheel.timer = setTimeout(() => this.call(this.takeWheel()), WHEEL);
    }), { passive: false });
  }
}
