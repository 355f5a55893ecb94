// The viewer over more than one page and window: presets show all of a building, a reload and a second page know what the first does, clips and curves
// are saved, the first of thousands of obstacles can be taken away.
//   node viewing.test.mjs PROGRAM CLIENT
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {launch, open, serve} from './browser.mjs';
import {check, equal, eventually, run, test} from './check.mjs';
import {settle} from './page.mjs';

const [program, client] = process.argv.slice(2);
const examples = new URL('../../examples/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'throng-viewing-'));
const browser = await launch();
const recording = join(folder, 'run.throng');
execFileSync(program, ['run', join(examples, 'bottleneck.json'), '--until', '15', '-o', recording], {stdio: 'ignore'});

for (const [width, height] of [[390, 844], [800, 600], [1280, 800], [1920, 1080]])
  test(`every camera shows all of the station in a window of ${width} by ${height}`, async () => {
    const server = await serve(program, [join(examples, 'station.geojson'), '--client', client]), page = await open(browser, server.address, {width, height});
    const outside = await page.evaluate(() => {
      const v = window.throng, found = [], p = v.cameras.orthographic.position.clone();
      for (const lift of [1, 5])
        for (const preset of ['overview', 'top', 'south', 'east', 'north', 'west', 'plan']) {
          v.showBuilding({lift, storey: null});
          if (preset === 'plan') v.setView('plan'), v.preset('overview');
          else v.setView('orbit'), v.preset(preset);
          v.draw(performance.now() + 1e6);
          const camera = v.cameras.camera;
          camera.updateMatrixWorld();
          let worst = 0;
          v.building.world.layers.forEach((layer, i) => {
            for (const polygon of layer.free) for (const {points} of polygon)
              for (let k = 0; k < points.length; k += 2) {
                p.set(points[k], points[k + 1], v.building.z(i, points[k], points[k + 1])).project(camera);
                worst = Math.max(worst, Math.abs(p.x), Math.abs(p.y));
              }
          });
          if (worst > 1.001) found.push([preset, lift, worst.toFixed(2)]);
        }
      return found;
    });
    equal(outside, [], 'cameras that cut it off');
    equal(page.complaints, [], 'complaints of the page');
    await page.context().close();
    await server.stop();
  });

test('a reload shows the same: view, camera, layers, colours, time, person', async () => {
  const server = await serve(program, [recording, '--client', client]), page = await open(browser, server.address, {width: 1000, height: 640});
  await page.click('#view-plan');
  await settle(page, 7);
  await page.selectOption('#colour', 'speed');
  await page.check("[data-layer='heat']");
  await page.evaluate(() => { const v = window.throng; v.cameras.zoomBy(1.8); void v.select(v.crowd.serial[3]); });
  const state = () => page.evaluate(() => { const v = window.throng, s = v.store.state; return JSON.stringify([s.view, s.colour, [...s.layers].sort(), s.person, v.time.toFixed(1), [...v.cameras.state].map(x => Number(x).toFixed(2))]); });
  await eventually(() => page.evaluate(() => /person=/.test(location.hash) && /heat/.test(location.hash) && /t=7/.test(location.hash)), 'the address knows');
  await page.waitForTimeout(600);
  const before = await state();
  await page.reload();
  await page.waitForSelector('html[data-ready="true"]');
  await page.evaluate(() => window.throng.setPlaying(false));
  const after = JSON.parse(await state()), wanted = JSON.parse(before);
  equal([after[0], after[1], after[2], after[3], after[5]], [wanted[0], wanted[1], wanted[2], wanted[3], wanted[5]], 'after the reload');
  check(Math.abs(Number(after[4]) - Number(wanted[4])) < 3, `the time: ${after[4]}, before ${wanted[4]}`);
  await page.context().close();
  await server.stop();
});

test('a clip is recorded by the button and plays; curves are saved as a table', async () => {
  const server = await serve(program, [recording, '--client', client]), page = await open(browser, server.address, {width: 1000, height: 640});
  await page.click('#view-plan');
  await page.evaluate(() => { const v = window.throng; v.seek(1); v.setPlaying(true); });
  await page.click('#clip');
  await page.waitForTimeout(2500);
  const [clip] = await Promise.all([page.waitForEvent('download'), page.click('#clip')]);
  check(clip.suggestedFilename().endsWith('.webm'), `its name: ${clip.suggestedFilename()}`);
  const data = readFileSync(await clip.path()).toString('base64'), player = await (await browser.newContext()).newPage();
  const facts = await player.evaluate(async bytes => {
    const v = document.createElement('video');
    v.src = `data:video/webm;base64,${bytes}`;
    await new Promise((resolve, reject) => { v.onloadeddata = resolve; v.onerror = () => reject(new Error(v.error.message)); });
    return [v.videoWidth, v.videoHeight];
  }, data);
  await player.context().close();
  check(facts[0] >= 640 && facts[1] >= 400, `its size: ${facts}`);
  await eventually(() => page.evaluate(() => window.throng.plots.isComplete), 'the curves');
  const [table] = await Promise.all([page.waitForEvent('download'), page.click('#csv')]);
  const rows = readFileSync(await table.path(), 'utf8').trim().split('\n').map(row => row.split(','));
  check(rows[0][0].startsWith('time') && rows.length >= 15 && rows.every(row => row.length === rows[0].length), `the table: ${rows[0]}`);
  equal(Number(rows[1][rows[0].findIndex(name => /people|present/.test(name))]), 100, 'people at the start');
  equal(page.complaints, [], 'complaints of the page');
  await page.context().close();
  await server.stop();
});

test('of a recording the changes of the world are listed, not everybody who takes another way', async () => {
  const own = join(folder, 'minds.throng');
  execFileSync(program, ['run', join(examples, 'two_exits.json'), '--until', '15', '-o', own], {stdio: 'ignore'});
  const server = await serve(program, [own, '--client', client]), page = await open(browser, server.address, {width: 1000, height: 640});
  equal(await page.evaluate(() => window.throng.session.events), [], 'events');
  check(!(await page.isVisible('#changes')), 'there is no list of nothing');
  await page.context().close();
  await server.stop();
});

test('a second page sees what the first does: speed, pause, the world, and the people', async () => {
  const server = await serve(program, [join(examples, 'bottleneck.json'), '--paused', '--client', client]);
  const first = await open(browser, server.address, {width: 1000, height: 600}), second = await open(browser, server.address, {width: 1000, height: 600});
  const both = async (what, holds) => { for (const page of [first, second]) await eventually(() => page.evaluate(holds), what); };
  await first.selectOption('#speed', '2');
  await both('the speed', () => document.getElementById('speed').value === '2');
  await second.click('#play');
  await both('it plays', () => document.getElementById('play').textContent === 'Pause' && window.throng.status.step > 3);
  await first.click('#play');
  await both('it is paused', () => document.getElementById('play').textContent === 'Play' && window.throng.status.paused);
  await first.evaluate(() => window.throng.socket.send({do: 'add_obstacle', x: 6, y: 0, layer: 0, size: 1}));
  await both('the obstacle', () => window.throng.session.obstacles.length === 1 && window.throng.session.world_version === 2);
  await both('the same people', () => window.throng.crowd.n === window.throng.status.people);
  await second.click('#undo-change');
  await both('taken back', () => window.throng.session.obstacles.length === 0);
  for (const page of [first, second]) equal(page.complaints, [], 'complaints of the page');
  await first.context().close();
  await second.context().close();
  await server.stop();
});

test('the first of thousands of obstacles can be taken away', async () => {
  const square = (x, y, s) => [[[x, y], [x + s, y], [x + s, y + s], [x, y + s], [x, y]]];
  const features = [{type: 'Feature', properties: {kind: 'walkable'}, geometry: {type: 'Polygon', coordinates: square(0, 0, 160)}}];
  for (let i = 0; i < 50; ++i) for (let k = 0; k < 50; ++k) features.push({type: 'Feature', properties: {kind: 'obstacle'}, geometry: {type: 'Polygon', coordinates: square(4 + 3 * i, 4 + 3 * k, 1)}});
  const scenario = join(folder, 'many.json');
  writeFileSync(scenario, JSON.stringify({throng: 1, environment: {type: 'FeatureCollection', features}, duration: 60, profiles: {adult: {}}, populations: [{profile: 'adult', count: 5, start: {polygon: [[1, 1], [3, 1], [3, 3], [1, 3]]}, goals: [{point: [155, 155]}]}]}));
  const server = await serve(program, [scenario, '--paused', '--client', client]), page = await open(browser, server.address, {width: 1000, height: 640});
  await page.click('#view-plan');
  const before = await page.evaluate(() => window.throng.session.world_version);
  await page.click("[data-tool='remove']");
  const at = await page.evaluate(() => {
    const v = window.throng, camera = v.cameras.camera, box = document.getElementById('scene').getBoundingClientRect(), [ox, oy] = v.session.origin;
    camera.updateMatrixWorld();
    const p = v.cameras.orthographic.position.clone().set(4.5 - ox, 4.5 - oy, 0).project(camera);
    return {x: box.x + ((p.x + 1) / 2) * box.width, y: box.y + ((1 - p.y) / 2) * box.height};
  });
  await page.mouse.click(at.x, at.y);
  await eventually(() => page.evaluate(n => window.throng.session.world_version === n + 1, before), 'the world without it', 90);
  equal(await page.evaluate(() => window.throng.session.events.at(-1).what.ring.map(p => Math.min(...p))[0]), 4, 'which of them went');
  equal(page.complaints, [], 'complaints of the page');
  await page.context().close();
  await server.stop();
});

await run(async () => {
  await browser.close();
  rmSync(folder, {recursive: true});
});
