// Bundlers. The README of the package has a table of their set-ups.

import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasChromium, openPage, serve } from "./chromium.mjs";
import { ENGINES, PACKAGE, bundles, check, checkFails, checkOutput, has, installed, project, run, skip, tool } from "./project.mjs";

/** Fails if a bundle does not contain the inlined module exactly once. */
function checkOnce(path) {
  const [start] = /[A-Za-z0-9+/]{200}/.exec(readFileSync(join(installed, "dist/core.js"), "utf8"));
  const times = readFileSync(path, "utf8").split(start).length - 1;
  if (times !== 1) throw new Error(`${path} contains the module ${times} times`);
}

/** Runs a bundle for browsers that needs no document. Deno can fetch files, as pages do. */
function checkFetching(what, path) {
  if (has("deno")) check(what, "deno", [path]);
}

const MISSING = ["The WebAssembly module cannot be loaded from file:", "textcodec.wasm", `Copy the file dist/textcodec.wasm of the package ${PACKAGE}`];

/** Runs a bundle of `slim` without a set-up: it explains that the module is missing, and runs when it has been copied. */
function checkCopied(what, engine, path) {
  if (!has(engine)) return;
  checkFails(`${what}, the module is missing`, engine, [path], MISSING);
  copyFileSync(join(installed, "dist/textcodec.wasm"), join(path, "../textcodec.wasm"));
  check(`${what}, the module is copied`, engine, [path]);
}

async function esbuild() {
  const { build } = await import("esbuild");
  const bundle = async (program, outfile, options) => {
    await build({ entryPoints: [join(project, program)], bundle: true, minify: true, outfile, logLevel: "warning", ...options });
    return outfile;
  };
  for (const platform of ["node", "browser"]) {
    const folder = join(bundles, `esbuild-${platform}`);
    for (const format of ["esm", "cjs"]) {
      const extension = format === "esm" ? "mjs" : "cjs";
      const main = await bundle("esm.mjs", join(folder, `main.${extension}`), { platform, format });
      checkOnce(main);
      check(`esbuild for ${platform}, ${format}`, "node", [main]);
    }
    const engine = platform === "node" ? "node" : "deno";
    checkCopied(`esbuild for ${platform}, slim`, engine, await bundle("slim.mjs", join(folder, "slim.mjs"), { platform, format: "esm" }));
    const options = { platform, format: "esm", loader: { ".wasm": "file" } };
    const address = await bundle("slim-address.mjs", join(folder, "address/main.mjs"), options);
    if (has(engine)) check(`esbuild for ${platform}, slim with its address`, engine, [address]);
  }
  const stream = await bundle("stream.mjs", join(bundles, "esbuild-stream/main.mjs"), { platform: "node", format: "esm" });
  check("esbuild for node, streams of the iconv-lite entry", "node", [stream]);
  const required = await bundle("slim.cjs", join(bundles, "esbuild-cjs/slim.cjs"), { platform: "node", format: "cjs" });
  checkCopied("esbuild for node, slim by require", "node", required);
}

async function rollup() {
  const { rollup } = await import("rollup");
  const { default: nodeResolve } = await import("@rollup/plugin-node-resolve");
  const { importMetaAssets } = await import("@web/rollup-plugin-import-meta-assets");
  const bundle = async (program, folder, plugins) => {
    const built = await rollup({ input: join(project, program), plugins: [nodeResolve({ browser: true }), ...plugins], onwarn: fail });
    await built.write({ dir: join(bundles, folder), entryFileNames: "[name].mjs" });
    return join(bundles, folder, program);
  };
  const main = await bundle("esm.mjs", "rollup", []);
  checkOnce(main);
  check("rollup", "node", [main]);
  checkCopied("rollup, slim", "deno", await bundle("slim.mjs", "rollup", []));
  checkFetching("rollup, slim", await bundle("slim.mjs", "rollup-assets", [importMetaAssets()]));
}

/** Turns a warning of a bundler into an error. */
function fail(warning) {
  throw new Error(warning.message);
}

async function rolldown() {
  const { build } = await import("rolldown");
  const bundle = async (program, folder, options) => {
    const output = { dir: join(bundles, folder), entryFileNames: "[name].mjs" };
    await build({ input: join(project, program), platform: "browser", output, onLog: (level, log) => fail(log), ...options });
    return join(bundles, folder, program);
  };
  const main = await bundle("esm.mjs", "rolldown", {});
  checkOnce(main);
  check("rolldown", "node", [main]);
  checkCopied("rolldown, slim", "deno", await bundle("slim.mjs", "rolldown", {}));
  const assets = { experimental: { resolveNewUrlToAsset: true } };
  checkFetching("rolldown, slim", await bundle("slim.mjs", "rolldown-assets", assets));
}

