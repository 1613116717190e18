// Where a document shows a secret: in its texts, in its fields, in what its styles add. What cannot be
// searched to the end is covered as a whole.

const MARGIN = 3;
// Beyond so many boxes, what is shown is covered by tiles.
const SHOWN_LIMIT = 400;
const TILES = 40;
const TEXT_LIMIT = 4000000;
const SEARCH_MS = 1500;
const FRAMES_DEEP = 20;
// Shown by their values, not by their texts.
const VALUED = ['textarea', 'option'];
const HTML = 'http://www.w3.org/1999/xhtml';
const LEFT_OUT = /[\s\u0085\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
const WORD = /[\p{L}\p{N}]/u;

const firstOf = getter(Node.prototype, 'firstChild');
const nextOf = getter(Node.prototype, 'nextSibling');
const holderOf = getter(Node.prototype, 'parentNode');
const namespaceOf = getter(Element.prototype, 'namespaceURI');

// Thrown where a search cannot be finished: the whole document is covered then, since nobody knows what it shows.
const CUT_SHORT = new Error('not searched to the end');

// Characters as they are compared (no white space, lower case), with where each stands in its text.
const compare = (text, into) => {
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at);
    if (code <= 32) continue;
    if (code < 127) {
      into.codes.push(code >= 65 && code <= 90 ? code + 32 : code);
      into.offsets.push(at);
      continue;
    }
    const whole = String.fromCodePoint(text.codePointAt(at));
    if (!LEFT_OUT.test(whole)) {
      const lower = whole.toLowerCase();
      const kept = lower.length === whole.length ? lower : whole;
      for (let unit = 0; unit < kept.length; unit++) {
        into.codes.push(kept.charCodeAt(unit));
        into.offsets.push(at + unit);
      }
    }
    at += whole.length - 1;
  }
};

const hashOf = (codes, start, end, salt) => {
  let sum = 0;
  for (let at = start; at < end; at++) sum = (Math.imul(sum, salt) + codes[at]) | 0;
  return sum;
};

// Where a value begins, by a hash that rolls over the text; a second one decides.
const findNeedles = (codes, { salts, needles }, found) => {
  for (const window of new Set(needles.map((needle) => needle.window))) {
    if (codes.length < window) continue;
    const wanted = needles.filter((needle) => needle.window === window);
    let leaving = 1;
    for (let count = 0; count < window; count++) leaving = Math.imul(leaving, salts[0]);
    let sum = hashOf(codes, 0, window, salts[0]);
    for (let start = 0; ; start++) {
      for (const needle of wanted) {
        if (needle.first === sum && needle.second === hashOf(codes, start, start + window, salts[1])) {
          found(needle, start, Math.min(start + needle.length, codes.length));
        }
      }
      if (start + window >= codes.length) break;
      sum = (Math.imul(sum, salts[0]) + codes[start + window] - Math.imul(codes[start], leaving)) | 0;
    }
  }
};

const standsAlone = (text, from, to) => {
  const before = [...text.slice(Math.max(from - 2, 0), from)].pop();
  const after = [...text.slice(to, to + 2)][0];
  return !(before && WORD.test(before)) && !(after && WORD.test(after));
};

const showsSecret = (text, search) => {
  if (!text) return false;
  const compared = { codes: [], offsets: [] };
  compare(text, compared);
  search.spend(text.length);
  let shown = false;
  findNeedles(compared.codes, search, (needle, start, end) => {
    shown = shown || !needle.alone || standsAlone(text, compared.offsets[start], compared.offsets[end - 1] + 1);
  });
  return shown;
};

// Words that a style adds to an element.
const quoted = (words) =>
  words.replace(/\\(?:([0-9a-f]{1,6})\s?|([^]))/gi, (_, code, plain) => (code ? String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)) : plain));
const generatedWords = (element, style, content) => {
  if (content === 'none' || content === 'normal' || content === '""') return '';
  let words = '';
  for (const [, text, name, quote] of content.matchAll(/"((?:[^"\\]|\\[^])*)"|attr\(\s*([^\s,)]+)[^)]*\)|(open-quote|close-quote)/g)) {
    if (text !== undefined) words += quoted(text);
    else if (name) words += attribute(element, name) || '';
    else if (quote) words += quoted((style.quotes || '').replace(/^auto$|"/g, ''));
  }
  return words;
};
// Whether they stand within the element's box.
const staysInside = (element, pseudo) => {
  const style = getComputedStyle(element, pseudo);
  const moved = [style.transform, style.translate, style.rotate, style.scale, style.float].some((value) => value && value !== 'none');
  const margins = [style.marginTop, style.marginRight, style.marginBottom, style.marginLeft, style.textIndent].some((value) => parseFloat(value) < 0);
  return pseudo !== '::marker' && style.position === 'static' && !moved && !margins && getComputedStyle(element).display !== 'contents';
};

