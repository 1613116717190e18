// What else is near a point: the density gate's facts. Only what can really be hit there counts.

const EDGE_PX = 30, CENTRE_PX = 140, NEARBY = 12, TESTED = 80;
const SAMPLE_PX = 15;

// Parts of one control count once: an option is its list, a label is what it labels.
const controlOf = (element) => {
  if (tagOf(element) === 'option') return element.closest('select') || element;
  if (tagOf(element) === 'label' && element.control) return element.control;
  return element;
};

const looksClickable = (element) => getComputedStyle(element).cursor === 'pointer';

// The outermost element of a region with a hand cursor: a control that only its style and script make one.
const pointerOwner = (element) => {
  let owner = null;
  for (let node = element, depth = 0; node && depth < 12 && looksClickable(node); node = composedParent(node), depth++) owner = node;
  return owner;
};

const isCover = (element) => {
  const rect = rectOf(element);
  return rect.width * rect.height > innerWidth * innerHeight / 2;
};

const ownerAt = (element) => {
  const owner = owningInteractable(element);
  if (owner && !isCover(owner)) return controlOf(owner);
  const pointer = pointerOwner(element);
  return pointer && !isCover(pointer) ? pointer : null;
};

const holdsComposed = (outer, inner) => {
  for (let node = inner, depth = 0; node && depth < 80; node = composedParent(node), depth++) if (node === outer) return true;
  return false;
};

const edgeDistance = (box, x, y) =>
  Math.hypot(Math.max(box[0] - x, x - box[2], 0), Math.max(box[1] - y, y - box[3], 0));
const centreDistance = (box, x, y) => Math.hypot((box[0] + box[2]) / 2 - x, (box[1] + box[3]) / 2 - y);

const clipped = (box, clip) => [Math.max(box[0], clip[0]), Math.max(box[1], clip[1]), Math.min(box[2], clip[2]), Math.min(box[3], clip[3])];

// Whether a click in the middle of the box would reach the element.
const canBeHit = (element, box) => {
  const found = hitElement((box[0] + box[2]) / 2, (box[1] + box[3]) / 2).element;
  if (!found) return false;
  return holdsComposed(element, found) || holdsComposed(found, element) || controlOf(owningInteractable(found) || found) === controlOf(element);
};

// A control that was shown as usable and is disabled by now is no longer the same.
const nearby = (element, box) => ({
  descriptor: squeeze(describe(element), 120), box,
  identity: documentName + ':' + identityOf(element) + (element.matches(':disabled') ? ' disabled' : ''),
});

const spotAt = (x, y) => {
  const { element, place, foreign } = hitElement(x, y);
  const owner = element && !foreign ? ownerAt(element) : null;
  const found = new Map();
  let tests = TESTED;
  const consider = (candidate, box) => {
    const control = controlOf(candidate);
    if (control === owner || found.has(control)) return;
    if (edgeDistance(box, x, y) > EDGE_PX && centreDistance(box, x, y) > CENTRE_PX) return;
    // What holds the hit gets the event too and is no other target.
    if (element && holdsComposed(candidate, element)) return;
    if (tests-- <= 0 || isCover(candidate) || !visible(candidate) || !canBeHit(candidate, box)) return;
    // A link around a button, a row around its only button: one target.
    for (const known of found.values()) if (known.box.every((side, index) => Math.abs(side - box[index]) <= 4)) return;
    found.set(control, { element: candidate, box });
  };
  eachScope((scope, scopePlace, clip) => {
    if (x < clip[0] - CENTRE_PX || y < clip[1] - CENTRE_PX || x > clip[2] + CENTRE_PX || y > clip[3] + CENTRE_PX) return;
    for (const candidate of scope.interactive) {
      const box = boxOf(candidate, scopePlace);
      if (!box || outside(box, clip)) continue;
      if (edgeDistance(box, x, y) > EDGE_PX && centreDistance(box, x, y) > CENTRE_PX) continue;
      consider(candidate, clipped(box, clip));
    }
  });
  // Controls that no markup tells are found by their hand cursor.
  for (let dx = -2; dx <= 2; dx++) {
    for (let dy = -2; dy <= 2; dy++) {
      const other = hitElement(x + dx * SAMPLE_PX, y + dy * SAMPLE_PX);
      if (!other.element || other.foreign || owningInteractable(other.element)) continue;
      const pointer = pointerOwner(other.element);
      const box = pointer && pointer !== owner ? boxOf(pointer, other.place) : null;
      if (box) consider(pointer, box);
    }
  }
  const neighbours = [...found.values()].sort((a, b) => centreDistance(a.box, x, y) - centreDistance(b.box, x, y));
  const box = owner ? boxOf(owner, place) || boxOf(element, place) : null;
  return {
    hit: owner && box ? nearby(owner, box) : null,
    neighbours: neighbours.slice(0, NEARBY).map((near) => nearby(near.element, near.box)),
  };
};
