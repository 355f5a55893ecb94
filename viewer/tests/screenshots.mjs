// The viewer's pictures for README and docs: node screenshots.mjs PROGRAM CLIENT OUT (scripts/screenshots calls it).
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {launch, open, serve} from './browser.mjs';
import {eventually} from './check.mjs';
import {settle} from './page.mjs';

const [program, client, out] = process.argv.slice(2);
const examples = new URL('../../examples/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'throng-shots-'));
const browser = await launch();

async function shoot(page, name) {
  await page.evaluate(() => window.throng.draw(performance.now() + 1000));
  await page.waitForTimeout(1200);
  await page.screenshot({path: join(out, `${name}.png`)});
  console.log(join(out, `${name}.png`));
}
const plotted = page => eventually(() => page.evaluate(() => window.throng.plots.rows >= 110), 'the plots', 120);

// The station from the side of its trains: everybody on their way up, all storeys lifted apart.
const recording = join(folder, 'station.throng');
execFileSync(program, ['run', join(examples, 'station.json'), '--until', '110', '-o', recording], {stdio: 'ignore'});
const station = await serve(program, [recording, '--client', client]);
let page = await open(browser, station.address, {width: 1440, height: 860});
await plotted(page);
await settle(page, 75);
await page.evaluate(() => {
  window.throng.setColour('density');
  window.throng.showBuilding({lift: 3});
  document.getElementById('lift').value = '3';
  window.throng.preset('north');
  window.throng.cameras.lookAt(0, 0, -14, 132);
});
await shoot(page, 'viewer_station');

// A storey alone as a plan, with the heat map and the named areas.
await page.evaluate(() => {
  const cards = document.querySelectorAll(".storey-card:not([data-storey='all'])");
  cards[1].click();
  window.throng.setView('plan');
  window.throng.setColour('profile');
  window.throng.setLayer('heat', true);
  window.throng.preset('overview');
});
await shoot(page, 'viewer_plan');
await page.context().close();

// Near enough to see people walk, in the dark: the platforms, at the foot of the stairs.
page = await open(browser, station.address, {width: 1440, height: 860, dark: true});
await plotted(page);
await settle(page, 60);
await page.evaluate(() => {
  const v = window.throng, c = v.crowd;
  v.setColour('speed');
  // Whoever has most people around.
  let best = 0, most = -1;
  for (let i = 0; i < c.n; i += 3) {
    let near = 0;
    for (let k = 0; k < c.n; ++k) near += Number(c.layer[k] === c.layer[i] && Math.hypot(c.x[k] - c.x[i], c.y[k] - c.y[i]) < 5);
    if (near > most) most = near, best = i;
  }
  const cards = document.querySelectorAll(".storey-card:not([data-storey='all'])");
  cards[cards.length - 1].click();
  v.preset('overview');
  v.cameras.lookAt(c.x[best] + 3, c.y[best], c.z[best], 20);
});
await shoot(page, 'viewer_figures');
await page.context().close();
await station.stop();

// The mesh of the hall.
const mesh = await serve(program, [join(examples, 'hall.geojson'), '--client', client]);
page = await open(browser, mesh.address, {width: 1200, height: 760});
await page.evaluate(() => {
  window.throng.setView('plan');
  window.throng.setLayer('clearance', true);
  window.throng.setLayer('cells', true);
  window.throng.setLayer('areas', false);
});
await eventually(() => page.evaluate(() => window.throng.overlays.countOf('clearance') === 1), 'the clearance');
await shoot(page, 'viewer_mesh');
await page.context().close();
await mesh.stop();

// A live run with an obstacle before the door, and what somebody has in mind.
const live = await serve(program, [join(examples, 'bottleneck.json'), '--speed', '4', '--client', client]);
page = await open(browser, live.address, {width: 1320, height: 760});
await eventually(() => page.evaluate(() => window.throng.status.step > 50), 'the run');
await page.evaluate(() => { window.throng.setView('plan'); window.throng.socket.send({do: 'add_obstacle', x: 4.5, y: 0, layer: 0, size: 1.6}); });
await eventually(() => page.evaluate(() => window.throng.session.world_version === 2 && window.throng.status.step > 150), 'the obstacle', 60);
await page.evaluate(() => window.throng.setPlaying(false));
await page.selectOption('#trails', '10');
await page.waitForTimeout(500);
const someone = await page.evaluate(() => {
  const v = window.throng, box = document.getElementById('scene').getBoundingClientRect();
  v.draw(performance.now());
  let best = 0;
  for (let i = 0; i < v.crowd.n; ++i) if (v.crowd.x[i] < v.crowd.x[best] && v.crowd.x[i] > -9) best = i;
  const p = v.project(best);
  void v.select(v.crowd.serial[best]);
  return {x: box.x + p.x, y: box.y + p.y};
});
await page.mouse.move(someone.x, someone.y, {steps: 3});
await page.waitForTimeout(1000);
await page.screenshot({path: join(out, 'viewer_live.png')});
console.log(join(out, 'viewer_live.png'));
await live.stop();

await browser.close();
rmSync(folder, {recursive: true});
process.exit(0);
