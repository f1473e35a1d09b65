// `npm run bench`: this package beside Node's own and others.
//
//   npm run bench -- --corpus DIR      articles in UTF-8, named by language (ja.txt, ru.txt, …), not samples/
//   npm run bench -- --only big5       texts whose encoding has this in its name
//   npm run bench -- --rounds 9        for each peer, the best of so many rounds
//   npm run bench -- --quick           compares all results and measures next to nothing: for CI
//   npm run bench -- --record          writes docs/javascript.md

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
if (options.record && (quick || only !== "")) throw new Error("Only a complete run is recorded.");

/** All cells of one text, measured in a process of its own. */
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
if (ours.length > 0) throw new Error(`Text does not come back: ${JSON.stringify(ours)}`);

if (quick) {
  const differing = new Set();
  for (const { encoding, direction, wrong } of cells) {
    for (const name of wrong) differing.add(`${name} ${direction} ${encoding}`);
  }
  console.log(`${cells.length} cells, the text comes back in all`);
  console.log(`what differs: ${[...differing].join(", ") || "nothing"}`);
  console.log(figuresTable([], measureSizes()));
} else {
  const start = measureStart();
  const sizes = measureSizes();
  const tables = speedTables(cells);
  console.log(`${tables}\n\n${figuresTable(start, sizes)}`);
  if (options.record) record(tables, start, sizes, corpus !== undefined);
}
