// Watching: what changes in every document and shadow root that can be reached from here, and which
// elements there are. Own drawings for a human watcher are left out.

// `structure` counts only what may change the list of elements: a clock's text does not.
const activity = { count: 0, at: 0, structure: 0 };
const LISTING = ['role', 'tabindex', 'contenteditable', 'href', 'type', 'onclick', 'onmousedown', 'onpointerdown', 'draggable', 'controls'];
const changesStructure = (record) => {
  if (record.type === 'attributes') return LISTING.includes(record.attributeName);
  if (record.type !== 'childList') return false;
  for (const node of record.addedNodes) if (node.nodeType === 1) return true;
  for (const node of record.removedNodes) if (node.nodeType === 1) return true;
  return false;
};
// The hosts of our own drawings.
const ownNodes = new WeakSet();
const isOwn = (record) => {
  if (ownNodes.has(record.target)) return true;
  if (record.type !== 'childList') return false;
  for (const node of record.addedNodes) if (!ownNodes.has(node)) return false;
  for (const node of record.removedNodes) if (!ownNodes.has(node)) return false;
  return true;
};

// Events of our input on their way through the page. What changes meanwhile was made by their handlers;
// frameworks that gather their changes do so within that time as well, and no timer can come between.
let causes = [];
const isHandlingInput = () => {
  causes = causes.filter((event) => event.eventPhase !== Event.NONE);
  return causes.length > 0;
};
const CAUSES = [
  'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'keydown', 'keypress',
  'keyup', 'beforeinput', 'input', 'change', 'submit', 'wheel', 'dragstart', 'dragover', 'drop', 'dragend',
];
// Keys that the page took for itself, without a sign of what for.
let keysTaken = 0;
// Controls whose list or picker the browser draws: a key may open it or move in it, unseen by the page.
const hasOwnPopup = (element) =>
  element && (element.localName === 'select' || (element.localName === 'input' && ['date', 'time', 'datetime-local', 'month', 'week', 'color'].includes(element.type)));
const onCause = (event) => {
  if (!event.isTrusted) return;
  if (event.type === 'keydown') {
    if (hasOwnPopup(event.composedPath()[0])) keysTaken++;
    else setTimeout(() => { if (event.defaultPrevented) keysTaken++; });
  }
  isHandlingInput();
  causes.push(event);
  if (action && action.inputAt === null) action.inputAt = event.timeStamp;
};

// Things that happen without any change of the tree.
const NOTABLE = ['play', 'pause', 'volumechange', 'ratechange', 'seeked', 'copy', 'cut', 'fullscreenchange', 'toggle'];
let notable = [];
const onNotable = (event) => {
  if (!event.isTrusted || notable.length >= 20) return;
  notable.push({ name: event.type, target: event.composedPath()[0] || event.target, at: performance.now() });
};

// Scrolled containers, with the time; positions are compared where they are known.
let scrolls = [];
const onScroll = (event) => {
  if (scrolls.length < 200) scrolls.push({ target: event.composedPath()[0] || event.target, at: performance.now() });
};

let onRecords = () => {};
const watched = new WeakSet();
const watch = (root) => {
  if (watched.has(root)) return;
  watched.add(root);
  new MutationObserver((records) => {
    const news = records.filter((record) => !isOwn(record));
    if (!news.length) return;
    activity.count += news.length;
    activity.at = performance.now();
    if (news.some(changesStructure)) activity.structure++;
    onRecords(news);
  }).observe(root, {
    subtree: true, childList: true, attributes: true, characterData: true, attributeOldValue: true, characterDataOldValue: true,
  });
  // On the window where there is one: first in order, so no handler of the page can keep an event from us.
  const target = root.defaultView || root;
  const quiet = { capture: true, passive: true };
  for (const type of CAUSES) target.addEventListener(type, onCause, quiet);
  for (const type of NOTABLE) target.addEventListener(type, onNotable, quiet);
  target.addEventListener('scroll', onScroll, quiet);
};
watch(document);
// A control that copies may show nothing else. The same text once more is told as well.
if (navigator.clipboard && 'onclipboardchange' in navigator.clipboard) navigator.clipboard.addEventListener('clipboardchange', onNotable);

// One scope per document that can be reached: its elements of interest, those in shadow roots included.
const FORM_FIELDS = 'input:not([type=hidden]),textarea,select';
// Places whose pixels may change without a sign in any tree.
const SURFACES = new Set(['canvas', 'video', 'embed', 'object']);
const SURVEY_AGE_MS = 1000;
let surveyed = null;

const surveyDocument = (root, depth) => {
  const scope = { root, interactive: [], fields: [], passwords: [], frames: [], customs: [], empty: [], surfaces: [] };
  const visit = (tree, level) => {
    watch(tree);
    for (const element of tree.querySelectorAll(INTERACTIVE)) scope.interactive.push(element);
    for (const element of tree.querySelectorAll(FORM_FIELDS)) {
      scope.fields.push(element);
      if (element.type === 'password') scope.passwords.push(element);
    }
    for (const element of tree.querySelectorAll(EMPTY_HOSTS)) {
      if (scope.empty.length >= 60) break;
      scope.empty.push(element);
    }
    // Shadow hosts have no selector of their own, so every element is asked.
    for (const element of tree.querySelectorAll('*')) {
      const tag = tagOf(element);
      const shadow = shadowOf(element);
      if (shadow && level < 20) visit(shadow, level + 1);
      else if (tag === 'iframe' || tag === 'frame') {
        const inner = depth < 8 ? contentOf(element) : null;
        const document = inner && inner.documentElement ? inner : null;
        scope.frames.push({ element, document, scope: document ? surveyDocument(document, depth + 1) : null });
      } else if (SURFACES.has(tag)) scope.surfaces.push(element);
      else if (scope.customs.length < 200 && tag.includes('-')) scope.customs.push(element);
    }
  };
  visit(root, 0);
  return scope;
};

const isCurrent = (scope) =>
  scope.frames.every(({ element, document, scope: inner }) => {
    const now = contentOf(element);
    return (now && now.documentElement ? now : null) === document && (!inner || isCurrent(inner));
  });

// The list is used again while it cannot have changed; roots can be attached without any sign, hence the age.
const survey = () => {
  const now = performance.now();
  const fresh = surveyed && surveyed.structure === activity.structure && now - surveyed.at < SURVEY_AGE_MS && isCurrent(surveyed.scope);
  if (!fresh) surveyed = { scope: surveyDocument(document, 0), structure: activity.structure, at: now };
  return surveyed.scope;
};

// Calls `use(scope, place, clip)` for every scope that can be seen, outermost first; the clip is in
// pixels of this document.
const eachScope = (use) => {
  const visit = (scope, place, clip) => {
    use(scope, place, clip);
    for (const { element, scope: inner } of scope.frames) {
      const box = inner ? boxOf(element, place) : null;
      if (!box) continue;
      const inside = [Math.max(clip[0], box[0]), Math.max(clip[1], box[1]), Math.min(clip[2], box[2]), Math.min(clip[3], box[3])];
      if (inside[0] < inside[2] && inside[1] < inside[3]) visit(inner, within(place, contentPlace(element)), inside);
    }
  };
  visit(survey(), TOP, [0, 0, innerWidth, innerHeight]);
};
