// The no-op probe: what is different since the action was marked, apart from what this page changes
// all the time by itself. Rust judges; this only reports net changes.

const RECORDS = 3000;
const CHANGES = 24;
// After an action, what comes this late and only once may still be its work.
const AFTERMATH_MS = 3000;
// A change that first comes this late and then again is the page's own rhythm.
const LATE_MS = 100;
const TICK_MS = 200;

// What changes without us, by node: attribute names, '#text', and signatures of nodes that come and go.
const ambient = new WeakMap();
// Nodes that came with an ambient change; whatever happens in them is ambient too.
const ambientRoots = new WeakSet();
let action = null;
let looked = false;
// Since when a rhythm of the page would have been noticed.
const watchedSince = performance.now();

const signature = (node) =>
  node.nodeType === 1 ? tagOf(node) + '.' + (attribute(node, 'class') || '').trim().split(/\s+/)[0] : '#text';

const keysOf = (record) => {
  if (record.type === 'attributes') return ['@' + record.attributeName];
  if (record.type === 'characterData') return ['#text'];
  return [...new Set([...record.addedNodes, ...record.removedNodes].map(signature))];
};

// A text node may be replaced by the next tick, its parent stays.
const anchorOf = (record) => (record.type === 'characterData' ? record.target.parentNode || record.target : record.target);

const learn = (record, at) => {
  const anchor = anchorOf(record);
  if (!ambient.has(anchor)) ambient.set(anchor, new Map());
  const known = ambient.get(anchor);
  const aftermath = action && at - action.at < AFTERMATH_MS;
  for (const key of keysOf(record)) {
    const entry = known.get(key) || { times: 0, last: -1e9, sure: false };
    if (at - entry.last > TICK_MS) {
      entry.times++;
      entry.last = at;
    }
    entry.sure = entry.sure || (looked && !aftermath) || entry.times > 1;
    known.set(key, entry);
    if (entry.sure) noteRestless(anchor);
  }
  if (record.type === 'childList' && isKnown(record)) for (const node of record.addedNodes) ambientRoots.add(node);
};

// Changes that came late in some action's time, by node and key, with the number of actions.
const suspects = new WeakMap();
const suspect = (record) => {
  const anchor = anchorOf(record);
  if (!suspects.has(anchor)) suspects.set(anchor, new Map());
  const known = suspects.get(anchor);
  for (const key of keysOf(record)) {
    const entry = known.get(key) || { windows: 0, last: null };
    if (entry.last !== action) entry.windows++;
    entry.last = action;
    known.set(key, entry);
  }
};
// Late in two earlier actions already: it comes whatever is done.
const isSuspected = (record) => {
  const known = suspects.get(anchorOf(record));
  return Boolean(known) && keysOf(record).every((key) => known.has(key) && known.get(key).windows >= 2);
};

const isKnown = (record) => {
  const known = ambient.get(anchorOf(record));
  return Boolean(known) && keysOf(record).every((key) => known.has(key) && known.get(key).sure);
};

const isAmbient = (record) => {
  if (isKnown(record)) return true;
  for (let node = record.target, depth = 0; node && depth < 40; node = node.parentNode || hostOf(node), depth++) {
    if (ambientRoots.has(node)) return true;
  }
  return false;
};

onRecords = (records) => {
  const at = performance.now();
  const early = isHandlingInput();
  for (const record of records) {
    if (action && action.records.length < RECORDS) {
      const text = record.type === 'childList' ? [...record.addedNodes].map((node) => squeeze(node.textContent, 120)).join(' ') : '';
      action.records.push({ record, at, early, text });
    // Before the first look a page may still be building itself; what comes twice after that is its rhythm.
    } else if (looked || document.readyState === 'complete') learn(record, at);
  }
};

const fieldState = (field) =>
  field.type === 'checkbox' || field.type === 'radio' ? String(field.checked)
    : field.localName === 'select' ? [...field.selectedOptions].map((option) => option.index).join(',')
      : field.type === 'file' ? String(field.files.length) : field.value;

