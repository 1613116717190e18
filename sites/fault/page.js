'use strict';
// The page all cases share: header, a row of controls of one look, a panel, notes below the fold, and
// the noise. A kind only says what becomes of the one control that is clicked. What really ran is
// counted in here, out of sight, and told to the server when the page is left.
const fault = (() => {
  const holder = document.getElementById('setup');
  const setup = JSON.parse(holder.textContent);
  holder.remove();
  const kinds = {}, noises = {};
  let arrived = 0, ran = 0;

  const witness = () => navigator.sendBeacon('/api/witness', JSON.stringify({ run: setup.run, arrived, ran }));
  addEventListener('pointerdown', (event) => { if (event.isTrusted) arrived++; }, true);
  addEventListener('pagehide', witness);

  const main = document.createElement('main');
  const page = {
    setup, main,
    ran: () => { ran++; },
    // An element at a place of the page; the place is [left, top, width, height].
    put(tag, [left, top, width, height], name = '', parent = main) {
      const element = document.createElement(tag);
      element.className = ('placed ' + name).trim();
      Object.assign(element.style, { left: left + 'px', top: top + 'px', width: width + 'px', height: height + 'px' });
      parent.append(element);
      return element;
    },
    // The control of the case, or anything else that should look like it.
    control(tag = 'button', parent = main) {
      const control = page.put(tag, setup.box, 'control', parent);
      control.textContent = setup.label;
      if (tag === 'button') control.type = 'button';
      return control;
    },
    // What a live control does, and that it did.
    live(control, effect, type = 'click') {
      control.addEventListener(type, (event) => { effect(event); page.ran(); });
      return control;
    },
    around: (margin) => [setup.box[0] - margin, setup.box[1] - margin, setup.box[2] + 2 * margin, setup.box[3] + 2 * margin],
    // A box of that size in the middle of the control's place.
    middle: (width, height) => [setup.box[0] + (setup.box[2] - width) / 2, setup.box[1] + (setup.box[3] - height) / 2, width, height],
    below: (width, height) => [setup.box[0], setup.box[1] + setup.box[3] + 6, width, height],
    // A canvas that looks like the control.
    painted() {
      const canvas = page.put('canvas', setup.box);
      [canvas.width, canvas.height] = [setup.box[2], setup.box[3]];
      const style = getComputedStyle(document.documentElement), context = canvas.getContext('2d');
      const paint = () => {
        context.fillStyle = style.getPropertyValue('--control');
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.fillStyle = style.getPropertyValue('--on-control');
        context.font = '14px sans-serif';
        context.textAlign = 'center';
        context.fillText(setup.label, canvas.width / 2, canvas.height / 2 + 5);
      };
      paint();
      return { canvas, context, paint };
    },
    frame(origin) {
      const margin = 10, frame = page.put('iframe', page.around(margin));
      frame.style.border = '0';
      frame.src = origin + '/inside' + location.search;
      return frame;
    },
  };

  const build = () => {
    const bar = document.createElement('div');
    bar.className = 'bar';
    bar.innerHTML = '<b>Harbour Office</b><span>Berths</span><span>Tides</span><span>Crews</span><span>Ledger</span>';
    main.append(bar);
    setup.others.forEach(({ box, label }) => {
      const other = page.put('button', box, 'control');
      other.type = 'button';
      other.textContent = label;
    });
    const panel = page.put('section', setup.panel, 'panel');
    panel.innerHTML = '<h2>Summary</h2><p class="figure">Moored: 12</p><p class="line">The north quay is open until dusk.</p>' +
      '<ul><li>Gannet, 9 m</li><li>Curlew, 11 m</li><li>Plover, 7 m</li></ul><input aria-label="Berth" value="N4"><div class="swatch"></div>' +
      '<div class="figures"><canvas class="sketch" width="90" height="60"></canvas><svg width="60" height="60"><circle cx="30" cy="30" r="12" fill="#4a7a5a"/></svg>' +
      '<div class="inner">One<br>Two<br>Three<br>Four<br>Five<br>Six<br>Seven<br>Eight<br>Nine</div></div>';
    const part = (name) => panel.querySelector(name);
    Object.assign(page, {
      panel, figure: part('.figure'), line: part('.line'), list: part('ul'), field: part('input'), swatch: part('.swatch'),
      circle: part('circle'), inner: part('.inner'), sketch: part('.sketch'),
    });
    if (setup.sketch) {
      const context = page.sketch.getContext('2d');
      context.strokeStyle = '#4a5a7a';
      context.strokeRect(8, 8, 74, 44);
    } else page.sketch.remove();
    const notes = document.createElement('section');
    notes.className = 'placed notes';
    notes.innerHTML = '<h2>Notes</h2><p class="tally">Tally: 3</p><p>Fenders are checked every Monday.</p>';
    main.append(notes);
    page.notes = notes;
  };

  const start = () => {
    for (const [name, value] of Object.entries(setup.colours)) document.documentElement.style.setProperty('--' + name, value);
    document.body.append(main);
    // The document in a frame shows its control and nothing else.
    if (setup.inside) main.style.height = '100vh';
    else {
      build();
      if (setup.noise !== 'none') noises[setup.noise](page.put('div', setup.noise_box, 'noise'), setup);
    }
    kinds[setup.kind](page);
    for (const script of document.querySelectorAll('script')) script.remove();
  };
  return { kinds, noises, start };
})();
