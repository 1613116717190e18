// The focused field: what it is, what it holds, and emptying it.

const TEXTLESS = ['button', 'submit', 'reset', 'checkbox', 'radio', 'range', 'color', 'file', 'image', 'hidden'];
const TEXT_ROLES = ['textbox', 'searchbox', 'combobox', 'spinbutton'];

const isEditable = (element) => {
  const tag = element.localName;
  if (tag === 'input') return !TEXTLESS.includes((element.type || 'text').toLowerCase()) && !element.disabled && !element.readOnly;
  if (tag === 'textarea') return !element.disabled && !element.readOnly;
  if (element.isContentEditable || element.ownerDocument.designMode === 'on') return true;
  // Focus on a custom element may be focus inside its closed root: until we have looked, a field may be there.
  if (tag.includes('-') && maybeClosed(element)) return true;
  return TEXT_ROLES.includes(roleOf(element)) && tag !== 'select' &&
    element.getAttribute('aria-readonly') !== 'true' && element.getAttribute('aria-disabled') !== 'true';
};

const valueOf = (element) => {
  const tag = element.localName;
  if (tag === 'input' || tag === 'textarea' || tag === 'select') return element.value;
  if (element.isContentEditable || TEXT_ROLES.includes(roleOf(element))) {
    const text = element.innerText === undefined ? element.textContent : element.innerText;
    // An editor that holds nothing but its filler line break is empty.
    return text === '\n' ? '' : text;
  }
  return null;
};

const selectorOf = (element) => {
  if (element.id) return '#' + CSS.escape(element.id);
  const name = element.getAttribute('name');
  if (name) return element.localName + '[name=' + JSON.stringify(name) + ']';
  const parts = [];
  for (let node = element, depth = 0; node && node.localName !== 'body' && depth < 5; node = node.parentElement, depth++) {
    if (node.id) { parts.unshift('#' + CSS.escape(node.id)); break; }
    const same = node.parentElement ? [...node.parentElement.children].filter((child) => child.localName === node.localName) : [node];
    parts.unshift(node.localName + (same.length > 1 ? ':nth-of-type(' + (same.indexOf(node) + 1) + ')' : ''));
  }
  return parts.join(' > ');
};

// The deepest active element, or { foreign: true } where focus sits in another process's frame.
const activeElement = () => {
  let node = document.activeElement;
  for (let depth = 0; node && depth < 40; depth++) {
    if (shadowOf(node) && shadowOf(node).activeElement) node = shadowOf(node).activeElement;
    else if (isFrame(node)) {
      const inner = contentOf(node);
      if (!inner) return { element: node, foreign: true };
      if (!inner.activeElement) break;
      node = inner.activeElement;
    } else break;
  }
  return { element: node, foreign: false };
};

const focus = () => {
  const { element, foreign } = activeElement();
  if (foreign) return { foreign: true };
  if (!element) return null;
  const plain = element === element.ownerDocument.body || element === element.ownerDocument.documentElement;
  if (plain && !element.isContentEditable && element.ownerDocument.designMode !== 'on') return null;
  const value = valueOf(element);
  const secret = element.localName === 'input' && element.type === 'password';
  return {
    tag: element.localName,
    type: element.localName === 'input' ? element.type : null,
    role: roleOf(element),
    name: element.getAttribute('name') || nameOf(element) || null,
    id: element.id || null,
    label: labelsOf(element) || squeeze(element.getAttribute('aria-label'), 120) || referenced(element, 'aria-labelledby') || null,
    placeholder: element.getAttribute('placeholder') || element.getAttribute('data-placeholder') || null,
    selector: selectorOf(element),
    value: value === null ? null : secret ? '•'.repeat(Math.min([...value].length, 200)) : [...value].slice(0, 200).join(''),
    empty: value === null ? null : value === '',
    editable: isEditable(element),
    descriptor: describe(element),
  };
};

const fieldFacts = (element) => {
  const value = valueOf(element);
  return {
    foreign: false, value, length: value === null ? null : [...value].length,
    secret: element.localName === 'input' && element.type === 'password', descriptor: describe(element),
    identity: identityOf(element),
  };
};

const readBack = () => {
  const { element, foreign } = activeElement();
  return foreign || !element ? { foreign } : fieldFacts(element);
};

let cleared = null;
const clearedField = () => (cleared ? fieldFacts(cleared) : { foreign: true });

// Empties the focused field the way its framework expects, and tells whether it is really empty.
const clear = () => {
  cleared = null;
  const { element, foreign } = activeElement();
  if (foreign) return { foreign: true };
  if (!element || !isEditable(element)) return { foreign: false, editable: false, descriptor: element ? describe(element) : 'nothing' };
  cleared = element;
  const view = element.ownerDocument.defaultView;
  if (element.localName === 'input' || element.localName === 'textarea') {
    const prototype = element.localName === 'input' ? view.HTMLInputElement.prototype : view.HTMLTextAreaElement.prototype;
    Object.getOwnPropertyDescriptor(prototype, 'value').set.call(element, '');
  } else {
    element.textContent = '';
  }
  element.dispatchEvent(new view.InputEvent('input', { bubbles: true, composed: true, inputType: 'deleteContentBackward' }));
  element.dispatchEvent(new view.Event('change', { bubbles: true }));
  return { foreign: false, editable: true, descriptor: describe(element) };
};

// Marks everything in the focused editor, so that one key deletes it the way the editor expects.
const selectEditable = () => {
  cleared = null;
  const { element, foreign } = activeElement();
  if (foreign || !element || !element.isContentEditable) return false;
  cleared = element;
  const selection = element.ownerDocument.getSelection();
  if (!selection) return false;
  selection.selectAllChildren(element);
  return true;
};
