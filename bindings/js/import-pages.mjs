// `node import-pages.mjs`: writes lib/iconv-lite/pages.js from the tables of iconv-lite, a development dependency. Run
// it after an update of iconv-lite. test/iconv-lite-pages.test.js fails if the file differs from those tables.

import { readFileSync, writeFileSync } from "node:fs";
import iconv from "iconv-lite";
import { OTHER_PAGES } from "./lib/iconv-lite/names.js";
import { pack, unpack } from "./lib/iconv-lite/page-format.js";

const { version } = JSON.parse(readFileSync(new URL("./node_modules/iconv-lite/package.json", import.meta.url)));
const BYTES = Uint8Array.from(Array(256).keys());

const HEADER = `// Written by \`node import-pages.mjs\`, in the format of page-format.js.
//
// The tables of single-byte encodings that are not in the Encoding Standard, or differ from it. Source: iconv-lite ${version}, copyright
// Alexander Shtuchkin, MIT licence. Only the mappings were taken, in a format of this package.

/** The packed tables by the name of their encoding, after the name of their base. */
export const PAGES = {
`;

/** @type {Record<string, [string, string]>} */
const pages = {};
for (const line of OTHER_PAGES.trim().split("\n")) {
  const [name] = line.split(" ");
  if (name === "iso88591") continue;
  const chars = iconv.decode(BYTES, name);
  const ways = ["", ...Object.keys(pages)].map((base) => [base, pack(chars, unpack(pages, base))]);
  const cost = ([, packed]) => Buffer.byteLength(packed);
  pages[name] = ways.reduce((best, way) => (cost(way) < cost(best) ? way : best));
  if (unpack(pages, name) !== chars) throw new Error(`The packed table of ${name} is wrong`);
}

/** Controls, private use, combining and invisible characters as escapes, so that the file can be read. */
const escaped = (string) =>
  JSON.stringify(string).replace(
    /[\p{C}\p{M}\p{Z}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
const lines = Object.entries(pages).map(([name, [base, packed]]) => `  ${name}: ["${base}", ${escaped(packed)}],\n`);
writeFileSync(new URL("./lib/iconv-lite/pages.js", import.meta.url), `${HEADER}${lines.join("")}};\n`);
