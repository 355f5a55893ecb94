// How long a plan of 20,000 vertices takes in the editor: what one draws until it is seen, its own complaints, those of the whole plan.
//   node large.mjs PROGRAM CLIENT       (a measurement, judged by nobody; medians of seven)
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {launch, open, serve} from './browser.mjs';
import {settled} from './editing.mjs';

const [program, client] = process.argv.slice(2), folder = mkdtempSync(join(tmpdir(), 'throng-large-')), city = join(folder, 'city.geojson');
execFileSync(program, ['generate', 'city', city, '--vertices', '20000'], {stdio: 'ignore'});
const browser = await launch(), server = await serve(program, [city, '--client', client], 'edit');
const page = await open(browser, server.address, {width: 1200, height: 760});
await settled(page, 120);
const taken = {'change, on the drawing thread': [], 'picture, on the drawing thread': [], 'until it is seen': [], 'its own complaints': [], 'those of the whole plan': []};
for (let k = 0; k < 7; ++k) {
  const times = await page.evaluate(async n => {
    const e = window.editor, since = performance.now(), [x, y] = e.plan.centre, ring = [[x + n, y], [x + n + 0.5, y], [x + n + 0.5, y + 0.5], [x + n, y + 0.5], [x + n, y]];
    e.change({...e.doc, features: [...e.doc.features, {type: 'Feature', properties: {kind: 'obstacle'}, geometry: {type: 'Polygon', coordinates: [ring]}}], keys: [...e.doc.keys, 1e9 + n]}, 'draw');
    const change = performance.now() - since;
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return [change, e.plan.lastDrawMs, performance.now() - since];
  }, k);
  await settled(page, 120);
  const {part, whole} = await page.evaluate(() => window.editor.checker.lastMs);
  Object.values(taken).forEach((list, i) => list.push([...times, part, whole][i]));
}
for (const [what, times] of Object.entries(taken)) console.log(`${what}: ${times.sort((a, b) => a - b)[3].toFixed(1)} ms`);
await browser.close();
await server.stop();
rmSync(folder, {recursive: true});
process.exit(0);
