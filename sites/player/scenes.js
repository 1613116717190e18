// The drawings that stand in for films. Each is a pure function of the clip's number and a time,
// so that a position always looks the same and a pause stands perfectly still.

export const WIDTH = 1280;
export const HEIGHT = 720;

/** Repeatable numbers from 0 to 1 (mulberry32). */
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function drawScene(context, clip, time) {
  context.save();
  const next = numbers(clip.art);
  const hue = Math.floor(next() * 360);
  (SCENES[clip.scene] ?? lanterns)(context, next, hue, time);
  context.restore();
}

function sky(context, top, bottom) {
  const gradient = context.createLinearGradient(0, 0, 0, HEIGHT);
  gradient.addColorStop(0, top);
  gradient.addColorStop(1, bottom);
  context.fillStyle = gradient;
  context.fillRect(0, 0, WIDTH, HEIGHT);
}

function disc(context, x, y, radius, color) {
  context.fillStyle = color;
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.fill();
}

/** A hill or wave: a curve filled down to the lower edge. */
function ridge(context, color, heightAt) {
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(0, HEIGHT);
  for (let x = 0; x <= WIDTH; x += 16) {
    context.lineTo(x, heightAt(x));
  }
  context.lineTo(WIDTH, HEIGHT);
  context.fill();
}

function skyline(context, next, hue, time) {
  sky(context, `hsl(${hue} 45% 10%)`, `hsl(${(hue + 40) % 360} 42% 32%)`);
  for (let star = 0; star < 60; star += 1) {
    disc(context, next() * WIDTH, next() * 330, 0.7 + next() * 1.3, "rgb(255 255 255 / 60%)");
  }
  disc(context, 220 + time * 2.2, 150, 46, `hsl(${(hue + 50) % 360} 60% 88%)`);
  for (let layer = 0; layer < 3; layer += 1) {
    const speed = [9, 24, 58][layer];
    const width = [90, 120, 168][layer];
    const count = Math.ceil(WIDTH / width) + 3;
    const houses = Array.from({ length: count }, () => [next(), next(), next()]);
    const whole = count * width;
    houses.forEach(([height, wide, lit], index) => {
      const x = ((((index * width - time * speed) % whole) + whole) % whole) - width;
      const top = HEIGHT - [210, 140, 70][layer] - height * [230, 200, 150][layer];
      context.fillStyle = `hsl(${hue} ${32 - layer * 6}% ${21 - layer * 7}%)`;
      const house = width * (0.72 + wide * 0.24);
      context.fillRect(x, top, house, HEIGHT - top);
      context.fillStyle = `hsl(44 90% ${72 - layer * 4}%)`;
      for (let window = 0; window < 12; window += 1) {
        if ((window * 7 + Math.floor(lit * 40)) % 5 < 2) {
          context.fillRect(x + house * (0.16 + (window % 3) * 0.27), top + 20 + Math.floor(window / 3) * 32, 10, 14);
        }
      }
    });
  }
}

function waves(context, next, hue, time) {
  const warm = 18 + (hue % 40);
  sky(context, `hsl(${warm + 190} 42% 30%)`, `hsl(${warm} 85% 68%)`);
  disc(context, 380 + next() * 500, 250 + time * 1.1, 84, `hsl(${warm + 18} 96% 78%)`);
  for (let layer = 0; layer < 6; layer += 1) {
    const length = 0.005 + next() * 0.006;
    const phase = next() * 9;
    const height = 12 + layer * 5;
    ridge(context, `hsl(${warm + 182} ${46 + layer * 4}% ${42 - layer * 5.5}%)`, (x) => {
      return 360 + layer * 58 + Math.sin(x * length + phase + time * (0.5 + layer * 0.16)) * height;
    });
  }
}

function orbits(context, next, hue, time) {
  sky(context, "#070912", `hsl(${hue} 40% 13%)`);
  for (let star = 0; star < 110; star += 1) {
    disc(context, next() * WIDTH, next() * HEIGHT, 0.6 + next(), "rgb(255 255 255 / 50%)");
  }
  const middle = { x: WIDTH / 2, y: HEIGHT / 2 - 10 };
  disc(context, middle.x, middle.y, 66, `hsl(${(hue + 30) % 360} 95% 66% / 28%)`);
  disc(context, middle.x, middle.y, 48, `hsl(${(hue + 30) % 360} 95% 66%)`);
  for (let world = 0; world < 7; world += 1) {
    const wide = 110 + world * 72;
    const angle = next() * 7 + (time * 1.5) / (1 + world * 0.75);
    context.strokeStyle = "rgb(255 255 255 / 13%)";
    context.lineWidth = 1.5;
    context.beginPath();
    context.ellipse(middle.x, middle.y, wide, wide * 0.5, 0, 0, Math.PI * 2);
    context.stroke();
    const color = `hsl(${Math.floor(next() * 360)} 62% 62%)`;
    disc(context, middle.x + Math.cos(angle) * wide, middle.y + Math.sin(angle) * wide * 0.5, 9 + next() * 15, color);
  }
}

function dunes(context, next, hue, time) {
  const warm = 20 + (hue % 22);
  sky(context, `hsl(${warm + 172} 52% 62%)`, `hsl(${warm + 14} 82% 86%)`);
  disc(context, 200 + time * 5, 170 - Math.sin(time / 28) * 40, 58, "#fff6d6");
  for (let layer = 0; layer < 5; layer += 1) {
    const phase = next() * 1000;
    const length = 0.0032 + next() * 0.002;
    ridge(context, `hsl(${warm} ${58 - layer * 4}% ${68 - layer * 10}%)`, (x) => {
      const along = (x + phase + time * (8 + layer * 15)) * length;
      return 320 + layer * 78 - Math.abs(Math.sin(along)) * (70 + layer * 12) + Math.sin(along * 3.1) * 12;
    });
  }
}

function bars(context, next, hue, time) {
  sky(context, "#0d0f17", `hsl(${hue} 36% 18%)`);
  const count = 16;
  const width = WIDTH / count;
  for (let bar = 0; bar < count; bar += 1) {
    const pace = 0.8 + next() * 2.2;
    const phase = next() * 7;
    const height = 90 + (Math.sin(time * pace + phase) * 0.5 + 0.5) * 380;
    const color = `hsl(${(hue + bar * 9) % 360} 74% 60%)`;
    context.fillStyle = color;
    context.fillRect(bar * width + 10, HEIGHT - 90 - height, width - 20, height);
    context.globalAlpha = 0.2;
    context.fillRect(bar * width + 10, HEIGHT - 84, width - 20, height * 0.18);
    context.globalAlpha = 1;
  }
}

function lanterns(context, next, hue, time) {
  sky(context, `hsl(${(hue + 200) % 360} 46% 12%)`, `hsl(${(hue + 230) % 360} 44% 30%)`);
  for (let lantern = 0; lantern < 34; lantern += 1) {
    const size = 12 + next() * 26;
    const speed = 12 + size * 1.1;
    const start = next() * (HEIGHT + 120);
    const y = HEIGHT + 60 - ((start + time * speed) % (HEIGHT + 120));
    const x = next() * WIDTH + Math.sin(time * 0.7 + next() * 7) * 22;
    const tone = 26 + Math.floor(next() * 24);
    disc(context, x, y, size * 1.9, `hsl(${tone} 95% 62% / 12%)`);
    context.fillStyle = `hsl(${tone} 95% 64%)`;
    context.beginPath();
    context.roundRect(x - size / 2, y - size * 0.65, size, size * 1.3, size * 0.28);
    context.fill();
  }
}

const SCENES = { skyline, waves, orbits, dunes, bars, lanterns };
