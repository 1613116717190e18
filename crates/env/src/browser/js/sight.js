// What a person could read, and what selectors match: asked for only when a prediction speaks of it.

const LINES = 5000;
const MODALS = 'dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true],[popover]:popover-open';

const eachTree = (tree, use) => {
  use(tree);
  for (const element of tree.querySelectorAll('*')) {
    const shadow = shadowOf(element);
    if (shadow) eachTree(shadow, use);
  }
};

const seenIn = (tree, selector) => [...tree.querySelectorAll(selector)].filter((element) => visible(element) && boxOf(element, TOP));

// What stands in the line beside an element, up to the next box or the line's end.
const besideIt = (element, way) => {
  const parts = [];
  for (let node = element[way]; node && parts.length < 100; node = node[way]) {
    if (node.nodeType === Node.TEXT_NODE) parts.push(node.data);
    else if (node.nodeType !== Node.ELEMENT_NODE) continue;
    else if (getComputedStyle(node).display === 'inline' && !node.matches('br,img')) parts.push(node.innerText || '');
    else break;
  }
  return (way === 'previousSibling' ? parts.reverse() : parts).join('').replace(/\s+/g, ' ');
};

// Boxes within a line, such as buttons: `innerText` glues their words to those beside them, which nobody reads as one.
const isBoxInLine = (element) => getComputedStyle(element).display.startsWith('inline-');
const touchesText = (element) => [element.previousSibling, element.nextSibling].some((node) => node?.nodeType === Node.TEXT_NODE && node.data.trim());

const sight = (selectors) => {
  const lines = [];
  const counts = selectors.map(() => 0);
  let modals = 0, complete = true;
  const read = (text) => {
    for (const line of (text || '').split('\n')) {
      const short = squeeze(line, 300);
      if (short && lines.length < LINES) lines.push(short);
      else if (short) complete = false;
    }
  };
  const look = (tree) => {
    const parts = tree.body ? [tree.body] : [...tree.children];
    for (const part of parts) read(part.innerText);
    for (const element of tree.querySelectorAll('*')) {
      if (!touchesText(element) || !isBoxInLine(element) || !visible(element)) continue;
      for (const text of [besideIt(element, 'previousSibling'), element.innerText, besideIt(element, 'nextSibling')]) read(text);
    }
    for (const field of tree.querySelectorAll('input:not([type=password]):not([type=hidden]),textarea')) if (visible(field)) read(field.value);
    selectors.forEach((selector, index) => {
      // What only looks like a selector matches nothing.
      try { counts[index] = counts[index] === null ? null : counts[index] + seenIn(tree, selector).length; } catch { counts[index] = null; }
    });
    // A modal within a modal's own markup is one.
    const open = seenIn(tree, MODALS);
    modals += open.filter((element) => !open.some((other) => other !== element && other.contains(element))).length;
  };
  const visit = (scope) => {
    eachTree(scope.root, look);
    for (const { scope: inner } of scope.frames) if (inner) visit(inner);
  };
  visit(survey());
  return { lines, complete, counts, modals };
};
