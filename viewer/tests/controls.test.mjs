// Every control of the viewer once, on a recording, a live run and an environment.
//   node controls.test.mjs PROGRAM CLIENT
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {launch, open, serve} from './browser.mjs';
import {check, equal, eventually, run, test} from './check.mjs';
import {checkPixel, settle} from './page.mjs';

const [program, client] = process.argv.slice(2);
const examples = new URL('../../examples/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'throng-controls-'));
const browser = await launch();

const recording = join(folder, 'run.throng');
execFileSync(program, ['run', join(examples, 'bottleneck.json'), '--until', '20', '-o', recording], {stdio: 'ignore'});
const played = await serve(program, [recording, '--client', client]);
const page = await open(browser, played.address, {width: 1200, height: 700});
const ask = (what, ...words) => page.evaluate(what, ...words);
const colours = () => ask(() => window.throng.colours());
/** The whole canvas as one number: whether a control changes the picture. */
const picture = () => ask(() => {
  const v = window.throng;
  v.draw(performance.now());
  const gl = document.getElementById('scene').getContext('webgl2'), out = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
  gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, out);
  let hash = 2166136261;
  for (let i = 0; i < out.length; i += 7) hash = Math.imul(hash ^ out[i], 16777619) >>> 0;
  return hash;
});
/** Something happens to the picture. */
async function changes(act, what) {
  const before = await picture();
  await act();
  await eventually(async () => (await picture()) !== before, `${what} changes the picture`);
}

test('the three views draw people, the plan and the scene in their colours', async () => {
  await settle(page, 12);
  await page.click('#view-plan');
  await checkPixel(page, 'plan');
  await changes(() => page.click('#view-orbit'), '3D');
  check((await ask(() => window.throng.drawn.figures)) > 0, 'near people are figures');
  await changes(() => page.click('#view-walk'), 'walking');
  const before = await ask(() => window.throng.cameras.perspective.position.toArray());
  await page.focus('#scene');
  await page.keyboard.down('s');
  await eventually(() => ask(p => Math.hypot(...window.throng.cameras.perspective.position.toArray().map((v, i) => v - p[i])) > 0.3, before), 'a step back');
  await page.keyboard.up('s');
  await page.click('#view-plan');
});

test('people are figures near, discs in the plan, dots from far, each in their colours', async () => {
  await settle(page, 12);
  const drawn = () => ask(() => { window.throng.draw(performance.now()); const {figures, discs, dots} = window.throng.drawn; return [figures, discs, dots]; });
  const present = await ask(() => window.throng.crowd.n);
  await page.click('#view-plan');
  equal(await drawn(), [0, present, 0], 'the plan');
  await page.click('#view-orbit');
  await ask(() => window.throng.cameras.lookAt(0, 0, 0, 30));
  equal(await drawn(), [present, 0, 0], 'near');
  await ask(() => window.throng.cameras.lookAt(0, 0, 0, 400));
  equal(await drawn(), [0, 0, present], 'far away');
  await ask(() => window.throng.cameras.lookAt(0, 0, 0, 100));
  await checkPixel(page, 'far away');
});

test('preset cameras differ', async () => {
  for (const name of ['overview', 'top', 'south', 'east', 'north', 'west']) await changes(() => page.selectOption('#preset', name), name);
});

test('play, pause, step, speed, scrub', async () => {
  await settle(page, 3);
  await page.click('#play');
  await eventually(async () => (await page.textContent('#play')) === 'Pause', 'the button offers to pause');
  await eventually(() => ask(() => window.throng.time > 3.2), 'time goes on');
  await page.click('#play');
  const now = await ask(() => window.throng.time);
  await page.click('#step');
  check((await ask(() => window.throng.time)) > now - 0.1, 'a step goes on');
  await page.selectOption('#speed', '10');
  equal(await ask(() => window.throng.speed), 10, 'speed');
  await page.selectOption('#speed', '1');
  await ask(() => {
    const slider = document.getElementById('time');
    slider.value = '15';
    slider.dispatchEvent(new Event('input'));
  });
  await eventually(() => ask(() => Math.abs(window.throng.crowd.time - 15) < 0.06), 'scrubbed to 15 s');
});