const allFields = () => {
  const fields = [];
  const visit = (scope) => {
    fields.push(...scope.fields);
    for (const { scope: inner } of scope.frames) if (inner) visit(inner);
  };
  visit(survey());
  return fields.slice(0, 4000);
};

const selectionNow = () => {
  const { element } = activeElement();
  const owner = element ? element.ownerDocument : document;
  const selection = owner.getSelection();
  let start = null, end = null;
  try { start = element.selectionStart; end = element.selectionEnd; } catch { /* not a text field */ }
  return {
    element, start, end,
    anchor: selection && selection.anchorNode, anchorOffset: selection && selection.anchorOffset,
    focus: selection && selection.focusNode, focusOffset: selection && selection.focusOffset,
    text: selection ? squeeze(String(selection).slice(0, 400), 60) : '', collapsed: !selection || selection.isCollapsed,
  };
};

// The ground that everything stands on is no target: what changes on it is not beside the click.
const isGround = (element) => {
  const rect = rectOf(element);
  return rect.width * rect.height > innerWidth * innerHeight / 6;
};

// From here on everything is the action's doing, unless the page is known to do it by itself.
const markProbe = (x, y, hitElementNow) => {
  const now = performance.now();
  // What came after the last look belongs to nobody's action; what came late and elsewhere may be its own.
  if (action) {
    for (const entry of action.records) {
      if (entry.at > action.readAt) learn(entry.record, entry.at);
      else if (!entry.early && entry.at - action.at > LATE_MS) suspect(entry.record);
    }
  }
  const previous = action;
  action = null;
  looked = true;
  noteAnimated(previous);
  const fields = allFields();
  action = {
    at: now, readAt: now, records: [], x, y,
    owner: hitElementNow ? owningInteractable(hitElementNow) || (isGround(hitElementNow) ? null : hitElementNow) : null,
    fields, states: fields.map(fieldState), selection: selectionNow(), active: activeElement().element,
    url: location.href, title: document.title, history: history.length, scrollX, scrollY,
    quietScrolls: previous ? previous.quietScrolls : new WeakSet(),
    inputAt: null, styles: markStyles(), animations: new Set(scripted()), restyled: false,
  };
  // Containers that move by themselves (tickers, logs) are no news when they move again.
  for (const { target, at } of scrolls) if (!previous || at > previous.readAt + AFTERMATH_MS) action.quietScrolls.add(target);
  scrolls = [];
  notable = [];
  keysTaken = 0;
  return true;
};

const isInHit = (node) => {
  const { owner } = action;
  const element = node.nodeType === 1 ? node : node.parentElement || hostOf(node);
  if (!element) return false;
  for (let up = element; owner && up; up = composedParent(up)) if (up === owner) return true;
  return Boolean(owner) && owner.control === element;
};

// In the hit, or beside it and soon: what moves beside a control may move there all the time.
const isNear = (node, at) => {
  if (isInHit(node)) return true;
  const { x, y } = action;
  const element = node.nodeType === 1 ? node : node.parentElement || hostOf(node);
  if (!element || at - inputTime() > BESIDE_MS || x === null || x === undefined || documentOf(element) !== document) return false;
  const rect = rectOf(element);
  const dx = Math.max(rect.left - x, x - rect.right, 0), dy = Math.max(rect.top - y, y - rect.bottom, 0);
  return Math.hypot(dx, dy) <= 40 && rect.width * rect.height < innerWidth * innerHeight / 3;
};

const BESIDE_MS = 150;
const inputTime = () => (action.inputAt === null ? action.at : action.inputAt);

const isSeen = (node) => {
  const element = node.nodeType === 1 ? node : node.parentElement || hostOf(node);
  if (!element || !element.isConnected) return false;
  if (['head', 'script', 'style', 'link', 'meta', 'template', 'noscript'].includes(tagOf(element))) return false;
  return visible(element) && canBeReached(element);
};

