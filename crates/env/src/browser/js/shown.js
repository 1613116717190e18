// What is written on a control for everybody to see, whatever it is called: its text, the text that style
// sheets make, the words of its pictures.

const childrenOf = getter(Node.prototype, 'childNodes');
const WRITTEN_ELEMENTS = 50;
const LETTERS = /\p{L}{2}/u;
// Between text and generated text: they may make one word or two.
const SEAM = '\u0001';

// Generated content as text: strings and attributes, one after the other.
const generated = (element, pseudo) => {
  const style = getComputedStyle(element, pseudo);
  const content = style.content;
  if (!content || content === 'none' || content === 'normal' || style.display === 'none' || style.visibility !== 'visible') return '';
  const parts = [];
  for (const [, text, name] of content.slice(0, 1000).matchAll(/"((?:[^"\\]|\\[^])*)"?|attr\(\s*([\w-]+)/g)) {
    parts.push(name ? attribute(element, name) || '' : text.replace(/\\([0-9a-f]{1,6})\s?|\\([^])/gi, unescaped));
  }
  const text = parts.join('');
  return text && (style.display.startsWith('inline') ? SEAM + text + SEAM : ' ' + text + ' ');
};
const unescaped = (all, code, character) => {
  if (!code) return character;
  const number = parseInt(code, 16);
  return number > 0 && number <= 0x10ffff ? String.fromCodePoint(number) : '';
};

const pictureWords = (element, tag) => {
  if (tag === 'img') return attribute(element, 'alt') || attribute(element, 'title');
  if (tag !== 'svg') return null;
  const title = element.querySelector('title');
  return attribute(element, 'aria-label') || (title && title.textContent);
};

// In the order of the document; parts in one line follow each other without a gap, as they look.
const written = (element, left) => {
  if (left.elements-- <= 0) return '';
  const style = getComputedStyle(element);
  if (style.display === 'none') return '';
  const tag = tagOf(element);
  if (tag === 'img' || tag === 'svg') {
    const words = pictureWords(element, tag);
    if (words) left.more = true;
    return ' ' + (words || '') + ' ';
  }
  const seen = style.visibility === 'visible' && parseFloat(style.fontSize) > 0;
  if (!seen) left.more = true;
  const made = (pseudo) => {
    const text = generated(element, pseudo);
    if (text) left.more = true;
    return text;
  };
  const parts = [made('::marker'), made('::before')];
  for (const child of childrenOf(element)) {
    if (left.elements <= 0) break;
    if (child.nodeType === 3 && seen) parts.push(child.data.slice(0, 1000));
    if (child.nodeType === 1) parts.push(written(child, left));
  }
  let text = parts.join('') + made('::after');
  // A sign without letters says only in its title what it is.
  const title = [attribute(element, 'title'), attribute(element, 'aria-label')].filter(Boolean).join(' ');
  if (title && !LETTERS.test(text)) {
    left.more = true;
    text += ' ' + title;
  }
  // Letters that are written backwards to be read forwards.
  if (style.direction === 'rtl' && style.unicodeBidi.includes('override')) {
    left.more = true;
    text = [...text].reverse().join('');
  }
  return style.display.startsWith('inline') ? text : ' ' + text + ' ';
};

// Nobody sees these, and many of them would push the words out of the part that is read. The mark that turns
// letters around stays: it changes what is read.
const INVISIBLE = /(?!\u202e)[\p{Cf}\u034f\ufe00-\ufe0f]/gu;
const short = (text) => squeeze(text.replace(INVISIBLE, ''), 80);

// Once with the seams closed and once with them open.
const readings = (text) => {
  const closed = short(text.replaceAll(SEAM, ''));
  const open = short(text.replaceAll(SEAM, ' '));
  return open === closed ? open : open + ' / ' + closed;
};

const shownOn = (control) => {
  const tag = tagOf(control);
  if (tag === 'form' || tag === 'textarea' || tag === 'select' || control.isContentEditable) return '';
  const left = { elements: WRITTEN_ELEMENTS, more: false };
  if (tag === 'input') {
    const value = ['submit', 'button', 'reset'].includes(control.type) ? control.value : '';
    const labels = [...(control.labels || [])].slice(0, 3).map((label) => written(label, left)).join(' ');
    const title = ['submit', 'button', 'reset', 'image'].includes(control.type) && !LETTERS.test(value + control.alt) ? control.title : '';
    return readings(generated(control, '::before') + value + generated(control, '::after') + ' ' + title + ' ' + (left.more ? labels : ''));
  }
  // The page itself is no control: the words of its pictures are not written on it.
  const text = tag === 'body' || tag === 'html' ? '' : written(control, left);
  if (left.more) return readings(text);
  return control.childElementCount < 200 ? short(control.innerText || '') : '';
};

// Icons of fonts that are written as words. A minus sign is called "remove" there and removes nothing.
const LIGATURES = '[class*="material-icons"],[class*="material-symbols"]';
const isMinus = (control) => {
  if (attribute(control, 'aria-label') || !/^remove(_circle)?(_outline)?$/.test(((isForm(control) ? '' : control.textContent) || '').trim())) return false;
  return Boolean(control.matches(LIGATURES) || control.querySelector(LIGATURES));
};
const wordsOn = (control) => (isMinus(control) ? { name: 'minus', shown: '' } : { name: nameOf(control), shown: shownOn(control) });

