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
  role: null, name: '', shown: '', descriptor: '', identity: '', origin: node ? originOf(node) : self.origin, submits: false,
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
  const deed = {
    ...noDeed(control), role: roleOf(control), name: nameOf(control), shown: shownOn(control), descriptor: describeShown(control),
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

// What a key would work: the focused control, or the button that Enter in a field stands for.
const keyDeed = (key, withControl) => {
  const { element, foreign } = activeElement();
  if (foreign || !element) return { ...noDeed(null), foreign };
  if (maybeClosed(element) && element !== documentOf(element).body) return { ...noDeed(element), closed: true };
  const tag = tagOf(element);
  const field = tag === 'input' && SENT_FROM.includes((element.type || 'text').toLowerCase());
  const many = tag === 'textarea' || element.isContentEditable;
  const plain = { ...noDeed(element), role: roleOf(element), descriptor: describe(element), identity: documentName + ':' + identityOf(element) };
  if (key === 'paste') return plain;
  if (key === 'space') return field || many || tag === 'a' || tag === 'select' ? plain : deedOf(element);
  if (tag === 'select' || (many && !withControl)) return plain;
  if (!field && !many) return deedOf(element);
  const form = element.form || (element.closest && element.closest('form'));
  if (!form) return plain;
  const button = defaultButton(form);
  if (button) return sending({ ...plain, role: 'button', name: nameOf(button), shown: shownOn(button), descriptor: describeShown(button) + ' by Enter' }, form, button);
  const blocking = [...formElements(form)].filter((other) => tagOf(other) === 'input' && BLOCKING.includes((other.type || 'text').toLowerCase()));
  return blocking.length > 1 ? plain : sending({ ...plain, descriptor: 'the form by Enter' }, form, null);
};