// Left or above the page's beginning nobody can scroll to; what is fixed stays where it is.
const canBeReached = (element) => {
  const rect = rectOf(element), view = documentOf(element).defaultView;
  if (!view || !(rect.width > 0 && rect.height > 0)) return true;
  if (rect.right + view.scrollX <= 0 || rect.bottom + view.scrollY <= 0) return false;
  const inView = rect.right > 0 && rect.bottom > 0 && rect.left < view.innerWidth && rect.top < view.innerHeight;
  for (let up = element, depth = 0; !inView && up && depth < 40; up = composedParent(up), depth++) {
    if (getComputedStyle(up).position === 'fixed') return false;
  }
  return true;
};

// Words of a complaint, and places made for messages: what is said there often goes again by itself.
const COMPLAINT = /\b(error|invalid|required|fail|failed|please|must|cannot|can't|couldn't|not|missing|wrong|denied|oops|warning|unable)\b|fehler|ungültig|erforderlich|bitte/i;
const MESSAGES = '[role=alert],[role=status],[aria-live]:not([aria-live=off])';
const isMessage = (node) => {
  const element = node.nodeType === 1 ? node : node.parentElement;
  return Boolean(element) && (COMPLAINT.test(squeeze(node.textContent, 200)) || Boolean(element.closest(MESSAGES)));
};

const placeWords = (node) => {
  let element = node.nodeType === 1 ? node : node.parentElement || hostOf(node);
  if (!element) return 'the document';
  return squeeze(describe(owningInteractable(element) || element), 80);
};

const wasSeenBefore = (record) => {
  const known = ambient.get(anchorOf(record));
  return Boolean(known) && keysOf(record).every((key) => known.has(key));
};

// Watched for so long before the action that a rhythm would have shown itself.
const KNOWN_MS = 6000;
const isWellKnown = () => action.at - watchedSince > KNOWN_MS;

// A change that keeps coming back at its own pace, first late and away from the hit, is the page's rhythm.
const rhythms = (entries) => {
  const seen = new Map();
  for (const { record, at, early } of entries) {
    const anchor = anchorOf(record);
    for (const key of keysOf(record)) {
      if (!seen.has(anchor)) seen.set(anchor, new Map());
      const found = seen.get(anchor).get(key) || { first: at, last: at, ticks: 1, early };
      if (at - found.last > TICK_MS) {
        found.ticks++;
        found.last = at;
      }
      found.early = found.early || early;
      seen.get(anchor).set(key, found);
    }
  }
  const beats = (record) => {
    const found = keysOf(record).map((key) => seen.get(anchorOf(record)).get(key));
    if (found.some((entry) => entry.early)) return false;
    // Soon after the input it may be its doing, unless the same was seen before any input.
    const before = wasSeenBefore(record);
    const late = before || !isWellKnown() || found.every((entry) => entry.first - action.at > LATE_MS);
    return late && (before || isSuspected(record) || found.every((entry) => entry.ticks > 1)) && !isInHit(record.target);
  };
  // A line that a chat adds is new every time: what happens in it belongs to the beat that brought it.
  const brought = new WeakSet();
  for (const { record } of entries) if (record.type === 'childList' && beats(record)) for (const node of record.addedNodes) brought.add(node);
  return (record) => {
    for (let node = record.target, depth = 0; node && depth < 40; node = node.parentNode || hostOf(node), depth++) if (brought.has(node)) return true;
    return beats(record);
  };
};

// So soon after the input, and never seen before in all the time that the page was watched: no timer of the
// page's own is likely to fall just there.
const AT_ONCE_MS = 60;
const isAtOnce = ({ record, at }) =>
  isWellKnown() && action.inputAt !== null && at >= action.inputAt && at - action.inputAt <= AT_ONCE_MS && !wasSeenBefore(record);

