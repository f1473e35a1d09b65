// `npm test`: runs the suite in Node, in several settings, after `npm run build`.
// `npm test -- NAME` runs one setting, and `npm test -- --quick` leaves out those whose code other settings or the browsers run.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const VECTORS = ["generated/vectors.json", "generated/detections.json", "generated/outside.json", "generated/mixed.json"];
if (!VECTORS.every(existsSync)) execFileSync("npm", ["run", "--silent", "vectors"], { stdio: "inherit" });

const FILES = readdirSync("test").filter((file) => file.endsWith(".test.js"));
/** Files that test the iconv-lite entry. The first one needs Node's Buffer and streams. */
const ICONV_LITE = FILES.filter((file) => file.startsWith("iconv-lite"));
const ICONV_LITE_PORTABLE = ICONV_LITE.filter((file) => file !== "iconv-lite.test.js");
/** Files without settings: tests of other entries, of all of them, and of the build. */
const ENTRIES = ["build.test.js", "detect.test.js", "hostile.test.js", "mixed.test.js", "names.test.js", "node-streams.test.js", "oem-coded.test.js", "oem.test.js", "whatwg.test.js"];
const ALL = FILES.filter((file) => !ICONV_LITE.includes(file) && !ENTRIES.includes(file));
const SETTINGS = {
  index: { files: [...ALL, ...ENTRIES] },
  "iconv-lite": { files: ICONV_LITE },
  "iconv-lite without natives": { files: ICONV_LITE_PORTABLE, test: "natives=none", preload: "none.mjs", quick: false },
  slim: { files: ALL, test: "entry=slim", quick: false },
  js: { files: ALL, test: "entry=js" },
  "js without natives": { files: ALL, test: "entry=js&natives=none", preload: "none.mjs", quick: false },
  "without natives": { files: [...ALL, "detect.test.js", "mixed.test.js", "oem-coded.test.js", "oem.test.js"], test: "natives=none", preload: "none.mjs", quick: false },
  "wrong natives": { files: ALL, test: "natives=wrong", preload: "wrong.mjs", quick: false },
  "wrong encodeInto": { files: ["encoder.test.js"], test: "natives=wrong", preload: "wrong-into.mjs" },
};

const wanted = process.argv.slice(2);
const isWanted = ([name, { quick = true }]) => wanted.length === 0 || wanted.includes(name) || (quick && wanted.includes("--quick"));
const queue = Object.entries(SETTINGS).filter(isWanted);
let passed = 0;
let failed = 0;

/** Runs settings until there are none left. */
async function work() {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [name, setting] = next;
    const start = performance.now();
    const { output, code } = await run(setting);
    const count = (what) => Number(new RegExp(`^# ${what} (\\d+)$`, "m").exec(output)?.[1] ?? NaN);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const [good, bad] = [count("pass"), count("fail") + count("cancelled")];
    if (code !== 0 || !(bad === 0)) console.log(failures(output));
    console.log(`Node ${process.versions.node}, ${name}: ${good} passed, ${bad} failed, ${count("skipped")} skipped, ${seconds} s`);
    passed += good;
    failed += code !== 0 && !(bad > 0) ? 1 : bad;
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

function run({ files, test = "", preload }) {
  const args = ["--expose-gc", ...(preload === undefined ? [] : ["--import", `./test/natives/${preload}`])];
  const env = { ...process.env, TEXTCODEC_TEST: test };
  const child = spawn(process.execPath, [...args, "--test", "--test-reporter=tap", ...files.map((file) => `test/${file}`)], { env });
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  return new Promise((resolve) => child.on("close", (code) => resolve({ output, code })));
}

/** Returns the part of a report that is about failed tests. */
function failures(output) {
  const lines = output.split("\n");
  const shown = [];
  for (let n = 0; n < lines.length; n++) {
    if (/^# (?!Subtest|tests|suites|pass|fail|cancelled|skipped|todo|duration_ms)/.test(lines[n])) shown.push(lines[n]);
    if (!/^ *not ok/.test(lines[n])) continue;
    const end = lines.findIndex((line, m) => m > n && /^ *\.\.\.$/.test(line));
    shown.push(...lines.slice(n, end).filter((line) => !/duration_ms|^ *---|^ *type:|code:|name:|operator/.test(line)));
    n = end;
  }
  return shown.join("\n");
}
