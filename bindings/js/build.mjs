// `npm run build`: builds the package in dist/. Needs the Rust target wasm32-unknown-unknown. WASM_CARGO names the cargo that
// builds for it.

import { spawnSync } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));

const TARGET = "wasm32-unknown-unknown";
const WASM = `target/${TARGET}/release/textcodec_js.wasm`;
const FEATURES = [
  "simd",
  "bulk-memory",
  "sign-ext",
  "nontrapping-float-to-int",
  "mutable-globals",
  "reference-types",
  "multivalue",
];
// Paths are remapped so that builds in different folders give the same module.
const RUSTFLAGS = [
  "-Ctarget-feature=+simd128",
  "--cfg=textcodec_small",
  `--remap-path-prefix=${resolve("../..")}=.`,
  `--remap-path-prefix=${resolve("../../crates/textcodec/src")}=textcodec`,
  `--remap-path-prefix=${process.env.CARGO_HOME ?? `${homedir()}/.cargo`}=cargo`,
];

/** Ends the build with a message. */
function stop(message) {
  console.error(`build.mjs: ${message}`);
  process.exit(1);
}

/**
 * Runs a program, whose own output says why it fails.
 * @param {{ install?: string, explain?: () => string, env?: object }} options what to do if the program is missing; and a function
 *   that returns what to do if it fails
 */
function run(program, args, { install = "", explain = () => "", env = {} } = {}) {
  const options = { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } };
  const { error, status, signal } = spawnSync(program, args, options);
  if (error?.code === "ENOENT") stop(`${program} is missing. ${install}`);
  if (error !== undefined) stop(`${program} cannot be run: ${error.message}`);
  if (status !== 0) stop(`${program} failed with ${signal ?? `exit status ${status}`}. ${explain()}`);
}

const NPM_CI = "Install the packages first: npm ci";
const { build } = await import("esbuild").catch(({ message }) => stop(`esbuild cannot be loaded. ${NPM_CI}\n${message}`));

/** Returns what to do if the compiler lacks the target: its own output is about a missing crate `core`. */
function explainTarget() {
  const print = ["--print", "target-libdir", "--target", TARGET];
  const { status, stdout } = spawnSync(process.env.RUSTC ?? "rustc", print, { encoding: "utf8" });
  if (status !== 0 || existsSync(stdout.trim())) return "";
  return `Rust's target ${TARGET} is missing. Install it: rustup target add ${TARGET}
Without rustup, run scripts/cross.sh --web, and set WASM_CARGO to the program bin/web-cargo that it prepares.`;
}

// The module.
const module = ["build", "--release", "--locked", "--package", "textcodec-js", "--target", TARGET, "--target-dir", "target"];
run(process.env.WASM_CARGO ?? "cargo", module, {
  install: "It builds the WebAssembly module. Install Rust: https://rustup.rs",
  explain: explainTarget,
  env: { CARGO_ENCODED_RUSTFLAGS: RUSTFLAGS.join("\x1f") },
});
run(process.execPath, ["generate.mjs"]);
rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
const wasmOpt = [
  "-O3",
  "--converge",
  // Both make the compressed module smaller.
  "--one-caller-inline-max-function-size=20",
  "--reorder-functions",
  ...FEATURES.map((feature) => `--enable-${feature}`),
  "--strip-debug",
  "--strip-producers",
  WASM,
  "-o",
  "dist/textcodec.wasm",
];
run("node_modules/.bin/wasm-opt", wasmOpt, { install: NPM_CI });
// A panic is a trap: nothing prints where it was, and zeros compress better than the names of source files.
const blank = (names) => "\0".repeat(names.length);
const wasm = Buffer.from(
  readFileSync("dist/textcodec.wasm", "latin1").replace(/(?:\/rustc|textcodec|src)\/[\w/]+\.rs/g, blank),
  "latin1",
);
writeFileSync("dist/textcodec.wasm", wasm);
// Deflated before base64, because gzip compresses base64 badly.
const base64 = deflateRawSync(wasm, { level: 9, memLevel: 9 }).toString("base64");
writeFileSync("generated/inline.js", `export const length = ${wasm.length};\nexport const base64 = "${base64}";\n`);

