// Collected rows as CSV (RFC 4180), as the command line writes them: commas, CRLF, quotes where they are needed.

/** What a spreadsheet would run as a formula. Data of a page is not to be trusted, and is made plain text. */
const RISKY = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
/** Semicolons and tabs too: readers guess the separator from the first line. */
const QUOTED = /[,"\r\n;\t]|^\s|\s$/;

/** The rows below their headings; `columns` are the fields that they have. */
export function csv(rows, columns) {
  return [columns.map(defused), ...rows.map((row) => columns.map((name) => cell(fieldOf(row, name))))].map(line).join("");
}

function fieldOf(row, name) {
  return row !== null && typeof row === "object" && !Array.isArray(row) && Object.hasOwn(row, name) ? row[name] : null;
}

function cell(value) {
  if (value === null || value === undefined) return "";
  // Numbers and truths are no formulas; lists and objects begin with a bracket.
  return typeof value === "string" ? defused(value) : JSON.stringify(value);
}

function defused(text) {
  return RISKY.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function line(cells) {
  const text = cells.map((one) => (QUOTED.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join(",");
  // A line of one empty cell would read as no line at all.
  return `${text || (cells.length === 1 ? '""' : "")}\r\n`;
}
