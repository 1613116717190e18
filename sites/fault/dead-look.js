'use strict';
// Controls that only look busy: paint that every button makes, things that come and go, things that
// nobody can see, and the same painted again.
Object.assign(fault.kinds, {
  flash(page) {
    page.control().addEventListener('click', () => {
      const message = page.put('p', page.below(200, 20), 'message');
      message.textContent = 'Please choose a berth first';
      setTimeout(() => message.remove(), 300);
    });
  },
  flash_style(page) {
    const message = page.put('p', page.below(200, 20), 'message');
    message.textContent = 'This field is required';
    message.style.visibility = 'hidden';
    page.control().addEventListener('click', () => {
      message.style.visibility = 'visible';
      setTimeout(() => { message.style.visibility = 'hidden'; }, 300);
    });
  },
  flash_far(page) {
    page.control().addEventListener('click', () => {
      const before = page.line.textContent;
      page.line.textContent = 'Not saved: no berth chosen';
      setTimeout(() => { page.line.textContent = before; }, 300);
    });
  },
  modal_hidden(page) { hiddenModal(page, { display: 'none' }); },
  modal_transparent(page) { hiddenModal(page, { opacity: '0', pointerEvents: 'none' }); },
  modal_outside(page) { hiddenModal(page, { left: '-3000px' }); },
  repaint(page) { page.control().addEventListener('click', () => { page.list.innerHTML = page.list.innerHTML; }); },
  repaint_class(page) {
    const control = page.control();
    control.addEventListener('click', () => {
      control.classList.add('chosen');
      control.classList.remove('chosen');
    });
  },
  repaint_canvas(page) {
    const { canvas, paint } = page.painted();
    canvas.addEventListener('click', paint);
  },
  rule_undone(page) {
    page.control().addEventListener('click', () => {
      const sheet = document.styleSheets[0];
      sheet.insertRule('.swatch { background: var(--accent) !important; }', sheet.cssRules.length);
      sheet.deleteRule(sheet.cssRules.length - 1);
    });
  },
  ripple(page) {
    const control = page.control();
    control.style.overflow = 'hidden';
    control.addEventListener('pointerdown', (event) => {
      const drop = document.createElement('span');
      drop.style.cssText = 'position:absolute;width:20px;height:20px;border-radius:50%;background:#fff9;pointer-events:none';
      Object.assign(drop.style, { left: event.offsetX - 10 + 'px', top: event.offsetY - 10 + 'px' });
      control.append(drop);
      drop.animate([{ transform: 'scale(0)' }, { transform: 'scale(9)', opacity: 0 }], 450).finished.then(() => drop.remove());
    });
  },
  press_animation(page) {
    const control = page.control();
    control.addEventListener('click', () => control.animate([{ transform: 'scale(1)' }, { transform: 'scale(.9)' }, { transform: 'scale(1)' }], 260));
  },
  pressed_class(page) {
    const control = page.control();
    control.addEventListener('pointerdown', () => control.classList.add('chosen'));
    control.addEventListener('pointerup', () => setTimeout(() => control.classList.remove('chosen'), 150));
  },
  active_paint(page) {
    style('.control { transition: all .15s; } .control:hover { box-shadow: 0 6px 18px #0007; background: color-mix(in srgb, var(--control), #000 25%); }' +
      ' .control:active { transform: scale(.93); } .control:focus { box-shadow: 0 0 0 6px #5b9bf5; outline: 0; }');
    page.control();
  },
  tooltip(page) {
    style('.tip::after { content: "Opens the berth list"; position: absolute; left: calc(100% + 8px); top: 4px; padding: 6px 10px; background: #222; color: #fff; border-radius: 4px;' +
      ' white-space: nowrap; font-size: 12px; z-index: 5; opacity: 0; transition: opacity .2s .1s; pointer-events: none; } .tip:hover::after { opacity: 1; }');
    page.control().classList.add('tip');
  },
  focus_ring(page) {
    style('.control:focus { outline: 5px solid #f5a623; outline-offset: 4px; }');
    const control = page.control('div');
    control.tabIndex = 0;
    control.setAttribute('role', 'button');
  },
  label_only(page) { page.control('div').style.pointerEvents = 'none'; },
});

const style = (text) => { document.head.appendChild(document.createElement('style')).textContent = text; };

const hiddenModal = (page, look) => {
  page.control().addEventListener('click', () => {
    const modal = document.createElement('div');
    modal.className = 'modal';
    modal.setAttribute('role', 'dialog');
    modal.innerHTML = '<h2>Berth list</h2><p>Six berths are free.</p>';
    Object.assign(modal.style, look);
    document.body.append(modal);
  });
};
