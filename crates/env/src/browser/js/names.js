// What an element is called: its role, its name, its descriptor. A part of the page library; all
// parts share one scope.

const INTERACTIVE =
  'a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,label,option,video[controls],audio[controls],' +
  '[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],' +
  '[role=menuitemcheckbox],[role=menuitemradio],[role=option],[role=combobox],[role=textbox],[role=searchbox],' +
  '[role=slider],[role=spinbutton],[role=treeitem],[role=gridcell],[onclick],[onmousedown],[onpointerdown],' +
  '[tabindex]:not([tabindex="-1"]),[draggable=true],' +
  '[contenteditable=""],[contenteditable=true],[contenteditable=plaintext-only]';
const LIMIT = 600;

// A form's own properties may be hidden by fields of the same names, so forms are read through the prototype.
const getter = (prototype, name) => {
  const get = Object.getOwnPropertyDescriptor(prototype, name).get;
  return (node) => get.call(node);
};
const tagOf = getter(Element.prototype, 'localName');
const parentOf = getter(Node.prototype, 'parentElement');
const rootOf = (node) => Node.prototype.getRootNode.call(node);
const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
const rectOf = (element) => Element.prototype.getBoundingClientRect.call(element);
const documentOf = getter(Node.prototype, 'ownerDocument');
const isForm = (element) => tagOf(element) === 'form';

// Roots that the page closed are given to us by the protocol, once something in them was hit or focused.
const closedRoots = new WeakMap();
let closedKnown = false;
const shadowOf = (element) => (isForm(element) ? null : element.shadowRoot || (closedKnown && closedRoots.get(element)) || null);
const hostOf = (root) => (root && root.nodeType === 11 && root.host) || null;

// Numbers begin anew in every document, so they are only unique together with it.
const documentName = Math.random().toString(36).slice(2, 10);
const identities = new WeakMap();
let nextIdentity = 1;
const identityOf = (element) => {
  if (!identities.has(element)) identities.set(element, nextIdentity++);
  return identities.get(element);
};

const squeeze = (text, max) => {
  const short = (text || '').replace(/\s+/g, ' ').trim();
  return short.length > max ? short.slice(0, max - 1) + '…' : short;
};

const roleOf = (element) => {
  const given = attribute(element, 'role');
  if (given && given.trim()) return given.trim().split(/\s+/)[0].toLowerCase();
  const tag = tagOf(element);
  if (tag === 'form') return null;
  if (tag === 'input') {
    const type = (element.type || 'text').toLowerCase();
    if (['button', 'submit', 'reset', 'image'].includes(type)) return 'button';
    if (['checkbox', 'radio'].includes(type)) return type;
    if (type === 'range') return 'slider';
    if (type === 'number') return 'spinbutton';
    if (type === 'search') return 'searchbox';
    if (type === 'file') return 'file';
    return 'textbox';
  }
  if (tag === 'a' || tag === 'area') return element.hasAttribute('href') ? 'link' : null;
  if (tag === 'select') return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
  return (
    { button: 'button', textarea: 'textbox', summary: 'button', option: 'option', img: 'img', label: 'label',
      h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', li: 'listitem',
      video: 'video', audio: 'audio', iframe: 'iframe', canvas: 'canvas', td: 'cell', th: 'columnheader', tr: 'row' }[tag] ||
    (element.isContentEditable ? 'textbox' : null)
  );
};

// The words of a label without those of the controls inside it: a list's options are not its name.
const labelWords = (label) => {
  if (!label.querySelector('select,textarea,button,datalist')) return label.innerText || label.textContent;
  const words = [];
  const walker = label.ownerDocument.createTreeWalker(label, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && words.length < 60; node = walker.nextNode()) {
    if (!node.parentElement.closest('select,textarea,button,datalist')) words.push(node.data);
  }
  return words.join(' ');
};

const labelsOf = (element) => {
  const parts = [];
  if (element.labels) for (const label of element.labels) parts.push(labelWords(label));
  return squeeze(parts.join(' '), 120);
};

const referenced = (element, attribute) => {
  const ids = element.getAttribute(attribute);
  if (!ids) return '';
  const root = element.getRootNode();
  return squeeze(
    ids.split(/\s+/).map((id) => (root.getElementById ? root.getElementById(id) : null)).filter(Boolean)
      .map((node) => node.textContent).join(' '),
    120,
  );
};

// A short accessible name: the usual order of sources, without the full algorithm.
const nameOf = (element) => {
  const tag = tagOf(element);
  if (tag === 'form') return squeeze(attribute(element, 'aria-label'), 120);
  const direct = referenced(element, 'aria-labelledby') || squeeze(element.getAttribute('aria-label'), 120) || labelsOf(element);
  if (direct) return direct;
  if (tag === 'input') {
    const type = (element.type || 'text').toLowerCase();
    if (['submit', 'button', 'reset'].includes(type)) return squeeze(element.value, 120) || (type === 'button' ? '' : type);
    if (type === 'image') return squeeze(element.alt, 120);
    return squeeze(element.placeholder || element.title || '', 120);
  }
  if (tag === 'textarea') return squeeze(element.placeholder || element.title, 120);
  if (tag === 'select') return squeeze(element.title, 120);
  if (tag === 'img' || tag === 'area') return squeeze(element.alt || element.title, 120);
  if (tag === 'iframe') return squeeze(element.title || element.name, 120);
  if (tag === 'label') return squeeze(labelWords(element), 80);
  if (tag === 'body' || tag === 'html') return '';
  let text = '';
  if (element.childElementCount < 200) text = squeeze(element.innerText === undefined ? element.textContent : element.innerText, 80);
  if (!text) {
    const picture = element.querySelector && element.querySelector('img[alt],svg title,[aria-label]');
    if (picture) text = squeeze(picture.alt || picture.getAttribute('aria-label') || picture.textContent, 80);
  }
  return text || squeeze(element.getAttribute('title'), 120);
};

const isInteractable = (element) => {
  if (!element || isForm(element)) return false;
  if (element.matches(INTERACTIVE)) return true;
  return element.isContentEditable && (!element.parentElement || !element.parentElement.isContentEditable);
};

const describe = (element) => {
  const role = roleOf(element);
  const name = nameOf(element);
  const id = attribute(element, 'id');
  const classes = (attribute(element, 'class') || '').trim().split(/\s+/);
  const label = role || tagOf(element) + (id ? '#' + id : classes[0] ? '.' + classes[0] : '');
  return name ? label + ' ' + JSON.stringify(name) : label;
};
