// Copies strings from and to the module's memory in the fastest way that the platform has.

import { nativeBuffer, nativeEncoder, nativeIsAscii, nativeUtf16, nativeUtf8 } from "./native.js";
import { byteLengthOf } from "./webidl.js";

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

/** Buffer's methods that write strings, which Deno implements in JavaScript: they are slower than a loop. */
const { ucs2Write, latin1Write } = (globalThis.Deno === undefined && nativeBuffer?.prototype) || {};

/** The length up to which `fromCharCode` is faster than a native function. */
const SHORT = nativeBuffer === undefined ? 32 : 1;
/** The length up to which a loop is faster than a call of Buffer. */
const SHORT_TO_WRITE = 16;
/** The maximum number of arguments of a call that all engines support. */
const MAX_ARGUMENTS = 4096;

const fromCharCode = String.fromCharCode;

/**
 * Returns whether Latin-1 text from an input of this length is read as UTF-8: strings made from it have one byte per character. The
 * text itself may be shorter than the input.
 */
export const takesUtf8 = (length) => buffer === undefined && nativeUtf8 !== undefined && length > SHORT;

/** Reads `length` bytes of Latin-1 at an address. */
export function latin1ToString(at, length) {
  if (length <= SHORT) return fromCharCode.apply(null, bytes.subarray(at, at + length));
  return buffer === undefined ? inBlocks(bytes, at, length) : buffer.latin1Slice(at, at + length);
}

/** Reads `length` bytes of UTF-8 at an address, where `takesUtf8` has asked for it. */
export const utf8ToString = (at, length) => nativeUtf8.decode(bytes.subarray(at, at + length));

/** Reads `length` bytes of ASCII at an address. */
export const asciiToString = (at, length) => (takesUtf8(length) ? utf8ToString : latin1ToString)(at, length);

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
  if (ucs2Write !== undefined && length > SHORT_TO_WRITE) {
    const part = from === 0 && length === string.length ? string : string.slice(from, from + length);
    ucs2Write.call(buffer, part, at, 2 * length);
  } else {
    copyUnits(string, from, length, units, at >>> 1);
  }
}

function copyUnits(string, from, length, units, at) {
  for (let n = 0; n < length; n++) units[at + n] = string.charCodeAt(from + n);
}

// Conversions without the module.

const { byteLength, prototype: methods = {} } = nativeBuffer ?? {};
// From how many bytes or code units on testing for ASCII pays off.
const LONG_BYTES = globalThis.Bun === undefined ? 256 : 32;
const LONG_STRING = 65;
const isAscii = (code) => code < 0x80;

/** Returns bytes to overwrite. In Node, long ones are not cleared first. */
export function allocate(length) {
  if (ucs2Write === undefined || length < 0x4000) return new Uint8Array(length);
  return new Uint8Array(nativeBuffer.allocUnsafeSlow(length).buffer);
}

/** Decodes bytes that are all ASCII. Returns `undefined` for other bytes, or if there is no fast native test. */
export function asciiBytesToString(bytes, length) {
  if (nativeIsAscii === undefined || length < LONG_BYTES) return undefined;
  if (!isAscii(bytes[0] | bytes[length >>> 2] | bytes[length >>> 1] | bytes[length - 1])) return undefined;
  return nativeIsAscii(bytes) ? methods.latin1Slice.call(bytes, 0, length) : undefined;
}

/** Encodes a string that is all ASCII. Returns `undefined` for other strings, or if there is no fast native test. */
export function asciiStringToBytes(string) {
  const { length } = string;
  if (length < LONG_STRING) return undefined;
  // Four code units of short text, and sixteen of long text, show most of the strings that have others.
  for (let n = 0; n < 16; n += length < 1024 ? 4 : 1) {
    if (!isAscii(string.charCodeAt(((length - 1) * n) >>> 4))) return undefined;
  }
  if (byteLength !== undefined && byteLength(string) !== length) return undefined;
  if (latin1Write !== undefined) {
    const bytes = allocate(length);
    latin1Write.call(bytes, string, 0, length);
    return bytes;
  }
  const bytes = nativeEncoder?.encode(string);
  return bytes?.length === length ? bytes : undefined;
}

