// `npm run types`: compiles the programs in this folder against dist/, in strict mode, for several platforms. They import
// `textcodec`, which is replaced by the package's name.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const { name: PACKAGE } = JSON.parse(read("../../package.json"));
const path = (name) => fileURLToPath(new URL(`../../generated/types/${name}`, import.meta.url));
const ESM = ["use.mts"];
const ALL = ["use.mts", "use.cts"];
const NODE = [...ALL, "use-node.mts"];

mkdirSync(path(""), { recursive: true });
for (const name of NODE) writeFileSync(path(name), read(name).replaceAll(/"textcodec(?=["/])/g, `"${PACKAGE}`));

const PLATFORMS = {
  Node: { files: NODE, options: ["--module", "nodenext", "--lib", "es2023", "--types", "node"] },
  browsers: { files: ALL, options: ["--module", "nodenext", "--lib", "es2023,dom"] },
  "neither Node nor browsers": { files: ["use.cts"], options: ["--module", "nodenext", "--lib", "es2023"] },
  "browsers, with a bundler": {
    files: ESM,
    options: ["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2023,dom"],
  },
};

for (const [platform, { files, options }] of Object.entries(PLATFORMS)) {
  // "--types" with an empty name includes no types.
  const types = options.includes("--types") ? [] : ["--types", ""];
  const strict = ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--target", "es2022"];
  const args = [...strict, ...options, ...types, ...files.map(path)];
  execFileSync(process.execPath, [fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url)), ...args], { stdio: "inherit" });
  console.log(`types: ${platform}`);
}
