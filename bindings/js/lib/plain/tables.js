// The indexes of section 5, each unpacked when it is first used, and the encoders' tables, which are made from them.

import * as packed from "../../generated/packed.js";
import { unpack } from "./unpack.js";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decodes base64 without padding. `atob` is missing in some of the engines that this entry is for. */
function fromBase64(text) {
  const bytes = new Uint8Array((text.length * 3) >> 2);
  let bits = 0;
  let at = 0;
  for (let n = 0; n < text.length; n++) {
    bits = (bits << 6) | ALPHABET.indexOf(text[n]);
    if (n % 4 > 0) bytes[at++] = bits >> (6 - 2 * (n % 4));
  }
  return bytes;
}

/** Returns a function that makes a table at the first call. */
function lazy(make) {
  let table;
  return () => (table ??= make());
}

function index(name, Type, length, walk, known) {
  return lazy(() => {
    const index = new Type(length);
    unpack(fromBase64(packed[name]), walk, index, known?.());
    return index;
  });
}

/** Reads a sequence of 16-bit numbers. */
function numbers(name) {
  const bytes = fromBase64(packed[name]);
  return Uint16Array.from({ length: bytes.length >> 1 }, (_, n) => bytes[2 * n] | (bytes[2 * n + 1] << 8));
}

// Indexes: code points by pointer, or 0.

/** First the original set of 94 rows and columns, then its extensions. */
const EXTENDED = {
  width: 190,
  parts: [
    [32, 126, 96, 190],
    [0, 32, 0, 190],
    [32, 126, 0, 96],
  ],
};

export const jis0208 = index("jis0208", Uint16Array, 11_280, {
  width: 94,
  parts: [
    [0, 94, 0, 94],
    [114, 120, 0, 94, 2472],
  ],
});
export const jis0212 = index("jis0212", Uint16Array, 94 * 94, { width: 94, parts: [[0, 94, 0, 94]] }, () =>
  jis0208().subarray(0, 84 * 94),
);
export const eucKr = index("euc_kr", Uint16Array, 126 * 190, EXTENDED);
export const gb18030 = index("gb18030", Uint16Array, 126 * 190, EXTENDED);
export const big5 = index("big5", Uint32Array, 126 * 157, {
  width: 157,
  parts: [
    [32, 126, 0, 157],
    [0, 32, 0, 157],
  ],
});

/** By row of 128 code points: the distance to the most similar row above. Row 0 is Latin-1. */
const ROWS_BACK = [1, 2, 3, 2, 1, 2, 7, 8, 5, 10, 11, 12, 1, 9, 1, 4, 4, 16, 1, 20, 14, 2, 15, 2, 15, 4, 8];

const singleByteRows = lazy(() => {
  const rows = new Uint16Array(28 * 128);
  for (let n = 0; n < 128; n++) rows[n] = 0x80 + n;
  const parts = ROWS_BACK.map((back, n) => [n + 1, n + 2, 0, 128, 128 * back]);
  unpack(fromBase64(packed.single_byte), { width: 128, parts, separate: true }, rows);
  return rows;
});

/** The code points of a single-byte encoding's upper bytes, by its row in the table of section 9. */
export const singleByte = (row) => singleByteRows().subarray(128 * (row + 1), 128 * (row + 2));

/** Index gb18030 ranges: pairs of pointer and code point, without the last one. */
export const gb18030Ranges = lazy(() => numbers("gb18030_ranges"));

/** Index ISO-2022-JP katakana. */
export const katakana = lazy(() => numbers("iso_2022_jp_katakana"));

// Encoders' tables, from code points.

/**
 * Makes a function from a code point to its first pointer, or -1.
 * @param {() => Uint16Array | Uint32Array} index
 * @param {(pointer: number, code: number) => "first" | "last" | "none"} [which] which pointers count
 */
function inverse(index, which = () => "first") {
  const table = lazy(() => {
    const bmp = new Uint16Array(0x10000);
    const above = new Map();
    index().forEach((code, pointer) => {
      if (code === 0) return;
      const rule = which(pointer, code);
      if (rule === "none") return;
      if (code > 0xffff) {
        if (!above.has(code)) above.set(code, pointer);
      } else if (bmp[code] === 0 || rule === "last") {
        bmp[code] = pointer + 1;
      }
    });
    return { bmp, above };
  });
  return (code) => (code > 0xffff ? (table().above.get(code) ?? -1) : table().bmp[code] - 1);
}

export const jis0208Pointer = inverse(jis0208);
/** Index Shift_JIS pointer. */
export const shiftJisPointer = inverse(jis0208, (pointer) => (pointer >= 8272 && pointer <= 8835 ? "none" : "first"));
export const eucKrPointer = inverse(eucKr);
export const gb18030Pointer = inverse(gb18030);

const USES_LAST = [0x2550, 0x255e, 0x2561, 0x256a, 0x5341, 0x5345];
/** Index Big5 pointer. Lower pointers are the HKSCS extension. */
export const big5Pointer = inverse(big5, (pointer, code) => {
  if (pointer < (0xa1 - 0x81) * 157) return "none";
  return USES_LAST.includes(code) ? "last" : "first";
});

/** @type {Map<number, Uint8Array>} */
const singleByteInverses = new Map();

/** A table from a code point of the BMP to the byte, or 0, by row. */
export function singleByteInverse(row) {
  let table = singleByteInverses.get(row);
  if (table === undefined) {
    table = new Uint8Array(0x10000);
    const codes = singleByte(row);
    // In reverse, so that the first byte of a character remains.
    for (let n = 127; n >= 0; n--) if (codes[n] !== 0) table[codes[n]] = 0x80 + n;
    singleByteInverses.set(row, table);
  }
  return table;
}