/** Returns whether testing this many code units of a string is faster than the module. Up to version 24, it is slow in Node. */
const isForNativeUtf16 = (length) => nativeBuffer !== undefined && (NODE >= 25 || length < 256);

/** Decodes well-formed UTF-16LE. Returns `undefined` for ill-formed input, or if the module is faster. */
export function utf16BytesToString(bytes, length) {
  if (!isForNativeUtf16(length >>> 1) || length % 2 !== 0) return undefined;
  const string = methods.ucs2Slice.call(bytes, 0, length);
  return string.isWellFormed?.() ? string : undefined;
}

/** Encodes a well-formed string in UTF-16LE. Returns `undefined` for ill-formed strings, or if the module is faster. */
export function stringToUtf16Bytes(string) {
  const { length } = string;
  if (!isForNativeUtf16(length) || !string.isWellFormed?.()) return undefined;
  const bytes = allocate(2 * length);
  if (ucs2Write !== undefined) ucs2Write.call(bytes, string, 0, bytes.length);
  else copyUnits(string, 0, length, new Uint16Array(bytes.buffer), 0);
  return bytes;
}

/** The same in UTF-16BE. */
export function stringToSwappedUtf16Bytes(string) {
  const bytes = ucs2Write === undefined ? undefined : stringToUtf16Bytes(string);
  return bytes && methods.swap16.call(bytes);
}

// Which functions for UTF-8 are faster: those of the platform, or the module. Found by measuring Node 18 to 26, Bun, Deno and
// browsers, where the platform's are always faster. A browser's need no copy to the module.

/** The major version of Node, and `Infinity` in other engines. */
const NODE =
  nativeBuffer === undefined || globalThis.Deno !== undefined || globalThis.Bun !== undefined
    ? Infinity
    : Number.parseInt(globalThis.process.versions.node);

/** Returns whether the platform decodes UTF-8 faster than the module. Node up to 23 does if the text is short or mostly ASCII. */
export function isForNativeUtf8(bytes) {
  if (NODE >= 24) return true;
  const length = byteLengthOf(bytes);
  if (length < 128) return true;
  let above = 0;
  for (let n = 0; n < 8; n++) above += bytes[(length * n) >>> 3] >>> 7;
  return above < 2 && length < 1024;
}

/** Returns whether the platform encodes a string of this length in UTF-8 faster than the module. */
export function isForNativeEncoder(length) {
  return nativeEncoder !== undefined && (NODE >= 25 || length < 1024);
}

// How long input may be so that a loop with a table is faster than the module. Found by measuring the same engines.

/** The maximum number of code units to encode. A loop that copies a string to the module may as well encode it. */
const MAX_LENGTH_TO_ENCODE = ucs2Write === undefined ? 1 << 20 : 192;

/** Returns whether that many code units are encoded faster by a loop. */
export const isForEncodeTable = (length) => length <= MAX_LENGTH_TO_ENCODE;

/** The maximum number of bytes to decode. */
const MAX_LENGTH_TO_DECODE = NODE < 24 ? 64 : 192;

/** Returns whether that many bytes are decoded faster by a loop. Without Buffer, making a string takes most of the time. */
export const isForDecodeTable = (length) => nativeBuffer !== undefined && length <= MAX_LENGTH_TO_DECODE;

/** Code units that `shortString` makes a string of. */
export const shortUnits = new Uint16Array(MAX_LENGTH_TO_DECODE);
const shortBuffer = nativeBuffer?.from(shortUnits.buffer);

/** Makes a string of the first `length` code units. */
export const shortString = (length) => shortBuffer.ucs2Slice(0, 2 * length);
