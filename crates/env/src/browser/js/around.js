// What stands around a control: the texts of the row, card, dialog or group that it belongs to, the heading above it,
// and what tells it from others that are called the same. By these a recorded target is known again.

const PIECES = 40, CONTROLS = 1500, LIKENESS_PARTS = 20, SHOWN_OPTIONS = 40;
const HOLDERS = 'tr,li,article,fieldset,dd,[role=row],[role=listitem],[role=article],[role=treeitem],[role=group],' + DIALOGS;
const ROW_HEADS = HEADINGS + ',th[scope=row],caption,dt';
const WORDLESS = ['script', 'style', 'template', 'noscript', 'select', 'textarea', 'svg', 'canvas', 'iframe', 'frame', 'input', 'head'];
const INLINE = ['b', 'i', 'em', 'strong', 'span', 'mark', 'small', 'u', 'code', 'abbr', 'time', 'sub', 'sup'];

const isElement = (node) => node.nodeType === 1;
const matchesAny = (element, selector) => Element.prototype.matches.call(element, selector);
const trimmedPiece = (text) => squeeze(text, 120).replace(/^[\s\-–—:;,•·|]+|[\s\-–—:;,•·|]+$/g, '');

// How a control without a name looks in its markup: its icon, and nothing that is data or state.
const likenessOf = (element) => {
  if (isForm(element)) return '';
  const inner = [...element.querySelectorAll('*')].slice(0, LIKENESS_PARTS);
  const told = (part, names) => tagOf(part) + names.map((name) => attribute(part, name) || '').join('|');
  // Its own classes may tell its state; only an icon without parts is known by nothing else.
  const bare = !inner.length && tagOf(element) !== 'input';
  const words = [told(element, bare ? ['type', 'class'] : ['type']), ...inner.map((part) => told(part, ['d', 'href', 'xlink:href', 'src', 'data-icon', 'class']))];
  let hash = 0x811c9dc5;
  for (const character of words.join(' ').slice(0, 4000)) hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
};

// Texts in the order of the document, each once, without those of `except`; with `unseen` also those that are not shown. Stops when there are too many to be a row.
const gatherPieces = (node, except, pieces, unseen) => {
  if (node === except || pieces.length > PIECES) return;
  const add = (text) => {
    const piece = trimmedPiece(text || '');
    if (piece && !pieces.includes(piece)) pieces.push(piece);
  };
  if (node.nodeType === 3) return add(node.data);
  if (!isElement(node)) return;
  const tag = tagOf(node);
  if (tag === 'img') return add(attribute(node, 'alt'));
  if (WORDLESS.includes(tag) || (!unseen && !visible(node))) return;
  const children = [...childrenOf(node)];
  const inner = children.filter(isElement);
  // A name that is partly bold is one name as well.
  if (inner.length && inner.length <= 8 && children.length > 1 && inner.every((child) => INLINE.includes(tagOf(child)) && child !== except && !child.childElementCount)) {
    add(node.textContent);
  }
  const shadow = shadowOf(node);
  for (const child of [...(shadow ? childrenOf(shadow) : []), ...children]) gatherPieces(child, except, pieces, unseen);
};
const piecesIn = (container, except, unseen) => {
  const pieces = [];
  gatherPieces(container, except, pieces, unseen);
  return pieces;
};

const nodeBox = (node) => {
  if (isElement(node)) return rectOf(node);
  const range = node.ownerDocument.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
};

// Where a list has no parts of its own: what stands in the same line, up to the next one of them. Else what stands before.
const piecesInLine = (part, counts, except) => {
  const line = rectOf(part);
  const sameLine = (node) => {
    const box = nodeBox(node);
    const middle = (box.top + box.bottom) / 2;
    return box.height > 0 && middle >= line.top - 2 && middle <= line.bottom + 2;
  };
  const side = (next) => {
    const nodes = [];
    for (let node = next(part), steps = 0; node && steps < 60 && !counts.has(node); node = next(node), steps++) nodes.push(node);
    return nodes;
  };
  const before = side((node) => node.previousSibling).reverse();
  const after = side((node) => node.nextSibling);
  const pieces = [];
  for (const node of [...before, ...after]) if (sameLine(node)) gatherPieces(node, except, pieces);
  if (!pieces.length) for (const node of before) gatherPieces(node, except, pieces);
  return pieces;
};

// Which headings are inside which elements.
const headingsInside = () => {
  const inside = new Map();
  let left = 400;
  const visit = (scope) => {
    eachTree(scope.root, (tree) => {
      for (const heading of tree.querySelectorAll(HEADINGS)) {
        if (left <= 0) return;
        if (!visible(heading)) continue;
        left--;
        for (let outer = composedParent(heading), depth = 0; outer && depth < 60; outer = composedParent(outer), depth++) {
          if (!inside.has(outer)) inside.set(outer, []);
          inside.get(outer).push(heading);
        }
      }
    });
    for (const { scope: inner } of scope.frames) if (inner) visit(inner);
  };
  visit(survey());
  return inside;
};