// What tells the purpose of a control that shows no words: its tooltips, and where it has no name either, its icon.
const TOOLTIPS = ['title', 'aria-description', 'data-tooltip', 'data-title', 'data-original-title', 'data-bs-original-title', 'data-bs-title', 'data-tip', 'data-tippy-content', 'data-hint', 'tooltip', 'ng-reflect-message'];
const ICON_PARTS = 20;
// Words of class names that tell something. A class called "remove" is on every chip and every counter.
const TELLING = /^(trash|trashcan|bin|delete|garbage|dumpster|waste|send|paper|plane|paperplane|pay|publish)$/;
const AROUND = /^(fa|fas|far|fal|fad|fab|bi|icon|icons|ico|mdi|glyphicon|ti|ri|la|las|lucide|octicon|feather|tabler|pi|ion|uil|bx|bxs|codicon|anticon|material|svg|btn|button|i)$/;
const iconWords = (token) => {
  const parts = token.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z]+/).filter((part) => part && !AROUND.test(part));
  return parts.some((part) => TELLING.test(part)) ? 'icon ' + squeeze(parts.join(' '), 40) : '';
};
const fileOf = (address) => (address || '').slice(0, 2000).split(/[?#]/)[0].split('/').pop().replace(/\.\w+$/, '');
const iconsOn = (control) => {
  const parts = [control, ...Element.prototype.querySelectorAll.call(control, '*')].slice(0, ICON_PARTS);
  const tokens = parts.flatMap((part) => {
    const link = attribute(part, 'href') || attribute(part, 'xlink:href') || '';
    return [
      ...(attribute(part, 'class') || '').split(/\s+/).slice(0, 12), attribute(part, 'data-testid'), attribute(part, 'data-icon'), attribute(part, 'icon'), attribute(part, 'name'),
      tagOf(part) === 'use' ? link.split('#').pop() : '', tagOf(part) === 'img' ? fileOf(attribute(part, 'src')) : '',
    ];
  });
  return tokens.filter(Boolean).map(iconWords);
};
const hintsOn = (control, { name, shown }) => {
  // Titles that stand in for words are no words that anybody sees.
  const unseen = [attribute(control, 'aria-label'), attribute(control, 'title')].filter(Boolean);
  const seen = unseen.reduce((text, title) => text.replaceAll(squeeze(title, 120), ' '), shown) + ' ' + (control.innerText || '');
  if (isForm(control) || LETTERS.test(seen) || ['input', 'textarea', 'select', 'body', 'html'].includes(tagOf(control)) || control.isContentEditable) return [];
  const hints = TOOLTIPS.map((tooltip) => squeeze(attribute(control, tooltip), 80));
  hints.push(referenced(control, 'aria-describedby'));
  if (!LETTERS.test(name)) hints.push(...iconsOn(control));
  return [...new Set(hints)].filter((hint) => hint && hint !== name);
};

// A handle has no words of its own; those of the track that it is moved along tell what it is for.
const HANDLES = /handle|thumb|knob|slide|swipe|drag|grip/i;
const GRABBED = ['grab', 'grabbing', 'move', 'ew-resize', 'col-resize', 'e-resize', 'w-resize'];
const trackWords = (element) => {
  const named = (attribute(element, 'class') || '') + ' ' + (attribute(element, 'id') || '');
  const handle = roleOf(element) === 'slider' || attribute(element, 'draggable') === 'true' || HANDLES.test(named) || GRABBED.includes(getComputedStyle(element).cursor);
  if (!handle) return '';
  for (let outer = composedParent(element), depth = 0; outer && depth < 4; outer = composedParent(outer), depth++) {
    if (tagOf(outer) === 'body' || isForm(outer) || rectOf(outer).height > 200) return '';
    const others = [...outer.querySelectorAll(INTERACTIVE)].some((other) => other !== element && !other.contains(element));
    if (others) return '';
    const text = [attribute(outer, 'aria-label'), outer.innerText].filter(Boolean).join(' ');
    if (LETTERS.test(text)) return short(text);
  }
  return '';
};

// The heading that stands above a control: that of its dialog, or the last one before it in the same part.
const HEADINGS = 'h1,h2,h3,h4,h5,h6,legend,[role=heading]';
const headingOf = (control) => {
  for (let outer = composedParent(control), depth = 0; outer && depth < 40; outer = composedParent(outer), depth++) {
    const dialog = Element.prototype.matches.call(outer, DIALOGS);
    const named = dialog || isForm(outer) ? squeeze(attribute(outer, 'aria-label'), 120) || (dialog ? referenced(outer, 'aria-labelledby') : '') : '';
    if (named) return named;
    const before = [...Element.prototype.querySelectorAll.call(outer, HEADINGS)].slice(0, 200).filter((heading) =>
      (heading.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) && visible(heading));
    if (before.length) return squeeze(before[dialog ? 0 : before.length - 1].innerText, 120);
    // What lies over the page has nothing to do with the page's headings.
    if (dialog || ['fixed', 'sticky'].includes(getComputedStyle(outer).position)) return '';
  }
  return '';
};

// For a person, who has to know what is written on a control that is called something else.
const describeShown = (control) => {
  const [name, shown] = [nameOf(control), shownOn(control)];
  // Words that only say the name, once or twice, are no news.
  if (!shown || shown === name || (name && !shown.replaceAll(name, '').trim())) return describe(control);
  return describe(control) + (name ? ' that shows ' : ' ') + JSON.stringify(shown);
};
