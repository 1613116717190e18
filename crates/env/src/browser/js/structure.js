// What the document itself says about its switches, fields and rows of cells, and what a selector matches: the
// second source beside pixels, for `inspect` and for the referee's contracts.

const FOUND = 200;
const CELLS = 4000;

const saidState = (element) => {
  if (tagOf(element) === 'input' && (element.type === 'checkbox' || element.type === 'radio')) {
    return element.indeterminate ? 'unknown' : element.checked ? 'on' : 'off';
  }
  for (const name of ['aria-checked', 'aria-pressed', 'aria-selected']) {
    const said = attribute(element, name);
    if (said === 'true') return 'on';
    if (said === 'false') return 'off';
    if (said) return 'unknown';
  }
  // A class name may mean anything.
  return null;
};

const SWITCHES = 'input[type=checkbox],input[type=radio],[role=checkbox],[role=switch],[role=radio],[aria-pressed],[aria-checked]';
const STEPS = SWITCHES + ',button,[role=button],[role=gridcell],[role=option],td';
const FIELDS = 'input:not([type=hidden]):not([type=checkbox]):not([type=radio]):not([type=button]):not([type=submit])' +
  ':not([type=reset]):not([type=image]):not([type=password]),textarea,select';

// Equal boxes at equal distances on one line.
const runsOf = (cells) => {
  const lines = new Map();
  for (const cell of cells) {
    const [x0, y0, x1, y1] = cell.box;
    const key = [Math.round((y0 + y1) / 4), Math.round((x1 - x0) / 3), Math.round((y1 - y0) / 3)].join();
    if (!lines.has(key)) lines.set(key, []);
    lines.get(key).push(cell);
  }
  const runs = [];
  for (const line of lines.values()) {
    if (line.length < 4) continue;
    line.sort((a, b) => a.box[0] - b.box[0]);
    const gaps = line.slice(1).map((cell, index) => cell.box[0] - line[index].box[0]);
    const middle = [...gaps].sort((a, b) => a - b)[gaps.length >> 1];
    // A little more room between groups is common; a missing cell is not.
    if (middle > 2 && gaps.every((gap) => gap > middle * 0.8 && gap < middle * 1.7)) runs.push(line);
  }
  return runs.sort((a, b) => a[0].box[1] - b[0].box[1]);
};

const rowLabel = (run) => {
  let holder = parentOf(run[0].element);
  const inside = new Set(run.map((cell) => cell.element));
  for (let depth = 0; holder && depth < 6; depth++, holder = parentOf(holder)) {
    const named = referenced(holder, 'aria-labelledby') || squeeze(attribute(holder, 'aria-label'), 120);
    const whole = run.every((cell) => holder.contains(cell.element));
    if (whole && named) return named;
    if (!whole) continue;
    if (holder.querySelectorAll(STEPS).length > run.length * 2) return null;
    const words = [];
    const walker = documentOf(holder).createTreeWalker(holder, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && words.length < 20; node = walker.nextNode()) {
      let owner = node.parentElement, belongs = false;
      for (; owner && owner !== holder; owner = owner.parentElement) belongs = belongs || inside.has(owner) || owner.matches('button,input,[role=button]');
      if (!belongs && node.data.trim()) words.push(node.data);
    }
    const label = squeeze(words.join(' '), 80);
    if (label) return label;
  }
  return null;
};

const structure = () => {
  const toggles = [], fields = [], cells = [];
  eachScope((scope, place, clip) => {
    eachTree(scope.root, (tree) => {
      const shown = (element) => {
        const box = boxOf(element, place);
        return box && !outside(box, clip) && visible(element) ? box : null;
      };
      for (const element of tree.querySelectorAll(STEPS)) {
        if (cells.length >= CELLS) break;
        const box = shown(element);
        if (box) cells.push({ element, box, state: saidState(element) });
      }
      for (const element of tree.querySelectorAll(FIELDS)) {
        const box = fields.length < FOUND ? shown(element) : null;
        const value = tagOf(element) === 'select' ? [...element.selectedOptions].map((option) => option.label).join(', ') : element.value;
        if (box) fields.push({ label: nameOf(element) || null, value: squeeze(value, 200), box });
      }
    });
  });
  const runs = runsOf(cells);
  const taken = new Set(runs.flat().map((cell) => cell.element));
  for (const { element, box, state } of cells) {
    if (toggles.length >= FOUND || taken.has(element) || state === null || !element.matches(SWITCHES)) continue;
    toggles.push({ label: nameOf(element) || null, box, state });
  }
  const rows = runs.slice(0, 100).map((run) => ({
    label: rowLabel(run), cells: run.map(({ box, state }) => ({ box, state: state || 'unknown' })),
  }));
  return { width: innerWidth, height: innerHeight, toggles, fields, rows };
};