const headingLevel = (heading) => Number(attribute(heading, 'aria-level')) || Number(/^h([1-6])$/.exec(tagOf(heading))?.[1]) || 7;

const headingAbove = (control, inside) => {
  for (let outer = composedParent(control), depth = 0; outer && depth < 60; outer = composedParent(outer), depth++) {
    const headings = inside.get(outer) || [];
    if (matchesAny(outer, DIALOGS)) {
      const named = squeeze(attribute(outer, 'aria-label'), 120) || referenced(outer, 'aria-labelledby');
      const first = headings.length ? squeeze(headings[0].innerText, 120) : '';
      return first && first !== named ? squeeze(named + ' ' + first, 160) : named;
    }
    // A legend speaks of its own group only.
    const speaks = (heading) => tagOf(heading) !== 'legend' || (parentOf(heading) && holdsComposed(parentOf(heading), control));
    const before = headings.filter((heading) => (heading.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) && !holdsComposed(heading, control) && speaks(heading));
    if (!before.length) continue;
    // What stands beside its own part comes first; of those further in, the highest: others are headings of cards and rows.
    const direct = before.filter((heading) => parentOf(heading) === outer);
    const highest = Math.min(...before.map(headingLevel));
    const fitting = direct.length ? direct : before.filter((heading) => headingLevel(heading) === highest);
    return squeeze(fitting[fitting.length - 1].innerText, 160);
  }
  return '';
};

const headIn = (container) => {
  const heads = isForm(container) ? [] : [...container.querySelectorAll(ROW_HEADS)].slice(0, 10).filter(visible);
  return heads.length ? trimmedPiece(heads[0].innerText) : '';
};

// A dialog that its markup does not call one: it lies over the page, and there is more beneath it.
const isOverlay = (element) => {
  if (isForm(element) || getComputedStyle(element).position !== 'fixed' || !isCover(element)) return false;
  return squeeze(documentOf(element).body.innerText, 4000).length > squeeze(element.innerText, 4000).length + 10;
};

const rowHolderOf = (control) => {
  for (let outer = composedParent(control), depth = 0; outer && depth < 60; outer = composedParent(outer), depth++) {
    if (matchesAny(outer, HOLDERS) || isOverlay(outer)) return outer;
  }
  return null;
};

// The part of the page that belongs to one of several that are alike, or to the only one.
const rowOf = (control, counts, several, ownText) => {
  const except = ownText ? null : control;
  const small = (container) => {
    const pieces = container ? piecesIn(container, except) : [];
    return pieces.length && pieces.length <= PIECES ? { pieces, head: headIn(container), part: container, unseen: piecesIn(container, except, true).filter((piece) => !pieces.includes(piece)) } : null;
  };
  const none = { pieces: [], head: '', part: control, unseen: [] };
  const holder = () => small(rowHolderOf(control)) || (ownText && small(control)) || none;
  if (!several) return holder();
  let part = control;
  for (let outer = composedParent(control), depth = 0; outer && depth < 60 && counts.get(outer) === 1; outer = composedParent(outer), depth++) part = outer;
  const whole = small(part);
  if (whole) return whole;
  const pieces = piecesInLine(part, counts, except);
  if (pieces.length && pieces.length <= PIECES) return { pieces, head: '', part, unseen: [] };
  return holder();
};

// What stands nearest to an element that is there once, in whatever part of the page.
const nearestTexts = (control) => {
  for (let outer = composedParent(control), depth = 0; outer && depth < 4 && tagOf(outer) !== 'body'; outer = composedParent(outer), depth++) {
    const pieces = piecesIn(outer, control);
    if (pieces.length) return pieces.length <= 6 ? pieces : [];
  }
  return [];
};

// The surroundings of each of several elements that are alike.
const aroundAlike = (elements, inside, ownText) => {
  const counts = new Map();
  for (const element of elements) {
    for (let outer = element, depth = 0; outer && depth < 60; outer = composedParent(outer), depth++) counts.set(outer, (counts.get(outer) || 0) + 1);
  }
  const rows = elements.map((element) => rowOf(element, counts, elements.length > 1, ownText));
  const parts = new Map();
  const seen = new Set();
  for (const { pieces, part } of rows) {
    // Several in one row count once.
    if (seen.has(part)) continue;
    seen.add(part);
    for (const piece of pieces) parts.set(piece.toLowerCase(), (parts.get(piece.toLowerCase()) || 0) + 1);
  }
  return elements.map((element, index) => {
    const { pieces, head, part, unseen } = rows[index];
    const alone = elements.length === 1 || rows.filter((row) => row.part === part).length === 1;
    return {
      row: pieces, unseen, own: alone ? pieces.filter((piece) => parts.get(piece.toLowerCase()) === 1) : [], head: head || null,
      heading: headingAbove(element, inside) || null, index, of: elements.length, state: saidState(workedBy(element)),
      likeness: nameOf(element) ? null : likenessOf(element), options: [], caption: captionOf(element),
      tells_itself: elements.length === 1 && tellsItself(element), plain: null, carried: null,
      near: elements.length === 1 ? nearestTexts(element) : [],
    };
  });
};

