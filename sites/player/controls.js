// The controls over the picture: seek bar, volume, speed, captions, and the running time.
import { clamp, element, icon, timeText } from "/assets/common.js";
import { chapterAt, currentClip, onChange, seek, set, setCaptions, store } from "/assets/store.js";
import { draw, togglePlay, toggleTheatre } from "/assets/stage.js";
import { wake } from "/assets/idle.js";

const LANGUAGES = { off: "Off", en: "English", de: "Deutsch", es: "Español" };
const SEEK_STEP = 5;
const VOLUME_STEP = 5;
const VOLUME_TRACK = { left: 8, width: 72 };

const byId = (id) => document.getElementById(id);
const bar = byId("seek");
const tip = byId("seek-tip");
const volume = byId("volume");
const speed = byId("speed");
const menu = byId("captions-menu");
const menuButton = byId("captions-button");
let shownClip = null;
/** While the pointer holds the bar, only the picture moves; the server hears of the end. */
let isSeeking = false;

onChange(() => {
  const { player } = store;
  const clip = currentClip();
  setIcon(byId("play"), store.playing ? "pause" : "play", store.playing ? "Pause" : "Play");
  const isSilent = player.muted || player.volume === 0;
  setIcon(byId("mute"), isSilent ? "silent" : "loud", player.muted ? "Unmute" : "Mute");
  setIcon(byId("theatre"), "theatre", "Theatre mode");
  byId("theatre").setAttribute("aria-pressed", String(player.theatre));
  byId("theatre").dataset.on = player.theatre;
  showVolume(player.muted ? 0 : player.volume);
  speed.value = player.speed;
  byId("speed-text").textContent = `${player.speed}×`;
  menuButton.dataset.on = player.captions !== "off";
  for (const entry of menu.children) {
    entry.setAttribute("aria-checked", String(entry.dataset.language === player.captions));
  }
  if (shownClip !== clip.id) {
    shownClip = clip.id;
    showClip(clip);
  }
});

function showClip(clip) {
  document.title = `${clip.title} · Reelroom`;
  byId("title").textContent = clip.title;
  byId("author").textContent = `${clip.author} · ${timeText(clip.duration)} · ${clip.chapters.length} chapters`;
  byId("time-all").textContent = timeText(clip.duration);
  bar.setAttribute("aria-valuemax", String(clip.duration));
  const gaps = clip.chapters.slice(1).map((chapter) => {
    const gap = element("div", { className: "chapter-gap" });
    gap.style.left = `${(100 * chapter.start) / clip.duration}%`;
    return gap;
  });
  byId("seek-chapters").replaceChildren(...gaps);
  const buttons = clip.chapters.map((chapter) => {
    const button = element("button", { type: "button" }, element("b", {}, timeText(chapter.start)), chapter.title);
    button.addEventListener("click", () => seek(chapter.start));
    return element("li", {}, button);
  });
  byId("chapters").replaceChildren(...buttons);
}

/** What runs along with the clip. Touches the page only where the text really changes. */
export function showTime() {
  const clip = currentClip();
  byId("seek-fill").style.width = `${(100 * store.position) / clip.duration}%`;
  setText(byId("time-now"), timeText(store.position));
  setText(byId("chapter-now"), chapterAt(clip, store.position)?.title ?? "");
  const seconds = String(Math.floor(store.position));
  if (bar.getAttribute("aria-valuenow") !== seconds) {
    bar.setAttribute("aria-valuenow", seconds);
    bar.setAttribute("aria-valuetext", timeText(store.position));
  }
  const line = store.captionLines.find(({ start, end }) => store.position >= start && store.position < end);
  byId("caption").hidden = !line;
  setText(byId("caption"), line?.text ?? "");
}

function setText(place, text) {
  if (place.textContent !== text) {
    place.textContent = text;
  }
}

function setIcon(button, name, label) {
  if (button.dataset.icon !== name) {
    button.dataset.icon = name;
    button.replaceChildren(icon(name));
  }
  button.setAttribute("aria-label", label);
  button.title = label;
}

