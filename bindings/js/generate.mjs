// Writes the parts of generated/ that come from the project's data: labels, other names, packed indexes and letter pairs.
// build.mjs runs it.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";

const root = new URL("../../", import.meta.url);
const generated = new URL("generated/", import.meta.url);
mkdirSync(generated, { recursive: true });

const lines = readFileSync(new URL("indexes/labels.txt", root), "utf8").trim().split("\n");
const labels = lines.filter((line) => !line.startsWith("#")).map((line) => line.replace(":", ""));
writeFileSync(new URL("labels.js", generated), `export default ${JSON.stringify(labels.join("\n"))};\n`);

const TABLES = {
  jis0208: "jis0208.packed",
  jis0212: "jis0212.packed",
  euc_kr: "euc-kr.packed",
  gb18030: "gb18030.packed",
  big5: "big5.packed",
  single_byte: "single-byte.packed",
  gb18030_ranges: "gb18030-ranges.bin",
  iso_2022_jp_katakana: "iso-2022-jp-katakana.bin",
};
const tables = Object.entries(TABLES).map(([name, file]) => {
  const base64 = readFileSync(new URL(`crates/textcodec/tables/${file}`, root)).toString("base64");
  return `export const ${name} = "${base64.replace(/=+$/, "")}";\n`;
});
writeFileSync(new URL("packed.js", generated), tables.join(""));

/** Returns the lines of a list of encodings, as arrays of fields: xtask/src/list.rs describes them. */
function encodingList(url) {
  const lines = readFileSync(url, "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split("|").map((field) => field.trim()));
}

// Names from outside the standard, which declarations have. The package has no encodings for strict ASCII and ISO-8859-1.
const constants = new Map(labels.map((line) => line.split(" ")[0]).map((name) => [name.toUpperCase().replace(/-/g, "_"), name]));
constants.set("US_ASCII", "windows-1252").set("LATIN1", "windows-1252");
const aliases = encodingList(new URL("crates/textcodec/encodings.txt", root)).flatMap(([constant, , , , names]) => {
  if (!constants.has(constant)) return []; // an encoding that the package does not have
  return names.split(" ").filter(Boolean).map((name) => `${name.replace("+bom", "").replaceAll("_", "-")} ${constants.get(constant)}`);
});
if (aliases.length < 100) throw new Error("encodings.txt: its format has changed");
writeFileSync(new URL("aliases.js", generated), `export default ${JSON.stringify(aliases.join("\n"))};\n`);

// The letter pairs of languages: docs/design/detection.md. The costs of pairs are rounded to LEVELS, because the exact ones take 70 KB.
// The levels are close together for small costs, which are those of frequent pairs.
const LEVELS = levels([8, 64], [16, 128], [32, 224], [31, 255]);
const LANGUAGES = 38;

/** Returns 0 and the numbers after it, from pairs of a step and the last number that it reaches. */
function levels(...steps) {
  const all = [0];
  for (const [step, last] of steps) while (all.at(-1) < last) all.push(all.at(-1) + step);
  return all;
}

/** Returns the index of the level that is nearest to a cost. */
const levelOf = (cost) => LEVELS.reduce((best, level, n) => (Math.abs(level - cost) < Math.abs(LEVELS[best] - cost) ? n : best), 0);

const model = readFileSync(new URL("crates/textcodec-detect/src/letter_pairs.bin", root));
let at = 9; // after the costs of cases
for (let n = 0; n < LANGUAGES; n++) {
  const letters = model[at];
  at += 1 + 2 * letters;
  for (const end = at + (letters + 2) ** 2; at < end; at++) model[at] = levelOf(model[at]);
}
if (model.length - at !== 3 * 256) throw new Error("letter_pairs.bin: its format has changed");
const pairs = { levels: LEVELS, length: model.length, base64: deflateRawSync(model, { level: 9, memLevel: 9 }).toString("base64") };
const exported = Object.entries(pairs).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`);
writeFileSync(new URL("letter-pairs.js", generated), exported.join(""));