// Net changes of content: what is really different now, not what was touched.
const netChanges = (entries) => {
  const changes = [], flashed = [];
  const attributes = new Map(), texts = new Map(), containers = new Map();
  for (const entry of entries) {
    const { record } = entry;
    if (record.type === 'attributes') {
      if (!attributes.has(record.target)) attributes.set(record.target, new Map());
      const known = attributes.get(record.target);
      if (!known.has(record.attributeName)) known.set(record.attributeName, entry);
    } else if (record.type === 'characterData') {
      if (!texts.has(record.target)) texts.set(record.target, entry);
    } else {
      if (!containers.has(record.target)) containers.set(record.target, { entry, added: new Map(), removed: [] });
      const change = containers.get(record.target);
      for (const node of record.addedNodes) change.added.set(node, entry);
      for (const node of record.removedNodes) {
        const came = change.added.get(node);
        if (!came) change.removed.push(node);
        else if (!node.isConnected) {
          change.added.delete(node);
          if (came.text) flashed.push(came.text);
        }
      }
    }
  }
  const add = (kind, node, entry, fresh) => {
    if (changes.length < CHANGES) {
      changes.push({
        kind, place: placeWords(node), near: isNear(node, entry.at), early: entry.early || isAtOnce(entry), visible: isSeen(node), at: entry.at - action.at, fresh,
      });
    }
  };
  for (const [node, known] of attributes) {
    for (const [name, entry] of known) if (node.isConnected && !sameAttribute(name, attribute(node, name), entry.record.oldValue)) add('attribute', node, entry, name === 'class' || name === 'style');
  }
  for (const [node, entry] of texts) if (node.isConnected && node.data !== entry.record.oldValue) add('text', node, entry, !entry.record.oldValue.trim() || isMessage(node));
  for (const [container, { entry, added, removed }] of containers) {
    if (!container.isConnected) continue;
    const here = [...added.keys()].filter((node) => node.isConnected);
    const gone = removed.filter((node) => !node.isConnected);
    if (sameMarkup(here, gone)) continue;
    const first = here.length ? added.get(here[0]) : entry;
    if (here.length) add(here.every((node) => node.nodeType === 3) ? 'text' : 'added', here.find(isSeen) || here[0], first, !gone.length || here.some(isMessage));
    else if (gone.length) add('removed', container, entry, false);
  }
  return { changes, flashed };
};

// A style that was set and taken back is written anew, perhaps as an empty one.
const sameAttribute = (name, now, before) => {
  if (now === before) return true;
  if (name !== 'style' && name !== 'class') return false;
  const plain = (text) => (text || '').replace(/\s+/g, '').replace(/;$/, '');
  return plain(now) === plain(before);
};

// Painting the same again is no change.
const sameMarkup = (here, gone) => {
  const markup = (nodes) => nodes.map((node) => (node.nodeType === 1 ? node.outerHTML : node.textContent)).join('');
  if (here.length !== gone.length || !here.length) return !here.length && !gone.length;
  const now = markup(here);
  return now.length < 100000 && now === markup(gone);
};

