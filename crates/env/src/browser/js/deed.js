// What a press would set off: the words on the control, the form it would send, the place it leads to.
// Forms are read through their prototype: a field called "method" or "action" would hide the real one.

const formMethod = getter(HTMLFormElement.prototype, 'method');
const formAction = getter(HTMLFormElement.prototype, 'action');
const formElements = getter(HTMLFormElement.prototype, 'elements');

// The security origin, from our own world and through prototypes: a page can name a frame `defaultView`, and
// our world would see that frame there.
const viewOf = getter(Document.prototype, 'defaultView');
const securityOriginOf = getter(globalThis, 'origin');
const originOf = (node) => {
  const view = viewOf(documentOf(node));
  return view ? securityOriginOf(view) : 'null';
};
const urlOf = (text, node) => {
  try {
    return new URL(text, documentOf(node).baseURI);
  } catch {
    return null;
  }
};
// What Blink calls the origin of a file is its own affair; a page without a host has none.
const originIn = (url) => (url ? (url.protocol === 'file:' ? 'file://' : url.origin) : null);

const isSubmitter = (element) => {
  const tag = tagOf(element);
  const sends = (tag === 'button' && element.type === 'submit') || (tag === 'input' && (element.type === 'submit' || element.type === 'image'));
  return sends && !element.matches(':disabled');
};
const defaultButton = (form) => {
  for (const element of formElements(form)) if (isSubmitter(element)) return element;
  return Element.prototype.querySelector.call(form, 'input[type=image]');
};

// A link that only opens another page of the same origin. What a script does beside is not seen here, so
// whatever hints at a script is taken for one.
const SCRIPTED = ['onclick', 'download', 'data-method', 'data-turbo-method', 'data-confirm', 'hx-post', 'hx-put', 'hx-patch', 'hx-delete'];
const onlyNavigates = (control) => {
  const tag = tagOf(control);
  if ((tag !== 'a' && tag !== 'area') || typeof control.href !== 'string' || attribute(control, 'role')) return false;
  if (SCRIPTED.some((name) => control.hasAttribute(name))) return false;
  const url = urlOf(control.href, control);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.origin !== originOf(control)) return false;
  const here = documentOf(control).URL.split('#')[0];
  return !(attribute(control, 'href').includes('#') && url.href.split('#')[0] === here);
};

const noDeed = (node) => ({
  role: null, name: '', shown: '', labels: [], context: '', beside: false, descriptor: '', identity: '', origin: node ? originOf(node) : self.origin, submits: false,
  actionOrigin: null, method: null, navigates: false,
});

// `form` would be sent by `button`, or by itself where there is none.
const sending = (deed, form, button) => {
  const own = (name) => (button && button.hasAttribute(name) ? attribute(button, name) : null);
  const method = (own('formmethod') || formMethod(form) || 'get').toLowerCase();
  if (method === 'dialog') return { ...deed, method };
  const target = urlOf(own('formaction') || formAction(form), form);
  return { ...deed, submits: true, method, actionOrigin: originIn(target) };
};

// What works when the element is clicked: the control that it belongs to, or what its label is for.
const workedBy = (element) => {
  const control = owningInteractable(element);
  if (!control) return element;
  return (tagOf(control) === 'label' && control.control) || control;
};

const deedOf = (element) => {
  if (!element) return noDeed(null);
  const control = workedBy(element);
  const words = wordsOn(control);
  const track = LETTERS.test(words.name + words.shown) ? '' : trackWords(element);
  const deed = {
    ...noDeed(control), ...words, labels: [...hintsOn(control, words), track].filter(Boolean), context: headingOf(control),
    role: roleOf(control), descriptor: describeShown(control),
    identity: documentName + ':' + identityOf(control), navigates: onlyNavigates(control),
  };
  return isSubmitter(control) && control.form ? sending(deed, control.form, control) : deed;
};

// What would get something that is dropped at a point.
const dropAt = (x, y) => {
  const found = hitElement(x, y);
  return { hit: hit(x, y, found), deed: found.element && !found.foreign ? deedOf(found.element) : null };
};

// Fields of which a form without a button may have only one, if Enter is to send it.
const BLOCKING = ['text', 'search', 'tel', 'url', 'email', 'password', 'date', 'month', 'week', 'time', 'datetime-local', 'number'];
const SENT_FROM = [...BLOCKING, 'checkbox', 'radio', 'range', 'color'];

// Buttons near a field that no form joins to it: scripts send by them what Enter ends.
const BUTTONS = 'button,[role=button],input[type=submit],input[type=button],input[type=image],[onclick]';
const DIALOGS = 'dialog,[role=dialog],[role=alertdialog],[aria-modal=true]';
// Parts of a list have buttons of their own, and the page's edges have theirs.
const ITEMS = 'li,tr,td,article,[role=row],[role=listitem],[role=option],[role=article],[role=treeitem],[role=gridcell]';
const EDGES = 'nav,header,footer,aside,[role=navigation],[role=banner],[role=contentinfo],[role=complementary]';
const BESIDE_PX = 160, BESIDE = 12;

