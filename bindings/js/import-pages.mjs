// `node import-pages.mjs`: writes lib/iconv-lite/pages.js from the tables of iconv-lite, a development dependency. Run
// it after an update of iconv-lite or of the pages of textcodec-oem. test/iconv-lite-pages.test.js fails if the file differs from
// those tables.

import { readFileSync, writeFileSync } from "node:fs";
import iconv from "iconv-lite";
import { OTHER_PAGES } from "./lib/iconv-lite/names.js";
import { packSmallest, unpack } from "./lib/page-format.js";
import { readPages } from "./oem-pages.mjs";

const { version } = JSON.parse(readFileSync(new URL("./node_modules/iconv-lite/package.json", import.meta.url)));
const BYTES = Uint8Array.from(Array(256).keys());

const HEADER = `// Written by \`node import-pages.mjs\`, in the format of page-format.js.
//
// The tables of single-byte encodings that are not in the Encoding Standard, or differ from it. Those that are pages of
// textcodec-oem have only its name: code-pages.js has the table. Source of the others: iconv-lite ${version}, copyright Alexander
// Shtuchkin, MIT licence. Only the mappings were taken, in a format of this package.

/** The packed tables by the name of their encoding, after the name of their base. */
export const PAGES = {
`;

const names = OTHER_PAGES.trim()
  .split("\n")
  .map((line) => line.split(" ")[0])
  .filter((name) => name !== "iso88591");
const tables = new Map(names.map((name) => [name, iconv.decode(BYTES, name)]));

/** The pages of textcodec-oem that iconv-lite has too. */
const shared = readPages().filter(({ characters }) => [...tables.values()].includes(characters));
const all = Object.fromEntries(shared.map(({ name, characters }) => [name, packSmallest(characters, {})]));
/** @type {Record<string, [string, string]>} */
const pages = {};
for (const [name, chars] of tables) {
  if (all[name] !== undefined) throw new Error(`${name} is a name in both packages`);
  all[name] = pages[name] = packSmallest(chars, all);
  if (unpack(all, name) !== chars) throw new Error(`The packed table of ${name} is wrong`);
}

/** Controls, private use, combining and invisible characters as escapes, so that the file can be read. */
const escaped = (string) =>
  JSON.stringify(string).replace(
    /[\p{C}\p{M}\p{Z}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
const lines = Object.entries(pages).map(([name, [base, packed]]) => `  ${name}: ["${base}", ${escaped(packed)}],\n`);
writeFileSync(new URL("./lib/iconv-lite/pages.js", import.meta.url), `${HEADER}${lines.join("")}};\n`);
