// Platforms that restrict WebAssembly or have none: Workers, pages with a Content Security Policy, `--jitless`, start-up
// snapshots, and Hermes.

import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasChromium, openPage, serve } from "./chromium.mjs";
import { ENGINES, PACKAGE, bundles, check, checkFails, checkOutput, count, has, installed, project, run, skip } from "./project.mjs";

const bundle = (program, outfile, options) =>
  build({ absWorkingDir: project, entryPoints: [program], bundle: true, outfile, logLevel: "warning", ...options });

const copyModule = (folder) => copyFileSync(join(installed, "dist/textcodec.wasm"), join(folder, "textcodec.wasm"));

/** Dates of compatibility: one of the oldest, and a new one. */
const WORKERD_DATES = ["2021-11-03", "2026-11-01"];

/** The configuration of a Worker. wrangler bundles it in the same way: the module stays a file, which is imported. */
const worker = (date) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "worker", worker = .worker)]);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "textcodec.wasm", wasm = embed "textcodec.wasm")],
  compatibilityDate = "${date}",
);
`;

async function workerd() {
  if (!has("workerd")) return;
  await compiledInWorkerd();
  const entries = { "the main entry": [], workers: [PACKAGE] };
  for (const [entry, alias] of Object.entries(entries)) {
    const folder = join(bundles, `workerd-${alias.length}`);
    const options = { format: "esm", conditions: ["workerd"], external: ["*.wasm"] };
    options.alias = Object.fromEntries(alias.map((name) => [name, `${name}/workers`]));
    await bundle("worker.mjs", join(folder, "worker.js"), options);
    copyModule(folder);
    for (const date of WORKERD_DATES) {
      writeFileSync(join(folder, "config.capnp"), worker(date));
      checkOutput(`workerd with the date ${date}, ${entry}`, run(ENGINES.workerd[0], ["test", "config.capnp"], folder));
    }
  }
}

/** workerd does not compile the inlined module, which a bundler selects that does not know workerd: the error explains it. */
async function compiledInWorkerd() {
  const folder = join(bundles, "workerd-inlined");
  await bundle("worker.mjs", join(folder, "worker.js"), { format: "esm" });
  copyModule(folder);
  writeFileSync(join(folder, "config.capnp"), worker(WORKERD_DATES[0]));
  const what = "workerd, the inlined module";
  checkFails(what, "workerd", ["test", join(folder, "config.capnp")], ["cannot be compiled", `"${PACKAGE}/workers"`]);
}

/** Fails unless the lines are those of the program errors.mjs where the module cannot be compiled. */
function checkErrors(what, lines, words) {
  const [main, slim, js] = lines.trim().split("\n");
  const missing = words.filter((word) => !main.includes(word) || !slim.includes(word));
  const ok = main.startsWith("main: ") && slim?.startsWith("slim: ") && js === "js: 日本語";
  if (!ok || missing.length > 0) throw new Error(`${what} printed\n${lines}`);
  count(what);
}

async function contentSecurityPolicy() {
  const what = "Chromium with a Content Security Policy that forbids WebAssembly";
  if (!hasChromium()) return skip(what, "no chromium");
  const folder = join(bundles, "csp");
  await bundle("errors.mjs", join(folder, "errors.js"), { format: "esm" });
  copyModule(folder);
  writeFileSync(join(folder, "index.html"), '<!doctype html><script type="module" src="errors.js"></script>');
  const open = async (policy) => {
    const headers = { "content-security-policy": policy };
    const lines = await serve(folder, (address) => openPage(`${address}/index.html`), headers);
    return lines.split("\n").filter((line) => /^(main|slim|js): /.test(line)).join("\n");
  };
  const words = ["cannot be compiled", "script-src 'wasm-unsafe-eval'", `"${PACKAGE}/js"`];
  checkErrors(what, await open("script-src 'self'"), words);
  const lines = await open("script-src 'self' 'wasm-unsafe-eval'");
  if (lines !== "js: 日本語") throw new Error(`Chromium with 'wasm-unsafe-eval' printed\n${lines}`);
  count("Chromium with a Content Security Policy that allows WebAssembly");
}

function withoutWebAssembly() {
  const node = ENGINES.node[0];
  checkErrors("Node with --jitless", run(node, ["--jitless", "errors.mjs"]), ["has no WebAssembly", `"${PACKAGE}/js"`]);
  const entries = ["", "/iconv-lite", "/js", "/slim", "/whatwg"].map((entry) => `import "${PACKAGE}${entry}";`);
  run(node, ["--jitless", "--input-type=module", "--eval", entries.join("")]);
  checkOutput("Node with --jitless, js", run(node, ["--jitless", "js.mjs"]));
}

async function snapshots() {
  const folder = join(bundles, "snapshot");
  await bundle("snapshot.cjs", join(folder, "program.cjs"), { platform: "node" });
  copyModule(folder);
  for (const engine of ["node", "node 18"]) {
    if (!has(engine)) continue;
    run(ENGINES[engine][0], ["--snapshot-blob", "program.blob", "--build-snapshot", "program.cjs"], folder);
    check(`${engine}, a start-up snapshot`, engine, ["--snapshot-blob", "program.blob"], folder);
  }
}

/** Runs the entry in plain JavaScript in Hermes. React Native's tools translate classes for it, as swc does here. */
async function hermes() {
  if (!has("hermes")) return;
  const { transformSync } = await import("@swc/core");
  const folder = join(bundles, "hermes");
  mkdirSync(folder);
  const path = join(folder, "program.js");
  // The condition of React Native selects the entry js.
  await bundle("js.mjs", path, { format: "iife", conditions: ["react-native"], alias: { [`${PACKAGE}/js`]: PACKAGE } });
  const options = { swcrc: false, configFile: false, isModule: false, jsc: { target: "es5" } };
  writeFileSync(path, transformSync(readFileSync(path, "utf8"), options).code);
  check("Hermes, the main entry with the condition react-native", "hermes", [path]);
}

export async function platforms() {
  await workerd();
  withoutWebAssembly();
  await snapshots();
  await contentSecurityPolicy();
  await hermes();
}
