// Pictures of a run by their content hash, fetched with the token and kept as objects of the browser while they are used.

import { blob } from "./api.js";

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
