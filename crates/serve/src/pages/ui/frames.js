// Pictures of a run by their content hash, fetched with the token and kept as objects of the browser while they are used;
// and the page as it is at this moment, which is no frame of the run.

import { blob } from "./api.js";
import { serverNow } from "./clock.js";

/** Pictures that are kept: large ones, and those of the strip. */
const LARGE = 40;
const SMALL = 400;

export class Frames {
  constructor(runId) {
    this.path = `/v1/runs/${encodeURIComponent(runId)}/frames`;
    this.kept = { large: new Map(), small: new Map() };
  }

  large(sha) {
    return this.fetched(this.kept.large, LARGE, sha, `${this.path}/${sha}`);
  }

  small(sha) {
    return this.fetched(this.kept.small, SMALL, sha, `${this.path}/${sha}?width=240`);
  }

  fetched(kept, most, sha, path) {
    const known = kept.get(sha);
    if (known) {
      kept.delete(sha);
      kept.set(sha, known);
      return known;
    }
    const made = blob(path).then((data) => URL.createObjectURL(data));
    made.catch(() => kept.delete(sha));
    kept.set(sha, made);
    if (kept.size > most) {
      const [oldest, address] = kept.entries().next().value;
      kept.delete(oldest);
      address.then((url) => URL.revokeObjectURL(url), () => {});
    }
    return made;
  }

  /** Puts a picture into an image; one that was asked for later wins. */
  async into(image, sha, size = "large") {
    if (image.dataset.sha === sha) return;
    image.dataset.sha = sha ?? "";
    if (!sha) {
      image.removeAttribute("src");
      return;
    }
    try {
      const url = await this[size](sha);
      if (image.dataset.sha !== sha) return;
      image.src = url;
      image.removeAttribute("data-missing");
      await image.decode().catch(() => {});
    } catch {
      if (image.dataset.sha !== sha) return;
      image.dataset.missing = "";
      image.dataset.sha = "";
    }
  }
}

/** How often the page of this moment is asked for, and how often when nothing was done for a while. */
const SOON = 1000;
const LATER = 3000;
const WHILE = 60_000;

/** Looks at the page that somebody has in hand, again and again, never twice at once. */
export class Glimpse {
  /**
   * `wanted`: whether somebody looks; `free`: whether no call of theirs is under way; `calls`: how many there were; `width`
   * of the picture on the screen; `seen` is told of each look: {image, at} of a new picture, {at} where nothing changed.
   */
  constructor(runId, { wanted, free, calls, width, seen }) {
    this.path = `/v1/runs/${encodeURIComponent(runId)}/now`;
    Object.assign(this, { wanted, free, calls, width, seen });
    /** What was in the way of the last look. */
    this.problem = null;
  }

  async run() {
    if (this.running) return;
    this.running = true;
    let [touched, calls] = [Date.now(), this.calls()];
    while (this.wanted()) {
      if (calls !== this.calls()) [touched, calls] = [Date.now(), this.calls()];
      if (this.free()) await this.look().catch(() => {});
      await new Promise((resolve) => { setTimeout(resolve, Date.now() - touched > WHILE ? LATER : SOON); });
    }
    this.running = false;
  }

  /** Something else is shown now: what is seen next is new, whatever it is. */
  forget() {
    this.bytes = null;
  }

  /** Throws what is in the way. Whoever asks while a look is under way gets that one. */
  look() {
    this.looking ??= this.ask().finally(() => { this.looking = null; });
    return this.looking;
  }

  async ask() {
    const [at, calls] = [serverNow(), this.calls()];
    try {
      const found = await blob(`${this.path}?width=${this.width()}`, undefined, "no-store");
      this.problem = null;
      // It may show the page before what was done meanwhile.
      if (calls !== this.calls() || !this.wanted()) return;
      const bytes = new Uint8Array(await found.arrayBuffer());
      if (this.bytes?.length === bytes.length && bytes.every((byte, place) => byte === this.bytes[place])) return this.seen({ at });
      this.bytes = bytes;
      const url = URL.createObjectURL(found);
      const image = new Image();
      image.src = url;
      await image.decode().finally(() => URL.revokeObjectURL(url));
      this.seen({ image, at });
    } catch (error) {
      this.problem = error;
      throw error;
    }
  }
}
