// The ten pictures of docs/editor.md: node editor-pictures.mjs PROGRAM CLIENT OUT (scripts/screenshots calls it). A plan goes from a CAD drawing to a
// report, as the page says; look at each picture after a change.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {launch, open, serve} from './browser.mjs';
import {eventually} from './check.mjs';
import {at, click, drawn, settled} from './editing.mjs';

const [program, client, out] = process.argv.slice(2);
const examples = new URL('../../examples/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'throng-pictures-'));
const browser = await launch();
const size = {width: 1280, height: 780};
let number = 0;
async function shoot(page, name) {
  await page.waitForTimeout(700);
  const path = join(out, `editor_${String(++number).padStart(2, '0')}_${name}.png`);
  await page.screenshot({path});
  console.log(path);
}
const edit = async words => {
  const server = await serve(program, [...words, '--client', client], 'edit');
  return {server, page: await open(browser, server.address, size)};
};
const hover = async (page, point) => {
  const {x, y} = await at(page, point);
  await page.mouse.move(x, y, {steps: 4});
};
const close = async (page, server) => {
  await page.context().close();
  await server.stop();
};

// 1: drawing from nothing: a room, a wall, a door along it, lengths shown and typed.
let {server, page} = await edit([]);
await page.evaluate(() => window.editor.plan.fit([-2, -2, 22, 14]));
await drawn(page, 'walkable', [[0, 0], [20, 12]]);
await drawn(page, 'wall', [[8, 0], [8, 12]], true);
await drawn(page, 'wall', [[14, 0], [14, 12]], true);
await drawn(page, 'opening', [[8, 5], [8, 6.2]]);
await drawn(page, 'opening', [[14, 2], [14, 3.2]]);
await drawn(page, 'obstacle', [[10, 8], [12, 10]]);
await page.click(".tools [data-tool='wall']");
await click(page, [0, 7]);
await hover(page, [5.2, 7]);
await shoot(page, 'draw');
await page.keyboard.press('Escape');
await close(page, server);

// 2: a CAD plan: its layers, and what they are taken for.
({server, page} = await edit([join(examples, 'office_plan.dxf'), '--save', folder]));
await page.waitForSelector('#dialog[open]');
await shoot(page, 'layers');
await page.click('#dialog button.primary');
await settled(page);

// 3: a place where people start is drawn over the plan as it was understood.
const names = await page.evaluate(() => window.editor.doc.features.filter(f => f.properties.kind === 'area').map(f => f.properties.name));
const room = await page.evaluate(() => {
  const f = window.editor.doc.features.find(g => g.properties.kind === 'area' && /corridor/i.test(g.properties.name ?? '')) ?? window.editor.doc.features.find(g => g.properties.kind === 'area');
  const n = f.geometry.coordinates.flat(Infinity), xs = n.filter((_, i) => i % 2 === 0), ys = n.filter((_, i) => i % 2 === 1);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
});
// Of the corridor without the swings of its doors.
const [x0, y0, x1, y1] = [room[0], room[1] + 0.95, room[2], room[3] - 0.95], m = 0.15, width = x1 - x0;
await page.selectOption('#grid', '0.05');
await drawn(page, 'area', [[x0 + 0.35 * width, y0 + m], [x0 + 0.65 * width, y1 - m]]);
await page.locator("#tab [aria-label='name']").fill('waiting');
await page.locator("#tab [aria-label='name']").press('Enter');
await shoot(page, 'area');

// 4: what is wrong, where it is: a wall across the corridor cuts everybody off.
await page.click("[data-tab='people']");
await page.click('text=Add people');
await page.locator('.population [aria-label=count]').fill('80');
await page.locator('.population [aria-label=count]').press('Enter');
await page.evaluate(all => {
  const e = window.editor, exits = all.filter(n => /exit/i.test(n)), p = e.doc.scenario.populations[0];
  e.change({...e.doc, scenario: {...e.doc.scenario, populations: [{...p, name: 'staff', start: {area: 'waiting'}, goals: [{nearest: exits.length > 0 ? exits : all.slice(0, 2)}]}]}}, 'where they go');
}, names);
await settled(page);
for (const x of [x0 + 0.25 * width, x0 + 0.75 * width]) await drawn(page, 'wall', [[x, y0], [x, y1]], true);
await settled(page);
await page.click(".tools [data-tool='select']");
await shoot(page, 'complaint');
await page.keyboard.press('Control+z');
await page.keyboard.press('Control+z');
await settled(page);

// 5: who walks: how many, from where to where.
await page.click("[data-tab='people']");
if (!(await page.isVisible('.population'))) await page.locator('#tab tbody tr').first().click();
await shoot(page, 'people');

// 6: how they walk: every method with its numbers, made from the schema.
await page.click("[data-tab='profiles']");
await page.evaluate(() => { for (const d of document.querySelectorAll('#tab details')) d.open = true; });
await shoot(page, 'profile');

// 7: watched at once.
await page.click('#run-live');
const live = page.frameLocator('#frame');
await live.locator('html[data-ready="true"]').waitFor({state: 'attached', timeout: 60000});
await page.waitForTimeout(9000);
await shoot(page, 'live');
await page.click('#window-close');

// 8: several seeds in the background, and what came out.
await page.fill('#seeds', '5');
await page.click('#run-job');
await eventually(() => page.evaluate(() => window.editor.runs.jobs[0]?.state === 'done'), 'the job is done', 300);
await page.waitForTimeout(1500);

// 9: the report, which opens by itself.
await shoot(page, 'report');
await page.click('#window-close');
await page.click("[data-tab='runs']");
await shoot(page, 'results');

// 10: the same plan with a change, beside it.
await drawn(page, 'obstacle', [[x0 + 0.7 * width, y0], [x0 + 0.7 * width + 1, y1 - 0.9]]);
await settled(page);
await page.fill('#seeds', '1');
await page.click('#run-job');
await eventually(() => page.evaluate(() => window.editor.runs.jobs[1]?.state === 'done'), 'the second job is done', 300);
if (await page.isVisible('#window-close')) await page.click('#window-close');
await page.click("[data-tab='runs']");
for (const id of [1, 2]) await page.locator(`[aria-label='compare run ${id}']`).check();
await page.click('text=Compare the two');
const pair = page.frameLocator('#frame');
await pair.locator('html[data-ready="true"]').waitFor({state: 'attached', timeout: 120000});
await page.waitForTimeout(6000);
await shoot(page, 'compared');
await close(page, server);

await browser.close();
rmSync(folder, {recursive: true});
process.exit(0);
