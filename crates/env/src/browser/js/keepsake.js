// What a page holds that its address does not say: how far it is scrolled, what is typed and not sent, and what it keeps
// for the tab. Never what must not be told: passwords, hidden fields, files.

const KEPT_FIELDS = 200;
const KEPT_LENGTH = 20000;
const NOT_KEPT = ['password', 'hidden', 'file', 'submit', 'button', 'reset', 'image'];

const keepsake = () => {
  const fields = [];
  for (const element of document.querySelectorAll('input, textarea, select')) {
    if (fields.length >= KEPT_FIELDS) break;
    const type = (element.type || '').toLowerCase();
    if (NOT_KEPT.includes(type)) continue;
    const selector = selectorOf(element);
    if (document.querySelector(selector) !== element) continue;
    if (type === 'checkbox' || type === 'radio') {
      if (element.checked !== element.defaultChecked) fields.push({ selector, checked: element.checked });
    } else {
      const initial = element.localName === 'select' ? null : element.defaultValue;
      const value = String(element.value);
      if (value !== initial && value.length <= KEPT_LENGTH) fields.push({ selector, value: value.toWellFormed() });
    }
  }
  let items = [];
  try {
    items = Array.from({ length: Math.min(sessionStorage.length, KEPT_FIELDS) }, (_, index) => {
      const name = sessionStorage.key(index);
      return [name, sessionStorage.getItem(name)].map((text) => String(text).toWellFormed());
    });
  } catch (refused) { /* A page without storage has none to keep. */ }
  return { scroll: [window.scrollX, window.scrollY], fields, items };
};

// Says how many fields it found and filled.
const takeUp = (kept) => {
  let filled = 0;
  for (const { selector, value, checked } of kept.fields) {
    const element = document.querySelector(selector);
    if (!element || NOT_KEPT.includes((element.type || '').toLowerCase())) continue;
    const property = checked === undefined || checked === null ? 'value' : 'checked';
    const wanted = property === 'value' ? value : checked;
    if (element[property] !== wanted) {
      const owner = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), property);
      if (owner && owner.set) owner.set.call(element, wanted); else element[property] = wanted;
      element.dispatchEvent(new Event('input', { bubbles: true }));
      element.dispatchEvent(new Event('change', { bubbles: true }));
    }
    filled += 1;
  }
  window.scrollTo(kept.scroll[0], kept.scroll[1]);
  return filled;
};