const likeKey = (element) => {
  const name = squeeze(nameOf(element), 120).toLowerCase();
  return (roleOf(element) || tagOf(element)) + '\n' + (name || '\n' + likenessOf(element));
};

// Every control that is shown somewhere on the page, in view or not.
const everyControl = () => {
  const found = [];
  const visit = (scope, place, clip) => {
    for (const element of scope.interactive) {
      if (found.length >= CONTROLS) return;
      const box = boxOf(element, place);
      if (box && visible(element)) found.push({ element, box, inView: !outside(box, clip) });
    }
    for (const { element, scope: inner } of scope.frames) {
      const box = inner && visible(element) ? boxOf(element, place) : null;
      if (box) visit(inner, within(place, contentPlace(element)), clipped(box, clip));
    }
  };
  visit(survey(), TOP, [0, 0, innerWidth, innerHeight]);
  return found;
};

// With those of the plain elements that are asked for.
const named = (plain) => {
  const plainOnes = plain ? plainLike(plain).map((found) => ({ ...found, plain })) : [];
  const controls = [...everyControl(), ...plainOnes];
  const groups = new Map();
  for (const control of controls) {
    const key = (control.plain ? 'plain\n' : '') + (control.plain?.text ? '' : likeKey(control.element));
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(control);
  }
  const inside = headingsInside();
  for (const group of groups.values()) {
    const arounds = aroundAlike(group.map(({ element }) => element), inside, false);
    group.forEach((control, index) => { control.around = arounds[index]; });
  }
  return {
    width: innerWidth, height: innerHeight,
    controls: controls.map(({ element, box, inView, around, plain: asked }) => ({
      role: asked ? asked.role : roleOf(element) || tagOf(element), name: asked ? textIn(element) : nameOf(element), box, inView, around,
    })),
  };
};

const optionsShown = () => {
  const shown = [];
  eachScope((scope, place, clip) => {
    for (const element of scope.interactive) {
      if (shown.length >= SHOWN_OPTIONS || !['option', 'menuitem', 'treeitem'].includes(roleOf(element)) || tagOf(element) === 'option') continue;
      const box = boxOf(element, place);
      if (box && !outside(box, clip) && visible(element)) shown.push(squeeze(nameOf(element), 120));
    }
  });
  return shown;
};

const aroundElement = (element) => {
  const control = owningInteractable(element) || pointerOwner(element) || element;
  const inside = headingsInside();
  const plain = plainOf(element);
  if (plain) {
    const isOne = (other) => holdsComposed(other, element) || holdsComposed(element, other);
    const found = plainLike(plain).map((other) => other.element);
    const one = found.find(isOne);
    const icon = one && !plain.text ? likenessOf(one) : null;
    const same = found.filter((other) => !icon || likenessOf(other) === icon);
    if (one) return { ...aroundAlike(same, inside, false)[same.indexOf(one)], plain };
  }
  let alike, ownText = false;
  if (isInteractable(control)) {
    const key = likeKey(control);
    alike = everyControl().map((other) => other.element).filter((other) => other === control || likeKey(other) === key);
    if (!alike.includes(control)) alike.push(control);
  } else {
    // What no markup tells to be a control is like what has the same tag and classes.
    const kind = attribute(control, 'class');
    alike = [...rootOf(control).querySelectorAll(tagOf(control))].filter((other) => other === control || (attribute(other, 'class') === kind && visible(other))).slice(0, CONTROLS);
    ownText = !looksClickable(control);
    if (tagOf(control) === 'body' || tagOf(control) === 'html' || !alike.includes(control)) return { ...aroundAlike([control], inside, false)[0], row: [], own: [], unseen: [] };
  }
  return aroundAlike(alike, inside, ownText)[alike.indexOf(control)];
};

// Around what a point would hit, and around what has the focus.
const around = (x, y) => {
  const { element, foreign } = hitElement(x, y);
  if (!element) return null;
  return foreign ? { foreign } : { ...aroundElement(element), carried: carriedOf(element) };
};
const aroundFocus = () => {
  const { element, foreign } = activeElement();
  if (foreign) return { foreign };
  if (!element || element === documentOf(element).body) return null;
  const options = optionsShown();
  return { ...aroundElement(element), plain: null, options: options.length ? options : suggestionsAt(element) };
};
