// The server's clock. Deadlines and starts are told in its time, and a reader's clock may be minutes away from it.

/** The head of an answer tells whole seconds, and takes a while to come: a difference below this is none. */
const SAME = 2000;

let ahead = 0;

/** What an answer tells of the server's clock, where it comes from the server and not out of a store. */
export function heardTime(date) {
  const told = Date.parse(date ?? "");
  if (Number.isNaN(told)) return;
  const difference = told + 500 - Date.now();
  ahead = Math.abs(difference) < SAME ? 0 : difference;
}

/** Now, in milliseconds, as the server has it. */
export function serverNow() {
  return Date.now() + ahead;
}
