// Secrets: typing one into the focused field, and finding where one is shown. Everything that decides
// where a secret may go is read through prototypes: a page can give a frame the name of a property of
// its document (`<iframe name=defaultView>`), and our world would see that frame there.

const activeOf = getter(Document.prototype, 'activeElement');

// The innermost element that has the focus, as far as this document can look.
const focusedField = () => {
  let element = activeOf(document);
  for (let depth = 0; element && depth < 40; depth++) {
    const shadow = shadowOf(element);
    if (shadow && shadow.activeElement) element = shadow.activeElement;
    else if (isFrame(element)) {
      const inner = contentOf(element);
      if (!inner) return null;
      element = activeOf(inner);
    } else break;
  }
  return element;
};

const takesText = (element) =>
  isEditable(element) &&
  (element.localName === 'input' || element.localName === 'textarea' || element.isContentEditable || documentOf(element).designMode === 'on');

// The origin is that of the document which holds the field: `null` for sandboxed ones, the embedder's
// for about:srcdoc. An address says neither.
const secretField = () => {
  const element = focusedField();
  if (!element) return { editable: false, origin: null, key: null, descriptor: null };
  const view = viewOf(documentOf(element));
  return {
    editable: takesText(element), origin: view ? securityOriginOf(view) : null, key: documentName + ':' + identityOf(element),
    descriptor: describe(element),
  };
};

// Focus and origin are looked at before each piece, in the same task as it goes in: nothing of the page can
// come between, and what its handlers do meanwhile (another field, another frame) is seen before the next piece.
const ONE_BY_ONE = 64;
const graphemes = (value) => [...new Intl.Segmenter().segment(value)].map((part) => part.segment);
const typeSecret = (key, origin, value) => {
  // Code fields pass the focus on from box to box; what is longer goes into one field.
  const parts = value.length > ONE_BY_ONE ? [value] : graphemes(value);
  let typed = 0, taken = false;
  for (const part of parts) {
    const field = secretField();
    if (!field.editable || field.origin !== origin || (typed === 0 && field.key !== key)) return { typed, taken, stopped: true };
    taken = Document.prototype.execCommand.call(documentOf(focusedField()), 'insertText', false, part) || taken;
    typed++;
  }
  return { typed, taken, stopped: false };
};

const MARGIN = 3;
const SHOWN_LIMIT = 400;
const TEXT_LIMIT = 2000000;
const TEXTLESS_TAGS = ['script', 'style', 'noscript', 'title', 'textarea', 'option'];
const LEFT_OUT = /[\s\u0085\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
const WORD = /[\p{L}\p{N}]/u;

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
  let shown = false;
  findNeedles(compared.codes, search, (needle, start, end) => {
    shown = shown || !needle.alone || standsAlone(text, compared.offsets[start], compared.offsets[end - 1] + 1);
  });
  return shown;
};

// The texts of one tree as one text: an inline element in the middle of a word hides nothing.
const searchTexts = (tree, search, use) => {
  const compared = { codes: [], offsets: [] };
  const nodes = [], starts = [];
  const owner = tree.nodeType === 9 ? tree : documentOf(tree);
  const walker = Document.prototype.createTreeWalker.call(owner, tree, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && compared.codes.length < TEXT_LIMIT; node = walker.nextNode()) {
    const parent = parentOf(node);
    if (parent && TEXTLESS_TAGS.includes(tagOf(parent))) continue;
    starts.push(compared.codes.length);
    nodes.push(node);
    compare(node.data, compared);
  }
  const nodeAt = (index) => {
    let low = 0, high = nodes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= index) low = middle;
      else high = middle - 1;
    }
    return nodes[low];
  };
  findNeedles(compared.codes, search, (needle, start, end) => {
    const first = nodeAt(start), last = nodeAt(end - 1);
    const from = compared.offsets[start], to = compared.offsets[end - 1] + 1;
    if (needle.alone && (first !== last || !standsAlone(first.data, from, to))) return;
    const range = Document.prototype.createRange.call(owner);
    range.setStart(first, from);
    range.setEnd(last, Math.min(to, last.length));
    use(range);
  });
};

// What is shown of an element without being text of the tree.
const shownWords = (element) => {
  const tag = tagOf(element);
  if (tag === 'input') return element.type === 'hidden' ? [] : [element.type === 'password' ? '' : element.value, element.placeholder, element.alt];
  if (tag === 'textarea') return [element.value, element.placeholder];
  if (tag === 'select') return [...element.options].map((option) => option.label || option.text);
  return [attribute(element, 'alt'), attribute(element, 'placeholder'), attribute(element, 'data-placeholder')];
};
const WITH_WORDS = 'input,textarea,select,[alt],[placeholder],[data-placeholder]';

// Boxes over every text and value that shows one of the values behind the hashes.
const shownSecrets = (search) => {
  const boxes = [];
  const cover = (rect, place) => {
    if (boxes.length >= SHOWN_LIMIT || !(rect.width > 0 && rect.height > 0)) return;
    const box = [
      rect.left * place.sx + place.x - MARGIN, rect.top * place.sy + place.y - MARGIN,
      rect.right * place.sx + place.x + MARGIN, rect.bottom * place.sy + place.y + MARGIN,
    ];
    const seen = [Math.max(box[0], 0), Math.max(box[1], 0), Math.min(box[2], innerWidth), Math.min(box[3], innerHeight)];
    if (seen[0] < seen[2] && seen[1] < seen[3]) boxes.push(seen);
  };
  const visit = (root, place, depth) => {
    eachTree(root, (tree) => {
      searchTexts(tree, search, (range) => { for (const rect of range.getClientRects()) cover(rect, place); });
      for (const element of tree.querySelectorAll(WITH_WORDS)) {
        if (!isForm(element) && shownWords(element).some((words) => showsSecret(words, search))) cover(rectOf(element), place);
      }
      for (const frame of depth < 20 ? tree.querySelectorAll('iframe,frame') : []) {
        const inner = contentOf(frame);
        if (inner) visit(inner, within(place, contentPlace(frame)), depth + 1);
      }
    });
  };
  visit(document, TOP, 0);
  return { boxes, width: innerWidth, height: innerHeight };
};
