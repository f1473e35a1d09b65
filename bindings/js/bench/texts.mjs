// The benchmark's input: text of a script in an encoding, cut to a size in bytes.

import { Buffer } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { decode, encode } from "../dist/index.js";

/** An encoding, its sample in samples/, and its article in a corpus. */
export const TEXTS = [
  { encoding: "windows-1252", sample: "cafe", article: "de" },
  { encoding: "windows-1251", sample: "weather", article: "ru" },
  { encoding: "windows-1253", sample: "island", article: "el" },
  { encoding: "iso-8859-2", sample: "forest" },
  { encoding: "koi8-r", sample: "weather", article: "ru" },
  { encoding: "windows-874", sample: "river" },
  { encoding: "shift_jis", sample: "tea", article: "ja" },
  { encoding: "euc-jp", sample: "tea", article: "ja" },
  { encoding: "iso-2022-jp", sample: "tea", article: "ja" },
  { encoding: "euc-kr", sample: "market", article: "ko" },
  { encoding: "gbk", sample: "library", article: "zh_cn" },
  { encoding: "gb18030", sample: "library", article: "zh_cn" },
  { encoding: "big5", sample: "harbour", article: "zh_tw" },
  { encoding: "utf-16le", sample: "tea", article: "ja" },
  { encoding: "utf-16be", sample: "tea", article: "ja" },
  { encoding: "utf-8", sample: "tea", article: "ja" },
  { encoding: "windows-1252", ascii: true },
  { encoding: "shift_jis", ascii: true },
  { encoding: "gb18030", ascii: true },
  { encoding: "utf-16le", ascii: true },
  { encoding: "utf-8", ascii: true },
];

export const SIZES = { "100 B": 100, "4 KiB": 4096, "1 MiB": 1 << 20 };

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Returns the whole text, without unmappable characters. */
function article({ encoding, sample, article, ascii }, corpus) {
  const name = ascii ? "en" : article;
  let path = ascii ? `${root}samples/README.md` : `${root}samples/${sample}.utf-8.txt`;
  if (corpus !== undefined && existsSync(`${corpus}/${name}.txt`)) path = `${corpus}/${name}.txt`;
  const text = readFileSync(path, "utf8");
  const kept = ascii ? text.replace(/[^\0-\x7e]/g, "") : text;
  return decode(encode(kept, encoding, { unmappable: "skip" }), encoding);
}

/**
 * Returns text of `size` bytes or a few less, from the repeated article.
 * @returns {{ text: string, bytes: Uint8Array }}
 */
export function make(kind, size, corpus) {
  const whole = article(kind, corpus);
  const repeated = whole.repeat(Math.ceil(size / whole.length));
  // The longest prefix that fits. Each code unit takes at least one byte.
  let low = 0;
  let high = Math.min(size, repeated.length);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (encode(repeated.slice(0, middle), kind.encoding).length <= size) low = middle;
    else high = middle - 1;
  }
  if ((repeated.charCodeAt(low - 1) & 0xfc00) === 0xd800) low--;
  const bytes = encode(repeated.slice(0, low), kind.encoding);
  // A string made from bytes is flat, and has one byte per character where possible.
  return { text: Buffer.from(repeated.slice(0, low)).toString(), bytes };
}
