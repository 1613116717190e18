'use strict';
// Controls whose effect is a state of the page or of the browser: address, title, focus, scroll,
// selection, values, open parts.
Object.assign(fault.kinds, {
  link(page) {
    const link = page.control('a');
    link.href = '/landed';
    link.addEventListener('click', page.ran);
  },
  hash(page) { page.live(page.control(), () => { location.hash = 'crews'; }); },
  push_state(page) { page.live(page.control(), () => history.pushState({}, '', '/case/crews')); },
  title(page) { page.live(page.control(), () => { document.title = 'Crews at work'; }); },
  focus_field(page) { page.live(page.control(), () => page.field.focus()); },
  value(page) { page.live(page.control(), () => { page.field.value = 'S7'; }); },
  editable(page) {
    const sheet = document.createElement('div');
    sheet.className = 'sheet';
    sheet.contentEditable = 'true';
    sheet.textContent = 'Ask the pilot';
    page.field.after(sheet);
    page.live(page.control(), () => { sheet.textContent = 'Ask the pilot at noon'; });
  },
  details(page) {
    const details = page.put('details', page.setup.box);
    details.innerHTML = '<summary class="control"></summary><p>Six berths are free.</p>';
    details.firstElementChild.textContent = page.setup.label;
    details.firstElementChild.style.height = page.setup.box[3] + 'px';
    details.addEventListener('toggle', page.ran);
  },
  dialog(page) {
    const dialog = document.createElement('dialog');
    dialog.innerHTML = '<h2>Berth list</h2><p>Six berths are free.</p>';
    document.body.append(dialog);
    page.live(page.control(), () => dialog.showModal());
  },
  popover(page) {
    const popover = document.createElement('div');
    popover.popover = 'manual';
    popover.innerHTML = '<h2>Berth list</h2><p>Six berths are free.</p>';
    document.body.append(popover);
    page.live(page.control(), () => popover.showPopover());
  },
  scroll(page) { page.live(page.control(), () => page.notes.scrollIntoView({ behavior: page.setup.second_form ? 'smooth' : 'instant' })); },
  scroll_inner(page) { page.live(page.control(), () => { page.inner.scrollTop = 70; }); },
  selection(page) { page.live(page.control(), () => getSelection().selectAllChildren(page.line)); },
  clipboard(page) { page.control().addEventListener('click', () => navigator.clipboard.writeText('Berth N4').then(page.ran)); },
});
