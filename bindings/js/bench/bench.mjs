// `npm run bench`: measures this package, Node's own classes, and other packages.
//
//   npm run bench -- --corpus DIR      use articles in UTF-8, named by language (ja.txt, ru.txt, …), instead of samples/
//   npm run bench -- --only big5       measure only encodings whose names contain this
//   npm run bench -- --rounds 9        report the best of 9 rounds for each peer
//   npm run bench -- --quick           compare all results but measure only sizes: for CI
//   npm run bench -- --record          write docs/javascript.md

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { NAMES } from "./peers.mjs";
import { figuresTable, record, speedTables } from "./report.mjs";
import { measureSizes, measureStart } from "./start.mjs";
import { TEXTS } from "./texts.mjs";

const { values: options } = parseArgs({
  options: {
    corpus: { type: "string" },
    only: { type: "string", default: "" },
    quick: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    milliseconds: { type: "string", default: "20" },
  },
});
const { corpus, quick, only } = options;
if (options.record && (quick || only !== "")) throw new Error("--record needs a complete run, without --quick and --only.");

/** Measures all cells of one text in a separate process. */
function cellsOf(kind) {
  const { rounds, milliseconds } = options;
  const settings = { kind, corpus, quick, rounds: Number(rounds), milliseconds: Number(milliseconds) };
  const script = fileURLToPath(new URL("cells.mjs", import.meta.url));
  const args = ["--no-warnings", script, JSON.stringify(settings)];
  const output = execFileSync(process.execPath, args, { encoding: "utf8" });
  return output.trimEnd().split("\n").map((line) => JSON.parse(line));
}

const kinds = TEXTS.flatMap(({ encoding }, kind) => (encoding.includes(only) ? [kind] : []));
const cells = kinds.flatMap((kind) => {
  if (!quick) console.error(`${TEXTS[kind].encoding}${TEXTS[kind].ascii ? ", ASCII" : ""}`);
  return cellsOf(kind);
});

const ours = cells.filter(({ wrong }) => wrong.includes(NAMES[0]));
if (ours.length > 0) throw new Error(`textcodec gives wrong results: ${JSON.stringify(ours)}`);

if (quick) {
  const differing = new Set();
  for (const { encoding, direction, wrong } of cells) {
    for (const name of wrong) differing.add(`${name} ${direction} ${encoding}`);
  }
  console.log(`${cells.length} cells, textcodec is correct in all`);
  console.log(`different results: ${[...differing].join(", ") || "none"}`);
  console.log(figuresTable([], measureSizes()));
} else {
  const start = measureStart();
  const sizes = measureSizes();
  const tables = speedTables(cells);
  console.log(`${tables}\n\n${figuresTable(start, sizes)}`);
  if (options.record) record(tables, start, sizes, corpus !== undefined);
}
