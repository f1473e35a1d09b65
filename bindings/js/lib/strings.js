// Copies strings from and to the module's memory in the fastest way that the platform has.

import { nativeBuffer, nativeEncoder, nativeIsAscii, nativeUtf16, nativeUtf8 } from "./native.js";

let bytes = new Uint8Array(0);
let units = new Uint16Array(0);
/** The same memory as a Buffer, in Node. */
let buffer;

/** Sets the memory that all following calls use. */
export function useMemory(heap) {
  bytes = heap;
  units = new Uint16Array(heap.buffer);
  buffer = nativeBuffer?.from(heap.buffer);
}

/** The length up to which `fromCharCode` is faster than a native function. */
const SHORT = nativeBuffer === undefined ? 32 : 1;
/** The length up to which a loop is faster than a call of Buffer. */
const SHORT_TO_WRITE = 16;
/** The maximum number of arguments of a call that all engines support. */
const MAX_ARGUMENTS = 4096;

const fromCharCode = String.fromCharCode;

/** Returns whether Latin-1 text from an input of this length is read as UTF-8: strings made from it have one byte per character. */
export const takesUtf8 = (length) => buffer === undefined && nativeUtf8 !== undefined && length > SHORT;

/** Reads `length` bytes of Latin-1 at an address. */
export function latin1ToString(at, length) {
  if (length <= SHORT) return fromCharCode.apply(null, bytes.subarray(at, at + length));
  return buffer === undefined ? inBlocks(bytes, at, length) : buffer.latin1Slice(at, at + length);
}

/** Reads `length` bytes at an address: UTF-8 if `takesUtf8`, and ASCII otherwise. */
export function utf8ToString(at, length) {
  if (takesUtf8(length)) return nativeUtf8.decode(bytes.subarray(at, at + length));
  return latin1ToString(at, length);
}

/** Reads `length` code units at an address. */
export function utf16ToString(at, length) {
  const first = at >>> 1;
  if (length <= SHORT) return fromCharCode.apply(null, units.subarray(first, first + length));
  if (buffer !== undefined) return buffer.ucs2Slice(at, at + 2 * length);
  if (nativeUtf16 !== undefined) return nativeUtf16.decode(units.subarray(first, first + length));
  return inBlocks(units, first, length);
}

function inBlocks(array, at, length) {
  const parts = [];
  for (let from = at; from < at + length; from += MAX_ARGUMENTS) {
    parts.push(fromCharCode.apply(null, array.subarray(from, Math.min(from + MAX_ARGUMENTS, at + length))));
  }
  return parts.join("");
}

/** Writes `length` code units of a string, from index `from` on, to an address. */
export function stringToUnits(string, from, length, at) {
  if (buffer !== undefined && length > SHORT_TO_WRITE) {
    const part = from === 0 && length === string.length ? string : string.slice(from, from + length);
    buffer.ucs2Write(part, at, 2 * length);
    return;
  }
  const first = at >>> 1;
  for (let n = 0; n < length; n++) units[first + n] = string.charCodeAt(from + n);
}

// Conversions without the module.

const { byteLength, prototype: methods = {} } = nativeBuffer ?? {};
/** The minimum number of bytes or code units for which testing for ASCII pays off. */
const LONG = 256;
const isAscii = (code) => code < 0x80;

/** Decodes bytes that are all ASCII. Returns `undefined` for other bytes, or if there is no fast native test. */
export function asciiBytesToString(bytes, length) {
  if (nativeIsAscii === undefined || length < LONG) return undefined;
  if (!isAscii(bytes[0] | bytes[length >>> 2] | bytes[length >>> 1] | bytes[length - 1])) return undefined;
  return nativeIsAscii(bytes) ? methods.latin1Slice.call(bytes, 0, length) : undefined;
}

/** Encodes a string that is all ASCII. Returns `undefined` for other strings, or if there is no fast native test. */
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

/** Decodes well-formed UTF-16LE. Returns `undefined` for ill-formed input, or without Node's Buffer. */
export function utf16BytesToString(bytes, length) {
  if (buffer === undefined || length % 2 !== 0) return undefined;
  const string = methods.ucs2Slice.call(bytes, 0, length);
  return string.isWellFormed?.() ? string : undefined;
}

/** Encodes a well-formed string in UTF-16LE. Returns `undefined` for ill-formed strings, or without Node's Buffer. */
export function stringToUtf16Bytes(string) {
  if (buffer === undefined || !string.isWellFormed?.()) return undefined;
  const bytes = new Uint8Array(2 * string.length);
  methods.ucs2Write.call(bytes, string, 0, bytes.length);
  return bytes;
}

/** Text of which decoders of UTF-8 that convert byte by byte take longest. */
const SAMPLE = "\u65e5\u672c\u8a9e".repeat(600);

/** Returns the milliseconds of the fastest of three calls. */
function fastest(act) {
  let best = Infinity;
  for (let n = 0; n < 3; n++) {
    const start = performance.now();
    act();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/**
 * Measures the platform's decoder of UTF-8, which takes a tenth of a millisecond. In Node, it became fast with version 24. It is
 * compared with copying the same text, so that the speed of the machine does not matter, and with a byte per nanosecond, because
 * Bun copies so fast.
 */
function measureUtf8() {
  const utf8 = nativeBuffer.from(SAMPLE);
  const units = nativeBuffer.from(SAMPLE, "utf16le");
  const time = fastest(() => nativeUtf8.decode(utf8));
  return time < 4 * fastest(() => units.ucs2Slice(0, units.length)) || time < utf8.length / 1e6;
}

/** @type {boolean | undefined} */
let utf8IsFast;

/** Returns whether the platform's decoder of UTF-8 is faster than the module. A browser's does not have to copy bytes to the module. */
export function isForNativeUtf8(bytes, length) {
  if (nativeBuffer === undefined || length < 96) return true;
  let above = 0;
  for (let n = 0; n < 8; n++) above += bytes[(length * n) >>> 3] >>> 7;
  if (above < 2 && length < 1024) return true;
  return (utf8IsFast ??= nativeUtf8 === undefined || measureUtf8());
}
