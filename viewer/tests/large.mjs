// How long a plan of 20,000 vertices takes in the editor: what one draws until it is seen, its own complaints, those of the whole plan. By the clock, and by
// the processor time of the threads that do it, which is what the clock would say if nothing else ran.
//   node large.mjs PROGRAM CLIENT       (a measurement, judged by nobody; medians of seven)
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {loadavg, tmpdir} from 'node:os';
import {join} from 'node:path';
import {launch, open, serve} from './browser.mjs';
import {settled} from './editing.mjs';

const [program, client] = process.argv.slice(2), folder = mkdtempSync(join(tmpdir(), 'throng-large-')), city = join(folder, 'city.geojson');
execFileSync(program, ['generate', 'city', city, '--vertices', '20000'], {stdio: 'ignore'});
const browser = await launch({webgl: false}), server = await serve(program, [city, '--client', client], 'edit');
const page = await open(browser, server.address, {width: 1200, height: 760});
await settled(page, 120);
const features = await page.evaluate(() => window.editor.doc.features.reduce((n, f) => n + f.geometry.coordinates.flat(Infinity).length / 2, 0));

/** Milliseconds that threads of a process had a processor so far: all of them, or the first. */
const onProcessor = (process, all) => (all ? readdirSync(`/proc/${process}/task`) : [process]).reduce((sum, thread) => {
  try {
    return sum + Number(readFileSync(`/proc/${process}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return sum;  // it ended meanwhile
  }
}, 0);
const cdp = await browser.newBrowserCDPSession(), {processInfo} = await cdp.send('SystemInfo.getProcessInfo');
const renderers = processInfo.filter(p => p.type === 'renderer').map(p => p.id), drawers = processInfo.filter(p => p.type === 'GPU').map(p => p.id);
const drawing = () => renderers.reduce((sum, id) => sum + onProcessor(id, false), 0);
const picture = () => drawers.reduce((sum, id) => sum + onProcessor(id, true), 0);
const others = () => renderers.reduce((sum, id) => sum + onProcessor(id, true) - onProcessor(id, false), 0);

const taken = {'change, on the drawing thread': [], 'picture, on the drawing thread': [], 'until it is seen': [], 'its own complaints': [], 'those of the whole plan': [],
               'processor, until it is seen: drawing thread': [], 'processor, until it is seen: graphics in software': [], 'processor, check of the whole plan: throng': [], 'processor, check of the whole plan: the page\'s worker and others': []};
for (let k = 0; k < 7; ++k) {
  const before = [drawing(), picture(), onProcessor(server.child.pid, true), others()];
  const times = await page.evaluate(async n => {
    const e = window.editor, since = performance.now(), [x, y] = e.plan.centre, ring = [[x + n, y], [x + n + 0.5, y], [x + n + 0.5, y + 0.5], [x + n, y + 0.5], [x + n, y]];
    e.change({...e.doc, features: [...e.doc.features, {type: 'Feature', properties: {kind: 'obstacle'}, geometry: {type: 'Polygon', coordinates: [ring]}}], keys: [...e.doc.keys, 1e9 + n]}, 'draw');
    const change = performance.now() - since;
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return [change, e.plan.lastDrawMs, performance.now() - since];
  }, k);
  const seen = [drawing() - before[0], picture() - before[1]];
  await settled(page, 120);
  const {part, whole} = await page.evaluate(() => window.editor.checker.lastMs);
  Object.values(taken).forEach((list, i) => list.push([...times, part, whole, ...seen, onProcessor(server.child.pid, true) - before[2], others() - before[3]][i]));
}
console.log(`${features} corners, load ${loadavg()[0].toFixed(0)}`);
for (const [what, times] of Object.entries(taken)) console.log(`${what}: ${times.sort((a, b) => a - b)[3].toFixed(1)} ms`);
await browser.close();
await server.stop();
rmSync(folder, {recursive: true});
process.exit(0);