// A function that makes fflate's inflate, because making its tables takes longer than the rest of the package's start.
const inflate = await build({
  stdin: { contents: 'export { inflateSync } from "fflate";', resolveDir: "." },
  bundle: true,
  format: "iife",
  globalName: "fflate",
  platform: "browser",
  define: { TextDecoder: "undefined", TextEncoder: "undefined" }, // only for strings
  write: false,
});
writeFileSync("generated/inflate.js", `export default () => {\n${inflate.outputFiles[0].text}return fflate.inflateSync;\n};\n`);

/** An esbuild plugin that keeps imports of these files external, under their names in dist/, so that entries share them. */
const shared = (extension) => ({
  name: "shared",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[./]+\/(core|code-pages|language)\.js$/ }, ({ path }) => ({
      path: path.replace(/^[./]+(.+)\.js$/, `./$1.${extension}`),
      external: true,
    })),
});

/** An esbuild plugin that replaces an import by a file. */
const replaced = (name, path) => ({
  name: "replaced",
  setup: ({ onResolve }) => onResolve({ filter: /./ }, (imported) => (imported.path === name ? { path } : undefined)),
});

// The entries.
const common = {
  bundle: true,
  // Names stay, because users see them in errors and in stack traces. Compressed, they take 2 KB.
  minifyWhitespace: true,
  minifySyntax: true,
  charset: "utf8",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
};
await build({ ...common, entryPoints: ["lib/core.js", "lib/code-pages.js", "lib/slim.js"], format: "esm", outdir: "dist" });
const cjs = { format: "cjs", outdir: "dist", outExtension: { ".js": ".cjs" } };
await build({ ...common, ...cjs, entryPoints: ["lib/core.js", "lib/code-pages.js"] });
const plain = [replaced("./engine.js", resolve("lib/plain/engine.js"))];
await build({ ...common, entryPoints: ["lib/js.js"], format: "esm", outdir: "dist", plugins: plain });
await build({ ...common, entryPoints: ["lib/js.js"], format: "cjs", outfile: "dist/js.cjs", plugins: plain });
const workers = { entryPoints: ["lib/workers.js"], format: "esm", outdir: "dist", external: ["./textcodec.wasm"] };
await build({ ...common, ...workers });
const ON_CORE = ["index", "iconv-lite", "whatwg", "node", "detect", "language", "mixed", "oem"].map((name) => `lib/${name}.js`);
const onCore = { ...common, entryPoints: ON_CORE, outdir: "dist", external: ["node:*"] };
await build({ ...onCore, format: "esm", plugins: [shared("js")] });
await build({ ...onCore, ...cjs, plugins: [shared("cjs")] });
// `require` returns the object itself, so that applications can set its properties, such as defaultCharSingleByte.
appendFileSync("dist/iconv-lite.cjs", "(module.exports=module.exports.default).default=module.exports;\n");

// The slim entry in Node: on top of slim.js, and for `require` in one file that knows where it is.
await build({ ...common, entryPoints: ["lib/slim-node.js"], format: "esm", platform: "node", outdir: "dist", external: ["./slim.js"] });
await build({
  ...common,
  entryPoints: ["lib/slim-node.js"],
  format: "cjs",
  platform: "node",
  define: { "import.meta.url": "ADDRESS" },
  banner: { js: 'const ADDRESS=require("node:url").pathToFileURL(__filename).href;' },
  // Never executed: esbuild marks the named exports in this way for tools that read the file, but not the default one.
  footer: { js: "0&&(module.exports.default=0);" },
  outfile: "dist/slim-node.cjs",
});

for (const name of ["iconv-lite-node.js", "iconv-lite-node.cjs"]) {
  copyFileSync(`lib/${name}`, `dist/${name}`);
}

copyFileSync("generated/code-page-name.d.ts", "dist/code-page-name.d.ts");
copyFileSync("generated/code-page-name.d.ts", "dist/code-page-name.d.cts");
// Types for ES modules, and for CommonJS, where they are the same unless types/ has a file for it.
for (const name of readdirSync("types").filter((name) => /\.d\.c?ts$/.test(name))) {
  copyFileSync(`types/${name}`, `dist/${name}`);
  if (name === "workers.d.ts" || name === "textcodec.wasm.d.ts") continue;
  const other = name.replace(/\.d\.ts$/, ".d.cts");
  if (existsSync(`types/${other}`)) continue;
  const types = readFileSync(`types/${name}`, "utf8").replaceAll('.js"', '.cjs"');
  writeFileSync(`dist/${other}`, types);
}

for (const name of ["LICENSE-APACHE", "LICENSE-MIT", "LICENSE-WHATWG"]) copyFileSync(`../../${name}`, name);
