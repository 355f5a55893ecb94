// A test runner in thirty lines: cases run one after the other, and the last line counts them.
const cases = [];

export function test(name, body) { cases.push({name, body}); }

export function check(holds, what) {
  if (!holds) throw new Error(what);
}
export function equal(got, wanted, what) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}
/** Waits until something holds; says what did not. */
export async function eventually(holds, what, seconds = 30) {
  const end = Date.now() + 1000 * seconds;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

export async function run(finish) {
  let failed = 0;
  for (const {name, body} of cases) {
    try {
      await body();
      console.log(`ok      ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED  ${name}\n        ${error.message}`);
    }
  }
  await finish();
  console.log(`${cases.length - failed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
