// The board as the server last told it. Every change goes to the server first and the page then
// shows what the server says, so the page cannot drift away from the truth.
import { callApi, showToast } from "/assets/common.js";

const listeners = [];

export const store = { board: null };

/** Calls `listener` now and then with every new board. */
export function onBoard(listener) {
  listeners.push(listener);
}

export async function load() {
  const answer = await callApi("GET", "/api/board");
  if (!answer.ok) {
    showToast(answer.data.error.message, true);
    return false;
  }
  store.board = answer.data;
  for (const listener of listeners) {
    listener(store.board);
  }
  return true;
}

/** Sends a change, then shows the new board. Gives the answer's data, or null when refused. */
export async function act(method, path, body) {
  const answer = await callApi(method, path, body);
  // Also after a refusal: it means that the page and the server did not agree.
  await load();
  if (!answer.ok) {
    const fields = Object.values(answer.data.error.fields ?? {});
    showToast(fields[0] ?? answer.data.error.message, true);
    return null;
  }
  return answer.data;
}

export function findCard(id) {
  for (const column of store.board.columns) {
    const index = column.cards.findIndex((card) => card.id === id);
    if (index >= 0) {
      return { card: column.cards[index], column, index };
    }
  }
  return null;
}
