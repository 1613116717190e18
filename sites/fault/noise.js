'use strict';
// What a page does by itself, whoever clicks. Each noise is given its box and the setup of the page.
const ambient = fault.noises;
const COLOURS = ['#a7452f', '#2f7a5a', '#6a4fa7', '#a78a2f', '#2f6aa7'];

ambient.clock = (box) => {
  const line = () => box.appendChild(document.createElement('p'));
  const [seconds, quarters] = [line(), line()];
  let count = 0;
  const tell = () => { seconds.textContent = new Date().toTimeString().slice(0, 8); };
  tell();
  setInterval(tell, 1000);
  setInterval(() => { quarters.textContent = (++count / 4).toFixed(2) + ' s'; }, 250);
};

ambient.carousel = (box) => {
  const row = () => {
    const cards = document.createElement('div');
    cards.className = 'cards';
    COLOURS.forEach((colour, index) => {
      const card = document.createElement('div');
      card.style.background = colour;
      card.textContent = 'Boat ' + (index + 1);
      cards.append(card);
    });
    return box.appendChild(cards);
  };
  const byTree = row(), byStyle = row();
  setInterval(() => byTree.append(byTree.firstElementChild), 1500);
  for (const card of byStyle.children) card.classList.add('slider');
};

ambient.spinner = (box) => { box.appendChild(document.createElement('div')).className = 'spinner'; };

ambient.video = (box) => {
  const canvas = box.appendChild(document.createElement('canvas'));
  [canvas.width, canvas.height] = [240, 92];
  const context = canvas.getContext('2d');
  const paint = (time) => {
    for (let index = 0; index < 40; index++) {
      context.fillStyle = COLOURS[Math.floor(Math.random() * 5)];
      context.fillRect(Math.random() * 240, Math.random() * 92, 24, 14);
    }
    context.fillStyle = '#fff';
    context.fillRect((time / 10) % 240, 0, 12, 92);
    requestAnimationFrame(paint);
  };
  requestAnimationFrame(paint);
};

ambient.ads = (box, setup) => {
  const source = (index) => 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="240" height="44"><rect width="240" height="44" fill="' +
    COLOURS[index % 5] + '"/><text x="12" y="28" fill="#fff">Rope sale ' + (index % 5) + '</text></svg>');
  const picture = box.appendChild(document.createElement('img'));
  const other = box.appendChild(document.createElement(setup.second_form ? 'iframe' : 'div'));
  Object.assign(other.style, { width: '240px', height: '44px', border: '0', display: 'block' });
  let index = 0;
  const swap = () => {
    picture.src = source(index);
    if (other.localName === 'iframe') other.srcdoc = '<body style="margin:0;background:' + COLOURS[(index + 2) % 5] + '">Paint ' + index;
    else other.style.background = 'url("' + source(index + 2) + '")';
    index++;
  };
  swap();
  setInterval(swap, 2000);
};

ambient.chat = (box) => {
  const log = box.appendChild(document.createElement('div'));
  log.className = 'log';
  let count = 0;
  setInterval(() => {
    log.appendChild(document.createElement('p')).textContent = 'mate ' + (count % 4) + ': line ' + ++count;
    if (log.children.length > 5) log.firstElementChild.remove();
  }, 700);
};

ambient.polling = () => { setInterval(() => fetch('/api/poll').then((answer) => answer.text()), 500); };

ambient.progress = (box) => {
  const track = box.appendChild(document.createElement('div'));
  track.className = 'track';
  const bar = track.appendChild(document.createElement('div'));
  let width = 0;
  setInterval(() => { bar.style.width = (width = (width + 2) % 100) + '%'; }, 200);
};

ambient.caret = (box) => {
  box.innerHTML = '<p>Waiting for the pilot<span>|</span></p>';
  const caret = box.querySelector('span');
  setInterval(() => { caret.style.visibility = caret.style.visibility === 'hidden' ? '' : 'hidden'; }, 530);
};

ambient.gif = (box) => { box.appendChild(document.createElement('img')).src = '/assets/lamp.gif'; };

ambient.ticker = (box) => {
  const ticker = box.appendChild(document.createElement('div'));
  ticker.className = 'ticker';
  ticker.textContent = 'High water 06:12, low water 12:31, wind south-west five, gusts seven, visibility good, swell two metres. '.repeat(6);
  setInterval(() => { ticker.scrollLeft = (ticker.scrollLeft + 3) % 1600; }, 50);
};
