// What tests do in the editor, as a user would: tools, clicks at places of the plan, keys.
import {eventually} from './check.mjs';

/** Where a place of the plan is on the page. */
export async function at(page, point) {
  return page.evaluate(p => {
    const [x, y] = window.editor.plan.toScreen(p), box = document.getElementById('over').getBoundingClientRect();
    return {x: box.x + x, y: box.y + y};
  }, point);
}

export async function click(page, point) {
  const {x, y} = await at(page, point);
  // A click beside the plan would draw nothing, and a test could pass with less than it says.
  if (!(await page.evaluate(([px, py]) => document.elementFromPoint(px, py)?.id === 'over', [x, y]))) throw new Error(`(${point}) is not in the plan that is shown`);
  await page.mouse.move(x, y);
  await page.mouse.click(x, y);
}

/** The window shows this box of the world. */
export async function shows(page, box) {
  await page.evaluate(b => window.editor.plan.fit(b), box);
}

/** A shape by a tool: all points clicked, then ended where it does not end by itself. */
export async function drawn(page, tool, points, end = false) {
  await page.click(`.tools [data-tool='${tool}']`);
  for (const point of points) await click(page, point);
  if (end) await page.keyboard.press('Enter');
}

/** What was drawn last is checked. */
export async function settled(page, seconds = 60) {
  await eventually(() => page.evaluate(() => window.editor.checker.checked === window.editor.checker.version), 'the plan is checked', seconds);
}

export async function fillDialog(page, values) {
  await page.waitForSelector('#dialog[open]');
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`#dialog [name='${name}']`);
    if ((await field.evaluate(node => node.tagName)) === 'SELECT') await field.selectOption(value);
    else await field.fill(value);
  }
  await page.click('#dialog button.primary');
}
