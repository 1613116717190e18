// What changes on the picture without a change of the tree: surfaces that are painted, animations that
// scripts start, rules of style sheets; and the places that never rest.

const surfacesInView = () => {
  const seen = [];
  eachScope((scope, place, clip) => {
    for (const surface of scope.surfaces) {
      const box = surface.isConnected ? boxOf(surface, place) : null;
      if (!box || box[2] - box[0] <= 8 || box[3] - box[1] <= 8 || !visible(surface)) continue;
      const inView = clipped(box, clip);
      if (inView[0] < inView[2] && inView[1] < inView[3] && seen.length < 20) seen.push(inView);
    }
  });
  return seen;
};

// Elements that were found to change by themselves, newest last.
const RESTLESS = 60;
const restlessNodes = new Set();
const noteRestless = (node) => {
  const element = node.nodeType === 1 ? node : node.parentElement || hostOf(node);
  if (!element) return;
  restlessNodes.delete(element);
  restlessNodes.add(element);
  if (restlessNodes.size > RESTLESS) restlessNodes.delete(restlessNodes.values().next().value);
};

const isEndless = (animation) => {
  const timing = animation.effect && animation.effect.getComputedTiming();
  return Boolean(timing) && animation.playState === 'running' && !Number.isFinite(timing.endTime);
};

const restlessBoxes = () => {
  const boxes = [];
  const add = (element) => {
    if (!element || !element.isConnected || documentOf(element) !== document || boxes.length >= RESTLESS) return;
    const rect = rectOf(element);
    // What fills the page says nothing about where it moves.
    if (rect.width > 0 && rect.height > 0 && rect.width * rect.height < innerWidth * innerHeight / 2) boxes.push([rect.left, rect.top, rect.right, rect.bottom]);
  };
  for (const element of restlessNodes) element.isConnected ? add(element) : restlessNodes.delete(element);
  for (const animation of document.getAnimations()) if (isEndless(animation)) add(animation.effect.target);
  for (const surface of survey().surfaces) if (tagOf(surface) === 'video' && !surface.paused) add(surface);
  return boxes;
};

// Animations that a script started, rather than a style. What has ended without leaving anything is not listed.
const scripted = () =>
  document.getAnimations().filter((animation) => !(animation instanceof CSSTransition) && !(animation instanceof CSSAnimation));
const SOON_ANIMATED_MS = 150;
// Targets of animations that were started while nobody acted.
const animatedAlways = new WeakSet();
const noteAnimated = (previous) => {
  for (const animation of scripted()) {
    const target = animation.effect && animation.effect.target;
    if (target && (isEndless(animation) || (previous && animation.startTime > previous.readAt))) animatedAlways.add(target);
  }
};

const scriptedChanges = () => {
  const changes = [];
  for (const animation of scripted()) {
    const target = animation.effect && animation.effect.target;
    if (!target || action.animations.has(animation) || animatedAlways.has(target)) continue;
    // What is still on its way may come to nothing.
    if (animation.playState !== 'finished' && !isEndless(animation)) continue;
    if (action.owner && holdsComposed(action.owner, target)) continue;
    // Only its time ties it to the input; carousels start theirs at any time.
    const after = (animation.startTime || 0) - inputTime();
    if (after < -50 || after > SOON_ANIMATED_MS || changes.length >= 6) continue;
    changes.push({ kind: 'animation', place: placeWords(target), near: false, early: true, visible: isSeen(target), at: Math.max(after, 0), fresh: false });
  }
  return changes;
};

// Rules of style sheets, as far as they can be read; their text only where there are few.
const FEW_RULES = 200;
const styleState = () => {
  let rules = 0, text = '';
  for (const sheet of [...document.styleSheets, ...(document.adoptedStyleSheets || [])]) {
    try {
      const own = sheet.cssRules;
      rules += own.length;
      if (rules <= FEW_RULES) for (const rule of own) text += rule.cssText;
      rules += sheet.disabled ? 0.5 : 0;
    } catch { /* of another origin */ }
  }
  return rules + ' ' + text;
};
let stylesRead = null;
let stylesRestless = false;
const markStyles = () => {
  const now = styleState();
  // Rules that change while nobody acts say nothing about an action.
  if (stylesRead !== null && now !== stylesRead) stylesRestless = true;
  stylesRead = now;
  return now;
};
const restyled = (now) => {
  const state = styleState();
  stylesRead = state;
  const since = now - inputTime();
  if (state !== action.styles && since < 600) action.restyled = true;
  return action.restyled && !stylesRestless && state !== action.styles;
};
