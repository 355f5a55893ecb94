// What is drawn, as the editor's server and the command line judge it, without a browser: 200 random drawings, and how long a large plan takes.
//   node drawings.test.mjs PROGRAM CLIENT
import {buildSync} from 'esbuild';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {serve} from './browser.mjs';
import {check, equal, run, test} from './check.mjs';

const [program, client] = process.argv.slice(2), here = new URL('.', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'throng-drawings-'));
const bundle = join(folder, 'random.mjs');
buildSync({entryPoints: [join(here, 'random_drawing.ts')], bundle: true, format: 'esm', outfile: bundle, logLevel: 'error'});
const {randomText} = await import(pathToFileURL(bundle).href);
const seed = Number(process.env.SEED ?? 1);
const editing = async words => {
  const server = await serve(program, [...words, '--client', client], 'edit');
  const post = (what, body) => fetch(new URL(`api/${what}`, server.address), {method: 'POST', body, headers: {Origin: new URL(server.address).origin}}).then(r => r.json());
  return {server, post};
};

test('200 random drawings: what is saved reads back, without a complaint that was not shown', async () => {
  const {server, post} = await editing(['--save', folder]);
  let with_errors = 0;
  for (let round = 0; round < 200; ++round) {
    const text = randomText(seed, round);
    const shown = (await post(`check?version=${1000 + round}`, text)).problems.map(p => `${p.severity} ${p.message}`);
    with_errors += Number(shown.some(p => p.startsWith('error')));
    const {written} = await post('save?name=random&replace=1', text);
    equal([...written].sort(), ['random.geojson', 'random.json'], `seed ${seed}, round ${round}: saved`);
    const told = spawnSync(program, ['check', join(folder, 'random.json'), '--json'], {encoding: 'utf8'}), {problems} = JSON.parse(told.stdout).files[0];
    const unseen = problems.map(p => `${p.severity} ${p.message}`).filter(p => !shown.includes(p));
    equal(unseen, [], `seed ${seed}, round ${round}: complaints of the file that the page did not show`);
    // What it holds is what was drawn.
    equal(JSON.parse(readFileSync(join(folder, 'random.geojson'), 'utf8')).features, JSON.parse(text).environment.features, `seed ${seed}, round ${round}: features`);
  }
  check(with_errors < 200, 'not every drawing is refused');
  equal((await server.stop()).code, 0, 'exit code after Ctrl-C');
});

test('a plan of 20,000 vertices: how long its checks take (printed, not judged)', async () => {
  const city = join(folder, 'city.geojson');
  execFileSync(program, ['generate', 'city', city, '--vertices', '20000'], {stdio: 'ignore'});
  const {server, post} = await editing([city]);
  const {document} = await fetch(new URL('api/document', server.address)).then(r => r.json());
  const box = {type: 'Feature', properties: {kind: 'obstacle'}, geometry: {type: 'Polygon', coordinates: [[[100, 100], [102, 100], [102, 102], [100, 102], [100, 100]]]}};
  const median = times => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];
  const times = async (what, make) => {
    const taken = [];
    for (let k = 0; k < 7; ++k) {
      const text = JSON.stringify(make(k)), since = performance.now(), answer = await post(what(k), text);
      taken.push(performance.now() - since);
      check(Array.isArray(answer.problems), 'it is answered');
    }
    return median(taken);
  };
  const moved = k => ({...box, geometry: {...box.geometry, coordinates: box.geometry.coordinates.map(ring => ring.map(([x, y]) => [x + k, y]))}});
  const alone = await times(k => `check?version=${k}&part=1`, k => ({...document, environment: {...document.environment, features: [moved(k)]}}));
  const whole = await times(k => `check?version=${100 + k}`, k => ({...document, environment: {...document.environment, features: [...document.environment.features, moved(k)]}}));
  console.log(`        a feature alone ${alone.toFixed(0)} ms, the whole plan with its mesh ${whole.toFixed(0)} ms (medians of 7)`);
  await server.stop();
});

await run(async () => rmSync(folder, {recursive: true}));
