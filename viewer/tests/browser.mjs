// What the tests and the screenshots share: throng as a server, chromium as a browser, a page on it.
import {chromium} from 'playwright-core';
import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {createInterface} from 'node:readline';

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const browserPath = places.find(place => place && existsSync(place));

/** A failed test leaves nothing running. */
const running = new Set();
process.once('exit', () => { for (const child of running) child.kill(); });

/** `throng view ARGS` (or another command that serves), once it answers. */
export async function serve(program, words, command = 'view') {
  const child = spawn(program, [command, ...words, '--no-open', '--json'], {stdio: ['ignore', 'pipe', 'inherit']});
  running.add(child);
  child.once('exit', () => running.delete(child));
  const lines = createInterface({input: child.stdout});
  const address = await new Promise((resolve, reject) => {
    lines.once('line', line => resolve(JSON.parse(line).address));
    child.once('exit', code => reject(new Error(`throng ${command} ended with ${code}`)));
  });
  const ended = new Promise(resolve => child.once('exit', (code, signal) => resolve({code, signal})));
  return {address, child, ended, stop: () => (child.kill('SIGINT'), ended)};
}

/** A browser that draws WebGL without a graphics card (the editor alone needs none), as the user `root` of a build machine too. */
export async function launch({webgl = true} = {}) {
  return chromium.launch({
    executablePath: browserPath, headless: true,
    args: ['--no-sandbox', ...(webgl ? ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] : ['--disable-gpu']), '--hide-scrollbars', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/** A page that is ready; whatever it complains of is collected in `page.complaints`. */
export async function open(browser, address, {width = 1280, height = 800, scale = 1, dark = false} = {}) {
  const context = await browser.newContext({viewport: {width, height}, deviceScaleFactor: scale, colorScheme: dark ? 'dark' : 'light', acceptDownloads: true});
  const page = await context.newPage();
  page.complaints = [];
  page.on('pageerror', error => page.complaints.push(String(error)));
  page.on('console', message => { if (message.type() === 'error') page.complaints.push(`${message.text()} ${message.location().url}`.trim()); });
  await page.goto(address);
  await page.waitForSelector('html[data-ready="true"]', {timeout: 60000});
  return page;
}
