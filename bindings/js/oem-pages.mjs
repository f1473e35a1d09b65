// The encodings of the oem entry: the pages of crates/textcodec-oem, and those of crates/textcodec that have an algorithm. For
// generate.mjs, import-pages.mjs and tests.

import { readFileSync } from "node:fs";

const crate = new URL("../../crates/textcodec-oem/", import.meta.url);
const core = new URL("../../crates/textcodec/encodings.txt", import.meta.url);

/** Returns the lines of a list of encodings, as arrays of fields: tools/data/src/list.rs describes them. */
export const encodingList = (url) => fieldsOf(readFileSync(url, "utf8"));

function fieldsOf(text) {
  const lines = text.split("\n");
  return lines.filter((line) => line.includes("|") && !line.startsWith("#")).map((line) => line.split("|").map((field) => field.trim()));
}

const words = (field) => field.split(" ").filter((word) => word !== "");

/** Returns the other names in a field. */
export const aliasesIn = (field) => words(field).map((alias) => alias.replace("+bom", ""));

/** Returns the characters of a page by byte, with U+FFFD for unassigned bytes, and the bytes that encoders do not write. */
function readPage(name) {
  const text = readFileSync(new URL(`pages/${name.toLowerCase()}.txt`, crate), "utf8");
  const characters = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  for (const [, start, codes] of text.matchAll(/^([0-9A-F]{2}): (.+)$/gm)) {
    words(codes).forEach((code, n) => {
      characters[parseInt(start, 16) + n] = code === "----" ? "\ufffd" : String.fromCharCode(parseInt(code, 16));
    });
  }
  const [, duplicates = ""] = /^# Duplicates: (.+)$/m.exec(text) ?? [];
  return { characters: characters.join(""), duplicates: words(duplicates).map((byte) => parseInt(byte, 16)) };
}

/**
 * Returns all pages, in the order of their numbers.
 * @returns {{ name: string, codePages: number[], aliases: string[], characters: string, duplicates: number[] }[]}
 */
export function readPages() {
  return encodingList(new URL("encodings.txt", crate)).map(namesIn).map((names) => ({ ...names, ...readPage(names.name) }));
}

/**
 * Returns the encodings of feature `oem` that have an algorithm, in the order of their numbers.
 * @returns {{ name: string, codePages: number[], aliases: string[] }[]}
 */
export function readCoded() {
  const [, section] = readFileSync(core, "utf8").split("\n[oem]\n");
  return fieldsOf(section).map(namesIn);
}

const namesIn = ([, field, codePages, , aliases]) => ({
  name: field.replace("*", ""),
  codePages: words(codePages).map(Number),
  aliases: aliasesIn(aliases),
});
