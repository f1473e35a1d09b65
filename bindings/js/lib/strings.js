// Strings from and to the module's memory, by what is fastest here.

import { nativeBuffer, nativeEncoder, nativeIsAscii, nativeUtf16, nativeUtf8 } from "./native.js";

let bytes = new Uint8Array(0);
let units = new Uint16Array(0);
/** The same memory as Node's Buffer, where that is there. */
let buffer;

/** Every view of the module's memory is of this one from now on. */
export function useMemory(heap) {
  bytes = heap;
  units = new Uint16Array(heap.buffer);
  buffer = nativeBuffer?.from(heap.buffer);
}

/** Up to so many units, `fromCharCode` is faster than something native; and a loop than a call of Buffer. */
const SHORT = nativeBuffer === undefined ? 32 : 1;
const SHORT_TO_WRITE = 16;
/** The most arguments that are safe everywhere. */
const ARGUMENTS = 4096;

const fromCharCode = String.fromCharCode;

/** `length` bytes of ASCII at an address. */
export function asciiToString(at, length) {
  if (length <= SHORT) return fromCharCode.apply(null, bytes.subarray(at, at + length));
  if (buffer !== undefined) return buffer.latin1Slice(at, at + length);
  if (nativeUtf8 !== undefined) return nativeUtf8.decode(bytes.subarray(at, at + length));
  return inPieces(bytes, at, length);
}

/**
 * Whether `length` bytes that are each a code point are to go by way of UTF-8: engines make a string of one byte a
 * character from it all the same. Otherwise `asciiToString` takes them as they are.
 */
export function latin1GoesByUtf8(length) {
  return length > SHORT && buffer === undefined && nativeUtf8 !== undefined;
}

/** `length` code units at an address. */
export function utf16ToString(at, length) {
  const first = at >>> 1;
  if (length <= SHORT) return fromCharCode.apply(null, units.subarray(first, first + length));
  if (buffer !== undefined) return buffer.ucs2Slice(at, at + 2 * length);
  if (nativeUtf16 !== undefined) return nativeUtf16.decode(units.subarray(first, first + length));
  return inPieces(units, first, length);
}

function inPieces(array, at, length) {
  const parts = [];
  for (let from = at; from < at + length; from += ARGUMENTS) {
    parts.push(fromCharCode.apply(null, array.subarray(from, Math.min(from + ARGUMENTS, at + length))));
  }
  return parts.join("");
}

/** Writes `length` code units of a string, from `from` on, to an address. */
export function stringToUnits(string, from, length, at) {
  if (buffer !== undefined && length > SHORT_TO_WRITE) {
    const part = from === 0 && length === string.length ? string : string.slice(from, from + length);
    buffer.ucs2Write(part, at, 2 * length);
    return;
  }
  const first = at >>> 1;
  for (let n = 0; n < length; n++) units[first + n] = string.charCodeAt(from + n);
}

/** Surrogates without their other half. */
export const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Whether the code unit at a place is the first of a surrogate pair, or of none. */
export function isHighSurrogate(string, at) {
  return (string.charCodeAt(at) & 0xfc00) === 0xd800;
}

// What need not go through the module at all.

const { byteLength, prototype: methods = {} } = nativeBuffer ?? {};
/** The fewest bytes, or code units, for which a look is worth it. */
const LONG = 256;
const isAscii = (code) => code < 0x80;

/** The string of bytes that are all ASCII; `undefined` where they are not, or where nothing here would know it fast. */
export function asciiBytesToString(bytes, length) {
  if (nativeIsAscii === undefined || length < LONG) return undefined;
  if (!isAscii(bytes[0] | bytes[length >>> 2] | bytes[length >>> 1] | bytes[length - 1])) return undefined;
  return nativeIsAscii(bytes) ? methods.latin1Slice.call(bytes, 0, length) : undefined;
}

/** The bytes of a string that is all ASCII; `undefined` in the same cases. */
export function asciiStringToBytes(string) {
  const { length } = string;
  if (length < LONG) return undefined;
  for (let n = 0; n < 16; n++) {
    if (!isAscii(string.charCodeAt(((length - 1) * n) >>> 4))) return undefined;
  }
  if (byteLength !== undefined) {
    if (byteLength(string) !== length) return undefined;
    const bytes = new Uint8Array(length);
    methods.latin1Write.call(bytes, string, 0, length);
    return bytes;
  }
  const bytes = nativeEncoder?.encode(string);
  return bytes?.length === length ? bytes : undefined;
}

/** The string of UTF-16LE that is well-formed; `undefined` where it is not, or where nothing here is fast. */
export function utf16BytesToString(bytes, length) {
  if (buffer === undefined || length % 2 !== 0) return undefined;
  const string = methods.ucs2Slice.call(bytes, 0, length);
  return string.isWellFormed?.() ? string : undefined;
}

/** Well-formed UTF-16LE of a string; `undefined` where it is not well-formed, or where nothing here is fast. */
export function stringToUtf16Bytes(string) {
  if (buffer === undefined || !string.isWellFormed?.()) return undefined;
  const bytes = new Uint8Array(2 * string.length);
  methods.ucs2Write.call(bytes, string, 0, bytes.length);
  return bytes;
}

/**
 * Whether the platform's decoder of UTF-8 is the fastest way. Node's is slow where much is not ASCII, and browsers' has
 * no boundary to cross.
 */
export function isForNativeUtf8(bytes, length) {
  if (nativeBuffer === undefined || length < 96) return true;
  if (length >= 1024) return false;
  let above = 0;
  for (let n = 0; n < 8; n++) above += bytes[(length * n) >>> 3] >>> 7;
  return above < 2;
}
