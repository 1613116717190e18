// The side column: the playlist with its small pictures and hover buttons, and the list of
// markers with their notes.
import { element, icon, timeText } from "/assets/common.js";
import { act, onChange, notify, openClip, refresh, seek, store } from "/assets/store.js";
import { drawScene, WIDTH } from "/assets/scenes.js";
import { markersOf } from "/assets/annotate.js";

const THUMB = { width: 208, height: 116 };

const playlist = document.getElementById("playlist");
const markerList = document.getElementById("marker-list");
const tabs = { playlist: document.getElementById("tab-playlist"), markers: document.getElementById("tab-markers") };
const panels = { playlist, markers: document.getElementById("markers") };
const thumbs = new Map();
let shownPlaylist = "";
let shownMarkers = "";

onChange(() => {
  const { clips, current } = store.player;
  const wanted = JSON.stringify([clips, current]);
  if (wanted !== shownPlaylist) {
    shownPlaylist = wanted;
    playlist.replaceChildren(...clips.map(row));
  }
  const markers = markersOf(current);
  const wantedMarkers = JSON.stringify([markers, store.chosenMarker]);
  // Not while a note is being typed: it is read back when it was saved.
  if (wantedMarkers !== shownMarkers && !markerList.contains(document.activeElement)) {
    shownMarkers = wantedMarkers;
    markerList.replaceChildren(...markers.map(markerRow));
  }
  document.getElementById("marker-count").textContent = markers.length;
  document.getElementById("markers-empty").hidden = markers.length > 0;
});

function row(clip, index, all) {
  const path = `/api/clips/${clip.id}`;
  const title = element("button", { className: "clip-title", type: "button" }, clip.title);
  const about = element("p", { className: "muted" }, clip.author);
  if (clip.watched) {
    about.append(element("span", { className: "watched-mark" }, " · Watched"));
  }
  const tool = (name, label, isOff, method, target, body) => {
    const button = element("button", { type: "button", title: label, disabled: isOff }, icon(name));
    button.setAttribute("aria-label", `${label}: ${clip.title}`);
    button.addEventListener("click", async (event) => {
      event.stopPropagation();
      await act(method, target, body);
      await refresh();
    });
    return button;
  };
  const tools = element(
    "div",
    { className: "clip-tools" },
    tool("up", "Move up", index === 0, "POST", `${path}/move`, { index: index - 1 }),
    tool("down", "Move down", index === all.length - 1, "POST", `${path}/move`, { index: index + 1 }),
    tool("eye", clip.watched ? "Mark as not watched" : "Mark as watched", false, "PATCH", path, { watched: !clip.watched }),
  );
  const names = ["clip", clip.id === store.player.current ? "is-current" : "", clip.watched ? "is-watched" : ""];
  const item = element(
    "li",
    { className: names.filter(Boolean).join(" "), "data-id": clip.id },
    element("div", { className: "thumb" }, thumb(clip), element("span", {}, timeText(clip.duration))),
    element("div", { className: "clip-text" }, title, about),
    tools,
  );
  item.addEventListener("click", (event) => {
    if (!event.target.closest(".clip-tools")) {
      openClip(clip.id);
    }
  });
  return item;
}

/** Drawn once for each clip; a picture of a moment in its middle. */
function thumb(clip) {
  const key = `${clip.id} ${clip.scene} ${clip.art}`;
  if (!thumbs.has(key)) {
    const canvas = element("canvas", { ...THUMB, "aria-hidden": "true" });
    const context = canvas.getContext("2d");
    context.scale(THUMB.width / WIDTH, THUMB.width / WIDTH);
    drawScene(context, clip, clip.duration * 0.4);
    thumbs.set(key, canvas);
  }
  return thumbs.get(key);
}

function markerRow(marker) {
  const time = element("button", { className: "marker-time", type: "button", title: "Go there" }, `${timeText(marker.time)} at ${marker.x}, ${marker.y}`);
  time.addEventListener("click", () => seek(marker.time));
  const remove = element("button", { className: "marker-delete", type: "button", title: "Delete" }, "×");
  remove.setAttribute("aria-label", `Delete marker ${marker.id}`);
  remove.addEventListener("click", async () => {
    remove.blur();
    await act("DELETE", `/api/markers/${marker.id}`);
    await refresh();
  });
  const note = element("input", { type: "text", value: marker.note, maxLength: 200, placeholder: "Add a note" });
  note.setAttribute("aria-label", `Note of marker ${marker.id}`);
  const save = async () => {
    if (note.value.trim() !== marker.note) {
      await act("PATCH", `/api/markers/${marker.id}`, { note: note.value });
      await refresh();
    }
  };
  note.addEventListener("blur", save);
  note.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") {
      note.blur();
    } else if (event.key === "Escape") {
      note.value = marker.note;
      note.blur();
    }
  });
  const number = element("span", { className: "marker-number" }, String(marker.id));
  const isChosen = store.chosenMarker === marker.id;
  return element("li", { className: isChosen ? "marker is-chosen" : "marker", "data-id": marker.id }, number, time, remove, note);
}

function showTab(wanted) {
  for (const [name, tab] of Object.entries(tabs)) {
    tab.setAttribute("aria-selected", String(name === wanted));
    panels[name].hidden = name !== wanted;
  }
}

tabs.playlist.addEventListener("click", () => showTab("playlist"));
tabs.markers.addEventListener("click", () => showTab("markers"));

/** Opens the list at a marker, ready for its note. */
export function showMarker(id) {
  showTab("markers");
  notify();
  markerList.querySelector(`[data-id="${id}"] input`)?.focus();
}
