// Before the press: what would be hit, what is near it, which native control it is, and the probe's mark.

const BLIND = { video: 'video', embed: 'plugin', object: 'plugin' };

// The last hit, for the protocol: a closed root under it can only be opened from there.
let lastHit = null;
const examined = new WeakSet();
const MAY_HOST = ['article', 'aside', 'blockquote', 'body', 'div', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'main', 'nav', 'p', 'section', 'span'];
const EMPTY_HOSTS = MAY_HOST.map((tag) => tag + ':empty').join();
const maybeClosed = (element) => {
  if (!element || examined.has(element) || shadowOf(element)) return false;
  const tag = tagOf(element);
  return tag.includes('-') || MAY_HOST.includes(tag);
};
const hitNode = () => lastHit;
const focusNode = () => activeElement().element;
const focusMaybeClosed = () => {
  const { element } = activeElement();
  return maybeClosed(element) && element !== document.body;
};
// What may have a closed root that nobody has looked into: elements of the page's own making, and plain
// ones that take up room without holding anything.
let unexamined = [];
const countUnexamined = () => {
  const found = [];
  const fills = (element) => { const rect = rectOf(element); return rect.width * rect.height >= 100; };
  const visit = (scope) => {
    const hosts = [...scope.customs, ...scope.empty.filter((element) => maybeClosed(element) && fills(element))];
    found.push(...hosts.filter((element) => element.isConnected && maybeClosed(element)));
    for (const { scope: inner } of scope.frames) if (inner) visit(inner);
  };
  visit(survey());
  unexamined = found.slice(0, 20);
  return unexamined.length;
};
const unexaminedNode = (index) => unexamined[index] || null;
const adopt = (host, root) => {
  examined.add(host);
  if (!root) return false;
  closedKnown = true;
  closedRoots.set(host, root);
  watch(root);
  surveyed = null;
  return true;
};

const aimed = (x, y, wantsSpot) => {
  const found = hitElement(x, y);
  const { element, foreign } = found;
  lastHit = element;
  const native = element && !foreign ? nativeOf(element) : null;
  aimedNative = native;
  const facts = {
    hit: hit(x, y, found), spot: wantsSpot && !foreign ? spotAt(x, y) : null, native: native ? nativeFacts(native) : null,
    blind: (element && BLIND[tagOf(element)]) || null, closed: !foreign && maybeClosed(element),
    surfaces: wantsSpot ? surfacesInView() : [], deed: wantsSpot && !foreign ? deedOf(element) : null,
  };
  markProbe(x, y, element);
  return facts;
};

const begin = () => {
  const state = rest();
  markProbe(null, null, null);
  return state;
};
