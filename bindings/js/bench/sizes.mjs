// `npm run sizes`: fails if an application would load more than the limit.

import { figuresTable } from "./report.mjs";
import { measureSizes } from "./start.mjs";

const sizes = measureSizes();
console.log(figuresTable([], sizes));
for (const [what, , zipped, limit] of sizes) {
  if (zipped > limit) {
    console.error(`${what}: ${zipped} bytes gzipped exceed the limit of ${limit} bytes`);
    process.exitCode = 1;
  }
}
