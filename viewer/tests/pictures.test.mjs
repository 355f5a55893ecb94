// Pictures say what legends and servers say: people keep their colours under and over every layer, scales have their numbers where they stand, a page that
// opens late shows what there is; lists, counters and clips tell what the recording holds.
//   node pictures.test.mjs PROGRAM CLIENT
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {launch, open, serve} from './browser.mjs';
import {check, equal, eventually, run, test} from './check.mjs';
import {sameColour, settle} from './page.mjs';

const [program, client] = process.argv.slice(2);
const examples = new URL('../../examples/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'throng-pictures-'));
const browser = await launch();
const recording = join(folder, 'run.throng');
execFileSync(program, ['run', join(examples, 'bottleneck.json'), '--until', '40', '-o', recording], {stdio: 'ignore'});
const played = await serve(program, [recording, '--client', client]);
const page = await open(browser, played.address, {width: 1200, height: 760});
const ask = (what, ...words) => page.evaluate(what, ...words);

/** Everybody who stands apart from all others on the screen: the colour they should have, and the one that is drawn. */
const everybody = () => ask(() => {
  const v = window.throng, c = v.crowd, canvas = document.getElementById('scene'), box = canvas.getBoundingClientRect();
  v.draw(performance.now() + 1e6);
  const gl = canvas.getContext('webgl2'), [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight], out = new Uint8Array(4 * w * h), found = [];
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, out);
  const all = Array.from({length: c.n}, (_, i) => v.project(i));
  for (let i = 0; i < c.n; ++i) {
    const p = all[i];
    if (p.behind || p.x < 6 || p.y < 6 || p.x > box.width - 6 || p.y > box.height - 6) continue;
    if (all.some((q, k) => k !== i && Math.hypot(q.x - p.x, q.y - p.y) < 5)) continue;
    const at = 4 * (Math.floor((box.height - p.y) * (h / box.height)) * w + Math.floor(p.x * (w / box.width)));
    found.push({serial: c.serial[i], expected: [...v.colouring.colours.slice(3 * i, 3 * i + 3)].map(f => Math.round(255 * f)), drawn: [out[at], out[at + 1], out[at + 2]]});
  }
  return found;
});
const wrongIn = people => people.filter(p => !sameColour(p.expected, p.drawn));
const layers = ['heat', 'areas', 'terrain', 'routes', 'axis', 'cells', 'clearance', 'passages', 'regions'];

for (const view of ['plan', 'orbit'])
  test(`every layer leaves people their colours: ${view === 'plan' ? 'the plan' : '3D, from far'}`, async () => {
    await settle(page, 12);
    await page.click(`#view-${view}`);
    await page.selectOption('#preset', 'overview');
    if (view === 'orbit') await ask(() => window.throng.cameras.lookAt(0, 0, 0, 90));
    let probed = 0;
    for (const on of [...layers.map(layer => [layer]), layers]) {
      await ask(wanted => window.throng.store.set({layers: wanted}), on);
      await eventually(async () => (await everybody()).length > 0, 'people are shown');
      await page.waitForTimeout(400);  // what is fetched for a layer comes
      for (const colour of ['profile', 'speed', 'goal']) {
        await page.selectOption('#colour', colour);
        const people = await everybody(), wrong = wrongIn(people);
        probed += people.length;
        equal(wrong.slice(0, 3), [], `${wrong.length} of ${people.length} people under ${on.join(', ')} by ${colour}`);
      }
    }
    check(probed >= 100, `people probed: ${probed}`);
    await ask(() => window.throng.store.set({layers: ['terrain']}));
  });

test('the numbers of every scale stand where they belong', async () => {
  await page.click('#view-plan');
  await settle(page, 20);
  const scales = async () => ask(() => [...document.querySelectorAll('#legend .scale')].map(scale => {
    const bar = scale.querySelector('.bar').getBoundingClientRect();
    return {ticks: [...scale.querySelectorAll('.tick')].map(t => ({value: Number(t.dataset.value), text: Number(t.textContent), at: (() => { const b = t.getBoundingClientRect(); return (b.x + b.width / 2 - bar.x) / bar.width; })(), pixel: 1 / bar.width})), title: scale.textContent};
  }));
  for (const colour of ['speed', 'density']) {
    await page.selectOption('#colour', colour);
    const [scale] = await scales(), full = scale.ticks[scale.ticks.length - 1].value;
    for (const tick of scale.ticks) {
      check(Math.abs(tick.text - tick.value) < 0.006, `${colour}: ${tick.text} is written at ${tick.value}`);
      check(Math.abs(tick.at - tick.value / full) <= 1.5 * tick.pixel, `${colour}: ${tick.value} of ${full} stands at ${tick.at}`);
    }
  }
  await page.selectOption('#colour', 'profile');
  await ask(() => window.throng.store.set({layers: ['clearance']}));
  await eventually(async () => (await scales()).length === 1, 'the scale of clearances');
  const [clearance] = await scales(), widest = clearance.ticks[clearance.ticks.length - 1].value;
  for (const tick of clearance.ticks) check(Math.abs(tick.at - Math.sqrt(tick.value / widest)) <= 1.5 * tick.pixel, `clearance: ${tick.value} of ${widest} stands at ${tick.at}`);
  await ask(() => window.throng.store.set({layers: ['terrain']}));
});

