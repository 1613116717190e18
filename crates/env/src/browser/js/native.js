// Controls whose picker the browser draws and not the page: lists, files, dates, colours.

const DATE_TYPES = ['date', 'time', 'datetime-local', 'month', 'week'];
const LISTED_OPTIONS = 200;

const nativeKind = (control) => {
  const tag = control ? tagOf(control) : null;
  if ((tag !== 'select' && tag !== 'input') || control.matches(':disabled')) return null;
  if (tag === 'select') return 'select';
  const type = (control.type || '').toLowerCase();
  if (type === 'file') return 'file';
  if (control.readOnly) return null;
  return DATE_TYPES.includes(type) ? 'date' : type === 'color' ? 'color' : null;
};

// The native control that a click at the element would work: itself, or what its label belongs to.
const nativeOf = (element) => {
  for (let node = element, depth = 0; node && depth < 40; node = composedParent(node), depth++) {
    const control = tagOf(node) === 'label' ? node.control : node;
    if (nativeKind(control)) return control;
    // A control of its own between the hit and a label takes the click for itself.
    if (isInteractable(node) && tagOf(node) !== 'option' && tagOf(node) !== 'optgroup') return null;
  }
  return null;
};

const choicesOf = (select) => {
  const choices = [];
  for (const option of select.options) {
    const group = option.parentElement && tagOf(option.parentElement) === 'optgroup' ? option.parentElement : null;
    choices.push({
      value: option.value.slice(0, 500), label: squeeze(option.label || option.text, 200), selected: option.selected,
      disabled: option.disabled || Boolean(group && group.disabled),
    });
    if (choices.length >= 20000) break;
  }
  return choices;
};

const nativeFacts = (control) => {
  const kind = nativeKind(control);
  if (!kind) return null;
  const facts = { kind, descriptor: describe(control), type: control.type || '', multiple: Boolean(control.multiple) };
  if (kind === 'select') {
    const choices = choicesOf(control);
    facts.options = choices.slice(0, LISTED_OPTIONS);
    facts.total = choices.length;
  }
  if (kind === 'file') {
    facts.accept = attribute(control, 'accept') || null;
    facts.folder = Boolean(control.webkitdirectory);
  }
  return facts;
};

let aimedNative = null;
// Gives the control the focus that a click would have given it, and hands it over.
const holdNative = () => {
  if (aimedNative) aimedNative.focus({ preventScroll: true });
  return aimedNative;
};

const announce = (element, ...types) => {
  const view = element.ownerDocument.defaultView;
  for (const type of types) element.dispatchEvent(new view.Event(type, { bubbles: true, composed: type === 'input' }));
};

// These run on a control that the Rust side holds by its node id.
const selectFacts = (select) => ({ connected: select.isConnected, disabled: select.matches(':disabled'), multiple: select.multiple, choices: choicesOf(select) });

const chooseOptions = (select, indexes) => {
  const before = [...select.options].map((option) => option.selected);
  if (select.multiple) [...select.options].forEach((option, index) => { option.selected = indexes.includes(index); });
  else select.selectedIndex = indexes[0];
  const changed = [...select.options].some((option, index) => option.selected !== before[index]);
  if (changed) announce(select, 'input', 'change');
  return changed;
};

const fileCount = (input) => input.files.length;

const chosen = (select) => [...select.options].filter((option) => option.selected).map((option) => option.index);

// Sets a date or colour through the browser's own setter, so that frameworks which wrap the property see it.
const setPicked = (text) => {
  const { element, foreign } = activeElement();
  if (foreign || !element || tagOf(element) !== 'input' || !(DATE_TYPES.includes(element.type) || element.type === 'color')) return null;
  if (nativeKind(element) === null) return null;
  let wanted = element.type === 'color' ? text.trim().toLowerCase() : text.trim();
  if (element.type === 'time') wanted = wanted.replace(/^(\d:\d\d)/, '0$1');
  const probe = element.ownerDocument.createElement('input');
  probe.type = element.type;
  probe.value = wanted;
  const fits = element.type === 'color' ? /^#[0-9a-f]{6}$/.test(wanted) : wanted !== '' && probe.value !== '';
  const facts = { type: element.type, descriptor: describe(element), fits, changed: false, value: element.value };
  // Meant as a whole value, though it is none; other text with digits is typed into the field's parts.
  facts.meantWhole = element.type === 'color' || !/\d/.test(wanted) || /[^\d\s/.:,\-apm]/i.test(wanted) || (element.type === 'time' ? /^\d\d?:\d\d(:\d\d)?$/ : /^\d{4,}-/).test(wanted);
  if (!fits) return facts;
  const prototype = element.ownerDocument.defaultView.HTMLInputElement.prototype;
  const before = element.value;
  Object.getOwnPropertyDescriptor(prototype, 'value').set.call(element, probe.value);
  facts.changed = element.value !== before;
  if (facts.changed) announce(element, 'input', 'change');
  facts.wanted = probe.value;
  facts.complaint = element.validity.valid ? null : squeeze(element.validationMessage, 160);
  facts.value = element.value;
  return facts;
};

const pickedValue = () => {
  const { element } = activeElement();
  return element && 'value' in element ? element.value : null;
};
