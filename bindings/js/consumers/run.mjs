// `npm run consumers`: packs the package, installs it into a new project, and uses it as applications do: from ES modules,
// CommonJS, TypeScript, bundlers, and other engines. Every program must print the same line.
// `npm run consumers -- NAME` runs one part: engines, packaging, bundlers or platforms.

import { bundlers } from "./bundlers.mjs";
import { packaging } from "./packaging.mjs";
import { platforms } from "./platforms.mjs";
import { check, counted, has, install, removeProject } from "./project.mjs";

/** The programs that each engine runs. */
const PROGRAMS = ["esm.mjs", "cjs.cjs", "slim.mjs", "slim.cjs", "stream.mjs", "js.mjs", "detect.mjs", "mixed.mjs", "oem.mjs"];

function engines() {
  for (const engine of ["node", "node 18", "node 26", "deno", "bun"]) {
    if (has(engine)) for (const program of PROGRAMS) check(`${engine}, ${program}`, engine, [program]);
  }
}

const PARTS = { engines, packaging, bundlers, platforms };
const wanted = process.argv.slice(2);

try {
  const tarball = install();
  for (const [name, part] of Object.entries(PARTS)) {
    const start = performance.now();
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await part(tarball);
    console.log(`consumers: ${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
  console.log(`consumers: all ${counted()} programs gave the expected result`);
} finally {
  removeProject();
}