for (const [what, words, wait] of [['paused', ['--paused'], 0], ['finished', ['--speed', '0'], 6], ['long running', ['--speed', '10'], 5]])
  test(`a page that opens on a ${what} run shows what the server knows, from the beginning`, async () => {
    const server = await serve(program, [join(examples, 'bottleneck.json'), ...words, '--client', client]);
    const first = await open(browser, server.address, {width: 700, height: 500});
    await first.waitForTimeout(1000 * wait);
    await first.context().close();
    const late = await open(browser, server.address, {width: 700, height: 500});
    const state = () => late.evaluate(async () => {
      const bytes = await (await fetch('/api/state')).arrayBuffer();
      return JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, new DataView(bytes).getUint32(0, true))));
    });
    await eventually(async () => { const s = await state(); return late.evaluate(n => window.throng.status.people === n.people || !n.paused, s); }, 'people are there');
    const heads = await state();
    equal(await late.textContent('#play'), heads.paused || heads.finished ? 'Play' : 'Pause', 'what the button says');
    if (heads.paused) await eventually(() => late.evaluate(n => window.throng.crowd.n === n, heads.people), 'all people are drawn');
    if (what !== 'paused') {
      await eventually(() => late.evaluate(() => (window.throng.frames.start === 0)), 'the past is known');
      await late.evaluate(() => window.throng.seek(2));
      await eventually(() => late.evaluate(() => Math.abs(window.throng.crowd.time - 2) < 0.11 && window.throng.crowd.n === 100), 'two seconds after the beginning all are there');
    }
    equal(late.complaints, [], 'complaints of the page');
    await late.context().close();
    await server.stop();
  });

test('where it is tight: the list is the report\'s, and a click goes there before it begins', async () => {
  await eventually(() => page.locator('#tight .places button').count().then(n => n > 0), 'places', 60);
  const told = JSON.parse(execFileSync(program, ['report', recording, '-o', join(folder, 'r.html'), '--json'], {encoding: 'utf8'})).runs[0].tight[0];
  await eventually(() => ask(() => fetch('api/tight').then(r => r.json()).then(t => t.complete)), 'all was looked through', 60);
  const [place] = (await ask(() => fetch('api/tight').then(r => r.json()))).places, {origin} = await ask(() => window.throng.session);
  check(Math.hypot(place.x + origin[0] - told.x, place.y + origin[1] - told.y) < 1, `the same place: ${JSON.stringify(place)}, ${JSON.stringify(told)}`);
  check(Math.abs(place.person_seconds - told.person_seconds) <= 0.2 * told.person_seconds + 1, 'about the same person-seconds');
  await ask(() => window.throng.setPlaying(false));
  await page.locator('#tight .places button').first().click();
  const time = await ask(() => window.throng.time);
  check(time >= Math.max(0, place.from - 10) - 0.1 && time < place.from, `${time} s, ${place.from - 10} s expected`);
  await ask(() => window.throng.setPlaying(false));
});

test('a line that is drawn counts as the measured one does', async () => {
  await page.click('#view-plan');
  await page.selectOption('#preset', 'overview');
  await page.click('#count-line');
  const ends = await ask(() => {
    const v = window.throng, box = document.getElementById('scene').getBoundingClientRect();
    // The narrowest column of free floor.
    let best = null;
    for (let x = 20; x < box.width - 20; x += 3) {
      let low = null, high = null;
      for (let y = 4; y < box.height - 4; y += 2) if (v.placeAt(x, y)) { low ??= y; high = y; }
      if (low !== null && high - low > 6 && (best === null || high - low < best.high - best.low)) best = {x, low, high};
    }
    return {x: box.x + best.x, low: box.y + best.low, high: box.y + best.high};
  });
  await page.mouse.click(ends.x, ends.low);
  await page.mouse.click(ends.x, ends.high);
  await eventually(() => page.locator('.counter dd').count().then(n => n > 0), 'the counter');
  const [forward, back] = (await page.locator('.counter dd').first().textContent()).split(' · ').map(Number);
  const arrived = await ask(() => window.throng.plots.value('arrived', window.throng.plots.rows - 1));
  const passed = Math.max(forward, back);
  check(passed >= arrived && passed <= 100 && Math.min(forward, back) <= passed, `${forward} and ${back} crossed, ${arrived} arrived`);
  await page.locator(".counter button").click();
  equal(await page.locator('.counter').count(), 0, 'counters left');
});