test('colours: each is on the screen, and the legend says what it is', async () => {
  await page.click('#view-plan');
  await settle(page, 12);
  for (const mode of ['population', 'goal', 'speed', 'density', 'standing', 'profile']) {
    await page.selectOption('#colour', mode);
    await settle(page, 12);
    await checkPixel(page, mode);
    check((await page.textContent('#legend')).length > 0, `legend of ${mode}`);
  }
});

test('trails and every layer change the picture', async () => {
  await settle(page, 12);
  await changes(() => page.selectOption('#trails', '10'), 'trails');
  await page.selectOption('#trails', '0');
  for (const layer of ['heat', 'areas', 'routes', 'axis', 'cells', 'clearance', 'passages', 'regions']) {
    await changes(() => page.check(`[data-layer='${layer}']`), layer);
    await page.uncheck(`[data-layer='${layer}']`);
  }
  await page.uncheck("[data-layer='terrain']");
  await page.check("[data-layer='see']");
  const box = await page.locator('#scene').boundingBox();
  await changes(() => page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.5, {steps: 3}), 'what is seen from the pointer');
  await page.uncheck("[data-layer='see']");
});

test('walls have a height', async () => {
  await page.click('#view-orbit');
  await changes(() => ask(() => {
    const range = document.getElementById('walls');
    range.value = '3';
    range.dispatchEvent(new Event('input'));
  }), 'wall height');
  await page.click('#view-plan');
});

test('a click chooses a person: profile, goal, way; following keeps them in the middle', async () => {
  await page.selectOption('#preset', 'overview');
  await settle(page, 12);
  const person = await checkPixel(page, 'plan');
  const box = await page.locator('#scene').boundingBox();
  await page.mouse.click(box.x + person.x, box.y + person.y);
  equal(await ask(() => window.throng.selected), person.serial, 'who is chosen');
  await eventually(async () => (await page.textContent('#person-facts')).includes('student'), 'the profile');
  check((await page.textContent('#person-facts')).includes('exit'), 'the goal');
  await eventually(async () => /route[0-9.]+ m to go, planned from here/.test(await page.textContent('#person-facts')), 'the route');
  check(await page.isVisible('#way-key'), 'the key of the lines');
  const route = await ask(() => window.throng.panel.route.points), here = await ask(s => { const c = window.throng.crowd, i = c.indexOf(s); return [c.x[i], c.y[i]]; }, person.serial);
  check(Math.hypot(route[0][0] - here[0], route[0][1] - here[1]) < 0.2, `the route begins at the person: ${route[0]}, ${here}`);
  await page.click('#follow');
  await ask(() => window.throng.draw(performance.now()));
  const middle = await ask(s => { const v = window.throng; v.draw(performance.now()); v.cameras.camera.updateMatrixWorld(); return v.project(v.crowd.indexOf(s)); }, person.serial);
  check(Math.hypot(middle.x - box.width / 2, middle.y - box.height / 2) < 4, 'followed in the middle');
  await page.click('#person-close');
  check(!(await page.isVisible('#person')), 'let go');
});

test('plots have a row a second, and a click on one goes there', async () => {
  await eventually(() => ask(() => window.throng.plots.rows >= 20), 'rows of the plots');
  equal(await ask(() => window.throng.plots.value('people', 0)), 100, 'people at the start');
  const plot = page.locator('#plots .u-over').first();
  const box = await plot.boundingBox();
  await plot.click({position: {x: box.width / 2, y: box.height / 2}});
  await eventually(() => ask(() => Math.abs(window.throng.time - 10) < 1), 'the middle of the run');
});

