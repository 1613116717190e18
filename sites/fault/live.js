'use strict';
// Controls whose effect is in the tree, sooner or later, near or far.
Object.assign(fault.kinds, {
  text(page) {
    const control = page.control();
    page.live(control, () => { control.textContent = 'Done: ' + page.setup.label; });
  },
  toggle_class(page) {
    const control = page.control();
    page.live(control, () => control.classList.toggle('chosen'));
  },
  toggle_attribute(page) {
    const control = page.control();
    control.setAttribute('aria-pressed', 'false');
    page.live(control, () => control.setAttribute('aria-pressed', 'true'));
  },
  disables_itself(page) {
    const control = page.control();
    page.live(control, () => { control.disabled = true; });
  },
  checkbox(page) { tick(page, 18); },
  tiny_checkbox(page) { tick(page, 12); },
  radio(page) { tick(page, 18, 'radio'); },
  switch(page) {
    const label = page.put('label', page.middle(52, 28));
    label.innerHTML = '<input type="checkbox" style="position:absolute;opacity:0;width:1px;height:1px"><i></i>';
    const look = document.createElement('style');
    look.textContent = 'label i { display: block; width: 52px; height: 28px; border-radius: 14px; background: #b9bec6; } label input:checked + i { background: var(--control); }';
    document.head.append(look);
    label.firstElementChild.addEventListener('change', page.ran);
  },
  counter_far(page) { page.live(page.control(), () => { page.figure.textContent = 'Moored: 13'; }); },
  counter_below(page) { page.live(page.control(), () => { page.notes.querySelector('.tally').textContent = 'Tally: 4'; }); },
  late_600(page) { later(page, 600); },
  late_1300(page) { later(page, 1300); },
  late_frame(page) {
    page.control().addEventListener('click', () => requestAnimationFrame(() => requestAnimationFrame(() => { page.line.textContent = 'The north quay is closed.'; page.ran(); })));
  },
  slow_server(page) {
    page.control().addEventListener('click', async () => {
      const answer = await fetch('/api/slow?ms=700');
      page.figure.textContent = await answer.text();
      page.ran();
    });
  },
  request_only(page) { page.live(page.control(), () => { fetch('/api/save', { method: 'POST', body: 'berth=N4' }); }); },
  beacon_only(page) { page.live(page.control(), () => navigator.sendBeacon('/api/save', 'berth=N4')); },
  modal(page) {
    page.live(page.control(), () => {
      const modal = document.createElement('div');
      modal.className = 'modal';
      modal.setAttribute('role', 'dialog');
      modal.innerHTML = '<h2>Berth list</h2><p>Six berths are free.</p>';
      document.body.append(modal);
    });
  },
  modal_shown(page) {
    const modal = document.createElement('div');
    modal.className = 'modal';
    modal.style.display = 'none';
    modal.innerHTML = '<h2>Berth list</h2><p>Six berths are free.</p>';
    document.body.append(modal);
    page.live(page.control(), () => { modal.style.display = 'block'; });
  },
  toast(page) {
    page.live(page.control(), () => {
      const toast = document.createElement('div');
      toast.className = 'toast';
      toast.textContent = 'The berth was kept for you.';
      document.body.append(toast);
    });
  },
  item_added(page) { page.live(page.control(), () => { page.list.appendChild(document.createElement('li')).textContent = 'Heron, 8 m'; }); },
  item_removed(page) { page.live(page.control(), () => page.list.lastElementChild.remove()); },
  order_changed(page) { page.live(page.control(), () => page.list.append(page.list.firstElementChild)); },
  panel_hidden(page) { page.live(page.control(), () => { page.swatch.hidden = true; }); },
  shadow_open(page) { inShadow(page, 'open'); },
  shadow_closed(page) { inShadow(page, 'closed'); },
  frame_live(page) { page.frame(''); },
  cross_live(page) { page.frame(page.setup.other); },
  svg(page) { page.live(page.control(), () => { page.circle.setAttribute('r', '24'); }); },
  picture(page) {
    const picture = page.panel.appendChild(document.createElement('img'));
    const source = (colour) => 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><rect width="60" height="30" fill="' + colour + '"/></svg>');
    picture.src = source('#357');
    page.live(page.control(), () => { picture.src = source('#b53'); });
  },
});

const tick = (page, size, type = 'checkbox') => {
  const box = page.put('input', page.middle(size, size));
  box.type = type;
  box.style.margin = '0';
  box.ariaLabel = page.setup.label;
  box.addEventListener('change', page.ran);
};

const later = (page, wait) => {
  page.control().addEventListener('click', () => setTimeout(() => { page.figure.textContent = 'Moored: 13'; page.ran(); }, wait));
};

const inShadow = (page, mode) => {
  const control = fault.inShadow(page, page.put('div', page.setup.box).attachShadow({ mode }));
  page.live(control, () => { control.textContent = 'Done'; });
};
