// From a drawing to a report in a browser, as a new user would, no file touched by hand.
//   node editor.test.mjs PROGRAM CLIENT
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {launch, open, serve} from './browser.mjs';
import {check, equal, eventually, run, test} from './check.mjs';
import {at, click, drawn, fillDialog, settled} from './editing.mjs';

const [program, client] = process.argv.slice(2);
const examples = new URL('../../examples/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'throng-editor-'));
const browser = await launch();
const edit = async (words, options) => {
  const server = await serve(program, [...words, '--client', client], 'edit');
  return {server, page: await open(browser, server.address, {width: 1200, height: 760, ...options})};
};
const complaints = page => page.evaluate(() => window.editor.checker.complaints.filter(c => c.severity === 'error').map(c => c.message));
const json = words => JSON.parse(execFileSync(program, [...words, '--json'], {encoding: 'utf8'}));
const done = async (page, server, allowed = []) => {
  equal(page.complaints.filter(what => !allowed.some(part => what.includes(part))), [], 'complaints of the page');
  await page.context().close();
  equal((await server.stop()).code, 0, 'exit code after Ctrl-C');
};
const runJob = async page => {
  const before = await page.evaluate(() => window.editor.runs.jobs.length);
  await page.click('#run-job');
  await eventually(() => page.evaluate(n => window.editor.runs.jobs[n]?.state === 'done', before), 'the job is done', 300);
  const job = await page.evaluate(n => window.editor.runs.jobs[n], before);
  if (await page.isVisible('#window-close')) await page.click('#window-close');
  return job;
};

test('a CAD plan: layers chosen, start and two exits drawn, 80 people, run, report equal to throng run', async () => {
  const {server, page} = await edit([join(examples, 'office_plan.dxf'), '--save', folder]);
  await page.waitForSelector('#dialog[open]');
  check((await page.locator('#dialog tbody tr').count()) >= 2, 'layers are listed');
  await page.click('#dialog button.primary');
  await settled(page);
  equal(await complaints(page), [], 'complaints of the plan');
  const names = await page.evaluate(() => window.editor.doc.features.filter(f => f.properties.kind === 'area').map(f => f.properties.name));
  check(names.length > 2, 'rooms are areas');
  const room = await page.evaluate(() => {
    const f = window.editor.doc.features.find(g => g.properties.kind === 'area' && /corridor/i.test(g.properties.name ?? '')) ?? window.editor.doc.features.find(g => g.properties.kind === 'area');
    const xs = f.geometry.coordinates.flat(Infinity).filter((_, i) => i % 2 === 0), ys = f.geometry.coordinates.flat(Infinity).filter((_, i) => i % 2 === 1);
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  });
  const [x0, y0, x1, y1] = room, m = 0.25;
  await page.selectOption('#grid', '0.01');
  const width = x1 - x0;
  await drawn(page, 'area', [[x0 + 0.3 * width, y0 + m], [x0 + 0.7 * width, y1 - m]]);
  await drawn(page, 'area', [[x0 + m, y0 + m], [x0 + m + 1, y1 - m]]);
  await drawn(page, 'area', [[x1 - m - 1, y0 + m], [x1 - m, y1 - m]]);
  await page.click("[data-tab='people']");
  await page.click('text=Add people');
  const form = page.locator('.population');
  await form.locator('[aria-label=count]').fill('80');
  await form.locator('[aria-label=count]').press('Enter');
  await form.locator('fieldset', {hasText: 'start'}).locator('[aria-label=area]').selectOption('area 1');
  await page.locator('.population fieldset', {hasText: 'goes to'}).locator('[aria-label=kind]').selectOption('the nearest of several');
  for (const name of ['area 2', 'area 3']) {
    const box = page.locator('.population fieldset', {hasText: 'goes to'}).locator('label.check', {hasText: new RegExp(` ${name}$`)}).locator('input');
    if (!(await box.isChecked())) await box.check();
  }
  for (const name of names) {
    const box = page.locator('.population fieldset', {hasText: 'goes to'}).locator('label.check', {hasText: new RegExp(` ${name}$`)}).locator('input');
    if ((await box.count()) === 1 && (await box.isChecked())) await box.uncheck();
  }
  await settled(page);
  equal(await complaints(page), [], 'complaints before the run');
  equal(await page.evaluate(() => window.editor.checker.people), 80, 'people');
  const job = await runJob(page);
  await page.click('#save');
  await fillDialog(page, {name: 'office'});
  await eventually(async () => (await page.textContent('#saved')).includes('office.json'), 'it is saved');
  const figures = json(['run', join(folder, 'office.json')]);
  for (const key of ['agents', 'arrived', 'steps', 'evacuated_50', 'evacuated_95', 'evacuated_100', 'mean_travel_time', 'hash']) equal(job.runs[0][key], figures[key], key);
  const report = await page.evaluate(id => fetch(`${window.editor.runs.base}runs/${id}/report.html`).then(r => r.text()), job.id);
  check(report.includes('area 2') && report.includes('area 3'), 'both exits are in the report');
  await page.click('#save');
  await fillDialog(page, {name: 'office'});
  await page.waitForSelector('#dialog[open]');
  check((await page.textContent('#dialog')).includes('there already'), 'nothing is replaced without being asked');
  await page.click('#dialog button:has-text("Cancel")');
  await done(page, server, ['409']);
});

test('a picture of a plan is scaled and traced into two rooms with a door; people walk through it', async () => {
  // Two rooms, 600 by 300 pixels: 20 by 10 m.
  const picture = join(folder, 'plan.png');
  const helper = await (await browser.newContext()).newPage();
  const data = await helper.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), {width: 660, height: 360}), c = canvas.getContext('2d');
    c.fillStyle = '#fff';
    c.fillRect(0, 0, 660, 360);
    c.lineWidth = 4;
    c.strokeRect(30, 30, 600, 300);
    c.beginPath();
    c.moveTo(330, 30);
    c.lineTo(330, 330);
    c.stroke();
    return canvas.toDataURL('image/png').split(',')[1];
  });
  writeFileSync(picture, Buffer.from(data, 'base64'));
  await helper.context().close();
  const {server, page} = await edit([picture]);
  const pixel = ([x, y]) => page.evaluate(([px, py]) => { const b = window.editor.plan.background; return [b.at[0] + px * b.scale, b.at[1] + (b.image.naturalHeight - py) * b.scale]; }, [x, y]);
  await page.selectOption('#grid', '0');
  await click(page, await pixel([30, 330]));
  await click(page, await pixel([630, 330]));
  await fillDialog(page, {metres: '20'});
  await eventually(() => page.evaluate(() => Math.abs(window.editor.plan.background.scale - 20 / 600) < 1e-3), 'its scale is set');
  await page.selectOption('#grid', '0.1');
  await drawn(page, 'walkable', [await pixel([30, 330]), await pixel([630, 30])]);
  await drawn(page, 'wall', [await pixel([330, 330]), await pixel([330, 30])], true);
  const middle = await pixel([330, 180]);
  await drawn(page, 'opening', [[middle[0] - 0.3, middle[1] - 0.8], [middle[0] + 0.3, middle[1] + 0.8]]);
  await drawn(page, 'area', [await pixel([60, 300]), await pixel([200, 60])]);
  await drawn(page, 'area', [await pixel([540, 300]), await pixel([600, 60])]);
  await page.click("[data-tab='people']");
  await page.click('text=Add people');
  await settled(page);
  equal(await complaints(page), [], 'complaints');
  const job = await runJob(page);
  equal(job.runs[0].arrived, 20, 'everybody came through the door');
  await done(page, server);
});

