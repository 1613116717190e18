// Before the press: what would be hit, what is near it, which native control it is, and the probe's mark.

const BLIND = { video: 'video', embed: 'plugin', object: 'plugin' };

// The last hit, for the protocol: a closed root under it can only be opened from there.
let lastHit = null;
const examined = new WeakSet();
const MAY_HOST = ['article', 'aside', 'blockquote', 'body', 'div', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'main', 'nav', 'p', 'section', 'span'];
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
// Elements of the page's own making that may have a closed root nobody has looked into.
let unexamined = [];
const countUnexamined = () => {
  unexamined = survey().customs.filter((element) => element.isConnected && maybeClosed(element)).slice(0, 20);
  return unexamined.length;
};
const unexaminedNode = (index) => unexamined[index] || null;
const adopt = (host, root) => {
  examined.add(host);
  if (!root) return false;
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
  };
  markProbe(x, y, element);
  return facts;
};

const begin = () => {
  const state = rest();
  markProbe(null, null, null);
  return state;
};
