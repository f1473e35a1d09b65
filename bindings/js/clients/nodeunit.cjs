// `node nodeunit.cjs REPORT FILE…`: runs tests of nodeunit, and writes a report as mocha's reporter json does.

const { writeFileSync } = require("node:fs");
const { resolve } = require("node:path");
const { runFiles } = require("nodeunit");

const [passes, failures] = [[], []];
const [report, ...files] = process.argv.slice(2);
runFiles(files.map((file) => resolve(file)), {
  testDone(names, assertions) {
    const failed = assertions.failures() > 0;
    const err = { message: failed ? String(assertions.find(({ error }) => error).error.message) : undefined };
    (failed ? failures : passes).push({ fullTitle: [names].flat().join(" "), err });
  },
  done: () => writeFileSync(report, JSON.stringify({ passes, failures })),
});