test('screenshot, theme, help, keys', async () => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#shot')]);
  const png = readFileSync(await download.path());
  equal(png.subarray(1, 4).toString(), 'PNG', 'the picture');
  check(png.length > 3000, 'the picture is not blank');
  await changes(() => page.click('#theme'), 'dark');
  equal(await page.getAttribute('html', 'data-theme'), 'dark', 'theme');
  await page.keyboard.press('t');
  await page.click('#help-button');
  check(await page.isVisible('#help'), 'help');
  await page.keyboard.press('Escape');
  check(!(await page.isVisible('#help')), 'help goes');
  await page.focus('#scene');
  await page.keyboard.press('o');
  equal(await ask(() => window.throng.cameras.view), 'orbit', 'O');
  await page.keyboard.press('p');
  equal(await ask(() => window.throng.cameras.view), 'plan', 'P');
  await page.keyboard.press('h');
  check(await page.isChecked("[data-layer='heat']"), 'H');
  await page.keyboard.press('h');
  await changes(() => page.keyboard.down('ArrowRight'), 'arrows');
  await page.keyboard.up('ArrowRight');
  await page.keyboard.press(' ');
  await eventually(() => ask(() => window.throng.playing), 'space plays');
  await page.keyboard.press(' ');
  await page.keyboard.press('3');
  equal(await page.inputValue('#preset'), 'south', '3');
});

test('controls have names, and the tab key reaches them in order', async () => {
  const nameless = await ask(() => [...document.querySelectorAll('button, select, input')].filter(e => e.offsetParent !== null)
    .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim())).map(e => e.id || e.outerHTML));
  equal(nameless, [], 'controls without a name');
  await page.focus('.skip');
  const order = [];
  for (let i = 0; i < 8; ++i) {
    await page.keyboard.press('Tab');
    order.push(await ask(() => document.activeElement.id || document.activeElement.className));
  }
  check(order.indexOf('view-plan') < order.indexOf('view-orbit') && order.indexOf('view-orbit') < order.indexOf('preset') && order.includes('preset'), `order of focus: ${order}`);
});

test('panels can be closed, and the cross in the middle clicks for the keyboard', async () => {
  const wide = await open(browser, played.address, {width: 1200, height: 700});
  await wide.click('#settings-button');
  await wide.click('#details-button');
  check(!(await wide.isVisible('#colour')) && !(await wide.isVisible('#plots')), 'both panels are closed');
  equal(await wide.evaluate(() => document.getElementById('stage').clientWidth), 1200, 'the picture has the room');
  await wide.click('#details-button');
  check(await wide.isVisible('#plots'), 'open again');
  await settle(wide, 12);
  await wide.click('#view-plan');
  const serial = await wide.evaluate(() => { const v = window.throng; v.cameras.lookAt(v.crowd.x[20], v.crowd.y[20], 0, 4); v.draw(performance.now()); return v.crowd.serial[20]; });
  await wide.focus('#scene');
  await wide.keyboard.press('Enter');
  equal(await wide.evaluate(() => window.throng.selected), serial, 'who stands in the middle is chosen');
  equal(wide.complaints, [], 'complaints of the page');
  await wide.context().close();
});

test('on a narrow screen the panels open over the picture', async () => {
  const narrow = await open(browser, played.address, {width: 420, height: 760});
  check(!(await narrow.isVisible('#colour')), 'settings are closed');
  await narrow.click('#settings-button');
  check(await narrow.isVisible('#colour'), 'settings open');
  check(await narrow.evaluate(() => document.documentElement.scrollWidth <= 420), 'nothing sticks out');
  await narrow.context().close();
});

