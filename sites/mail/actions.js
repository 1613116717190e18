// What can be done to mails, from the toolbar, the rows and the reading pane alike. Every action is
// one call to the server; moves offer to be undone.
import { callApi, count, showProblem, showToast } from "/assets/common.js";
import { openMenu } from "/assets/menu.js";
import { changed, refresh, store } from "/assets/store.js";

const MOVED = { archive: "archived", spam: "reported as spam", trash: "moved to trash", inbox: "moved to inbox" };

/** The selected mails, or the open one when nothing is selected. */
export function targets() {
  if (store.selected.size > 0) {
    return [...store.selected];
  }
  return store.open ? [store.open.id] : [];
}

/** The rows of these mails, or the open mail where it is not in the list. */
export function mailsOf(ids) {
  return ids
    .map((id) => store.list.mails.find((mail) => mail.id === id) ?? (store.open?.id === id ? store.open : null))
    .filter(Boolean);
}

export async function mark(ids, marks) {
  const answer = await callApi("POST", "/api/mails/change", { ids, ...marks });
  if (!answer.ok) {
    showProblem(answer);
    return;
  }
  await refresh();
}

export async function move(ids, folder) {
  await moveWith(ids, { folder }, MOVED[folder]);
}

async function moveWith(ids, body, done) {
  const answer = await callApi("POST", "/api/mails/change", { ids, ...body });
  if (!answer.ok) {
    showProblem(answer);
    return;
  }
  for (const id of ids) {
    store.selected.delete(id);
  }
  if (ids.includes(store.open?.id)) {
    store.open = null;
  }
  const undo = async () => {
    const undone = await callApi("POST", "/api/undo", { undo: answer.data.undo });
    if (!undone.ok) {
      showProblem(undone);
      return;
    }
    showToast("Undone");
    await refresh();
  };
  showToast(`${count(ids.length, "mail")} ${done}`, { button: { text: "Undo", onClick: undo } });
  await refresh();
}

/** Moves to the trash; what lies there already is deleted for ever after a question. */
export async function remove(ids) {
  const mails = mailsOf(ids);
  if (mails.length === 0 || mails.some((mail) => mail.folder !== "trash")) {
    await move(ids, "trash");
    return;
  }
  if (!window.confirm(`Delete ${count(ids.length, "mail")} for ever? This cannot be undone.`)) {
    return;
  }
  const answer = await callApi("POST", "/api/mails/purge", { ids });
  if (!answer.ok) {
    showProblem(answer);
    return;
  }
  store.selected.clear();
  if (ids.includes(store.open?.id)) {
    store.open = null;
  }
  showToast(`${count(ids.length, "mail")} deleted for ever`);
  await refresh();
}

export function snoozeMenu(anchor, ids) {
  const choice = (text, hint, snooze) => ({
    text,
    hint,
    onChoose: () => moveWith(ids, { snooze }, `snoozed until ${text.toLowerCase()}`),
  });
  openMenu(anchor, "Snooze until", [
    choice("Later today", "18:00", "today"),
    choice("Tomorrow", "Sat 08:00", "tomorrow"),
    choice("Next week", "Fri 08:00", "next_week"),
  ]);
}

export function selectAll(isSelected) {
  store.selected = new Set(isSelected ? store.list.mails.map((mail) => mail.id) : []);
  changed();
}
