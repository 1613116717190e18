// A step sequencer: what is shown is what was clicked; what is saved is what the server got.

const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const wanted = new URLSearchParams(location.search);
root.dataset.skin = wanted.get('skin') || 'dark';

let pattern;

const say = (text) => { byId('status').textContent = text; };

const draw = () => {
  byId('rows').replaceChildren(...pattern.rows.map((row, index) => {
    const line = document.createElement('div');
    line.className = 'row' + (row.muted ? ' muted' : '');
    line.setAttribute('role', 'group');
    line.setAttribute('aria-label', row.name);
    const mute = document.createElement('button');
    mute.type = 'button';
    mute.className = 'mute';
    mute.textContent = 'M';
    mute.setAttribute('aria-label', 'Mute ' + row.name);
    mute.setAttribute('aria-pressed', String(row.muted));
    mute.addEventListener('click', () => { row.muted = !row.muted; changed(); });
    const name = document.createElement('span');
    name.className = 'name';
    name.textContent = row.name;
    const cells = document.createElement('div');
    cells.className = 'cells';
    cells.append(...row.steps.map((on, step) => {
      const cell = document.createElement('button');
      cell.type = 'button';
      cell.className = 'cell' + (Math.floor(step / 4) % 2 ? ' beat' : '');
      cell.setAttribute('aria-label', `${row.name} step ${step + 1}`);
      cell.setAttribute('aria-pressed', String(on));
      cell.addEventListener('click', () => { pattern.rows[index].steps[step] = !pattern.rows[index].steps[step]; changed(); });
      return cell;
    }));
    line.append(mute, name, cells);
    return line;
  }));
  byId('loop').checked = pattern.loop;
  byId('metronome').checked = pattern.metronome;
  byId('tempo').value = pattern.tempo;
};

const changed = () => { say('Not saved'); draw(); };

byId('loop').addEventListener('change', (event) => { pattern.loop = event.target.checked; changed(); });
byId('metronome').addEventListener('change', (event) => { pattern.metronome = event.target.checked; changed(); });
byId('tempo').addEventListener('change', (event) => { pattern.tempo = Number(event.target.value) || pattern.tempo; changed(); });
byId('clear').addEventListener('click', () => { for (const row of pattern.rows) row.steps.fill(false); changed(); });
byId('save').addEventListener('click', async () => {
  const answer = await fetch('/api/pattern', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(pattern) });
  say(answer.ok ? 'Pattern saved' : 'The pattern could not be saved');
});

pattern = await (await fetch('/api/pattern')).json();
draw();