function bun() {
  if (!has("bun")) return;
  for (const [target, engine] of [["node", "node"], ["browser", "deno"], ["bun", "bun"]]) {
    const bundle = (program, folder) => {
      const outdir = join(bundles, `${folder}-${target}`);
      run(ENGINES.bun[0], ["build", program, "--target", target, "--outdir", outdir]);
      return join(outdir, program.replace(".mjs", ".js"));
    };
    const main = bundle("esm.mjs", "bun");
    checkOnce(main);
    if (target !== "bun") check(`bun build for ${target}`, "node", [main]);
    checkCopied(`bun build for ${target}, slim`, engine, bundle("slim.mjs", "bun"));
    if (has(engine)) check(`bun build for ${target}, slim with its address`, engine, [bundle("slim-address.mjs", "bun-address")]);
  }
}

/** Builds with webpack for browsers. Warnings are errors. */
async function webpacked(name, program) {
  const { default: webpack } = await import("webpack");
  const path = join(bundles, name);
  const compiler = webpack({
    context: project,
    entry: `./${program}`,
    mode: "production",
    target: "web",
    performance: false,
    optimization: { minimize: false },
    experiments: { outputModule: true },
    output: { path, filename: "main.mjs", module: true, chunkFormat: "module", publicPath: "auto" },
  });
  const stats = await new Promise((done, fail) => compiler.run((error, stats) => (error ? fail(error) : done(stats))));
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString());
  return path;
}

async function webpack() {
  const main = join(await webpacked("webpack", "esm.mjs"), "main.mjs");
  checkOnce(main);
  check("webpack", "node", [main]);
  // The module is a separate file, as on a page.
  const slim = await webpacked("webpack-slim", "slim.mjs");
  const module = readdirSync(slim).find((name) => name.endsWith(".wasm"));
  const original = readFileSync(join(installed, "dist/textcodec.wasm"));
  if (!original.equals(readFileSync(join(slim, module)))) {
    throw new Error("The module in the bundle differs from the one in the package");
  }
  checkFetching("webpack, slim", join(slim, "main.mjs"));
}

/** A folder with a page that loads a program, as the input of bundlers that start from pages. */
function pageOf(program, tool) {
  const folder = join(project, `${tool}-${program}`);
  mkdirSync(folder);
  copyFileSync(join(project, program), join(folder, program));
  writeFileSync(join(folder, "index.html"), `<!doctype html><script type="module" src="./${program}"></script>`);
  return folder;
}

/** Opens the page of a bundler in Chromium. */
async function checkPage(what, folder) {
  if (!hasChromium()) return skip(what, "no chromium");
  checkOutput(what, await serve(folder, (address) => openPage(`${address}/index.html`)));
}

async function vite() {
  const { build, createServer } = await import("vite");
  for (const program of ["entries.mjs", "slim.mjs"]) {
    const root = pageOf(program, "vite");
    await build({ root, base: "./", configFile: false, logLevel: "warn", build: { target: "es2022" } });
    await checkPage(`vite, ${program}`, join(root, "dist"));
  }
  if (!hasChromium()) return skip("vite's server", "no chromium");
  const root = pageOf("slim.mjs", "vite-server");
  const server = await createServer({ root, configFile: false, logLevel: "warn", server: { host: "localhost", hmr: false } });
  await server.listen();
  try {
    const lines = await openPage(new URL("/index.html", server.resolvedUrls.local[0]).href);
    checkOutput("vite's server, slim", lines.replaceAll(/^\[vite\] .*\n/gm, ""));
  } finally {
    await server.close();
  }
}

async function parcel() {
  for (const program of ["entries.mjs", "slim.mjs"]) {
    const folder = pageOf(program, "parcel");
    const options = ["--no-cache", "--no-autoinstall", "--no-source-maps", "--public-url", "./", "--dist-dir", "dist"];
    run(process.execPath, [tool("parcel/lib/bin.js"), "build", "index.html", ...options], folder);
    await checkPage(`parcel, ${program}`, join(folder, "dist"));
  }
}

export async function bundlers() {
  await esbuild();
  await rollup();
  await rolldown();
  bun();
  await webpack();
  await vite();
  await parcel();
}
