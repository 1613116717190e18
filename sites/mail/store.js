// What the page shows right now: which box, which page of it, what is selected, which mail is open.
// The box and page live in the address, so reload and back keep them.
import { callApi, showProblem } from "/assets/common.js";

export const store = {
  /** Folders and labels with their counts. */
  boxes: { folders: [], labels: [] },
  /** { total, page, pages, page_size, mails } of the list. */
  list: { total: 0, page: 1, pages: 1, page_size: 40, mails: [] },
  selected: new Set(),
  /** The whole mail of the reading pane, or null. */
  open: null,
};

const listeners = [];
let running = null;

/** Calls `listener` after every change of the store. */
export function onChange(listener) {
  listeners.push(listener);
}

export function changed() {
  for (const listener of listeners) {
    listener();
  }
}

/** The address says `#inbox`, `#label/Work`, `#search/words`, each with an optional `?page=2`. */
export function currentBox() {
  const [path, query] = window.location.hash.slice(1).split("?");
  const [kind, ...rest] = path.split("/").map(decodeURIComponent);
  const page = Number(new URLSearchParams(query).get("page")) || 1;
  if (kind === "label" || kind === "search") {
    return { kind, name: rest.join("/"), page };
  }
  return { kind: "folder", name: kind || "inbox", page };
}

export function boxAddress(kind, name, page = 1) {
  const path = kind === "folder" ? name : `${kind}/${encodeURIComponent(name)}`;
  return page > 1 ? `#${path}?page=${page}` : `#${path}`;
}

/** Fetches boxes, list and the open mail again; only the newest call may change the store. */
export async function refresh() {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  const box = currentBox();
  const parameters = new URLSearchParams({ page: String(box.page) });
  parameters.set({ folder: "folder", label: "label", search: "q" }[box.kind], box.name);
  const [boxes, list, open] = await Promise.all([
    callApi("GET", "/api/boxes", undefined, signal),
    callApi("GET", `/api/mails?${parameters}`, undefined, signal),
    store.open ? callApi("GET", `/api/mails/${store.open.id}`, undefined, signal) : null,
  ]);
  if (signal.aborted) {
    return;
  }
  if (!boxes.ok || !list.ok) {
    showProblem(boxes.ok ? list : boxes);
    return;
  }
  store.boxes = boxes.data;
  store.list = list.data;
  store.open = open?.ok ? open.data : null;
  const shown = new Set(store.list.mails.map((mail) => mail.id));
  store.selected = new Set([...store.selected].filter((id) => shown.has(id)));
  changed();
}

export function labelColour(name) {
  return store.boxes.labels.find((label) => label.name === name)?.colour ?? "slate";
}
