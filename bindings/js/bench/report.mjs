// Writes measurements as tables.

import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { NAMES } from "./peers.mjs";

const [OURS, ...PEERS] = NAMES;

const packages = PEERS.filter((peer) => peer !== "native");

const nameOf = ({ encoding, script, size, direction }) =>
  `${direction} ${encoding}${script === "" ? "" : `, ${script}`}, ${size}`;

/** A peer's time, divided by the time of this package. */
const ratio = ({ ns }, peer) => ns[peer] / ns[OURS];

/** The peers whose results are correct. */
const rivals = ({ ns, wrong }) => PEERS.filter((peer) => peer in ns && !wrong.includes(peer));

const worst = (cell) => Math.min(...rivals(cell).map((peer) => ratio(cell, peer)));

const isLegacy = ({ encoding }) => !encoding.startsWith("utf-");

function duration(ns) {
  if (ns < 1000) return `${ns.toFixed(0)} ns`;
  return ns < 1e6 ? `${(ns / 1000).toFixed(1)} µs` : `${(ns / 1e6).toFixed(2)} ms`;
}

function row(cell) {
  const { bytes, ns, wrong } = cell;
  const peers = PEERS.map((peer) => {
    if (!(peer in ns)) return wrong.includes(peer) ? "fails" : "";
    return ratio(cell, peer).toFixed(2) + (wrong.includes(peer) ? " differs" : "");
  });
  const speed = (bytes / ns[OURS]) * 1000;
  return [nameOf(cell), speed.toFixed(0), duration(ns[OURS]), ...peers];
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const rule = `|${head.map((_, n) => (n === 0 ? "---" : "---:")).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

function summary(cells) {
  const counts = (title, cells, peers) => {
    const lost = cells.filter((cell) => rivals(cell).some((peer) => peers.includes(peer) && ratio(cell, peer) < 1));
    const names = lost.map(nameOf).join("; ");
    return `- ${title}: ${cells.length} cells, slower in ${lost.length}${lost.length === 0 ? "" : `: ${names}`}.`;
  };
  const [legacy, unicode] = [cells.filter(isLegacy), cells.filter((cell) => !isLegacy(cell))];
  return [
    counts("Legacy encodings, compared with packages", legacy, packages),
    counts("Legacy encodings, compared with the engine", legacy, ["native"]),
    counts("UTF-8 and UTF-16, compared with packages", unicode, packages),
    counts("UTF-8 and UTF-16, compared with the engine", unicode, ["native"]),
  ].join("\n");
}

const mean = (ratios) => Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);

/** The geometric means of the ratios to the fastest package and to the engine, by group and size. */
function means(cells) {
  const rows = [];
  const groups = { "legacy encodings": isLegacy, "UTF-8 and UTF-16": (cell) => !isLegacy(cell) };
  for (const [group, isIn] of Object.entries(groups)) {
    for (const direction of ["decode", "encode"]) {
      for (const size of new Set(cells.map(({ size }) => size))) {
        const some = cells.filter((cell) => isIn(cell) && cell.direction === direction && cell.size === size);
        const means = [packages, ["native"]].map((peers) => {
          const best = some.map((cell) => Math.min(...rivals(cell).filter((peer) => peers.includes(peer)).map((peer) => ratio(cell, peer))));
          const finite = best.filter(Number.isFinite);
          return finite.length === 0 ? "" : mean(finite).toFixed(2);
        });
        if (some.length > 0) rows.push([`${direction} ${group}, ${size}`, ...means]);
      }
    }
  }
  return table(["geometric mean", "to the fastest package", "to the engine"], rows);
}

/** Geometric means, a summary of the cells in which a peer is faster, and a table of all cells, the slowest in comparison first. */
export function speedTables(cells) {
  const rows = [...cells].sort((a, b) => worst(a) - worst(b)).map(row);
  return `${means(cells)}\n\n${summary(cells)}\n\n${table(["", "MB/s", "per call", ...PEERS], rows)}`;
}

/** Tables of start-up, first use and sizes. */
export function figuresTable(start, sizes) {
  const times = start.map(([what, time, note]) => [what, time.toFixed(2), note]);
  const bytes = sizes.map(([what, raw, zipped, limit]) => [what, raw, zipped, limit]);
  return [
    ...(times.length === 0 ? [] : [table(["milliseconds, if not said otherwise", "median", ""], times), ""]),
    table(["bytes", "uncompressed", "gzip -9", "limit"], bytes),
  ].join("\n");
}

function version(name) {
  return JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url))).version;
}

/** Writes docs/javascript.md. */
export function record(engines, start, sizes, hasCorpus) {
  const versions = packages.map((peer) => `${peer} ${version(peer)}`);
  const date = new Date().toISOString().slice(0, 10);
  const texts = hasCorpus ? "input: articles of a corpus" : "input: the project's samples";
  const page = `# The npm package's figures

\`npm run bench -- --record\` in bindings/js writes this page. To run the benchmark yourself:

\`\`\`sh
npm ci && npm run build
npm run bench -- --corpus DIR    # a folder with ja.txt, zh_cn.txt, ru.txt, …; without it, the project's samples
npm run bench -- --engine bun --engine deno    # in other engines than Node
\`\`\`

${cpus()[0].model}, ${cpus().length} cores, ${date}; ${engines.map(({ name }) => name).join(", ")}; ${versions.join(", ")}; ${texts}.

## Size and start-up

${figuresTable(start, sizes)}

Start-up and first use are medians of 20 new processes each, interleaved, of ${engines[0].name}.

## Speed

The peers' columns are the peer's time, divided by the time of this package: below 1, this package is slower. Sizes and
MB/s count the encoded bytes, for decoding and encoding. The peers' rounds are interleaved. Each figure is the best of
several rounds, and a round is the median of its calls. Results are compared first. A peer that "differs" gives another
result; it is measured but does not count in the summary. A peer that "fails" throws. "native" are the engine's own classes,
whose only encoders are those of UTF-8, and of UTF-16LE by \`Buffer\`.
${engines.map(({ name, cells }) => `
### ${name}

${speedTables(cells)}
`).join("")}`;
  writeFileSync(new URL("../../../docs/javascript.md", import.meta.url), page);
}
