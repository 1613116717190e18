'use strict';
// Controls that died by their wiring: the click arrives nowhere, or what it reaches does nothing.
Object.assign(fault.kinds, {
  overlay(page) {
    page.live(page.control(), () => { page.figure.textContent = 'Moored: 13'; });
    const cover = page.put('div', page.around(30));
    cover.style.zIndex = '9';
  },
  removed(page) {
    const control = page.control();
    const handler = () => page.ran();
    control.addEventListener('click', handler);
    control.removeEventListener('click', handler);
  },
  bare(page) { page.control(); },
  lookalike(page) {
    const control = page.control();
    control.classList.add('grey');
    control.setAttribute('aria-disabled', 'true');
    control.addEventListener('click', (event) => {
      if (control.getAttribute('aria-disabled') === 'true') return event.preventDefault();
      page.ran();
    });
  },
  disabled(page) {
    const control = page.live(page.control(), () => { page.figure.textContent = 'Moored: 13'; });
    control.disabled = true;
  },
  throws(page) {
    page.control().addEventListener('click', () => {
      const missing = page.nothing.here;
      page.figure.textContent = missing;
      page.ran();
    });
  },
  stopped(page) {
    page.main.addEventListener('click', (event) => event.stopPropagation(), true);
    page.live(page.control(), () => { page.figure.textContent = 'Moored: 13'; });
  },
  console(page) { page.control().addEventListener('click', () => console.log('clicked')); },
  variable(page) {
    let kept = 0;
    page.control().addEventListener('click', () => { kept += 1; });
  },
  void_link(page) { page.control('a').href = 'javascript:void 0'; },
  form_prevented(page) {
    const form = document.createElement('form');
    page.main.append(form);
    page.control('button', form).type = 'submit';
    form.addEventListener('submit', (event) => event.preventDefault());
  },
  shadow_dead(page) {
    const root = page.put('div', page.setup.box).attachShadow({ mode: 'open' });
    fault.inShadow(page, root);
  },
  shadow_closed_dead(page) {
    const root = page.put('div', page.setup.box).attachShadow({ mode: 'closed' });
    fault.inShadow(page, root).addEventListener('click', (event) => event.preventDefault());
  },
  frame_dead(page) { page.frame(''); },
  cross_dead(page) { page.frame(page.setup.other); },
  canvas_dead(page) { page.painted(); },
  checkbox_dead(page) {
    const box = page.put('input', page.middle(18, 18));
    box.type = 'checkbox';
    box.ariaLabel = page.setup.label;
    box.addEventListener('click', (event) => event.preventDefault());
    box.addEventListener('change', page.ran);
  },
  summary_dead(page) {
    const details = page.put('details', page.setup.box);
    details.innerHTML = '<summary class="control"></summary><p>Six berths are free.</p>';
    const summary = details.firstElementChild;
    summary.textContent = page.setup.label;
    summary.style.height = page.setup.box[3] + 'px';
    summary.addEventListener('click', (event) => event.preventDefault());
    details.addEventListener('toggle', page.ran);
  },
});

// A control of the usual look in a tree of its own.
fault.inShadow = (page, root) => {
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = '/assets/base.css';
  const control = document.createElement('button');
  control.className = 'control';
  control.textContent = page.setup.label;
  Object.assign(control.style, { width: page.setup.box[2] + 'px', height: page.setup.box[3] + 'px' });
  root.append(style, control);
  return control;
};
