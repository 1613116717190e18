// For a person who watches a headed browser: the cursor and the preview's boxes on the live page.
// Nodes are built one by one (Trusted Types forbid markup) and styled through the object model
// (content policies forbid style attributes). Erased before every capture.

const SHOWN_ABOVE = '2147483647';
let hand = null;

const styled = (node, style) => {
  for (const [name, value] of Object.entries(style)) node.style.setProperty(name, value, 'important');
  return node;
};

const eraseHand = () => {
  if (hand) hand.host.remove();
  return true;
};

const arrow = () => {
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg');
  for (const [name, value] of [['width', '36'], ['height', '36'], ['viewBox', '0 0 36 36']]) picture.setAttribute(name, value);
  const shape = (name, attributes) => {
    const node = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    picture.append(node);
  };
  shape('path', { d: 'M6 6 L6 30 L12.5 24 L16.5 33 L21 31 L17 22.5 L26 22 Z', fill: '#fff', stroke: '#000', 'stroke-width': '2' });
  shape('circle', { cx: '6', cy: '6', r: '5', fill: 'none', stroke: '#e00', 'stroke-width': '1.5' });
  shape('circle', { cx: '6', cy: '6', r: '2', fill: '#e00' });
  return picture;
};

const drawHand = (x, y, boxes) => {
  if (!document.documentElement) return false;
  if (!hand) {
    const host = document.createElement('div');
    ownNodes.add(host);
    styled(host, { all: 'initial', position: 'fixed', inset: '0', 'pointer-events': 'none', 'z-index': SHOWN_ABOVE });
    const root = host.attachShadow({ mode: 'closed' });
    const cursor = styled(document.createElement('div'), { position: 'fixed', left: '0', top: '0' });
    cursor.append(arrow());
    const frames = document.createElement('div');
    root.append(frames, cursor);
    hand = { host, cursor, frames };
    addEventListener('mousemove', (event) => event.isTrusted && moveHand(event.clientX, event.clientY), { capture: true, passive: true });
  }
  hand.frames.replaceChildren(...boxes.map(({ box, hit }) => styled(document.createElement('div'), {
    position: 'fixed', 'box-sizing': 'border-box', left: box[0] + 'px', top: box[1] + 'px',
    width: box[2] - box[0] + 'px', height: box[3] - box[1] + 'px',
    border: hit ? '3px solid #ffd400' : '2px dashed #ff8c00',
  })));
  moveHand(x, y);
  document.documentElement.append(hand.host);
  return true;
};

const moveHand = (x, y) => styled(hand.cursor, { transform: `translate(${x - 6}px, ${y - 6}px)` });
