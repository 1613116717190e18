// Whether a drag of the page's own has begun; the protocol then takes over from mouse moves.

const drag = { started: 0, ended: 0 };
for (const [type, name] of [['dragstart', 'started'], ['dragend', 'ended']]) {
  addEventListener(type, (event) => {
    if (!event.isTrusted) return;
    // Judged after every handler had its say: a prevented drag never begins.
    setTimeout(() => { if (!event.defaultPrevented || name === 'ended') drag[name]++; });
  }, { capture: true, passive: true });
}
const dragState = () => drag;