test('an environment shows its mesh, storeys alone and lifted apart', async () => {
  const server = await serve(program, [join(examples, 'station.geojson'), '--client', client]);
  const world = await open(browser, server.address, {width: 1000, height: 600});
  await eventually(() => world.evaluate(() => window.throng.overlays.meshFigures?.cells > 0), 'the mesh');
  check((await world.evaluate(() => window.throng.colours())) > 5, 'the canvas is blank');
  const z = () => world.evaluate(() => Math.min(...window.throng.building.world.layers.map((l, i) => window.throng.building.z(i, 0, 0))));
  const before = await z();
  await world.evaluate(() => { const r = document.getElementById('lift'); r.value = '3'; r.dispatchEvent(new Event('input')); });
  check(Math.abs((await z()) - 3 * before) < 1e-3, 'lifted apart');
  await world.click(".storey-card:not([data-storey='all'])");
  const shown = await world.evaluate(() => window.throng.building.world.layers.filter((_, i) => window.throng.building.isShown(i)).length);
  check(shown > 0 && shown < (await world.evaluate(() => window.throng.building.world.layers.length)), 'a storey alone');
  equal(world.complaints, [], 'complaints of the page');
  await server.stop();
  await world.context().close();
});

test('a live run: every tool, downloads, and the counters are the server\'s', async () => {
  const server = await serve(program, [join(examples, 'bottleneck.json'), '--paused', '--client', client]);
  const live = await open(browser, server.address, {width: 1200, height: 700});
  const status = () => live.evaluate(() => window.throng.status);
  await live.click('#view-plan');
  await live.click('#step');
  await eventually(async () => (await status()).step === 1, 'one step');
  const clickAt = async (x, y) => {
    const at = await live.evaluate(([px, py]) => {
      const v = window.throng, camera = v.cameras.camera, box = document.getElementById('scene').getBoundingClientRect();
      camera.updateMatrixWorld();
      const p = v.cameras.orthographic.position.clone().set(px, py, 0).project(camera);
      return {x: box.x + ((p.x + 1) / 2) * box.width, y: box.y + ((1 - p.y) / 2) * box.height};
    }, [x, y]);
    await live.mouse.click(at.x, at.y);
  };
  const version = n => eventually(() => live.evaluate(k => window.throng.session.world_version === k, n), `version ${n} of the world`);
  await live.click("[data-tool='obstacle']");
  await live.fill('#obstacle-size', '1');
  await clickAt(6, 0);
  await version(2);
  await live.keyboard.press('Escape');
  await live.click("[data-tool='remove']");
  await clickAt(6, 0);
  await version(3);
  equal(await live.evaluate(() => window.throng.session.obstacles.length), 0, 'obstacles');
  await live.click("[data-tool='people']");
  await live.fill('#people-count', '7');
  const before = (await status()).people;
  await clickAt(7, 2);
  await eventually(async () => (await status()).people === before + 7, 'seven more people');
  await live.click("[data-tool='goal']");
  await clickAt(5, -3);
  await version(4);
  check(await live.evaluate(() => Math.abs(window.throng.session.goal_places[0].y + 3) < 0.2), 'the goal is there');
  await live.click("[data-tool='obstacle']");
  await clickAt(6, 0);
  await version(5);
  await live.click("[data-tool='sign']");
  await live.selectOption('#sign-pass', 'left');
  await clickAt(5, 0);
  await version(6);
  equal(await live.evaluate(() => window.throng.session.signs.length), 1, 'signs');
  check(await live.evaluate(() => document.querySelector('[data-drawn=guidance]').checked), 'the sign is drawn');
  await clickAt(5.2, 0.2);
  await version(7);
  equal(await live.evaluate(() => window.throng.session.signs.length), 0, 'signs');
  // An obstacle that leaves nobody room is refused, and marked where it was asked for.
  await live.click("[data-tool='obstacle']");
  await live.fill('#obstacle-size', '60');
  const marked = () => live.evaluate(() => [...window.throng.marks.shown.keys()].includes('own refused'));
  await clickAt(6, 2);
  await eventually(marked, 'the mark of a refusal');
  await live.fill('#obstacle-size', '1');
  await live.click("[data-tool='look']");
  await live.click('#play');
  await eventually(async () => (await status()).step > 15, 'it runs');
  await live.click('#play');
  await eventually(async () => (await status()).paused, 'it pauses');
  const heads = await live.evaluate(async () => {
    const bytes = await (await fetch('/api/state')).arrayBuffer();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, new DataView(bytes).getUint32(0, true))));
  });
  const shown = await status();
  equal([shown.step, shown.people, shown.arrived], [heads.step, heads.people, heads.arrived], 'step, people and arrivals');
  await eventually(() => live.evaluate(n => window.throng.crowd.n === n, heads.people), 'people drawn');
  await eventually(async () => (await live.textContent('#counters')).startsWith(`${heads.people} people · ${heads.arrived} arrived`), 'the counter');
  // The person under the pointer: attraction point and neighbours.
  const someone = await live.evaluate(() => {
    const v = window.throng, box = document.getElementById('scene').getBoundingClientRect();
    v.draw(performance.now());
    const p = v.project(50);
    return {serial: v.crowd.serial[50], x: box.x + p.x, y: box.y + p.y};
  });
  await live.mouse.move(someone.x, someone.y, {steps: 2});
  await eventually(() => live.isVisible('#hover'), 'what somebody has in mind');
  check((await live.textContent('#hover')).includes('neighbours in mind'), 'neighbours');
  await eventually(() => live.evaluate(() => window.throng.overlays.countOf('mind') === 1), 'lines to them');
  await live.mouse.click(someone.x, someone.y);
  await eventually(async () => (await live.textContent('#person-facts')).includes('doing'), 'the chosen person');
  await eventually(async () => (await live.locator('#changes li').count()) === 7, 'a list of the changes: obstacle, removed, people, goal, obstacle, sign, sign taken down');
  for (const part of ['7 of', 'a sign put up', 'pass on the left', 'a sign taken down']) check((await live.textContent('#changes')).includes(part), part);
  const [scenario] = await Promise.all([live.waitForEvent('download'), live.click('#download-scenario')]);
  const saved = join(folder, 'changed.json');
  writeFileSync(saved, readFileSync(await scenario.path()));
  execFileSync(program, ['run', saved, '--until', '1', '--json'], {stdio: 'ignore'});
  const [file] = await Promise.all([live.waitForEvent('download'), live.click('#download-recording')]);
  const copy = join(folder, 'copy.throng');
  writeFileSync(copy, readFileSync(await file.path()));
  const exported = JSON.parse(execFileSync(program, ['export', copy, join(folder, 'copy.csv'), '--json']).toString());
  check(exported.frames > 5, 'frames of the recording');
  const again = await serve(program, [copy, '--client', client]), seen = await open(browser, again.address, {width: 1000, height: 600});
  await eventually(async () => (await seen.locator('#changes li').count()) === 7, 'the recording has the same list');
  await seen.click('#view-plan');
  await seen.evaluate(() => window.throng.seek(window.throng.frames.end));
  await eventually(() => seen.evaluate(() => JSON.parse(window.throng.changesShown || '{}').moved?.length === 1), 'where the goal went');
  equal(seen.complaints, [], 'complaints of the page');
  await again.stop();
  await seen.context().close();
  equal(live.complaints, [], 'complaints of the page');
  await server.stop();
  await live.context().close();
});

test('a connection that drops is told, and comes back', async () => {
  const port = 20000 + Math.floor(Math.random() * 20000);
  const first = await serve(program, [recording, '--client', client, '--port', String(port)]);
  const tab = await open(browser, first.address, {width: 700, height: 500});
  await eventually(() => tab.evaluate(() => document.documentElement.dataset.connected === 'true'), 'connected');
  await first.stop();
  await eventually(() => tab.isVisible('#notice'), 'the notice');
  check((await tab.textContent('#notice')).includes('lost'), 'it says what is lost');
  const second = await serve(program, [recording, '--client', client, '--port', String(port)]);
  await eventually(() => tab.evaluate(() => document.documentElement.dataset.connected === 'true'), 'connected again');
  await eventually(async () => !(await tab.isVisible('#notice')), 'the notice goes');
  await second.stop();
  await tab.context().close();
});

await run(async () => {
  check((await colours()) > 0, 'the page lives to the end');
  equal(page.complaints, [], 'complaints of the page');
  await played.stop();
  await browser.close();
  rmSync(folder, {recursive: true});
});