test('the station: a new storey, a stair to it, people up it; a reload in the middle loses nothing', async () => {
  const {server, page} = await edit([join(examples, 'station.json')]);
  const before = await page.evaluate(() => window.editor.doc.features.length);
  const street = await page.evaluate(() => {
    const e = window.editor, f = e.doc.features.filter(g => g.properties.kind === 'walkable').sort((a, b) => JSON.stringify(b.geometry).length - JSON.stringify(a.geometry).length);
    return {layer: e.layer, count: f.length};
  });
  check(street.count > 0, 'there are floors');
  await page.click('#add-storey');
  await fillDialog(page, {id: 'gallery', z: '60'});
  await page.evaluate(() => { window.editor.plan.fit([1000, 1000, 1040, 1020]); });
  await page.selectOption('#grid', '0.5');
  await drawn(page, 'walkable', [[1000, 1000], [1030, 1010]]);
  await page.click('#add-storey');
  await fillDialog(page, {id: 'loft', z: '64'});
  await drawn(page, 'walkable', [[1000, 1000], [1030, 1010]]);
  await page.evaluate(() => window.editor.setLayer('gallery'));
  await drawn(page, 'stair', [[1010, 1005], [1020, 1005]]);
  await fillDialog(page, {to: 'loft', width: '2'});
  await drawn(page, 'area', [[1001, 1001], [1006, 1009]]);
  await page.evaluate(() => window.editor.setLayer('loft'));
  await drawn(page, 'area', [[1025, 1001], [1029, 1009]]);
  await settled(page, 120);
  equal(await complaints(page), [], 'complaints of the stair');
  const text = await page.evaluate(() => JSON.stringify(window.editor.doc.features));
  await page.reload();
  await page.waitForSelector('html[data-ready="true"]');
  equal(await page.evaluate(() => JSON.stringify(window.editor.doc.features)), text, 'after a reload');
  check((await page.evaluate(() => window.editor.doc.features.length)) === before + 9, 'floors, stair and areas are there');
  await page.evaluate(() => {
    const e = window.editor, {doc} = e, profile = Object.keys(doc.scenario.profiles)[0];
    e.change({...doc, scenario: {...doc.scenario, duration: 60, populations: [{name: 'up', profile, count: 10, start: {area: 'area 1'}, goals: [{area: 'area 2'}]}]}}, 'people');
  });
  await settled(page, 120);
  const job = await runJob(page);
  equal(job.runs[0].arrived, 10, 'everybody came up');
  await done(page, server);
});

