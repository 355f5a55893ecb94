// The editor in the hand: storeys, count lines, files opened from the page, reloads, fingers, keys alone, names of controls, contrast.
//   node handling.test.mjs PROGRAM CLIENT
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {launch, open, serve} from './browser.mjs';
import {check, equal, eventually, run, test} from './check.mjs';
import {at, click, drawn, fillDialog, settled, shows} from './editing.mjs';

const [program, client] = process.argv.slice(2);
const examples = new URL('../../examples/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'throng-handling-'));
const browser = await launch();
const edit = async (words, options) => {
  const server = await serve(program, [...words, '--client', client], 'edit');
  return {server, page: await open(browser, server.address, {width: 1200, height: 760, ...options})};
};
const done = async (page, server) => {
  equal(page.complaints, [], 'complaints of the page');
  await page.context().close();
  equal((await server.stop()).code, 0, 'exit code after Ctrl-C');
};
const errors = page => page.evaluate(() => window.editor.checker.complaints.filter(c => c.severity === 'error').map(c => c.message));
const measures = page => page.evaluate(() => window.editor.doc.scenario.measure ?? []);
const drag = async (page, from, to) => {
  const [a, b] = [await at(page, from), await at(page, to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, {steps: 3});
  await page.mouse.move(b.x, b.y, {steps: 3});
  await page.mouse.up();
};

test('a storey is named, raised and removed; its stair goes with it', async () => {
  const {server, page} = await edit([]);
  await shows(page, [0, 0, 20, 10]);
  await drawn(page, 'walkable', [[0, 0], [20, 10]]);
  await page.click('#add-storey');
  await fillDialog(page, {id: 'upper', z: '4'});
  await drawn(page, 'walkable', [[0, 0], [20, 10]]);
  await page.evaluate(() => window.editor.setLayer('ground'));
  await drawn(page, 'stair', [[6, 5], [14, 5]]);
  await fillDialog(page, {to: 'upper', width: '2'});
  await settled(page);
  equal(await errors(page), [], 'complaints of the stair');
  await page.evaluate(() => window.editor.setLayer('upper'));
  await page.click('#change-storey');
  await fillDialog(page, {id: 'gallery', z: '5'});
  await page.waitForFunction(() => window.editor.layer === 'gallery');
  await settled(page);
  equal(await errors(page), [], 'complaints after raising');
  const layers = () => page.evaluate(() => window.editor.doc.head.throng.layers);
  equal((await layers()).find(l => l.id === 'gallery').elevation, 5, 'its height');
  equal((await layers()).find(l => l.id === 'stair 1').elevation.ramp.map(p => p[2]), [0, 5], 'the stair rises to it');
  check(await page.evaluate(() => window.editor.layer === 'gallery'), 'it is the one that is shown');
  await page.click('#remove-storey');
  await settled(page);
  equal([(await layers()).map(l => l.id), await page.evaluate(() => window.editor.doc.features.length)], [['ground'], 1], 'what is left: the floor, without the hole under the stair');
  await page.keyboard.press('Control+z');
  equal((await layers()).length, 3, 'storeys after undoing');
  await done(page, server);
});

test('count lines are chosen, dragged, turned round and deleted in the plan', async () => {
  const {server, page} = await edit([]);
  await shows(page, [0, 0, 20, 10]);
  await drawn(page, 'walkable', [[0, 0], [20, 10]]);
  await drawn(page, 'line', [[10, 2], [10, 8]]);
  equal((await measures(page)).map(m => m.line), [[[10, 2], [10, 8]]], 'drawn');
  await page.click(".tools [data-tool='select']");
  await click(page, [3, 5]);
  await click(page, [10, 5]);
  check((await page.textContent('#tab')).includes('count line'), 'it is chosen');
  await drag(page, [10, 5], [12, 5]);
  equal((await measures(page))[0].line, [[12, 2], [12, 8]], 'moved');
  await drag(page, [12, 8], [12, 6]);
  equal((await measures(page))[0].line, [[12, 2], [12, 6]], 'its end moved');
  await page.click('text=The other way');
  equal((await measures(page))[0].line, [[12, 6], [12, 2]], 'turned round');
  await page.locator("#tab [aria-label='name']").fill('door');
  await page.locator("#tab [aria-label='name']").press('Enter');
  equal((await measures(page))[0].name, 'door', 'named');
  await page.locator('#over').focus();
  await page.keyboard.press('Delete');
  equal(await measures(page), [], 'deleted');
  for (let k = 0; k < 5; ++k) await page.keyboard.press('Control+z');
  equal((await measures(page)).map(m => m.line), [[[10, 2], [10, 8]]], 'undone to what was drawn');
  await done(page, server);
});

test('what is drawn anew in part looks as if all of it were drawn', async () => {
  // Drawn by the processor, whose edges are the same wherever a picture begins; where one is cut, slanted edges may differ by a few of 255.
  const own = await launch({webgl: false}), server = await serve(program, [join(examples, 'office_plan.json'), '--client', client], 'edit'), page = await open(own, server.address, {width: 1200, height: 760});
  await settled(page);
  const seed = Number(process.env.SEED ?? 1);
  const differing = await page.evaluate(async first => {
    let a = first;
    const random = () => { a = (a + 0x6d2b79f5) >>> 0; let t = Math.imul(a ^ (a >>> 15), 1 | a); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };
    const e = window.editor, canvas = document.getElementById('plan'), pixels = () => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    const frame = () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const found = [];
    for (let round = 0; round < 40; ++round) {
      const {plan, doc} = e, [w, h] = [plan.width / plan.scale, plan.height / plan.scale], place = () => [plan.centre[0] + (random() - 0.5) * w, plan.centre[1] + (random() - 0.5) * h].map(v => Math.round(v * 100) / 100);
      const what = random(), [p, q] = [place(), place()], at = Math.floor(random() * doc.features.length), more = f => e.change({...doc, features: [...doc.features, f], keys: [...doc.keys, 1e8 + round]}, 'draw');
      if (what < 0.4) more({type: 'Feature', properties: {kind: 'obstacle'}, geometry: {type: 'Polygon', coordinates: [[p, [q[0], p[1]], q, p]]}});
      else if (what < 0.6) more({type: 'Feature', properties: {kind: 'obstacle'}, geometry: {type: 'LineString', coordinates: [p, q]}});
      else if (what < 0.75) more({type: 'Feature', properties: {kind: 'opening'}, geometry: {type: 'Polygon', coordinates: [[p, [q[0], p[1]], q, p]]}});
      else if (what < 0.9) e.change({...doc, features: doc.features.filter((_, i) => i !== at), keys: doc.keys.filter((_, i) => i !== at)}, 'delete');
      else e.history.undo();
      await frame();
      const part = pixels();
      plan.redraw();
      await frame();
      const whole = pixels(), wrong = part.reduce((most, v, i) => Math.max(most, Math.abs(v - whole[i])), 0);
      if (wrong > 48) found.push([round, wrong]);
      if (round % 10 === 9) plan.zoom(random() < 0.5 ? 0.7 : 1.6, [300, 200]);
      await frame();
    }
    return found;
  }, seed);
  equal(differing, [], `seed ${seed}: rounds, and by how much a pixel differs at most`);
  await done(page, server);
  await own.close();
});

test('a scenario is opened from the page with the plan that it names', async () => {
  const {server, page} = await edit([]);
  const choose = names => page.setInputFiles('#file', names.map(name => join(examples, name)));
  await choose(['station.json', 'station.geojson']);
  await eventually(() => page.evaluate(() => window.editor.name === 'station' && window.editor.doc.features.length > 50), 'the station is open');
  await settled(page, 120);
  equal(await errors(page), [], 'complaints of the station');
  // Alone it cannot be: the page has no other file.
  await choose(['bottleneck.json']);
  await eventually(() => page.isVisible('#notice'), 'it is told');
  check((await page.textContent('#notice')).includes('choose both'), `what is told: ${await page.textContent('#notice')}`);
  equal(page.complaints.filter(c => !c.includes('422')), [], 'complaints of the page');
  page.complaints.length = 0;
  // Positions that lie in a table beside it come along.
  await choose(['circle.json', 'circle.geojson', 'circle.csv']);
  await eventually(() => page.evaluate(() => window.editor.name === 'circle'), 'the circle is open');
  await settled(page);
  equal(await errors(page), [], 'complaints of the circle');
  check(await page.evaluate(() => window.editor.checker.people > 10), 'its people are there');
  await done(page, server);
});

test('a reload finds the picture where it was, as large as it was, and the view', async () => {
  const helper = await (await browser.newContext()).newPage(), picture = join(folder, 'plan.png');
  writeFileSync(picture, Buffer.from(await helper.evaluate(() => Object.assign(document.createElement('canvas'), {width: 300, height: 200}).toDataURL('image/png').split(',')[1]), 'base64'));
  await helper.context().close();
  const {server, page} = await edit([picture]);
  const pixel = ([x, y]) => page.evaluate(([px, py]) => { const b = window.editor.plan.background; return [b.at[0] + px * b.scale, b.at[1] + (b.image.naturalHeight - py) * b.scale]; }, [x, y]);
  await page.selectOption('#grid', '0');
  await click(page, await pixel([50, 100]));
  await click(page, await pixel([250, 100]));
  await fillDialog(page, {metres: '40'});
  await eventually(() => page.evaluate(() => Math.abs(window.editor.plan.background.scale - 0.2) < 1e-3), 'its scale is set');
  await page.fill('#seeds', '7');
  await page.evaluate(() => window.editor.plan.zoom(1.7, [100, 100]));
  const look = () => page.evaluate(() => JSON.stringify(window.editor.look));
  const before = await look();
  await eventually(() => page.evaluate(text => window.editor.remembered === text, before), 'it is remembered');
  await page.waitForTimeout(300);
  await page.reload();
  await page.waitForSelector('html[data-ready="true"]');
  equal(await look(), before, 'after the reload');
  await done(page, server);
});

test('a wall that cuts people off is marked where it stands, as long as it does', async () => {
  const {server, page} = await edit([join(examples, 'corridor.json')]);
  await settled(page);
  const [x0, y0, x1, y1] = await page.evaluate(() => { const b = [Infinity, Infinity, -Infinity, -Infinity]; for (const f of window.editor.doc.features) f.geometry.coordinates.flat(Infinity).forEach((v, i) => { b[i % 2] = Math.min(b[i % 2], v); b[2 + (i % 2)] = Math.max(b[2 + (i % 2)], v); }); return b; });
  await page.selectOption('#grid', '0');
  const x = (x0 + x1) / 2;
  await drawn(page, 'wall', [[x, y0 - 0.5], [x, y1 + 0.5]], true);
  await settled(page);
  const blamed = () => page.evaluate(() => window.editor.checker.complaints.filter(c => /not connected/.test(c.message)).map(c => (c.since ?? []).map(key => window.editor.doc.features[window.editor.doc.keys.indexOf(key)]?.geometry.type)));
  const first = await blamed();
  check(first.length > 0 && first.every(types => types.length === 1 && types[0] === 'LineString'), `who is to blame: ${JSON.stringify(first)}`);
  await page.locator('#over').focus();
  const there = await at(page, [x, (y0 + y1) / 2]);
  await page.mouse.move(there.x, there.y, {steps: 2});
  await eventually(() => page.isVisible('#hover'), 'the sentence at the mark');
  check((await page.textContent('#hover')).includes('not connected'), 'what it says');
  // Another change keeps the mark on the wall.
  await drawn(page, 'obstacle', [[x0 + 1, y0 + 0.2], [x0 + 1.2, y0 + 0.4]]);
  await settled(page);
  equal(await blamed(), first, 'after another change');
  await done(page, server);
});

test('fingers draw by taps, move the plan with two, and zoom by spreading them', async () => {
  const server = await serve(program, ['--client', client], 'edit');
  const context = await browser.newContext({viewport: {width: 800, height: 1100}, hasTouch: true, isMobile: true}), page = await context.newPage();
  page.complaints = [];
  page.on('pageerror', error => page.complaints.push(String(error)));
  await page.goto(server.address);
  await page.waitForSelector('html[data-ready="true"]');
  const small = await page.evaluate(() => [...document.querySelectorAll('button, select')].filter(e => e.offsetParent !== null && !e.matches('.link, .complaint') && e.getBoundingClientRect().height < 36).map(e => e.id || e.textContent));
  equal(small, [], 'controls too small for fingers');
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
  await page.tap(".tools [data-tool='walkable']");
  for (const point of [[-6, -4], [6, 4]]) {
    const {x, y} = await at(page, point);
    await page.touchscreen.tap(x, y);
  }
  equal(await page.evaluate(() => window.editor.doc.features.map(f => f.geometry.coordinates[0].slice(0, 4))), [[[-6, -4], [6, -4], [6, 4], [-6, 4]]], 'a floor by two taps');
  const cdp = await context.newCDPSession(page), middle = await at(page, [0, 0]);
  const touch = (type, points) => cdp.send('Input.dispatchTouchEvent', {type, touchPoints: points.map(([x, y], id) => ({x, y, id}))});
  const before = await page.evaluate(() => window.editor.plan.scale);
  await touch('touchStart', [[middle.x - 40, middle.y], [middle.x + 40, middle.y]]);
  for (let k = 1; k <= 4; ++k) await touch('touchMove', [[middle.x - 40 - 10 * k, middle.y], [middle.x + 40 + 10 * k, middle.y]]);
  await touch('touchEnd', []);
  const after = await page.evaluate(() => window.editor.plan.scale);
  check(Math.abs(after / before - 2) < 0.15, `spread to twice: ${after / before}`);
  const untouched = () => page.evaluate(() => [window.editor.doc.features.length, window.editor.tools.points.length]);
  equal(await untouched(), [1, 0], 'nothing was drawn by it');
  const centre = () => page.evaluate(() => window.editor.plan.centre);
  const [x] = await centre();
  await touch('touchStart', [[middle.x, middle.y]]);
  for (let k = 1; k <= 4; ++k) await touch('touchMove', [[middle.x - 30 * k, middle.y]]);
  await touch('touchEnd', []);
  check((await centre())[0] > x + 1, 'one finger that moves takes the plan along');
  equal(await untouched(), [1, 0], 'nothing was drawn by that either');
  equal(page.complaints, [], 'complaints of the page');
  await context.close();
  await server.stop();
});

/** The tab key until something has the focus. */
async function tabTo(page, selector) {
  for (let k = 0; k < 150; ++k) {
    if (await page.evaluate(wanted => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the tab key does not reach ${selector}`);
}

test('from nothing to a report by keys alone', async () => {
  const {server, page} = await edit([]);
  const press = async (key, times = 1) => { for (let k = 0; k < times; ++k) await page.keyboard.press(key); };
  await tabTo(page, '#grid');
  await page.keyboard.type('1 m');
  await tabTo(page, '#over');
  await press('f');
  await press(' ');
  await press('Shift+ArrowRight');
  await press('ArrowUp', 6);
  await press(' ');
  await press('a');
  await press('ArrowLeft');
  await press('ArrowDown');
  await press(' ');
  await press('ArrowLeft', 2);
  await press('ArrowDown', 4);
  await press(' ');
  await press('a');
  await press('ArrowLeft', 3);
  await press(' ');
  await press('ArrowLeft', 3);
  await press('ArrowUp', 4);
  await press(' ');
  equal(await page.evaluate(() => window.editor.doc.features.map(f => f.properties.kind)), ['walkable', 'area', 'area'], 'what is drawn');
  await press('Escape', 2);
  await tabTo(page, "[data-tab='people']");
  await press('Enter');
  await eventually(() => page.evaluate(() => document.activeElement?.dataset.tab === 'people'), 'the tab keeps the focus');
  for (let k = 0; k < 20 && !(await page.evaluate(() => document.activeElement?.textContent === 'Add people')); ++k) await press('Tab');
  await press('Enter');
  await tabTo(page, ".population [aria-label='count']");
  await press('Control+a');
  await page.keyboard.type('9');
  await press('Enter');
  await settled(page);
  equal([await errors(page), await page.evaluate(() => window.editor.checker.people)], [[], 9], 'people');
  await tabTo(page, '#run-job');
  await press('Enter');
  await eventually(() => page.evaluate(() => window.editor.runs.jobs[0]?.state === 'done'), 'the job is done', 120);
  await eventually(() => page.isVisible('#window'), 'the report opens');
  equal(await page.evaluate(() => document.activeElement?.id), 'window-close', 'where the focus is');
  await press('Escape');
  check(!(await page.isVisible('#window')), 'back to the drawing');
  equal(await page.evaluate(() => window.editor.runs.jobs[0].runs[0].arrived), 9, 'arrived');
  await done(page, server);
});

/** Controls without a name; those that the tab key does not reach; and where it jumps back. */
async function walkThrough(page) {
  return page.evaluate(() => {
    const shown = e => e.offsetParent !== null && !e.disabled && getComputedStyle(e).visibility !== 'hidden' && e.getBoundingClientRect().width > 0;
    const all = [...document.querySelectorAll('button, select, input, a[href], [tabindex]')].filter(shown);
    const nameless = all.filter(e => !(e.getAttribute('aria-label') || e.getAttribute('title') || e.textContent.trim() || e.labels?.[0]?.textContent.trim())).map(e => e.outerHTML.slice(0, 80));
    const tabbable = all.filter(e => e.tabIndex >= 0), positive = tabbable.filter(e => e.tabIndex > 0).map(e => e.id);
    const unreachable = all.filter(e => e.tabIndex < 0).map(e => e.outerHTML.slice(0, 80));
    return {nameless, positive, unreachable, count: tabbable.length};
  });
}

/** Texts that stand out too little from what is behind them (4.5 : 1, of what is switched off 2 : 1). */
const faintTexts = page => page.evaluate(() => {
  const parse = text => { const n = text.match(/[\d.]+/g).map(Number); return {rgb: n.slice(0, 3), alpha: n[3] ?? 1}; };
  const light = rgb => { const [r, g, b] = rgb.map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const over = (top, below) => top.rgb.map((v, i) => v * top.alpha + below[i] * (1 - top.alpha));
  const behind = e => { if (!e) return [255, 255, 255]; const c = parse(getComputedStyle(e).backgroundColor); return c.alpha >= 1 ? c.rgb : over(c, behind(e.parentElement)); };
  const found = [];
  for (const e of document.querySelectorAll('body *')) {
    if (e.offsetParent === null || e.closest('canvas, iframe, option, .skip, .uplot') || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
    const style = getComputedStyle(e), back = behind(e), ink = over(parse(style.color), back), [a, b] = [light(ink), light(back)], ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < (e.disabled ? 2 : 4.5)) found.push(`${e.tagName}#${e.id} '${e.textContent.trim().slice(0, 30)}' ${ratio.toFixed(2)}`);
  }
  return found;
});

for (const dark of [false, true])
  test(`controls have names, the tab key reaches them, and texts can be read: ${dark ? 'dark' : 'light'}`, async () => {
    const {server, page} = await edit([join(examples, 'corridor.json')], {dark});
    equal(await page.getAttribute('html', 'data-theme'), dark ? 'dark' : 'light', 'the theme that the system asks for');
    await settled(page);
    for (const tab of ['selected', 'people', 'profiles', 'settings', 'runs']) {
      await page.click(`[data-tab='${tab}']`);
      if (tab === 'people') await page.locator('#tab tbody tr').first().click();
      await page.evaluate(() => { for (const d of document.querySelectorAll('#tab details')) d.open = true; });
      const {nameless, positive, unreachable, count} = await walkThrough(page);
      equal([nameless, positive, unreachable], [[], [], []], `${tab}: without a name, out of order, not reached`);
      check(count > 20, `${tab}: controls`);
      equal(await faintTexts(page), [], `${tab}: texts that can hardly be read`);
    }
    await done(page, server);
    const view = await serve(program, [join(examples, 'corridor.json'), '--paused', '--client', client]), watched = await open(browser, view.address, {width: 1300, height: 800, dark});
    const {nameless, positive, unreachable} = await walkThrough(watched);
    equal([nameless, positive, unreachable], [[], [], []], 'the viewer: without a name, out of order, not reached');
    equal(await faintTexts(watched), [], 'the viewer: texts that can hardly be read');
    await watched.context().close();
    await view.stop();
  });

await run(async () => {
  await browser.close();
  rmSync(folder, {recursive: true});
});