const outerMatching = (node, selector) => {
  for (let outer = node, depth = 0; outer && depth < 80; outer = composedParent(outer), depth++) {
    if (Element.prototype.matches.call(outer, selector)) return outer;
  }
  return null;
};
const gapBetween = (one, other) =>
  Math.hypot(Math.max(one.left - other.right, other.left - one.right, 0), Math.max(one.top - other.bottom, other.top - one.bottom, 0));

const buttonsBeside = (field) => {
  const own = documentOf(field);
  const around = rectOf(field);
  const dialog = outerMatching(field, DIALOGS);
  const found = [];
  const consider = (button) => {
    if (documentOf(button) !== own || !button.matches(BUTTONS) || holdsComposed(button, field) || holdsComposed(field, button) || !visible(button)) return;
    const gap = gapBetween(rectOf(button), around);
    const item = outerMatching(button, ITEMS);
    if (item && !holdsComposed(item, field)) return;
    const edge = outerMatching(button, EDGES);
    // An edge within the same small part of the page belongs to the field as well.
    if (edge && !holdsComposed(edge, field) && isCover(composedParent(edge) || edge)) return;
    if (dialog ? holdsComposed(dialog, button) : gap <= BESIDE_PX) found.push({ button, gap });
  };
  const visit = (scope) => {
    scope.interactive.forEach(consider);
    for (const { scope: inner } of scope.frames) if (inner) visit(inner);
  };
  visit(survey());
  const near = found.sort((one, other) => one.gap - other.gap).slice(0, BESIDE).map(({ button }) => button);
  const spoken = near.filter((button) => LETTERS.test(nameOf(button) + shownOn(button)));
  // A dialog with one button and a way out is about that button, whatever it does.
  return { near, beside: !dialog || spoken.length > 2 };
};

// Enter picks a suggestion in these, or searches.
const searches = (field) => {
  const role = roleOf(field);
  if (role === 'searchbox' || (role === 'combobox' && tagOf(field) === 'input')) return true;
  return Boolean(outerMatching(field, 'search,[role=search]'));
};

// What Enter may set off where the browser itself would do nothing with it.
const enterBeside = (plain, field) => {
  if (searches(field)) return plain;
  const { near, beside } = buttonsBeside(field);
  const labels = [...new Set(near.flatMap((button) => {
    const words = wordsOn(button);
    return [words.name, ...words.shown.split(' / '), ...hintsOn(button, words)];
  }))].filter(Boolean);
  if (!labels.length) return plain;
  const names = near.slice(0, 4).map(describeShown).join(', ');
  return { ...plain, role: 'button', labels, beside, descriptor: plain.descriptor + ' by Enter, beside ' + names };
};

// A field of one line sends by Enter, also where it could hold more of them.
const holdsOneLine = (field) => {
  if (['send', 'go', 'done'].includes((attribute(field, 'enterkeyhint') || '').toLowerCase()) || attribute(field, 'rows') === '1') return true;
  const style = getComputedStyle(field);
  const line = parseFloat(style.lineHeight) || parseFloat(style.fontSize) * 1.2;
  return line > 0 && field.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom) < 2 * line;
};

// What a key would work: the focused control, or the button that Enter in a field stands for. `line` is Enter
// with shift, which breaks the line.
const keyDeed = (key, withControl) => {
  const { element, foreign } = activeElement();
  if (foreign || !element) return { ...noDeed(null), foreign };
  if (maybeClosed(element) && element !== documentOf(element).body) return { ...noDeed(element), closed: true };
  const tag = tagOf(element);
  const type = (element.type || 'text').toLowerCase();
  const field = tag === 'input' && SENT_FROM.includes(type);
  const many = tag === 'textarea' || element.isContentEditable;
  const plain = { ...noDeed(element), role: roleOf(element), descriptor: describe(element), identity: documentName + ':' + identityOf(element) };
  if (key === 'paste') return plain;
  if (key === 'space') return field || many || tag === 'a' || tag === 'select' ? plain : deedOf(element);
  if (tag === 'select' || (many && key === 'line')) return plain;
  if (!field && !many) return deedOf(element);
  const form = element.form || (element.closest && element.closest('form'));
  const written = many || BLOCKING.includes(type);
  const alone = () => (written && key === 'enter' ? enterBeside(plain, element) : plain);
  if (many && !withControl) return form && tag === 'textarea' && !holdsOneLine(element) ? plain : alone();
  if (!form) return alone();
  const button = defaultButton(form);
  if (button) return sending({ ...plain, role: 'button', name: nameOf(button), shown: shownOn(button), descriptor: describeShown(button) + ' by Enter' }, form, button);
  const blocking = [...formElements(form)].filter((other) => tagOf(other) === 'input' && BLOCKING.includes((other.type || 'text').toLowerCase()));
  if (blocking.length > 1) return alone();
  const { labels, beside } = alone();
  return sending({ ...plain, labels, beside, descriptor: 'the form by Enter' }, form, null);
};