// All that one tree shows as one text: an inline element in the middle of a word hides nothing. `meet` is
// told every element that is drawn.
const readTree = (tree, search, meet) => {
  const read = { codes: [], offsets: [], pieces: [], starts: [] };
  const put = (node, pseudo, text) => {
    if (!text) return;
    search.spend(text.length);
    read.starts.push(read.codes.length);
    read.pieces.push({ node, pseudo, text });
    compare(text, read);
  };
  const generated = (element, pseudo) => {
    const style = getComputedStyle(element, pseudo);
    put(element, pseudo, generatedWords(element, style, style.content));
  };
  // Asking for a style is the dearest question here, so it is put only where an answer could be in view.
  const mayGenerate = (element, rect) => namespaceOf(element) === HTML && search.near(rect);
  const leave = (element) => { if (mayGenerate(element, rectOf(element))) generated(element, '::after'); };
  const enter = (node) => {
    search.spend(1);
    if (node.nodeType !== 1) {
      if (node.nodeType === 3) put(node, null, node.data);
      return false;
    }
    if (VALUED.includes(tagOf(node))) {
      meet(node);
      return false;
    }
    const rect = rectOf(node), sized = rect.width > 0 || rect.height > 0;
    if (!sized && getComputedStyle(node).display === 'none') return false;
    meet(node);
    if (!mayGenerate(node, rect)) return true;
    const own = getComputedStyle(node);
    if (own.display === 'list-item') {
      if (own.listStyleType.startsWith('"')) put(node, '::marker', generatedWords(node, own, own.listStyleType));
      generated(node, '::marker');
    }
    generated(node, '::before');
    return true;
  };
  // Without recursion: a page may nest as deep as it likes.
  let node = firstOf(tree);
  while (node) {
    if (enter(node)) {
      const inner = firstOf(node);
      if (inner) {
        node = inner;
        continue;
      }
      leave(node);
    }
    while (node && !nextOf(node)) {
      node = holderOf(node);
      if (!node || node === tree) return read;
      leave(node);
    }
    node = node && nextOf(node);
  }
  return read;
};

