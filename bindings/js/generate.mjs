// Writes the parts of generated/ that come from the project's data: labels and packed indexes. build.mjs runs it.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

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
