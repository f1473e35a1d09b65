// Writes measurements as tables.

import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { NAMES } from "./peers.mjs";

const [OURS, ...PEERS] = NAMES;

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
  const packages = PEERS.filter((peer) => peer !== "node");
  const [legacy, unicode] = [cells.filter(isLegacy), cells.filter((cell) => !isLegacy(cell))];
  return [
    counts("Legacy encodings, compared with packages", legacy, packages),
    counts("Legacy encodings, compared with Node", legacy, ["node"]),
    counts("UTF-8 and UTF-16, compared with packages", unicode, packages),
    counts("UTF-8 and UTF-16, compared with Node", unicode, ["node"]),
  ].join("\n");
}

/** A table of all cells, the slowest in comparison first, and a summary of the cells in which a peer is faster. */
export function speedTables(cells) {
  const rows = [...cells].sort((a, b) => worst(a) - worst(b)).map(row);
  return `${summary(cells)}\n\n${table(["", "MB/s", "per call", ...PEERS], rows)}`;
}

/** Tables of start-up, first use and sizes. */
export function figuresTable(start, sizes) {
  const times = start.map(([what, time, note]) => [what, time.toFixed(2), note]);
  const bytes = sizes.map(([what, raw, zipped, limit]) => [what, raw, zipped, limit]);
  return [
    ...(times.length === 0 ? [] : [table(["milliseconds", "median", ""], times), ""]),
    table(["bytes", "uncompressed", "gzip -9", "limit"], bytes),
  ].join("\n");
}

function version(name) {
  return JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url))).version;
}

/** Writes docs/javascript.md. */
export function record(tables, start, sizes, hasCorpus) {
  const versions = PEERS.map((peer) => (peer === "node" ? `Node ${process.version}` : `${peer} ${version(peer)}`));
  const date = new Date().toISOString().slice(0, 10);
  const texts = hasCorpus ? "input: articles of a corpus" : "input: the project's samples";
  const page = `# The npm package's figures

\`npm run bench -- --record\` in bindings/js writes this page. To run the benchmark yourself:

\`\`\`sh
npm ci && npm run build
npm run bench -- --corpus DIR    # a folder with ja.txt, zh_cn.txt, ru.txt, …; without it, the project's samples
\`\`\`

${cpus()[0].model}, ${cpus().length} cores, ${date}; ${versions.join(", ")}; ${texts}.

## Size and start-up

${figuresTable(start, sizes)}

Start-up and first use are medians of 20 new processes each, interleaved.

## Speed

The peers' columns are the peer's time, divided by the time of this package: below 1, this package is slower. Sizes and
MB/s count the encoded bytes, for decoding and encoding. The peers' rounds are interleaved. Each figure is the best of
several rounds, and a round is the median of its calls. Results are compared first. A peer that "differs" gives another
result; it is measured but does not count in the summary. A peer that "fails" throws. Node's only encoders are those of
UTF-8, and of UTF-16LE by \`Buffer\`.

${tables}
`;
  writeFileSync(new URL("../../../docs/javascript.md", import.meta.url), page);
}
