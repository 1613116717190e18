// What no markup tells to be a control and is one all the same: tabs, days, rows and suggestions that are plain elements
// with a handler. They are asked for by their text, among what has a hand cursor (`clickable`) or among all texts (`text`).

const PLAIN_TEXT = 80, PLAIN_FOUND = 60, PLAIN_LOOKED = 20000, DAYS = 7, POPUP_PX = 48;
const CLICKABLE = 'clickable', TEXT = 'text';
const CHOICE_LISTS = '[role=listbox],[role=grid],[role=menu],[role=tree],[role=list],[role=table]';

const textIn = (element) => (WORDLESS.includes(tagOf(element)) || isForm(element) ? '' : squeeze(element.textContent, PLAIN_TEXT + 1));
const isShort = (text) => text.length > 0 && text.length <= PLAIN_TEXT;
const holdsWords = (element) => [...childrenOf(element)].some((node) => node.nodeType === 3 && node.data.trim());

// Something that only holds others: it can be scrolled or has the focus for them, and is not what is meant.
const isMereHolder = (owner, element) => {
  if (owner === element || matchesAny(owner, 'a,button,input,select,textarea,summary,label,option,[role=button],[role=link],[role=option],[role=tab],[role=menuitem]')) return false;
  return matchesAny(owner, CHOICE_LISTS) || (matchesAny(owner, '[tabindex]') && !attribute(owner, 'role') && !matchesAny(owner, '[onclick],[onmousedown],[onpointerdown],[draggable=true]'));
};

// The word that was hit may be a bold part of a name.
const wholeName = (element) => {
  let whole = element;
  for (let depth = 0; depth < 4; depth++) {
    const outer = composedParent(whole);
    if (!outer || getComputedStyle(whole).display !== 'inline' || !holdsWords(outer) || !isShort(textIn(outer))) break;
    whole = outer;
  }
  return whole;
};

// What would be asked for to find the element again; null where its markup tells, or nothing does.
const plainOf = (element) => {
  const owner = owningInteractable(element);
  if ((owner && !isMereHolder(owner, element)) || ['body', 'html', 'canvas', 'video', 'iframe', 'frame'].includes(tagOf(element))) return null;
  const pointer = looksClickable(element);
  for (let node = wholeName(element), depth = 0; node && node !== owner && depth < 6; node = composedParent(node), depth++) {
    if (pointer && !looksClickable(node)) break;
    const text = textIn(node);
    // Beside the words, or on a control among them, something else is meant.
    const isMeant = pointer ? !node.querySelector(INTERACTIVE) : holdsWords(node);
    if (isShort(text) && isMeant) return { role: pointer ? CLICKABLE : TEXT, text };
    if (text || !pointer) break;
  }
  return pointer && !textIn(pointerOwner(element)) ? { role: CLICKABLE, text: '' } : null;
};

// All that fit, in view or not, each with its place.
const plainLike = ({ role, text }) => {
  const wanted = squeeze(text, PLAIN_TEXT + 1).toLowerCase();
  const found = [];
  let looked = 0;
  const fits = (element) => {
    if (WORDLESS.includes(tagOf(element)) || isForm(element) || (wanted && element.textContent.length > 20 * PLAIN_TEXT)) return false;
    if (textIn(element).toLowerCase() !== wanted) return false;
    // The innermost that has the whole text; of icons, the outermost.
    const isInner = wanted ? ![...element.children].some((child) => textIn(child).toLowerCase() === wanted) : !looksClickable(composedParent(element) || element);
    if (!isInner || (role === CLICKABLE && !looksClickable(element)) || !visible(element)) return false;
    const owner = owningInteractable(element);
    return !owner || isMereHolder(owner, element);
  };
  const visit = (scope, place, clip) => {
    eachTree(scope.root, (tree) => {
      for (const element of tree.querySelectorAll('*')) {
        if (looked++ > PLAIN_LOOKED || found.length >= PLAIN_FOUND) return;
        const box = fits(element) ? boxOf(element, place) : null;
        if (box) found.push({ element, box, inView: !outside(box, clip) });
      }
    });
    for (const { element, scope: inner } of scope.frames) {
      const box = inner && visible(element) ? boxOf(element, place) : null;
      if (box) visit(inner, within(place, contentPlace(element)), clipped(box, clip));
    }
  };
  visit(survey(), TOP, [0, 0, innerWidth, innerHeight]);
  return found;
};

// What can be picked up by its name: something that shows that it can be moved, and is not moved along a scale.
const carriedOf = (element) => {
  const owner = owningInteractable(element);
  const control = owner && !isMereHolder(owner, element) ? owner : null;
  const shows = ['grab', 'move', 'pointer'].includes(getComputedStyle(control || element).cursor) || (control && matchesAny(control, '[draggable=true]'));
  if (!shows || (control && roleOf(control) === 'slider')) return null;
  const name = control ? { role: roleOf(control) || tagOf(control), text: squeeze(nameOf(control), PLAIN_TEXT + 1) } : plainOf(element);
  return name && isShort(name.text) ? name : null;
};

