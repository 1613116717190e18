// Where things are: frames within frames, what a point would hit, and what lies beneath it.

// How a frame's content lies in the document that holds the frame: where it begins, and how much
// a transform or zoom scales it.
const contentPlace = (frame) => {
  const rect = rectOf(frame);
  const style = getComputedStyle(frame);
  const sx = frame.offsetWidth > 0 ? rect.width / frame.offsetWidth : 1;
  const sy = frame.offsetHeight > 0 ? rect.height / frame.offsetHeight : 1;
  return {
    x: rect.left + (frame.clientLeft + parseFloat(style.paddingLeft || 0)) * sx,
    y: rect.top + (frame.clientTop + parseFloat(style.paddingTop || 0)) * sy,
    sx, sy,
  };
};

// Places compose: outer first, then inner.
const TOP = { x: 0, y: 0, sx: 1, sy: 1 };
const within = (outer, inner) => ({
  x: outer.x + inner.x * outer.sx, y: outer.y + inner.y * outer.sy, sx: outer.sx * inner.sx, sy: outer.sy * inner.sy,
});

const contentOf = (frame) => {
  try {
    return frame.contentDocument;
  } catch {
    return null;
  }
};

const isFrame = (element) => element && (element.localName === 'iframe' || element.localName === 'frame');

// The element that gets an event at (x, y), with the place of its document.
const hitElement = (x, y) => {
  let root = document, place = TOP, found = null;
  for (let depth = 0; depth < 40; depth++) {
    const px = (x - place.x) / place.sx, py = (y - place.y) / place.sy;
    const element = root.elementFromPoint(px, py);
    if (!element || element === found) break;
    found = element;
    const shadow = shadowOf(element);
    if (shadow) {
      const inner = shadow.elementFromPoint(px, py);
      if (inner && inner !== element) {
        root = shadow;
        continue;
      }
    }
    if (isFrame(element)) {
      const inner = contentOf(element);
      if (!inner) return { element, place, foreign: true };
      place = within(place, contentPlace(element));
      root = inner;
      continue;
    }
    break;
  }
  return { element: found, place, foreign: false };
};

const boxOf = (element, place) => {
  const rect = rectOf(element);
  if (!(rect.width > 0 && rect.height > 0)) return null;
  return [
    rect.left * place.sx + place.x, rect.top * place.sy + place.y,
    rect.right * place.sx + place.x, rect.bottom * place.sy + place.y,
  ];
};

const report = (element, place) => ({
  descriptor: describe(element),
  tag: tagOf(element),
  role: roleOf(element),
  name: nameOf(element) || null,
  id: attribute(element, 'id') || null,
  classes: (attribute(element, 'class') || '').trim().split(/\s+/).filter(Boolean).slice(0, 12),
  box: boxOf(element, place),
  frame: documentOf(element) === document ? null : documentOf(element).URL,
});

const composedParent = (node) => parentOf(node) || hostOf(rootOf(node));

const owningInteractable = (element) => {
  for (let node = element, depth = 0; node && depth < 60; node = composedParent(node), depth++) if (isInteractable(node)) return node;
  return null;
};

// What reacts at a place that something else covers; a frame is looked into where it can be.
const beneath = (below, place, x, y) => {
  if (!isFrame(below)) return { candidate: owningInteractable(below), candidatePlace: place };
  const inner = contentOf(below);
  if (!inner) return { candidate: below, candidatePlace: place };
  const candidatePlace = within(place, contentPlace(below));
  const found = inner.elementFromPoint((x - candidatePlace.x) / candidatePlace.sx, (y - candidatePlace.y) / candidatePlace.sy);
  return { candidate: found && owningInteractable(found), candidatePlace };
};

const hit = (x, y, { element, place, foreign }) => {
  if (!element) return null;
  const result = report(element, place);
  result.foreign = foreign;
  result.covers = null;
  // The next interactable underneath that the hit does not belong to.
  const owner = owningInteractable(element);
  const root = rootOf(element);
  const stack = root.elementsFromPoint ? root.elementsFromPoint((x - place.x) / place.sx, (y - place.y) / place.sy) : [];
  const holds = (outer, inner) => Node.prototype.contains.call(outer, inner);
  for (const below of stack.slice(0, 50)) {
    if (below === element) continue;
    const { candidate, candidatePlace } = beneath(below, place, x, y);
    if (!candidate || candidate === owner || holds(candidate, element) || holds(element, candidate)) continue;
    result.covers = report(candidate, candidatePlace);
    break;
  }
  return result;
};

const visible = (element) => {
  if (!isForm(element) && element.checkVisibility) return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  return true;
};
