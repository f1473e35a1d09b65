// Writes the parts of generated/ that come from the project's data: labels, other names, packed indexes, code pages and letter pairs.
// build.mjs runs it.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { PAGES } from "./lib/iconv-lite/pages.js";
import { packSmallest } from "./lib/page-format.js";
import { aliasesIn, encodingList, readCoded, readPages } from "./oem-pages.mjs";

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

/** Writes names from outside the standard. `others` are the names that the package has for encodings outside the standard. */
function writeAliases(file, others) {
  const known = new Map([...labels.map((line) => line.split(" ")[0]).map((name) => [name, name]), ...Object.entries(others)]);
  const aliases = encodingList(new URL("crates/textcodec/encodings.txt", root)).flatMap(([, field, , , names]) => {
    const name = known.get(field.replace("*", ""));
    if (name === undefined) return []; // an encoding that the package does not have
    return aliasesIn(names).map((alias) => `${alias.replaceAll("_", "-")} ${name}`);
  });
  if (aliases.length < 100) throw new Error("encodings.txt: its format has changed");
  writeFileSync(new URL(file, generated), `export default ${JSON.stringify(aliases.join("\n"))};\n`);
}

// Declarations have these names. The package has no encodings for strict ASCII and ISO-8859-1.
writeAliases("aliases.js", { "US-ASCII": "windows-1252", "ISO-8859-1": "windows-1252" });
writeAliases("exact-aliases.js", {});

// The encodings of feature `oem`, and the pages of textcodec-oem. Those that the iconv-lite entry has too are in a separate file.
const bases = Object.values(PAGES).map(([base]) => base);
const pages = readPages();
const packed = { shared: {}, others: {} };
for (const isShared of [true, false]) {
  for (const { name, characters } of pages.filter(({ name }) => bases.includes(name) === isShared)) {
    packed[isShared ? "shared" : "others"][name] = packSmallest(characters, { ...packed.shared, ...packed.others });
  }
}
const namesOf = (encodings) =>
  encodings.map(({ name, codePages, aliases }) => [name, codePages.join(" "), aliases.join(" ")].join("|")).join("\n");
const coded = readCoded();
const withDuplicates = pages.filter(({ duplicates }) => duplicates.length > 0);
const duplicates = Object.fromEntries(withDuplicates.map(({ name, duplicates }) => [name, duplicates]));
const exporting = (members) => Object.entries(members).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`).join("");
writeFileSync(new URL("shared-pages.js", generated), exporting({ SHARED: packed.shared }));
const others = { OTHERS: packed.others, CODED: namesOf(coded), NAMES: namesOf(pages), DUPLICATES: duplicates };
writeFileSync(new URL("other-pages.js", generated), exporting(others));
const union = (type, about, encodings) => {
  const members = encodings.map(({ name }) => `  | ${JSON.stringify(name)}\n`).join("");
  return `/** ${about} */\nexport type ${type} =\n${members.trimEnd()};\n`;
};
const types = [
  union("CodePageName", "The name of a code page.", pages),
  union("CodedEncodingName", "The name of an encoding with an algorithm.", coded),
];
writeFileSync(new URL("code-page-name.d.ts", generated), types.join("\n"));

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

const model = readFileSync(new URL("bindings/js/letter_pairs.bin", root));
let at = 9; // after the costs of cases
for (let n = 0; n < LANGUAGES; n++) {
  const letters = model[at];
  at += 1 + 2 * letters;
  for (const end = at + (letters + 2) ** 2; at < end; at++) model[at] = levelOf(model[at]);
}
if (model.length - at !== 3 * 256) throw new Error("letter_pairs.bin: its format has changed");
const base64 = deflateRawSync(model, { level: 9, memLevel: 9 }).toString("base64");
writeFileSync(new URL("letter-pairs.js", generated), exporting({ levels: LEVELS, length: model.length, base64 }));
