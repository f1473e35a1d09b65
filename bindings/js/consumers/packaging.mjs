// The package as the tools of its users see it: types in every mode of resolution, and the fields of package.json.

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE, check, project, run, tool } from "./project.mjs";

function typescript() {
  const modules = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../node_modules");
  symlinkSync(join(modules, "@types"), join(project, "node_modules/@types"));
  const options = ["--strict", "--target", "es2022", "--lib", "es2023", "--module", "nodenext", "--types", "node"];
  run(process.execPath, [join(modules, "typescript/bin/tsc"), ...options, "--outDir", "typed", "typed.mts"]);
  check("TypeScript", "node", ["typed/typed.mjs"]);
}

/** Entries that CommonJS cannot load, because a WebAssembly module can only be imported. */
const ONLY_ESM = [`./workers`, `./textcodec.wasm`];

function areTheTypesWrong(tarball) {
  const attw = [tool("@arethetypeswrong/cli/dist/index.js"), tarball, "--no-emoji", "--no-color", "--format", "ascii"];
  run(process.execPath, [...attw, "--exclude-entrypoints", ...ONLY_ESM]);
  run(process.execPath, [...attw, "--ignore-rules", "cjs-resolves-to-esm", "--entrypoints", ...ONLY_ESM]);
  console.log(`consumers: the types of ${PACKAGE} resolve in every mode`);
}

function publint(tarball) {
  run(process.execPath, [tool("publint/src/cli.js"), "run", tarball, "--strict", "--level", "suggestion"]);
  console.log("consumers: publint has no suggestions");
}

export function packaging(tarball) {
  typescript();
  areTheTypesWrong(tarball);
  publint(tarball);
}
