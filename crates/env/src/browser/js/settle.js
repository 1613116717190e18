// Waiting in the page: rest, hover, scroll.

// Places that say of themselves that their content is still to come.
const UNFINISHED = '[aria-busy=true],[class*=skeleton i],[class*=shimmer i]';
const unfinished = () => {
  let found = 0;
  for (const element of [...document.querySelectorAll(UNFINISHED)].slice(0, 30)) {
    const rect = rectOf(element);
    const inView = rect.width * rect.height > 0 && rect.bottom > 0 && rect.right > 0 && rect.top < innerHeight && rect.left < innerWidth;
    if (inView && visible(element)) found++;
  }
  return found;
};

// How restless the document is. `running` counts animations that will end by themselves soon.
const rest = () => {
  let running = 0;
  for (const animation of document.getAnimations()) {
    if (animation.playState !== 'running') continue;
    const timing = animation.effect && animation.effect.getComputedTiming();
    if (timing && Number.isFinite(timing.endTime) && timing.endTime - (animation.currentTime || 0) < 2000) running++;
  }
  return { ready: document.readyState, count: activity.count, idle: performance.now() - activity.at, running, unfinished: unfinished() };
};

const changes = () => activity.count;

const scrollables = (x, y) => {
  const { element } = hitElement(x, y);
  const list = [];
  for (let node = element; node; node = composedParent(node)) list.push(node);
  const page = (element ? element.ownerDocument : document).scrollingElement;
  if (page && !list.includes(page)) list.push(page);
  if (document.scrollingElement && !list.includes(document.scrollingElement)) list.push(document.scrollingElement);
  return list;
};

// null where another process's frame is under the point: its offset cannot be seen from here.
const scrollSum = (x, y) =>
  hitElement(x, y).foreign ? null : scrollables(x, y).reduce((sum, node) => sum + node.scrollTop * 4096 + node.scrollLeft, 0);

const frame = () => new Promise((resolve) => {
  // A hidden document's animation frames never come, so a timer ends the wait as well.
  const timer = setTimeout(resolve, 60);
  requestAnimationFrame(() => { clearTimeout(timer); resolve(); });
});

// Hover settle: one frame where the move changed nothing (`count` was taken before it), else until
// the hit and the short animations are the same twice.
const hoverSettled = async (x, y, capMs, count, wantsSpot) => {
  const end = performance.now() + capMs;
  let before = null;
  for (;;) {
    await frame();
    const found = hitElement(x, y).element;
    const rect = found ? rectOf(found) : null;
    const state = [found, rect && rect.left, rect && rect.top, rect && rect.width, rect && rect.height, activity.count];
    const { running } = rest();
    const quiet = running === 0 && (before === null ? true : state.every((part, index) => part === before[index]));
    if ((quiet && (before !== null || activity.count === count)) || performance.now() >= end) return aimed(x, y, wantsSpot);
    before = state;
  }
};

const scrollSettled = async (x, y, capMs) => {
  const end = performance.now() + capMs;
  let last = scrollSum(x, y), still = 0;
  while (still < 3 && performance.now() < end) {
    await frame();
    const now = scrollSum(x, y);
    still = now === last ? still + 1 : 0;
    last = now;
  }
  return last;
};
