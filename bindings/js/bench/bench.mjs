// `npm run bench`: measures this package, the engine's own classes, and other packages.
//
//   npm run bench -- --corpus DIR      use articles in UTF-8, named by language (ja.txt, ru.txt, …), instead of samples/
//   npm run bench -- --only big5       measure only encodings whose names contain this
//   npm run bench -- --rounds 9        report the best of 9 rounds for each peer
//   npm run bench -- --engine PATH     measure in this engine: node, deno or bun; may be given several times
//   npm run bench -- --quick           compare all results but measure only sizes: for CI
//   npm run bench -- --record          write docs/javascript.md

import { execFileSync } from "node:child_process";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { NAMES } from "./peers.mjs";
import { figuresTable, record, speedTables } from "./report.mjs";
import { measureSizes, measureStart } from "./start.mjs";
import { TEXTS } from "./texts.mjs";

const { values: options } = parseArgs({
  options: {
    corpus: { type: "string" },
    engine: { type: "string", multiple: true, default: [process.execPath] },
    only: { type: "string", default: "" },
    quick: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    milliseconds: { type: "string", default: "20" },
  },
});
const { corpus, quick, only } = options;
if (options.record && (quick || only !== "")) throw new Error("--record needs a complete run, without --quick and --only.");

/** The arguments of an engine before the name of a script. */
const ARGUMENTS = { node: ["--no-warnings"], deno: ["run", "--quiet", "--allow-all", "--node-modules-dir=manual"], bun: ["run"] };

/** Runs a script of this folder in an engine, and returns the lines that it prints. */
function run(engine, script, ...args) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const output = execFileSync(engine, [...ARGUMENTS[basename(engine)], path, ...args], { encoding: "utf8" });
  return output.trimEnd().split("\n");
}

/** Measures all cells of one text in a separate process. */
function cellsOf(engine, kind) {
  const { rounds, milliseconds } = options;
  const settings = { kind, corpus, quick, rounds: Number(rounds), milliseconds: Number(milliseconds) };
  return run(engine, "cells.mjs", JSON.stringify(settings)).map((line) => JSON.parse(line));
}

const kinds = TEXTS.flatMap(({ encoding }, kind) => (encoding.includes(only) ? [kind] : []));

/** Measures all cells in an engine. */
function measureIn(engine) {
  const [name] = run(engine, "engine.mjs");
  const cells = kinds.flatMap((kind) => {
    if (!quick) console.error(`${name}: ${TEXTS[kind].encoding}${TEXTS[kind].ascii ? ", ASCII" : ""}`);
    return cellsOf(engine, kind);
  });
  const ours = cells.filter(({ wrong }) => wrong.includes(NAMES[0]));
  if (ours.length > 0) throw new Error(`${name}: textcodec gives wrong results: ${JSON.stringify(ours)}`);
  return { name, cells };
}

function printDifferences({ name, cells }) {
  const differing = new Set();
  for (const { encoding, direction, wrong } of cells) {
    for (const peer of wrong) differing.add(`${peer} ${direction} ${encoding}`);
  }
  console.log(`${name}: ${cells.length} cells, textcodec is correct in all`);
  console.log(`different results: ${[...differing].join(", ") || "none"}`);
}

const engines = options.engine.map(measureIn);
const sizes = measureSizes();
if (quick) {
  for (const engine of engines) printDifferences(engine);
  console.log(figuresTable([], sizes));
} else {
  const start = measureStart(options.engine.find((path) => basename(path) === "node") ?? process.execPath);
  for (const { name, cells } of engines) console.log(`${name}\n\n${speedTables(cells)}\n`);
  console.log(figuresTable(start, sizes));
  if (options.record) record(engines, start, sizes, corpus !== undefined);
}