// Far outside of what can be scrolled to, or under something else at every point that is in view.
const hiddenAway = (element) => {
  const owner = documentOf(element), rect = rectOf(element), root = owner.scrollingElement || owner.documentElement, view = owner.defaultView;
  if (!view || !root) return false;
  if (rect.right + view.scrollX <= 0 || rect.bottom + view.scrollY <= 0) return true;
  if (rect.left + view.scrollX >= root.scrollWidth || rect.top + view.scrollY >= root.scrollHeight) return true;
  const points = [[.5, .5], [.1, .5], [.9, .5], [.5, .1], [.5, .9]]
    .map(([x, y]) => [rect.left + rect.width * x, rect.top + rect.height * y])
    .filter(([x, y]) => x >= 0 && y >= 0 && x < view.innerWidth && y < view.innerHeight);
  const tree = rootOf(element);
  if (!points.length || !tree.elementFromPoint) return false;
  return points.every(([x, y]) => {
    const top = tree.elementFromPoint(x, y);
    return top && !top.contains(element) && !element.contains(top);
  });
};

// Elements that a selector matches, seen or not. A password's value stays in its field.
const matching = (selector) => {
  const found = [];
  let count = 0;
  try { document.querySelector(selector); } catch { return { invalid: true, count, found }; }
  const look = (tree) => {
    for (const element of tree.querySelectorAll(selector)) {
      count++;
      if (found.length >= FOUND) continue;
      const attributes = {};
      for (const { name, value } of [...element.attributes].slice(0, 60)) attributes[name] = value.slice(0, 4000);
      const holds = 'value' in element && typeof element.value === 'string' && element.type !== 'password';
      if (element.type === 'password') delete attributes.value;
      found.push({
        text: squeeze(element.innerText === undefined ? element.textContent : element.innerText, 4000),
        // As it is: a space too many is another value.
        value: holds ? element.value.slice(0, 4000) : null,
        checked: typeof element.checked === 'boolean' ? element.checked : null,
        attributes, visible: visible(element) && !!boxOf(element, TOP) && !hiddenAway(element),
      });
    }
  };
  everywhere(look);
  return { invalid: false, count, found };
};

// Also in frames that are out of view, unlike what a person could aim at.
const everywhere = (look) => {
  const visit = (scope) => {
    eachTree(scope.root, look);
    for (const { scope: inner } of scope.frames) if (inner) visit(inner);
  };
  visit(survey());
};

const ROWS = 2000;
const TABLES = 20;

// What a cell shows; what its only field holds; whether its only box is ticked.
const cellValue = (cell) => {
  const fields = [...cell.querySelectorAll('input,select,textarea')].filter((field) => field.type !== 'hidden');
  const text = squeeze(cell.innerText, 2000);
  if (fields.length !== 1) return text;
  const field = fields[0];
  if (field.type === 'password') return text;
  if (field.type === 'checkbox' || field.type === 'radio') return text || field.checked;
  if (tagOf(field) === 'select') return [...field.selectedOptions].map((option) => squeeze(option.label, 300)).join(', ');
  return text || field.value.slice(0, 2000);
};

const tableOf = (element) => {
  const own = (part) => part.closest('table,[role=table],[role=grid],[role=treegrid]') === element;
  const plain = tagOf(element) === 'table';
  const all = [...element.querySelectorAll(plain ? 'tr' : '[role=row],tr')].filter(own);
  const cellsOf = (row) => [...row.querySelectorAll('th,td,[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]')]
    .filter((cell) => own(cell) && cell.closest('tr,[role=row]') === row && visible(cell));
  const heading = (cell) => attribute(cell, 'role') === 'columnheader' || (tagOf(cell) === 'th' && attribute(cell, 'scope') !== 'row');
  const isHead = (row) => { const cells = cellsOf(row); return cells.length > 0 && cells.every(heading); };
  let head = all.find((row) => row.closest('thead') && isHead(row)) || all.find(isHead) || null;
  const headings = [];
  if (head) for (const cell of cellsOf(head)) for (let span = 0; span < Math.min(cell.colSpan || 1, 50); span++) headings.push(span ? '' : squeeze(cell.innerText, 200));
  const rows = [];
  let cut = false;
  for (const row of all) {
    if (row === head || isHead(row) || row.closest('tfoot') || !visible(row) || !boxOf(row, TOP)) continue;
    if (rows.length >= ROWS) { cut = true; break; }
    const values = [];
    for (const cell of cellsOf(row)) for (let span = 0; span < Math.min(cell.colSpan || 1, 50); span++) values.push(span ? '' : cellValue(cell));
    if (values.length) rows.push(values);
  }
  const said = parseInt(attribute(element, 'aria-rowcount') || '', 10);
  const heads = all.filter(isHead).length;
  // -1 says that the number is not known: then not all may be there.
  const total = Number.isNaN(said) ? null : said < 0 ? rows.length + 1 : Math.max(0, said - heads);
  return { headings, rows, visible: visible(element) && !!boxOf(element, TOP), total, cut };
};

// The tables that a selector matches, as rows of values.
const tables = (selector) => {
  const found = [];
  let count = 0;
  try { document.querySelector(selector); } catch { return { invalid: true, count, found }; }
  everywhere((tree) => {
    for (const element of tree.querySelectorAll(selector)) {
      count++;
      if (found.length < TABLES) found.push(tableOf(element));
    }
  });
  return { invalid: false, count, found };
};