test('a wall across a corridor: the complaint, at its place; undone', async () => {
  const {server, page} = await edit([join(examples, 'corridor.json')]);
  await settled(page);
  const box = await page.evaluate(() => { const b = [Infinity, Infinity, -Infinity, -Infinity]; for (const f of window.editor.doc.features) { const n = f.geometry.coordinates.flat(Infinity); n.forEach((v, i) => { b[i % 2] = Math.min(b[i % 2], v); b[2 + (i % 2)] = Math.max(b[2 + (i % 2)], v); }); } return b; });
  const shown = () => page.evaluate(() => window.editor.checker.complaints.map(c => c.message));
  const bytes = await page.evaluate(() => JSON.stringify(window.editor.doc.features)), first = await shown();
  await page.selectOption('#grid', '0');
  const x = (box[0] + box[2]) / 2;
  await drawn(page, 'wall', [[x, box[1] - 0.5], [x, box[3] + 0.5]], true);
  await settled(page);
  const now = await shown();
  check(now.length > first.length, `the wall is complained of: ${JSON.stringify(now)}`);
  // It stands where its people cannot get to: a click shows that area, and marks it.
  await page.locator('#complaints .complaint', {hasText: 'not connected'}).first().click();
  const [marked] = await page.evaluate(() => [...window.editor.plan.selected].map(key => window.editor.doc.features[window.editor.doc.keys.indexOf(key)].properties));
  equal(marked?.kind, 'area', 'what is marked');
  check(await page.evaluate(name => JSON.stringify(window.editor.doc.scenario.populations.map(p => [p.start, p.goals])).includes(`"${name}"`), marked.name), 'the area is one of the people\'s');
  await page.locator('.tools [data-tool=select]').click();
  await page.locator('#over').focus();
  await page.keyboard.press('Control+z');
  await settled(page);
  equal(await shown(), first, 'complaints after undoing');
  equal(await page.evaluate(() => JSON.stringify(window.editor.doc.features)), bytes, 'undone to the same bytes');
  // A shape that crosses itself is complained of where it does.
  await page.selectOption('#shape', 'polygon');
  const h = (box[1] + box[3]) / 2;
  await drawn(page, 'obstacle', [[x, h], [x + 1, h + 1], [x + 1, h], [x, h + 1]], true);
  await settled(page);
  const marks = await page.evaluate(() => window.editor.checker.complaints.filter(c => c.severity === 'error'));
  if (marks.length > 0) check(marks.some(c => c.key !== undefined || /\(/.test(c.place)), 'it has its place');
  await done(page, server);
});

test('without a pointer: a floor and two areas by keys alone', async () => {
  const {server, page} = await edit([]);
  await page.selectOption('#grid', '1');
  await page.locator('#over').focus();
  const press = async (key, times = 1) => { for (let k = 0; k < times; ++k) await page.keyboard.press(key); };
  await press('f');
  await press(' ');
  await press('Shift+ArrowRight');
  await press('ArrowUp', 5);
  await press(' ');
  await press('a');
  await press('ArrowLeft', 1);
  await press('ArrowDown', 1);
  await press(' ');
  await press('ArrowLeft', 2);
  await press('ArrowDown', 3);
  await press(' ');
  const features = await page.evaluate(() => window.editor.doc.features.map(f => [f.properties.kind, f.geometry.coordinates[0]]));
  const span = ring => [Math.min(...ring.map(p => p[0])), Math.min(...ring.map(p => p[1])), Math.max(...ring.map(p => p[0])), Math.max(...ring.map(p => p[1]))];
  const [floor, area] = features;
  equal([floor[0], area[0]], ['walkable', 'area'], 'kinds');
  const [x0, y0, x1, y1] = span(floor[1]);
  equal([x1 - x0, y1 - y0], [10, 5], 'the floor');
  equal(span(area[1]), [x0 + 7, y0 + 1, x0 + 9, y0 + 4], 'the area');
  check((await page.textContent('#coordinates')).includes('x '), 'where the pointer is');
  await done(page, server);
});

test('a page that crashes while its plan is being checked loses nothing', async () => {
  const city = join(folder, 'city.geojson');
  execFileSync(program, ['generate', 'city', city, '--vertices', '8000'], {stdio: 'ignore'});
  const {server, page} = await edit([city]);
  await settled(page, 120);
  for (let k = 0; k < 4; ++k)
    await page.evaluate(n => {
      const e = window.editor, [x, y] = e.plan.centre;
      e.change({...e.doc, features: [...e.doc.features, {type: 'Feature', properties: {kind: 'area', name: `drawn ${n}`}, geometry: {type: 'Polygon', coordinates: [[[x + n, y], [x + n + 0.5, y], [x + n + 0.5, y + 0.5], [x + n, y]]]}}], keys: [...e.doc.keys, 1e9 + n]}, 'draw');
    }, k);
  await page.waitForTimeout(400);
  await page.context().close();  // no handler of the page is heard
  const again = await open(browser, server.address, {width: 900, height: 600});
  equal(await again.evaluate(() => window.editor.doc.features.filter(f => /^drawn/.test(f.properties.name ?? '')).length), 4, 'what was drawn');
  await done(again, server);
});

test('two variants are compared side by side', async () => {
  const {server, page} = await edit([join(examples, 'bottleneck.json')]);
  await settled(page);
  await page.evaluate(() => { const e = window.editor; e.change({...e.doc, scenario: {...e.doc.scenario, duration: 30}}, 'shorter'); });
  await settled(page);
  await runJob(page);
  await drawn(page, 'obstacle', [[8, 4], [9, 6]]);
  await settled(page);
  await runJob(page);
  await page.click("[data-tab='runs']");
  for (const id of [1, 2]) await page.locator(`[aria-label='compare run ${id}']`).check();
  await page.click('text=Compare the two');
  const frame = page.frameLocator('#frame');
  await frame.locator('html[data-ready="true"]').waitFor({state: 'attached', timeout: 120000});
  check((await frame.locator('#figures td').count()) >= 12, 'figures of both');
  check(/^[+−]\d/.test(await frame.locator('#figures tr').nth(2).locator('td').nth(2).textContent()), 'how far they are apart');
  await done(page, server);
});

test('examples that are opened and saved again are the same world', async () => {
  // Scenarios too, with the plans they name; own_method and the like need programs of their own.
  for (const file of readdirSync(examples).filter(f => f.endsWith('.geojson') || f.endsWith('.json'))) {
    const {server, page} = await edit([join(examples, file), '--save', folder]);
    await settled(page, 120);
    const name = `again-${file.replace(/\.(geo)?json$/, '')}-${file.endsWith('.geojson') ? 'plan' : 'run'}`, scenario = file.endsWith('.json');
    await page.click('#save');
    await fillDialog(page, {name});
    await eventually(async () => (await page.textContent('#saved')).includes(name), `${file} is saved`);
    const ending = scenario ? 'json' : 'geojson', [again, first] = [join(folder, `${name}.${ending}`), join(examples, file)].map(f => json(['check', f]).files[0]);
    equal(again.hash, first.hash, `hash of ${file}`);
    if (scenario) equal([again.people, again.populations, again.sources], [first.people, first.populations, first.sources], `people of ${file}`);
    equal(page.complaints, [], `complaints of the page with ${file}`);
    await page.context().close();
    await server.stop();
  }
});

test('nothing but what was asked is written, and strangers are refused', async () => {
  const inside = join(folder, 'only');
  execFileSync('mkdir', [inside]);
  const {server, page} = await edit(['--save', inside]);
  const text = JSON.stringify({throng: 1, environment: {type: 'FeatureCollection', features: []}, populations: []});
  const put = (name, headers = {}) => fetch(new URL(`api/save?name=${encodeURIComponent(name)}`, server.address), {method: 'POST', body: text, headers}).then(r => r.status);
  const own = new URL(server.address).origin;
  equal(await put('x'), 403, 'without an origin');
  equal(await put('x', {Origin: 'http://evil.example'}), 403, 'from another site');
  for (const name of ['../x', 'a/b', '.hidden', '', '/etc/x', 'x'.repeat(300)]) equal(await put(name, {Origin: own}), 400, `name '${name.slice(0, 12)}'`);
  equal(await put('good', {Origin: own}), 200, 'a good name');
  equal(await put('good', {Origin: own}), 409, 'again');
  equal(readdirSync(inside).sort(), ['good.geojson', 'good.json'], 'written');
  equal(await fetch(new URL('api/check?version=9', server.address), {method: 'POST', body: '{', headers: {Origin: own}}).then(r => r.status), 400, 'no JSON');
  equal(await fetch(new URL('api/nothing', server.address), {method: 'POST', body: text, headers: {Origin: own}}).then(r => r.status), 405, 'an address that takes nothing');
  const named = {throng: 1, environment: '/etc/passwd', populations: [{positions: '/etc/passwd', goals: []}]};
  const said = await fetch(new URL('api/check?version=10&part=1', server.address), {method: 'POST', body: JSON.stringify(named), headers: {Origin: own}}).then(r => r.text());
  check(!said.includes('root:'), 'no file is read for the page');
  check(readFileSync(join(inside, 'good.json'), 'utf8').includes('good.geojson'), 'the scenario names its environment');
  await page.context().close();
  await server.stop();
});

await run(async () => {
  await browser.close();
  rmSync(folder, {recursive: true});
});
