// Runs in our isolated world of every document: the page can neither see nor change it. Gives the
// Rust side facts about the page: size, focus, interactables, what a point would hit. Reads only,
// apart from `clear`. Nodes are walked through open shadow roots and frames of the same process.
(() => {
  if (globalThis.__surehand) return;

  const INTERACTIVE =
    'a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,label,option,video[controls],audio[controls],' +
    '[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],' +
    '[role=menuitemcheckbox],[role=menuitemradio],[role=option],[role=combobox],[role=textbox],[role=searchbox],' +
    '[role=slider],[role=spinbutton],[role=treeitem],[role=gridcell],[onclick],[onmousedown],[tabindex],' +
    '[contenteditable=""],[contenteditable=true],[contenteditable=plaintext-only]';
  const LIMIT = 600;

  // Content changes, counted so that settle can tell a page at rest from one that still builds itself.
  const activity = { count: 0, at: 0 };
  const watch = (root) => {
    new MutationObserver((records) => {
      activity.count += records.length;
      activity.at = performance.now();
    }).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  watch(document);

  // A form's own properties may be hidden by fields of the same names, so forms are read through the prototype.
  const getter = (prototype, name) => {
    const get = Object.getOwnPropertyDescriptor(prototype, name).get;
    return (node) => get.call(node);
  };
  const tagOf = getter(Element.prototype, 'localName');
  const parentOf = getter(Node.prototype, 'parentElement');
  const rootOf = (node) => Node.prototype.getRootNode.call(node);
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  const rectOf = (element) => Element.prototype.getBoundingClientRect.call(element);
  const documentOf = getter(Node.prototype, 'ownerDocument');
  const isForm = (element) => tagOf(element) === 'form';

  const squeeze = (text, max) => {
    const short = (text || '').replace(/\s+/g, ' ').trim();
    return short.length > max ? short.slice(0, max - 1) + '…' : short;
  };

  const roleOf = (element) => {
    const given = attribute(element, 'role');
    if (given && given.trim()) return given.trim().split(/\s+/)[0].toLowerCase();
    const tag = tagOf(element);
    if (tag === 'form') return null;
    if (tag === 'input') {
      const type = (element.type || 'text').toLowerCase();
      if (['button', 'submit', 'reset', 'image'].includes(type)) return 'button';
      if (['checkbox', 'radio'].includes(type)) return type;
      if (type === 'range') return 'slider';
      if (type === 'number') return 'spinbutton';
      if (type === 'search') return 'searchbox';
      if (type === 'file') return 'file';
      return 'textbox';
    }
    if (tag === 'a' || tag === 'area') return element.hasAttribute('href') ? 'link' : null;
    if (tag === 'select') return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    return (
      { button: 'button', textarea: 'textbox', summary: 'button', option: 'option', img: 'img', label: 'label',
        h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', li: 'listitem',
        video: 'video', audio: 'audio', iframe: 'iframe', canvas: 'canvas', td: 'cell', th: 'columnheader', tr: 'row' }[tag] ||
      (element.isContentEditable ? 'textbox' : null)
    );
  };

  const labelsOf = (element) => {
    const parts = [];
    if (element.labels) for (const label of element.labels) parts.push(label.innerText || label.textContent);
    return squeeze(parts.join(' '), 120);
  };

  const referenced = (element, attribute) => {
    const ids = element.getAttribute(attribute);
    if (!ids) return '';
    const root = element.getRootNode();
    return squeeze(
      ids.split(/\s+/).map((id) => (root.getElementById ? root.getElementById(id) : null)).filter(Boolean)
        .map((node) => node.textContent).join(' '),
      120,
    );
  };

  // A short accessible name: the usual order of sources, without the full algorithm.
  const nameOf = (element) => {
    const tag = tagOf(element);
    if (tag === 'form') return squeeze(attribute(element, 'aria-label'), 120);
    const direct = referenced(element, 'aria-labelledby') || squeeze(element.getAttribute('aria-label'), 120) || labelsOf(element);
    if (direct) return direct;
    if (tag === 'input') {
      const type = (element.type || 'text').toLowerCase();
      if (['submit', 'button', 'reset'].includes(type)) return squeeze(element.value, 120) || (type === 'button' ? '' : type);
      if (type === 'image') return squeeze(element.alt, 120);
      return squeeze(element.placeholder || element.title || '', 120);
    }
    if (tag === 'textarea') return squeeze(element.placeholder || element.title, 120);
    if (tag === 'select') return squeeze(element.title, 120);
    if (tag === 'img' || tag === 'area') return squeeze(element.alt || element.title, 120);
    if (tag === 'iframe') return squeeze(element.title || element.name, 120);
    if (tag === 'body' || tag === 'html') return '';
    let text = '';
    if (element.childElementCount < 200) text = squeeze(element.innerText === undefined ? element.textContent : element.innerText, 80);
    if (!text) {
      const picture = element.querySelector && element.querySelector('img[alt],svg title,[aria-label]');
      if (picture) text = squeeze(picture.alt || picture.getAttribute('aria-label') || picture.textContent, 80);
    }
    return text || squeeze(element.getAttribute('title'), 120);
  };

  const isInteractable = (element) => {
    if (!element || isForm(element)) return false;
    if (element.matches(INTERACTIVE)) return true;
    return element.isContentEditable && (!element.parentElement || !element.parentElement.isContentEditable);
  };

  const describe = (element) => {
    const role = roleOf(element);
    const name = nameOf(element);
    const id = attribute(element, 'id');
    const classes = (attribute(element, 'class') || '').trim().split(/\s+/);
    const label = role || tagOf(element) + (id ? '#' + id : classes[0] ? '.' + classes[0] : '');
    return name ? label + ' ' + JSON.stringify(name) : label;
  };

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
      const shadow = isForm(element) ? null : element.shadowRoot;
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

  const composedParent = (node) => parentOf(node) || (rootOf(node) instanceof ShadowRoot ? rootOf(node).host : null);

  const owningInteractable = (element) => {
    for (let node = element, depth = 0; node && depth < 60; node = composedParent(node), depth++) if (isInteractable(node)) return node;
    return null;
  };

  const hit = (x, y) => {
    const { element, place, foreign } = hitElement(x, y);
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
      const candidate = owningInteractable(below);
      if (!candidate || candidate === owner || holds(candidate, element) || holds(element, candidate)) continue;
      result.covers = report(candidate, place);
      break;
    }
    return result;
  };

  const visible = (element) => {
    if (element.checkVisibility) return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    return true;
  };

  // Everything interactable inside the clip (in main-document pixels), in reading order of the tree.
  const collect = (root, place, clip, items, masks, depth) => {
    // Secrets are masked wherever they are, also beyond the limit of what is listed.
    for (const field of root.querySelectorAll('input[type=password]')) {
      const box = field.value ? boxOf(field, place) : null;
      if (box) masks.push(box);
    }
    for (const element of root.querySelectorAll(INTERACTIVE)) {
      if (items.length >= LIMIT) return;
      const box = boxOf(element, place);
      if (!box || box[2] <= clip[0] || box[3] <= clip[1] || box[0] >= clip[2] || box[1] >= clip[3]) continue;
      if (!visible(element)) continue;
      items.push({ role: roleOf(element) || tagOf(element), name: nameOf(element), box });
    }
    if (depth > 8) return;
    // Shadow hosts have no selector of their own, so every element is asked.
    for (const host of root.querySelectorAll('*')) {
      if (isForm(host)) continue;
      if (host.shadowRoot) collect(host.shadowRoot, place, clip, items, masks, depth + 1);
      else if (isFrame(host)) {
        const inner = contentOf(host);
        const box = boxOf(host, place);
        if (!inner || !inner.documentElement || !box) continue;
        const inside = [Math.max(clip[0], box[0]), Math.max(clip[1], box[1]), Math.min(clip[2], box[2]), Math.min(clip[3], box[3])];
        if (inside[0] >= inside[2] || inside[1] >= inside[3]) continue;
        collect(inner, within(place, contentPlace(host)), inside, items, masks, depth + 1);
      }
    }
  };

  const TEXTLESS = ['button', 'submit', 'reset', 'checkbox', 'radio', 'range', 'color', 'file', 'image', 'hidden'];

  const isEditable = (element) => {
    const tag = element.localName;
    if (tag === 'input') return !TEXTLESS.includes((element.type || 'text').toLowerCase()) && !element.disabled && !element.readOnly;
    if (tag === 'textarea') return !element.disabled && !element.readOnly;
    if (element.isContentEditable || element.ownerDocument.designMode === 'on') return true;
    // Focus on a custom element without an open root is focus inside a closed one: what it is on cannot be seen.
    if (tag.includes('-') && !element.shadowRoot) return true;
    return ['textbox', 'searchbox', 'combobox', 'spinbutton'].includes(roleOf(element)) && tag !== 'select' &&
      element.getAttribute('aria-readonly') !== 'true' && element.getAttribute('aria-disabled') !== 'true';
  };

  const valueOf = (element) => {
    const tag = element.localName;
    if (tag === 'input' || tag === 'textarea' || tag === 'select') return element.value;
    if (element.isContentEditable || roleOf(element) === 'textbox') {
      const text = element.innerText === undefined ? element.textContent : element.innerText;
      // An editor that holds nothing but its filler line break is empty.
      return text === '\n' ? '' : text;
    }
    return null;
  };

  const selectorOf = (element) => {
    if (element.id) return '#' + CSS.escape(element.id);
    const name = element.getAttribute('name');
    if (name) return element.localName + '[name=' + JSON.stringify(name) + ']';
    const parts = [];
    for (let node = element, depth = 0; node && node.localName !== 'body' && depth < 5; node = node.parentElement, depth++) {
      if (node.id) { parts.unshift('#' + CSS.escape(node.id)); break; }
      const same = node.parentElement ? [...node.parentElement.children].filter((child) => child.localName === node.localName) : [node];
      parts.unshift(node.localName + (same.length > 1 ? ':nth-of-type(' + (same.indexOf(node) + 1) + ')' : ''));
    }
    return parts.join(' > ');
  };

  // The deepest active element, or { foreign: true } where focus sits in another process's frame.
  const activeElement = () => {
    let node = document.activeElement;
    for (let depth = 0; node && depth < 40; depth++) {
      if (node.shadowRoot && node.shadowRoot.activeElement) node = node.shadowRoot.activeElement;
      else if (isFrame(node)) {
        const inner = contentOf(node);
        if (!inner) return { element: node, foreign: true };
        if (!inner.activeElement) break;
        node = inner.activeElement;
      } else break;
    }
    return { element: node, foreign: false };
  };

  const focus = () => {
    const { element, foreign } = activeElement();
    if (foreign) return { foreign: true };
    if (!element) return null;
    const plain = element === element.ownerDocument.body || element === element.ownerDocument.documentElement;
    if (plain && !element.isContentEditable && element.ownerDocument.designMode !== 'on') return null;
    const value = valueOf(element);
    const secret = element.localName === 'input' && element.type === 'password';
    return {
      tag: element.localName,
      type: element.localName === 'input' ? element.type : null,
      role: roleOf(element),
      name: element.getAttribute('name') || nameOf(element) || null,
      id: element.id || null,
      label: labelsOf(element) || squeeze(element.getAttribute('aria-label'), 120) || referenced(element, 'aria-labelledby') || null,
      placeholder: element.getAttribute('placeholder') || element.getAttribute('data-placeholder') || null,
      selector: selectorOf(element),
      value: value === null ? null : secret ? '•'.repeat(Math.min([...value].length, 200)) : [...value].slice(0, 200).join(''),
      empty: value === null ? null : value === '',
      editable: isEditable(element),
      descriptor: describe(element),
    };
  };

  const observe = () => {
    const items = [], masks = [];
    collect(document, TOP, [0, 0, innerWidth, innerHeight], items, masks, 0);
    return {
      url: location.href, title: document.title, width: innerWidth, height: innerHeight, dpr: devicePixelRatio,
      focus: focus(), interactables: items, masks, rest: rest(),
    };
  };

  // How restless the document is. `running` counts animations that will end by themselves soon.
  const rest = () => {
    let running = 0;
    for (const animation of document.getAnimations()) {
      if (animation.playState !== 'running') continue;
      const timing = animation.effect && animation.effect.getComputedTiming();
      if (timing && Number.isFinite(timing.endTime) && timing.endTime - (animation.currentTime || 0) < 2000) running++;
    }
    return { ready: document.readyState, count: activity.count, idle: performance.now() - activity.at, running };
  };

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
  const hoverSettled = async (x, y, capMs, count) => {
    const end = performance.now() + capMs;
    let before = null;
    for (;;) {
      await frame();
      const found = hitElement(x, y).element;
      const rect = found ? rectOf(found) : null;
      const state = [found, rect && rect.left, rect && rect.top, rect && rect.width, rect && rect.height, activity.count];
      const { running } = rest();
      const quiet = running === 0 && (before === null ? true : state.every((part, index) => part === before[index]));
      if ((quiet && (before !== null || activity.count === count)) || performance.now() >= end) return hit(x, y);
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

  const identities = new WeakMap();
  let nextIdentity = 1;
  const identityOf = (element) => {
    if (!identities.has(element)) identities.set(element, nextIdentity++);
    return identities.get(element);
  };

  const fieldFacts = (element) => {
    const value = valueOf(element);
    return {
      foreign: false, editable: isEditable(element), value, length: value === null ? null : [...value].length,
      secret: element.localName === 'input' && element.type === 'password', descriptor: describe(element),
      identity: identityOf(element),
    };
  };

  const readBack = () => {
    const { element, foreign } = activeElement();
    return foreign || !element ? { foreign } : fieldFacts(element);
  };

  let cleared = null;
  const clearedField = () => (cleared ? fieldFacts(cleared) : { foreign: true });

  // Empties the focused field the way its framework expects, and tells whether it is really empty.
  const clear = () => {
    const { element, foreign } = activeElement();
    if (foreign) return { foreign: true };
    if (!element || !isEditable(element)) return { foreign: false, editable: false, descriptor: element ? describe(element) : 'nothing' };
    cleared = element;
    const view = element.ownerDocument.defaultView;
    if (element.localName === 'input' || element.localName === 'textarea') {
      const prototype = element.localName === 'input' ? view.HTMLInputElement.prototype : view.HTMLTextAreaElement.prototype;
      Object.getOwnPropertyDescriptor(prototype, 'value').set.call(element, '');
    } else {
      element.textContent = '';
    }
    element.dispatchEvent(new view.InputEvent('input', { bubbles: true, composed: true, inputType: 'deleteContentBackward' }));
    element.dispatchEvent(new view.Event('change', { bubbles: true }));
    return { foreign: false, editable: true, descriptor: describe(element) };
  };

  globalThis.__surehand = { observe, hit, focus, rest, hoverSettled, scrollSum, scrollSettled, readBack, clear, clearedField, frame };
})();
