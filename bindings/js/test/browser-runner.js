// A replacement for `node:test` in browsers. Tests run one after another.

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

/** Runs all tests and returns how many passed, failed, and were skipped. `print` is called with each line of the report. */
export async function run(print) {
  let [passed, failed, skipped] = [0, 0, 0];
  for (const { name, skip, body } of tests) {
    if (skip) {
      skipped++;
      print(`\u2212 ${name} # ${skip}`);
      continue;
    }
    const start = performance.now();
    try {
      await body();
      passed++;
      print(`\u2714 ${name} (${(performance.now() - start).toFixed(1)}ms)`);
    } catch (error) {
      failed++;
      // Firefox's stacks have no message.
      print(`\u2716 ${name}\n${error}\n${error?.stack ?? ""}`);
    }
  }
  return { passed, failed, skipped };
}