/** Follows the pointer from its press to its release, also outside of the slider. */
function followPointer(slider, onMove, onEnd) {
  slider.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) {
      return;
    }
    slider.setPointerCapture(event.pointerId);
    slider.classList.add("is-held");
    onMove(event);
  });
  slider.addEventListener("pointermove", (event) => {
    if (slider.classList.contains("is-held")) {
      onMove(event);
    }
  });
  const end = () => {
    if (slider.classList.contains("is-held")) {
      slider.classList.remove("is-held");
      onEnd();
    }
  };
  slider.addEventListener("pointerup", end);
  slider.addEventListener("pointercancel", end);
}

function secondsAt(event) {
  const box = bar.getBoundingClientRect();
  return clamp((event.clientX - box.left) / box.width, 0, 1) * currentClip().duration;
}

followPointer(
  bar,
  (event) => {
    isSeeking = true;
    store.position = secondsAt(event);
    draw();
  },
  () => {
    isSeeking = false;
    seek(store.position);
  },
);

bar.addEventListener("pointermove", (event) => {
  const seconds = secondsAt(event);
  const chapter = chapterAt(currentClip(), seconds);
  setText(tip, `${timeText(seconds)} · ${chapter?.title ?? ""}`);
  tip.hidden = false;
  const box = bar.getBoundingClientRect();
  const half = tip.offsetWidth / 2;
  tip.style.left = `${clamp(event.clientX - box.left, half, box.width - half)}px`;
});

bar.addEventListener("pointerleave", () => {
  tip.hidden = !isSeeking;
});
bar.addEventListener("pointerup", () => {
  tip.hidden = !bar.matches(":hover");
});

bar.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -SEEK_STEP, ArrowRight: SEEK_STEP }[event.key];
  if (by) {
    event.preventDefault();
    event.stopPropagation();
    seek(store.position + by);
  }
});

function showVolume(value) {
  byId("volume-fill").style.width = `${value}%`;
  byId("volume-knob").style.left = `${(VOLUME_TRACK.width * value) / 100}px`;
  volume.setAttribute("aria-valuenow", String(value));
}

followPointer(
  volume,
  (event) => {
    const along = event.clientX - volume.getBoundingClientRect().left - VOLUME_TRACK.left;
    store.player.volume = Math.round(clamp(along / VOLUME_TRACK.width, 0, 1) * 100);
    store.player.muted = false;
    showVolume(store.player.volume);
  },
  () => set({ volume: store.player.volume, muted: false }),
);

volume.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -VOLUME_STEP, ArrowDown: -VOLUME_STEP, ArrowRight: VOLUME_STEP, ArrowUp: VOLUME_STEP }[event.key];
  if (by) {
    event.preventDefault();
    event.stopPropagation();
    set({ volume: clamp(store.player.volume + by, 0, 100), muted: false });
  }
});

export function toggleMute() {
  set({ muted: !store.player.muted });
}

byId("play").addEventListener("click", togglePlay);
byId("mute").addEventListener("click", toggleMute);
byId("theatre").addEventListener("click", toggleTheatre);

// While it is dragged only the label follows; the server hears of the end.
speed.addEventListener("input", () => {
  byId("speed-text").textContent = `${Number(speed.value)}×`;
});
speed.addEventListener("change", () => set({ speed: Number(speed.value) }));

menu.append(
  ...Object.entries(LANGUAGES).map(([language, name]) => {
    const entry = element("button", { type: "button", role: "menuitemradio", "data-language": language }, name);
    entry.addEventListener("click", () => {
      showMenu(false);
      setCaptions(language);
    });
    return entry;
  }),
);

menuButton.addEventListener("click", () => showMenu(menu.hidden));

function showMenu(isShown) {
  menu.hidden = !isShown;
  menuButton.setAttribute("aria-expanded", String(isShown));
  wake();
}

/** Whether a menu was open and now is closed. */
export function closeMenu() {
  const wasOpen = !menu.hidden;
  if (wasOpen) {
    showMenu(false);
  }
  return wasOpen;
}

document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest(".captions")) {
    closeMenu();
  }
});
