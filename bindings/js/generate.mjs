// Writes the parts of generated/ that come from the project's data: labels, other names, packed indexes, code pages and the model of languages.
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

// The model of languages, which the crate embeds, too.
const model = readFileSync(new URL("crates/textcodec-language/src/language.bin", root));
const base64 = deflateRawSync(model, { level: 9, memLevel: 9 }).toString("base64");
writeFileSync(new URL("language.js", generated), exporting({ length: model.length, base64 }));