// The action's net result so far; null where nothing was marked (another document took the place).
const readProbe = () => {
  looked = true;
  if (!action) return null;
  const now = performance.now();
  action.readAt = now;
  // What an ambient change brings is ambient with all that happens in it; records come in their order.
  for (const { record } of action.records) if (record.type === 'childList' && isAmbient(record)) for (const node of record.addedNodes) ambientRoots.add(node);
  const own = action.records.filter(({ record }) => !isAmbient(record));
  const isRhythm = rhythms(own);
  const entries = own.filter(({ record }) => !isRhythm(record));
  for (const { record } of action.records) if (isAmbient(record) || isRhythm(record)) noteRestless(anchorOf(record));
  const { changes, flashed } = netChanges(entries);
  const title = titleChange(entries);
  if (title && title.late) changes.push(title.late);
  changes.push(...scriptedChanges());
  const selection = selectionNow(), before = action.selection;
  const active = selection.element;
  const moved = active !== action.active && active && active !== document.body && active !== document.documentElement;
  const fieldMoved = selection.element === before.element && (selection.start !== before.start || selection.end !== before.end);
  const pageMoved = ['anchor', 'anchorOffset', 'focus', 'focusOffset'].some((part) => selection[part] !== before[part]);
  const spans = selection.start !== null && selection.start !== selection.end;
  const selected = (pageMoved && !selection.collapsed && selection.text) || (fieldMoved && spans);
  const editable = active && isEditable(active);
  const values = [];
  action.fields.forEach((field, index) => {
    if (values.length < 6 && field.isConnected && fieldState(field) !== action.states[index]) values.push(placeWords(field));
  });
  return {
    changes, watched: now - watchedSince, ambient: action.records.length - entries.length, records: action.records.length,
    focus: moved ? { to: squeeze(describe(active), 80), entry: editable || isPlace(active), only: takesFocus(active) } : null,
    focus_kept: editable && !moved && action.owner === active ? squeeze(describe(active), 80) : null,
    scrolled: scrolledSince(), selected: selected ? selection.text || 'text in ' + placeWords(active) : null,
    caret: !selected && editable && !moved && (fieldMoved || (pageMoved && active.isContentEditable)) ? placeWords(active) : null,
    values, url: location.href === action.url ? null : location.href,
    title: title && !title.late ? title.now : null,
    // One history for all documents of a page: the outermost tells it.
    history: self === top && history.length !== action.history, surfaces: surfacesInView(), restless: restlessBoxes(), restyled: restyled(now), key_taken: keysTaken > 0, flashed: flashed.slice(0, 6),
    events: [...new Set(notable.map(({ name, target }) => name + (target && target.nodeType === 1 ? ' on ' + placeWords(target) : '')))].slice(0, 6),
  };
};

// A click on these moves the focus onto the control itself, which every dead button does too.
const TEXTLESS_FOCUS = ['button', 'submit', 'reset', 'checkbox', 'radio', 'range', 'image', 'file'];
const PLACE_ROLES = ['gridcell', 'cell', 'row', 'option', 'treeitem', 'listbox', 'grid', 'tree', 'slider', 'application', 'region', 'tabpanel', 'document'];
// Where to have the focus is the point of a click: fields, cells, items of a list, panes; not what looks like a button.
const isPlace = (element) => {
  if (['select', 'input', 'textarea'].includes(tagOf(element))) return !TEXTLESS_FOCUS.includes(element.type);
  if (!element.hasAttribute('tabindex')) return false;
  return PLACE_ROLES.includes(roleOf(element));
};
// Made to take the focus, but nothing says what for: a pane perhaps, or a button without a handler.
const takesFocus = (element) => element.hasAttribute('tabindex') && !roleOf(element) && getComputedStyle(element).cursor !== 'pointer';

// A title that a timer set is a change elsewhere like any other; one that the input set says what was done.
const titleChange = (entries) => {
  if (document.title === action.title || titleIsAmbient()) return null;
  const holder = document.querySelector('head > title');
  const made = entries.filter(({ record }) => holder && (record.target === holder || holder.contains(record.target)));
  const late = made.length && made.every((entry) => !entry.early && entry.at - action.at > LATE_MS);
  const change = () => ({ kind: 'text', place: 'the title', near: false, early: false, visible: true, at: made[0].at - action.at, fresh: false });
  return { now: squeeze(document.title, 80), late: late ? change() : null };
};

const titleIsAmbient = () => {
  const title = document.querySelector('title');
  const known = title && ambient.get(title);
  return Boolean(known) && [...known.values()].some((entry) => entry.sure);
};

const scrolledSince = () => {
  const found = new Set();
  for (const { target } of scrolls) {
    if (action.quietScrolls.has(target)) continue;
    if (target === document && scrollX === action.scrollX && scrollY === action.scrollY) continue;
    found.add(target.nodeType === 9 ? 'the page' : placeWords(target));
    if (found.size >= 6) break;
  }
  if (!found.size && (scrollX !== action.scrollX || scrollY !== action.scrollY)) found.add('the page');
  return [...found];
};
