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

// For a person, who has to know what is written on a control that is called something else.
const describeShown = (control) => {
  const [name, shown] = [nameOf(control), shownOn(control)];
  if (!shown || shown === name) return describe(control);
  return describe(control) + (name ? ' that shows ' : ' ') + JSON.stringify(shown);
};