// Where the texts of a tree show a value, as ranges. Copies that overlap are one: a value that repeats itself
// begins anew at every few characters.
const searchTexts = (tree, read, search, use) => {
  const { codes, offsets, pieces, starts } = read;
  const owner = tree.nodeType === 9 ? tree : documentOf(tree);
  const pieceAt = (index) => {
    let low = 0, high = pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const places = [];
  findNeedles(codes, search, (needle, start, end) => {
    if (needle.alone) {
      const first = pieceAt(start);
      if (first !== pieceAt(end - 1) || !standsAlone(pieces[first].text, offsets[start], offsets[end - 1] + 1)) return;
    }
    const last = places[places.length - 1];
    if (last && last[0] <= start && start < last[1]) last[1] = Math.max(last[1], end);
    else places.push([start, end]);
  });
  places.sort((one, other) => one[0] - other[0]);
  let done = 0;
  for (const [begin, end] of places) {
    search.spend(1);
    const start = Math.max(begin, done);
    if (start >= end) continue;
    done = end;
    const first = pieceAt(start), last = pieceAt(end - 1);
    const range = Document.prototype.createRange.call(owner);
    if (pieces[first].pseudo) range.setStartBefore(pieces[first].node);
    else range.setStart(pieces[first].node, offsets[start]);
    if (pieces[last].pseudo) range.setEndAfter(pieces[last].node);
    else range.setEnd(pieces[last].node, Math.min(offsets[end - 1] + 1, pieces[last].text.length));
    use(range.getClientRects());
    for (let at = first; at <= last; at++) {
      const { node, pseudo } = pieces[at];
      if (!pseudo) continue;
      if (!staysInside(node, pseudo)) throw CUT_SHORT;
      // What does not fit into the element is drawn beside it.
      const rect = rectOf(node);
      const scale = (shown, own) => (own > 0 ? Math.max(shown / own, 1) : 1);
      const wider = Math.max(node.scrollWidth - node.clientWidth, 0) * scale(rect.width, node.offsetWidth);
      const higher = Math.max(node.scrollHeight - node.clientHeight, 0) * scale(rect.height, node.offsetHeight);
      use([new DOMRect(rect.left - wider, rect.top - higher, rect.width + 2 * wider, rect.height + 2 * higher)]);
    }
  }
};

// What is shown of an element without being text of the tree.
const shownWords = (element) => {
  const tag = tagOf(element);
  if (tag === 'input') return element.type === 'hidden' ? [] : [element.type === 'password' ? '' : element.value, element.placeholder, element.alt];
  if (tag === 'textarea') return [element.value, element.placeholder];
  if (tag === 'select') return [...element.options].map((option) => option.label || option.text);
  return [attribute(element, 'alt'), attribute(element, 'placeholder'), attribute(element, 'data-placeholder')];
};

// Boxes in the view; too many of them are put together into tiles.
const coverings = () => {
  const boxes = [], tiles = new Set();
  const width = Math.max(innerWidth, 1) / TILES, height = Math.max(innerHeight, 1) / TILES;
  const cover = (rect, place) => {
    if (!(rect.width > 0 && rect.height > 0)) return false;
    const box = [
      rect.left * place.sx + place.x - MARGIN, rect.top * place.sy + place.y - MARGIN,
      rect.right * place.sx + place.x + MARGIN, rect.bottom * place.sy + place.y + MARGIN,
    ];
    const seen = [Math.max(box[0], 0), Math.max(box[1], 0), Math.min(box[2], innerWidth), Math.min(box[3], innerHeight)];
    if (!(seen[0] < seen[2] && seen[1] < seen[3])) return false;
    if (boxes.length < SHOWN_LIMIT) {
      boxes.push(seen);
      return true;
    }
    for (let row = Math.floor(seen[1] / height); row * height < seen[3]; row++) {
      for (let column = Math.floor(seen[0] / width); column * width < seen[2]; column++) tiles.add(row * (TILES + 1) + column);
    }
    return true;
  };
  const all = () => boxes.concat([...tiles].map((tile) => {
    const row = Math.floor(tile / (TILES + 1)), column = tile % (TILES + 1);
    return [column * width, row * height, (column + 1) * width, (row + 1) * height];
  }));
  return { cover, all };
};

// Boxes over every text and value that shows one of the values behind the hashes, and over what may have a
// closed root that nobody has looked into (`hosts`). `whole`: it could not be told; everything is to be covered.
const shownSecrets = (asked) => {
  const shown = coverings(), closed = coverings();
  const until = performance.now() + SEARCH_MS;
  unexamined = [];
  const visit = (root, place, depth) => {
    let left = TEXT_LIMIT;
    const search = {
      ...asked,
      spend: (amount) => { if ((left -= amount) < 0 || performance.now() > until) throw CUT_SHORT; },
      // Within one view's size of the view; what a style adds may stand beside its element.
      near: ({ left, top, right, bottom }) => right * place.sx + place.x >= -innerWidth && left * place.sx + place.x <= 2 * innerWidth &&
        bottom * place.sy + place.y >= -innerHeight && top * place.sy + place.y <= 2 * innerHeight,
    };
    const trees = [root];
    const meet = (element) => {
      const shadow = shadowOf(element);
      if (shadow) trees.push(shadow);
      else if (maybeClosed(element) && (!firstOf(element) || tagOf(element).includes('-')) && closed.cover(rectOf(element), place)) unexamined.push(element);
      if (isForm(element)) return;
      if (shownWords(element).some((words) => showsSecret(words, search))) shown.cover(rectOf(element), place);
      if (!isFrame(element)) return;
      try {
        const inner = contentOf(element);
        if (inner && depth >= FRAMES_DEEP) throw CUT_SHORT;
        if (inner) visit(inner, within(place, contentPlace(element)), depth + 1);
      } catch {
        shown.cover(rectOf(element), place);
      }
    };
    for (let at = 0; at < trees.length; at++) {
      const read = readTree(trees[at], search, meet);
      searchTexts(trees[at], read, search, (rects) => { for (const rect of rects) shown.cover(rect, place); });
    }
  };
  let whole = false;
  try {
    visit(document, TOP, 0);
  } catch {
    whole = true;
  }
  const size = { width: innerWidth, height: innerHeight };
  return whole ? { boxes: [], hosts: [], unexamined: 0, whole, ...size } : { boxes: shown.all(), hosts: closed.all(), unexamined: unexamined.length, whole, ...size };
};
