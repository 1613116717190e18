// Whether a drag of the page's own has begun; the protocol then takes over from mouse moves.

let dragsBegun = 0;
addEventListener('dragstart', (event) => {
  if (!event.isTrusted) return;
  // Judged after every handler had its say: a prevented drag never begins.
  setTimeout(() => { if (!event.defaultPrevented) dragsBegun++; });
}, { capture: true, passive: true });
const dragsBegan = () => dragsBegun;
