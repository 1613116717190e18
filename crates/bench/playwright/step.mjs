// The Playwright side of the benchmarks: takes one JSON command per line on stdin, answers one JSON
// line on stdout, and times with its own clock, so that the pipe to the benchmark costs it nothing.
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const [executablePath, url, format] = process.argv.slice(2);
const shot = format === 'jpeg' ? { type: 'jpeg', quality: 80 } : { type: 'png' };
const viewport = { width: 1280, height: 720 };
// Every tenth second screenshot goes back to be checked; all of them would cost more than the steps.
const SENT_BACK_EVERY = 10;

let browser = null;
let page = null;

const open = async () => {
  const begun = performance.now();
  browser = await chromium.launch({ executablePath, headless: true, chromiumSandbox: false });
  page = await browser.newPage({ viewport, deviceScaleFactor: 1 });
  await page.goto(url);
  await page.screenshot(shot);
  const ms = performance.now() - begun;
  const view = await page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio]);
  return { ms, view, version: browser.version() };
};

const close = async () => {
  const open = browser;
  browser = page = null;
  if (open) await open.close();
  return {};
};

const probe = () => ({
  url: location.href,
  title: document.title,
  active: document.activeElement ? document.activeElement.id : null,
  count: window.count,
  ready: document.readyState,
});

const twoFrames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null))));

const steps = async ({ points }) => {
  const samples = [];
  for (const [index, [x, y]] of points.entries()) {
    const begun = performance.now();
    await page.screenshot(shot);
    const looked = performance.now();
    await page.mouse.click(x, y);
    const { count } = await page.evaluate(probe);
    await page.evaluate(twoFrames);
    const after = await page.screenshot(shot);
    const ended = performance.now();
    const sample = { total: ended - begun, acted: ended - looked, count };
    if (index % SENT_BACK_EVERY === 0) sample.frame = after.toString('base64');
    samples.push(sample);
  }
  return { samples, count: await page.evaluate(() => window.count) };
};

const commands = { open, close, steps };

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  let answer;
  try {
    answer = await commands[command.do](command);
  } catch (error) {
    answer = { error: String(error.message || error).split('\n')[0] };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
await close();
