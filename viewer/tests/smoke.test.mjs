// The viewer in a browser, in short: a recording and a live run are drawn, counted and steered.
//   node smoke.test.mjs PROGRAM CLIENT
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {launch, open, serve} from './browser.mjs';
import {check, equal, eventually, run, test} from './check.mjs';
import {drawn, settled, shows} from './editing.mjs';
import {checkPixel, settle} from './page.mjs';

const [program, client] = process.argv.slice(2);
const examples = new URL('../../examples/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'throng-smoke-'));
const browser = await launch();

test('a recording is drawn and counted', async () => {
  const recording = join(folder, 'run.throng');
  execFileSync(program, ['run', join(examples, 'bottleneck.json'), '--until', '20', '-o', recording], {stdio: 'ignore'});
  const server = await serve(program, [recording, '--client', client]);
  const page = await open(browser, server.address, {width: 1000, height: 640});
  await page.click('#view-plan');
  await settle(page, 12);
  check((await page.evaluate(() => window.throng.colours())) >= 4, 'the canvas is blank');
  await checkPixel(page, 'plan');
  const frame = await page.evaluate(() => fetch('api/frames?first=120&count=1').then(r => r.arrayBuffer()).then(b => {
    const size = new DataView(b).getUint32(0, true);
    return JSON.parse(new TextDecoder().decode(new Uint8Array(b, 4, size))).arrays.serial[2];
  }));
  equal(await page.evaluate(() => window.throng.crowd.n), frame, 'people drawn');
  check((await page.textContent('#counters')).startsWith(`${frame} people`), 'the counter');
  await page.click('#play');
  await eventually(() => page.evaluate(() => window.throng.time > 12.3), 'time goes on');
  equal(page.complaints, [], 'complaints of the page');
  equal((await server.stop()).code, 0, 'exit code after Ctrl-C');
  await eventually(() => page.isVisible('#notice'), 'a lost connection is told');
  await page.context().close();
});

test('a live run is drawn, stepped and changed', async () => {
  const server = await serve(program, [join(examples, 'bottleneck.json'), '--paused', '--threads', '1', '--client', client]);
  const page = await open(browser, server.address, {width: 1000, height: 640});
  await page.click('#view-plan');
  for (let i = 1; i <= 3; ++i) {
    await page.click('#step');
    await eventually(() => page.evaluate(n => window.throng.status.step === n, i), `step ${i}`);
  }
  await eventually(() => page.evaluate(() => Math.abs(window.throng.crowd.time - 0.3) < 1e-6 && window.throng.agents.last > 0), 'the third step is shown');
  equal(await page.evaluate(() => window.throng.crowd.n), 100, 'people drawn');
  await checkPixel(page, 'plan');
  await page.click("[data-tool='obstacle']");
  const at = await page.evaluate(() => {
    const p = window.throng.building, box = document.getElementById('scene').getBoundingClientRect();
    // Free floor in the right-hand room.
    for (let x = box.width - 20; x > 0; x -= 5) {
      const place = window.throng.placeAt(x, box.height / 2);
      if (place && place.x > 4 && place.x < 8 && p.isShown(place.layer)) return {x: box.x + x, y: box.y + box.height / 2};
    }
    return null;
  });
  check(at !== null, 'there is floor to click');
  await page.mouse.click(at.x, at.y);
  await eventually(() => page.evaluate(() => window.throng.session.world_version === 2), 'the obstacle is in the world');
  equal(await page.evaluate(() => window.throng.session.obstacles.length), 1, 'obstacles');
  await page.click('#play');
  await eventually(() => page.evaluate(() => window.throng.status.step > 10), 'the run goes on');
  equal(page.complaints, [], 'complaints of the page');
  equal((await server.stop()).code, 0, 'exit code after Ctrl-C');
  await page.context().close();
});

test('what methods tell of people: colours, facts and marks', async () => {
  // Over while the corridor is full, so that it does not matter how slow the page is.
  const scenario = join(folder, 'streams.json');
  writeFileSync(scenario, readFileSync(join(examples, 'streams.json'), 'utf8').replace('"duration": 180', '"duration": 40').replace('corridor.geojson', join(examples, 'corridor.geojson')));
  const server = await serve(program, [scenario, '--speed', '0', '--threads', '1', '--client', client]);
  const page = await open(browser, server.address, {width: 1000, height: 640});
  await page.click('#view-plan');
  await page.selectOption('#colour', 'figure:incentive');
  await eventually(() => page.evaluate(() => window.throng.status.finished && window.throng.crowd.n > 30), 'the corridor is full');
  await eventually(() => page.evaluate(() => new Set(window.throng.crowd.frame.figures.get('incentive')).size > 5), 'incentives come with the frames');
  check((await page.textContent('#legend')).includes('goes with the stream'), 'the legend tells what the scale is');
  await page.evaluate(() => window.throng.select(window.throng.crowd.serial[20]));
  await eventually(() => page.evaluate(() => window.throng.marks.count >= 3), 'the field of view and velocities are drawn');
  check((await page.textContent('#person-facts')).includes('density in view'), 'facts of the person');
  await page.evaluate(() => window.throng.select(0));
  equal(await page.evaluate(() => window.throng.marks.count), 0, 'marks when nobody is chosen');
  equal(page.complaints, [], 'complaints of the page');
  equal((await server.stop()).code, 0, 'exit code after Ctrl-C');
  await page.context().close();
});

test('a plan is drawn, checked, run and reported', async () => {
  const server = await serve(program, ['--save', folder, '--client', client], 'edit');
  const page = await open(browser, server.address, {width: 1100, height: 700});
  await shows(page, [0, 0, 20, 10]);
  await drawn(page, 'walkable', [[0, 0], [20, 10]]);
  await drawn(page, 'area', [[1, 1], [5, 9]]);
  await drawn(page, 'area', [[17, 3], [19, 7]]);
  await settled(page);
  equal(await page.evaluate(() => window.editor.checker.complaints.filter(c => c.severity === 'error')), [], 'complaints');
  await page.click("[data-tab='people']");
  await page.click('text=Add people');
  await settled(page);
  equal(await page.evaluate(() => window.editor.checker.people), 20, 'people at the start');
  await page.click('#run-job');
  await eventually(() => page.evaluate(() => window.editor.runs.jobs[0]?.state === 'done'), 'the job is done', 120);
  const figures = await page.evaluate(() => window.editor.runs.jobs[0].runs[0]);
  equal(figures.arrived, 20, 'arrived');
  check(figures.evacuated_100 > 8, `it took them a walk of 12 m: ${figures.evacuated_100} s`);
  const text = await page.evaluate(() => fetch(`${window.editor.runs.address(window.editor.runs.jobs[0])}report.html`).then(r => r.text()));
  check(text.includes('Exits') && text.includes('What this shows'), 'the report');
  equal(page.complaints, [], 'complaints of the page');
  equal((await server.stop()).code, 0, 'exit code after Ctrl-C');
  await page.context().close();
});

await run(async () => {
  await browser.close();
  rmSync(folder, {recursive: true});
});
