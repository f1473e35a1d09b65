// Encoding by a loop with a table, which is faster than the module if the text is short, and at any length in engines that copy
// strings to the module slowly.
//
// A table has the bytes of each code unit that texts have had so far. The module says what they are when a code unit is seen for
// the first time.

import { ISO_2022_JP, REPLACEMENT, UTF_8, X_USER_DEFINED, isSingleByte } from "../numbers.js";
import { FAIL } from "../policies.js";
import { allocate, isForEncodeTable, stringToUnits } from "../strings.js";
import { ADDRESS, LENGTH, UNMAPPABLE, callEncode, reserveUnits, result, viewAt } from "./module.js";

// What a table has for a code unit without one or two bytes: larger than both. No encoding has a byte 0xFF in two.
/** The module was not asked yet. */
const UNKNOWN = 0xfffe;
/** Unmappable, longer than two bytes, or a surrogate. The module encodes text with such code units. */
const OTHER = 0xffff;

/** The number of texts that the module encodes after one with a code unit that no table has. More of them are likely to follow. */
const PAUSE = 8;

/** @type {(Uint16Array | undefined)[]} by the number of the encoding, and then by code unit */
const tables = [];
/** For each encoding, the number of texts that the module encodes before the table is used again. */
const pauses = new Uint8Array(X_USER_DEFINED + 1);

/** Where text in a multi-byte encoding is written, until the number of its bytes is known. */
let space = new Uint8Array(0);
/** The maximum number of bytes of `space`. For longer text, an array is made each time. */
const MAX_SPACE = 1 << 17;

/**
 * Encodes a string.
 * @param {number} number of the encoding
 * @param {string} string
 * @returns {Uint8Array | undefined} `undefined` if the module is to encode it
 */
export function encodeByTable(number, string) {
  if (!isForEncodeTable(string.length)) return undefined;
  if (number === UTF_8 || (number >= REPLACEMENT && number !== X_USER_DEFINED)) return undefined;
  if (pauses[number] > 0) {
    pauses[number]--;
    return undefined;
  }
  const table = (tables[number] ??= newTable(number));
  const encode = isSingleByte(number) ? encodeSingle : number === ISO_2022_JP ? encodeWithEscapes : encodeDouble;
  let bytes = encode(table, string);
  if (bytes === undefined && learn(table, number, string)) bytes = encode(table, string);
  if (bytes === undefined) pauses[number] = PAUSE;
  return bytes;
}

function newTable(number) {
  const table = new Uint16Array(0x10000).fill(UNKNOWN).fill(OTHER, 0xd800, 0xe000);
  if (number !== ISO_2022_JP) for (let code = 0; code < 0x80; code++) table[code] = code;
  return table;
}

/** Completes a table for the code units of a string. Returns whether none of them is of the others. */
function learn(table, number, string) {
  for (let n = 0; n < string.length; n++) {
    const unit = string.charCodeAt(n);
    if (table[unit] === UNKNOWN) table[unit] = codeFor(number, string[n]);
    if (table[unit] === OTHER) return false;
  }
  return true;
}

/** Asks the module for the bytes of a code unit. */
function codeFor(number, unit) {
  stringToUnits(unit, 0, 1, reserveUnits(1));
  if (callEncode(number, 0, FAIL, 0, 1, 1) === UNMAPPABLE) return OTHER;
  const bytes = viewAt(result(ADDRESS), result(LENGTH));
  if (bytes.length === 1) return bytes[0];
  if (bytes.length === 2) return (bytes[0] << 8) | bytes[1];
  // An escape sequence, two bytes of JIS X 0208, and an escape sequence.
  if (number === ISO_2022_JP && bytes.length === 8) return (bytes[3] << 8) | bytes[4];
  return OTHER;
}

// The loops return `undefined` if a code unit is unknown or of the others. They call no functions, so that engines need not read
// again what a function could change.

export function encodeSingle(table, string) {
  const { length } = string;
  const bytes = allocate(length);
  let all = 0;
  let n = 0;
  // Four at a time, which takes up to a fifth less time.
  for (; n + 3 < length; n += 4) {
    const first = table[string.charCodeAt(n)];
    const second = table[string.charCodeAt(n + 1)];
    const third = table[string.charCodeAt(n + 2)];
    const fourth = table[string.charCodeAt(n + 3)];
    bytes[n] = first;
    bytes[n + 1] = second;
    bytes[n + 2] = third;
    bytes[n + 3] = fourth;
    all |= first | second | third | fourth;
  }
  for (; n < length; n++) {
    const code = table[string.charCodeAt(n)];
    bytes[n] = code;
    all |= code;
  }
  return all <= 0xff ? bytes : undefined;
}

function encodeDouble(table, string) {
  const { length } = string;
  // If all characters have two bytes, nothing is copied.
  const isDouble = table[string.charCodeAt(0)] > 0xff && table[string.charCodeAt(length >>> 1)] > 0xff;
  const bytes = isDouble ? new Uint8Array(2 * length) : spaceFor(2 * length);
  let at = 0;
  for (let n = 0; n < length; n++) {
    const code = table[string.charCodeAt(n)];
    if (code > 0xff) {
      if (code >= UNKNOWN) return undefined;
      bytes[at++] = code >>> 8;
    }
    bytes[at++] = code;
  }
  return isDouble && at === 2 * length ? bytes : bytes.slice(0, at);
}

/** ISO-2022-JP: an escape sequence where the text changes between ASCII and JIS X 0208. */
function encodeWithEscapes(table, string) {
  const { length } = string;
  const bytes = spaceFor(5 * length + 3);
  let at = 0;
  let isDouble = false;
  for (let n = 0; n < length; n++) {
    const code = table[string.charCodeAt(n)];
    if (code >= UNKNOWN) return undefined;
    if (code > 0xff !== isDouble) {
      isDouble = !isDouble;
      bytes[at++] = ESCAPE;
      bytes[at++] = isDouble ? TO_DOUBLE : TO_ASCII;
      bytes[at++] = END;
    }
    if (isDouble) bytes[at++] = code >>> 8;
    bytes[at++] = code;
  }
  if (isDouble) {
    bytes[at++] = ESCAPE;
    bytes[at++] = TO_ASCII;
    bytes[at++] = END;
  }
  return bytes.slice(0, at);
}

// The bytes of the two escape sequences.
const ESCAPE = 0x1b;
const TO_ASCII = 0x28;
const TO_DOUBLE = 0x24;
const END = 0x42;

/** Returns an array of at least `length` bytes. */
function spaceFor(length) {
  if (length > MAX_SPACE) return new Uint8Array(length);
  if (length > space.length) space = new Uint8Array(2 * length);
  return space;
}
