// `npm run build`: the package, in dist/. Needs the Rust target wasm32-unknown-unknown.

import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));

const WASM = "target/wasm32-unknown-unknown/release/textcodec_js.wasm";
const FEATURES = ["simd", "bulk-memory", "sign-ext", "nontrapping-float-to-int", "mutable-globals", "reference-types", "multivalue"];

function run(program, args, env = {}) {
  execFileSync(program, args, { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } });
}

// The module, and the code that calls it.
run("cargo", ["build", "--release", "--package", "textcodec-js", "--target", "wasm32-unknown-unknown"], {
  RUSTFLAGS: "-C target-feature=+simd128 --cfg textcodec_small",
});
run("cargo", ["run", "--quiet", "--release", "--package", "bindgen", "--", WASM, "generated"]);
rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
run("node_modules/.bin/wasm-opt", [
  "-O3",
  ...FEATURES.map((feature) => `--enable-${feature}`),
  "--strip-debug",
  "--strip-producers",
  "generated/module_bg.wasm",
  "-o",
  "dist/textcodec.wasm",
]);
rmSync("generated/module_bg.wasm");
// Deflated, because gzip does not find in base64 what it would find in the bytes.
const wasm = readFileSync("dist/textcodec.wasm");
const base64 = deflateRawSync(wasm, { level: 9, memLevel: 9 }).toString("base64");
writeFileSync("generated/inline.js", `export const length = ${wasm.length};\nexport const base64 = "${base64}";\n`);

// The entries.
const common = { bundle: true, minify: true, charset: "utf8", target: "es2022", legalComments: "none", logLevel: "warning" };
await build({ ...common, entryPoints: ["lib/index.js", "lib/slim.js"], format: "esm", outdir: "dist" });
await build({ ...common, entryPoints: ["lib/index.js"], format: "cjs", outfile: "dist/index.cjs" });