test('an environment tells the way between two clicks, and the clearance at the pointer', async () => {
  const server = await serve(program, [join(examples, 'hall.geojson'), '--client', client]);
  const world = await open(browser, server.address, {width: 1200, height: 800});
  await world.click('#view-plan');
  const {origin} = await world.evaluate(() => window.throng.session);
  const screen = ([x, y]) => world.evaluate(([px, py]) => {
    const v = window.throng, box = document.getElementById('scene').getBoundingClientRect(), camera = v.cameras.camera;
    camera.updateMatrixWorld();
    const p = v.cameras.orthographic.position.clone().set(px, py, 0).project(camera);
    return {x: box.x + ((p.x + 1) / 2) * box.width, y: box.y + ((1 - p.y) / 2) * box.height};
  }, [x - origin[0], y - origin[1]]);
  await world.click('#find-way');
  for (const place of [[2, 2], [20, 10]]) {
    const at = await screen(place);
    await world.mouse.click(at.x, at.y);
  }
  await eventually(async () => /m/.test(await world.textContent('#way dd') ?? ''), 'the length');
  const told = parseFloat(await world.textContent('#way dd'));
  const exact = JSON.parse(execFileSync(program, ['route', join(examples, 'hall.geojson'), '--from', '2,2', '--to', '20,10', '--json'], {encoding: 'utf8'}));
  check(Math.abs(told - exact.length) < 0.2, `${told} m, by the command line ${exact.length} m`);
  const at = await screen([2, 2]);
  await world.mouse.move(at.x, at.y, {steps: 3});
  await eventually(async () => /clearance [\d.]+ m/.test(await world.textContent('#place')), 'the clearance');
  equal(world.complaints, [], 'complaints of the page');
  await world.context().close();
  await server.stop();
});

test('a clip without a window: its length, size and pictures, and what is refused', async () => {
  const clip = join(folder, 'clip.webm');
  execFileSync(program, ['export', recording, clip, '--camera', 'plan', '--at', '2', '--until', '8', '--speed', '2', '--rate', '10', '--size', '480x300', '--client', client], {stdio: 'ignore'});
  const data = readFileSync(clip).toString('base64'), player = await (await browser.newContext({viewport: {width: 500, height: 320}})).newPage();
  await player.setContent('<video id="v" muted></video>');
  const facts = await player.evaluate(async bytes => {
    const v = document.getElementById('v');
    v.src = `data:video/webm;base64,${bytes}`;
    await new Promise((resolve, reject) => { v.onloadeddata = resolve; v.onerror = () => reject(new Error(v.error.message)); });
    const canvas = Object.assign(document.createElement('canvas'), {width: v.videoWidth, height: v.videoHeight}), context = canvas.getContext('2d');
    const look = async time => {
      v.currentTime = time;
      await new Promise(resolve => { v.onseeked = resolve; });
      context.drawImage(v, 0, 0);
      const d = context.getImageData(0, 0, canvas.width, canvas.height).data, seen = new Set();
      let sum = 0;
      for (let i = 0; i < d.length; i += 4) { seen.add((d[i] >> 5 << 6) | (d[i + 1] >> 5 << 3) | (d[i + 2] >> 5)); sum = (sum * 31 + d[i]) >>> 0; }
      return {colours: seen.size, sum};
    };
    const first = await look(0.1), last = await look(2.9);
    return {duration: v.duration, width: v.videoWidth, height: v.videoHeight, first, last};
  }, data);
  check(Math.abs(facts.duration - 3.1) < 0.11, `it lasts ${facts.duration} s`);
  equal([facts.width, facts.height], [480, 300], 'its size');
  check(facts.first.colours > 4 && facts.first.sum !== facts.last.sum, 'its pictures show something that moves');
  await player.context().close();
  for (const words of [['--camera', 'plam'], ['--size', '9x9'], ['--until', '1', '--at', '2'], ['--speed', '0']])
    equal(spawnSync(program, ['export', recording, clip, ...words]).status, 2, words.join(' '));
  equal(spawnSync(program, ['export', recording, join(folder, 'x.csv'), '--camera', 'plan']).status, 2, 'a camera for a table');
  equal(spawnSync(program, ['export', recording, clip, '--camera', 'plan'], {env: {...process.env, CHROMIUM: '/nowhere', PATH: '/nowhere'}}).status, 1, 'no chromium');
});

await run(async () => {
  equal(page.complaints, [], 'complaints of the page');
  await played.stop();
  await browser.close();
  rmSync(folder, {recursive: true});
});
