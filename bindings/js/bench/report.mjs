// Measurements as tables.

import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { NAMES } from "./peers.mjs";

const [OURS, ...PEERS] = NAMES;

const nameOf = ({ encoding, script, size, direction }) =>
  `${direction} ${encoding}${script === "" ? "" : `, ${script}`}, ${size}`;

/** How many times faster than a peer we are. */
const ratio = ({ ns }, peer) => ns[peer] / ns[OURS];

/** Those that have done it right. */
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
    return `- ${title}: ${cells.length} cells, ${lost.length} lost${lost.length === 0 ? "" : `: ${names}`}.`;
  };
  const packages = PEERS.filter((peer) => peer !== "node");
  const [legacy, unicode] = [cells.filter(isLegacy), cells.filter((cell) => !isLegacy(cell))];
  return [
    counts("Legacy encodings, beside packages", legacy, packages),
    counts("Legacy encodings, beside Node", legacy, ["node"]),
    counts("UTF-8 and UTF-16, beside packages", unicode, packages),
    counts("UTF-8 and UTF-16, beside Node", unicode, ["node"]),
  ].join("\n");
}

/** All cells, the worst first, and how many are lost. */
export function speedTables(cells) {
  const rows = [...cells].sort((a, b) => worst(a) - worst(b)).map(row);
  return `${summary(cells)}\n\n${table(["", "MB/s", "a call", ...PEERS], rows)}`;
}

/** Start-up, first use and sizes. */
export function figuresTable(start, sizes) {
  const times = start.map(([what, time, note]) => [what, time.toFixed(2), note]);
  const bytes = sizes.map(([what, raw, zipped, most]) => [what, raw, zipped, most]);
  return [
    ...(times.length === 0 ? [] : [table(["milliseconds", "median", ""], times), ""]),
    table(["bytes", "as they are", "gzip -9", "at most"], bytes),
  ].join("\n");
}

function version(name) {
  return JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url))).version;
}

/** Writes docs/javascript.md. */
export function record(tables, start, sizes, hasCorpus) {
  const versions = PEERS.map((peer) => (peer === "node" ? `Node ${process.version}` : `${peer} ${version(peer)}`));
  const date = new Date().toISOString().slice(0, 10);
  const texts = hasCorpus ? "texts of a corpus of articles" : "texts made of the project's samples";
  const page = `# The npm package's figures

This page is written by \`npm run bench -- --record\` in bindings/js. Run it yourself:

\`\`\`sh
npm ci && npm run build
npm run bench -- --corpus DIR    # a folder with ja.txt, zh_cn.txt, ru.txt, …; without it, the project's samples
\`\`\`

${cpus()[0].model}, ${cpus().length} cores, ${date}; ${versions.join(", ")}; ${texts}.

## Size and start-up

${figuresTable(start, sizes)}

Start-up and first use are medians of 20 fresh processes in turns.

## Speed

The columns of others say how many times faster this package is; below 1 it is slower. Sizes and MB/s are those of the
encoded bytes, both ways. Peers take turns; each figure is the best of several rounds, each round's the median of its
calls. Results are compared first: one that "differs" from the text's is measured all the same, but counts neither way; one
that "fails" throws. Node has no encoders but UTF-8's, and \`Buffer\` for UTF-16LE.

${tables}
`;
  writeFileSync(new URL("../../../docs/javascript.md", import.meta.url), page);
}
