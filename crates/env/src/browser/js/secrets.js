// Secrets: typing one into the focused field. Everything that decides where a secret may go is read through
// prototypes: a page can give a frame the name of a property of its document (`<iframe name=defaultView>`),
// and our world would see that frame there.

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
