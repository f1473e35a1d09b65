// Measures what an application pays before it converts anything: start-up, first use, and bytes to load.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const PROCESSES = 20;

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const importing = (what) => ["--input-type=module", "-e", `import ${JSON.stringify(what)}`];

/** The arguments of Node for each program. */
const PROGRAMS = {
  "node -e 0": ["-e", "0"],
  "an empty module": ["--input-type=module", "-e", "0"],
  textcodec: importing(new URL("../dist/index.js", import.meta.url).href),
  "textcodec, CommonJS": ["-e", `require(${JSON.stringify(path("../dist/index.cjs"))})`],
  "@exodus/bytes": importing("@exodus/bytes/encoding.js"),
  "iconv-lite": importing("iconv-lite"),
  "text-encoding": importing("text-encoding"),
};

/** Node. */
let engine = process.execPath;

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

function run(args) {
  const { status, stdout, stderr } = spawnSync(engine, args, { cwd: path("."), encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** A program that prints the times of the first calls of a process, in milliseconds. */
const FIRST = `
  const { TextDecoder, encode } = await import(process.argv[1]);
  const families = JSON.parse(process.argv[2]);
  const times = families.map(([label, text]) => {
    const start = performance.now();
    const bytes = encode(text, label);
    const middle = performance.now();
    new TextDecoder(label).decode(bytes);
    return [performance.now() - middle, middle - start];
  });
  console.log(JSON.stringify(times));
`;

const FAMILIES = {
  "windows-1251": "Привет",
  shift_jis: "日本語",
  "iso-2022-jp": "日本語",
  "euc-jp": "日本語",
  "euc-kr": "한국어",
  gb18030: "汉语",
  big5: "漢語",
};

function firstUse(families) {
  const module = new URL("../dist/index.js", import.meta.url).href;
  return JSON.parse(run(["--input-type=module", "-e", FIRST, module, JSON.stringify(families)]));
}

const MEMORY = "console.log(process.memoryUsage().rss / 1024 / 1024)";

/** Programs that print the memory of their process, in MiB. */
const MEMORY_PROGRAMS = {
  "an empty module": ["--input-type=module", "-e", MEMORY],
  "textcodec, not yet used": ["--input-type=module", "-e", `import ${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)}; ${MEMORY}`],
};

/** Returns rows of `[what, milliseconds or MiB, note]`: medians of new processes of a Node, interleaved. */
export function measureStart(path) {
  engine = path;
  const memory = Object.fromEntries(Object.keys(MEMORY_PROGRAMS).map((name) => [name, []]));
  const times = Object.fromEntries(Object.keys(PROGRAMS).map((name) => [name, []]));
  const first = Object.fromEntries(Object.keys(FAMILIES).map((name) => [name, []]));
  const all = [];
  for (let round = 0; round < PROCESSES; round++) {
    for (const [name, args] of Object.entries(PROGRAMS)) {
      const start = performance.now();
      run(args);
      times[name].push(performance.now() - start);
    }
    for (const [name, args] of Object.entries(MEMORY_PROGRAMS)) memory[name].push(Number(run(args)));
    for (const family of Object.entries(FAMILIES)) first[family[0]].push(firstUse([family])[0]);
    all.push(firstUse(Object.entries(FAMILIES)).flat().reduce((sum, time) => sum + time));
  }
  const base = median(times["node -e 0"]);
  const rows = Object.entries(times).map(([name, times]) => {
    const time = median(times);
    return [`start of ${name}`, time, name === "node -e 0" ? "" : `${(time - base).toFixed(1)} over node -e 0`];
  });
  for (const [name, times] of Object.entries(first)) {
    const [decode, encode] = [0, 1].map((n) => median(times.map((pair) => pair[n])));
    const note = `encode ${encode.toFixed(2)}, then decode ${decode.toFixed(2)}`;
    rows.push([`first use of ${name}`, encode + decode, note]);
  }
  rows.push(["first use of all of these, in one process", median(all), "project's target: under 10"]);
  const [empty, imported] = Object.values(memory).map(median);
  rows.push(["memory of textcodec before its first use, MiB", imported, `${(imported - empty).toFixed(1)} over an empty module`]);
  return rows;
}

/** Returns the sizes of the files that an application loads: `[what, bytes, bytes gzipped, limit]`. */
export function measureSizes() {
  const files = (...names) => {
    const contents = names.map((name) => readFileSync(path(`../dist/${name}`)));
    const sum = (lengthOf) => contents.reduce((sum, file) => sum + lengthOf(file), 0);
    return [sum((file) => file.length), sum((file) => gzipSync(file, { level: 9 }).length)];
  };
  return [
    ["the main entry: index.js and core.js", ...files("index.js", "core.js"), 120_000],
    ["slim: slim.js and textcodec.wasm", ...files("slim.js", "textcodec.wasm"), 110_000],
    ["the iconv-lite entry, next to core.js: iconv-lite.js and code-pages.js", ...files("iconv-lite.js", "code-pages.js"), 18_000],
    ["the oem entry, next to core.js: oem.js and code-pages.js", ...files("oem.js", "code-pages.js"), 25_000],
    ["the detect entry, next to core.js: detect.js and language.js", ...files("detect.js", "language.js"), 95_000],
    ["the mixed entry, next to core.js: mixed.js and language.js", ...files("mixed.js", "language.js"), 70_000],
    ["in plain JavaScript: js.js", ...files("js.js"), 90_000],
  ];
}
