// What the suite asks `node:test` for, in a browser: `describe` and `test`, one after the other.

const tests = [];
const names = [];

export function describe(name, options, body = options) {
  names.push(name);
  body();
  names.pop();
}

export function test(name, options, body = options) {
  tests.push({ name: [...names, name].join(": "), skip: options.skip, body });
}

export default test;

/** Runs all; `say` is given each line. The numbers of those that have passed and failed. */
export async function run(say) {
  let [passed, failed, skipped] = [0, 0, 0];
  for (const { name, skip, body } of tests) {
    if (skip) {
      skipped++;
      say(`\u2212 ${name} # ${skip}`);
      continue;
    }
    const start = performance.now();
    try {
      await body();
      passed++;
      say(`\u2714 ${name} (${(performance.now() - start).toFixed(1)}ms)`);
    } catch (error) {
      failed++;
      say(`\u2716 ${name}\n${error?.stack ?? error}`);
    }
  }
  return { passed, failed, skipped };
}
