'use strict';
// Controls whose effect is paint that no tree shows: canvases, style rules, animations.
Object.assign(fault.kinds, {
  canvas_point(page) {
    const { canvas, context } = page.painted();
    page.live(canvas, (event) => {
      context.fillStyle = '#f2c230';
      context.beginPath();
      context.arc(event.offsetX, event.offsetY, 9, 0, 7);
      context.fill();
    });
  },
  canvas_elsewhere(page) {
    page.live(page.control(), () => {
      const context = page.sketch.getContext('2d');
      context.fillStyle = '#b8452f';
      context.fillRect(14, 14, 40, 30);
    });
  },
  adopted_sheet(page) {
    page.live(page.control(), () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('.swatch { background: var(--accent); }');
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    });
  },
  insert_rule(page) {
    page.live(page.control(), () => {
      const sheet = document.styleSheets[0];
      sheet.insertRule('.panel { background: #f3dcb4; }', sheet.cssRules.length);
    });
  },
  rule_style(page) {
    page.live(page.control(), () => {
      for (const rule of document.styleSheets[0].cssRules) if (rule.selectorText === '.swatch') rule.style.background = '#2f7a5a';
    });
  },
  root_variable(page) { page.live(page.control(), () => document.documentElement.style.setProperty('--ground', '#dfe9d8')); },
  waapi_moves(page) { page.live(page.control(), () => { page.swatch.animate([{ transform: 'none' }, { transform: 'translateX(60px)' }], { duration: 200, fill: 'forwards' }); }); },
  waapi_shows(page) {
    const veil = page.put('div', page.below(180, 60), 'panel');
    veil.textContent = 'Six berths';
    veil.style.opacity = '0';
    page.live(page.control(), () => { veil.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 250, fill: 'forwards' }); });
  },
  waapi_panel(page) { page.live(page.control(), () => { page.panel.animate([{ backgroundColor: '#fff' }, { backgroundColor: '#cfe3f5' }], { duration: 300, fill: 'forwards' }); }); },
});