// A day is one of a month: without the month its number says nothing. Null where it is no number among others.
const monthNames = (() => {
  let names = null;
  return () => {
    if (names) return names;
    names = new Set();
    for (const language of [document.documentElement.lang, navigator.language, 'en']) {
      for (const month of ['long', 'short']) {
        try {
          for (let index = 0; index < 12; index++) names.add(new Intl.DateTimeFormat(language || 'en', { month }).format(new Date(2024, index, 15)).toLowerCase().replace('.', ''));
        } catch {}
      }
    }
    return names;
  };
})();
const isDay = (text) => /^\p{Nd}{1,2}$/u.test(text.trim());
const saysMonth = (text) => /\p{Nd}{4}/u.test(text) || text.toLowerCase().split(/[^\p{L}]+/u).some((word) => word && monthNames().has(word));
const captionOf = (control) => {
  if (!isDay(squeeze(nameOf(control) || textIn(control), 8))) return null;
  for (let outer = composedParent(control), depth = 0; outer && depth < 12; outer = composedParent(outer), depth++) {
    const words = [], days = new Set();
    const walker = documentOf(outer).createTreeWalker(outer, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(), steps = 0; node && steps < 400; node = walker.nextNode(), steps++) {
      const text = squeeze(node.data, 120), holder = parentOf(node);
      if (!text || !holder || WORDLESS.includes(tagOf(holder)) || !visible(holder)) continue;
      if (isDay(text)) days.add(text);
      else if (!matchesAny(holder, 'option')) words.push(text);
    }
    for (const list of outer.querySelectorAll('select')) if (visible(list) && list.selectedOptions.length) words.push(squeeze(list.selectedOptions[0].text, 40));
    const telling = words.filter(saysMonth);
    if (days.size >= DAYS && telling.length) return squeeze(telling.slice(0, 4).join(' '), 120);
  }
  return null;
};

// Whether the rows of a list have, at the same place, another name each: then the name says which row it is.
const tellsItself = (control) => {
  const row = rowHolderOf(control), list = row && composedParent(row);
  if (!list || matchesAny(row, DIALOGS)) return false;
  const tag = tagOf(control), place = [...row.querySelectorAll(tag)].indexOf(control);
  const rows = [...list.children].filter((other) => tagOf(other) === tagOf(row)).slice(0, 200);
  const names = rows.map((other) => other.querySelectorAll(tag)[place]).filter(Boolean).map((other) => textIn(other).toLowerCase());
  return names.length >= 3 && names.every(Boolean) && new Set(names).size === names.length;
};

// What a field suggests, where its list has no roles: a list over the page beside the field, or one of clickable lines.
const suggestionsAt = (field) => {
  const box = rectOf(field), view = documentOf(field);
  if (!matchesAny(field, 'input,textarea,[contenteditable]') || !(box.width > 0)) return [];
  const isOver = (element) => ['absolute', 'fixed'].includes(getComputedStyle(element).position);
  for (const y of [box.bottom + POPUP_PX / 2, box.bottom + POPUP_PX, box.top - POPUP_PX / 2, box.top - POPUP_PX]) {
    const hit = view.elementFromPoint(box.left + Math.min(30, box.width / 2), y);
    if (!hit || ['html', 'body'].includes(tagOf(hit)) || holdsComposed(hit, field)) continue;
    let list = null, floats = false;
    for (let node = hit, depth = 0; node && depth < 12 && !holdsComposed(node, field); node = composedParent(node), depth++) {
      floats = floats || isOver(node);
      list = node;
      if (isOver(node)) break;
    }
    if (!list || matchesAny(list, DIALOGS) || list.querySelector('input,textarea,select')) continue;
    // What stands in the page is a list of suggestions only right below the field, line by line.
    if (!floats && (!looksClickable(hit) || y < box.bottom)) continue;
    // Down to where there are several, or one with words of its own.
    while (list.children.length === 1 && !holdsWords(list)) list = list.children[0];
    const lines = holdsWords(list) || !list.children.length ? [list] : [...list.children];
    if (!floats && lines.some((line, index) => index && rectOf(line).top < rectOf(lines[index - 1]).bottom - 2)) continue;
    const shown = lines.filter((line) => visible(line) && (floats || looksClickable(line))).map((line) => squeeze(line.innerText, 120)).filter(Boolean);
    if (shown.length) return shown.slice(0, SHOWN_OPTIONS);
  }
  return [];
};
