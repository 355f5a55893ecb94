// What tests ask a page, in its own words.
import {check, eventually} from './check.mjs';

/** Everything is drawn as of now: the moment shown is the one asked for. */
export async function settle(page, time) {
  await page.evaluate(t => { window.throng.setPlaying(false); window.throng.seek(t); }, time);
  await eventually(() => page.evaluate(t => Math.abs(window.throng.crowd.time - t) < 1e-3, time), `the moment ${time} s is shown`);
}

/** Who stands far enough from everybody to be told apart on the screen, with the colour they should have and the one that is there. */
export async function lonePerson(page) {
  return page.evaluate(() => {
    const v = window.throng, c = v.crowd, box = document.getElementById('scene').getBoundingClientRect();
    v.draw(performance.now());
    for (let i = 0; i < c.n; ++i) {
      const p = v.project(i);
      if (p.behind || p.x < 10 || p.y < 10 || p.x > box.width - 10 || p.y > box.height - 10) continue;
      let apart = Infinity;
      for (let k = 0; k < c.n; ++k) if (k !== i) apart = Math.min(apart, Math.hypot(v.project(k).x - p.x, v.project(k).y - p.y));
      if (apart < 8) continue;
      return {serial: c.serial[i], x: p.x, y: p.y, expected: [...v.colouring.colours.slice(3 * i, 3 * i + 3)].map(f => Math.round(255 * f)), drawn: v.pixel(p.x, p.y)};
    }
    return null;
  });
}

export function sameColour(a, b) { return a.every((v, i) => Math.abs(v - b[i]) <= 3); }

export async function checkPixel(page, what) {
  const person = await lonePerson(page);
  check(person !== null, `${what}: nobody stands alone`);
  check(sameColour(person.expected, person.drawn), `${what}: person ${person.serial} is drawn ${person.drawn}, not ${person.expected}`);
  return person;
}
