// Runs a WASI program in Node: node --no-warnings scripts/wasi.mjs PROGRAM.wasm ARGUMENTS…
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [, , program, ...rest] = process.argv;
const wasi = new WASI({ version: "preview1", args: [program, ...rest], env: process.env, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
