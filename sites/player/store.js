// What the server knows, plus where the running clip is. Everything that changes goes through
// here, so that the page and the server tell the same story.
import { callApi, clamp, showToast } from "/assets/common.js";

const listeners = [];

/** `player` is the server's answer; `position` runs ahead of it while the clip plays. */
export const store = { player: null, position: 0, playing: false, captionLines: [], chosenMarker: null };

/** Calls `listener` after every change except the mere passing of time. */
export function onChange(listener) {
  listeners.push(listener);
}

export function notify() {
  for (const listener of listeners) {
    listener();
  }
}

export function currentClip() {
  return store.player.clips.find((clip) => clip.id === store.player.current);
}

export function chapterAt(clip, seconds) {
  return clip.chapters.findLast((chapter) => chapter.start <= seconds + 0.001);
}

export function tenths(seconds) {
  return Math.round(seconds * 10) / 10;
}

export async function load() {
  const answer = await callApi("GET", "/api/player");
  if (!answer.ok) {
    showToast(answer.data.error.message, true);
    return false;
  }
  store.player = answer.data;
  store.position = answer.data.position;
  await loadCaptions();
  notify();
  return true;
}

/** Sends a change and gives the answer's data, or null when it was refused. */
export async function act(method, path, body) {
  const answer = await callApi(method, path, body);
  if (!answer.ok) {
    const fields = Object.values(answer.data.error.fields ?? {});
    showToast(fields[0] ?? answer.data.error.message, true);
    return null;
  }
  return answer.data;
}

/** Changes settings at once on the page, then on the server. */
export async function set(settings) {
  Object.assign(store.player, settings);
  notify();
  const answer = await act("PATCH", "/api/player", settings);
  // The end of a clip marks it as watched; only the server decides that.
  if (answer && settings.position !== undefined) {
    store.player.clips = answer.clips;
    notify();
  }
}

export function seek(seconds) {
  store.position = clamp(seconds, 0, currentClip().duration);
  return set({ position: tenths(store.position) });
}

export async function setCaptions(language) {
  store.player.captions = language;
  await loadCaptions();
  await set({ captions: language });
}

export async function openClip(id) {
  store.playing = false;
  const answer = await act("POST", "/api/current", { clip: id });
  if (answer) {
    Object.assign(store.player, answer);
    store.position = 0;
    store.chosenMarker = null;
    await loadCaptions();
  }
  notify();
}

async function loadCaptions() {
  const { captions, current } = store.player;
  store.captionLines = captions === "off" ? [] : ((await act("GET", `/api/clips/${current}/captions/${captions}`)) ?? []);
}

/** Reads playlist, markers and strokes again after one of them changed on the server. */
export async function refresh() {
  const answer = await act("GET", "/api/player");
  if (answer) {
    store.player.clips = answer.clips;
    store.player.markers = answer.markers;
    store.player.strokes = answer.strokes;
  }
  notify();
}
