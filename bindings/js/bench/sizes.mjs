// `npm run sizes`: fails where an application would load more than it is to.

import { figuresTable } from "./report.mjs";
import { measureSizes } from "./start.mjs";

const sizes = measureSizes();
console.log(figuresTable([], sizes));
for (const [what, , zipped, most] of sizes) {
  if (zipped > most) {
    console.error(`${what}: ${zipped} bytes gzipped, ${most} at most`);
    process.exitCode = 1;
  }
}
