// Decoding of short input in a single-byte encoding by a loop with a table, which is faster than a call of the module.

import { WINDOWS_1252, isSingleByte } from "../numbers.js";
import { isForDecodeTable, shortString, shortUnits } from "../strings.js";

/** What a table has for malformed bytes. The module decodes input with them. */
const MALFORMED = 0xfffd;

/** @type {(Uint16Array | undefined)[]} by the number of the encoding, and then by byte */
const tables = [];

/**
 * Decodes bytes.
 * @param {number} number of the encoding
 * @param {Uint8Array} bytes
 * @param {number} length of the bytes
 * @param {(number: number, flags: number, bytes: Uint8Array, length: number) => string} decode decodes by the module
 * @returns {string | undefined} `undefined` if the module is to decode them
 */
export function decodeByTable(number, bytes, length, decode) {
  // Most text in windows-1252 is Latin-1, which takes the module even less time.
  if (!isForDecodeTable(length) || !isSingleByte(number) || number === WINDOWS_1252) return undefined;
  const table = (tables[number] ??= newTable(number, decode));
  for (let n = 0; n < length; n++) {
    const unit = table[bytes[n]];
    if (unit === MALFORMED) return undefined;
    shortUnits[n] = unit;
  }
  return shortString(length);
}

function newTable(number, decode) {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const text = decode(number, 0, all, all.length);
  return Uint16Array.from({ length: 256 }, (_, byte) => text.charCodeAt(byte));
}
