// Strings from and to the module's memory, by what is fastest here.

import { nativeBuffer, nativeUtf16, nativeUtf8 } from "./native.js";
import { latin1_as_utf8, utf8 } from "../generated/module.js";

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

/** Up to so many units, a call of `fromCharCode` is as fast as anything. */
const SHORT = 32;
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

/** `length` bytes that the module has left at an address, each a code point. */
export function latin1ToString(at, length) {
  if (length <= SHORT || buffer !== undefined || nativeUtf8 === undefined) return asciiToString(at, length);
  // By way of UTF-8: engines make a string of one byte a character from it all the same.
  return asciiToString(utf8(), latin1_as_utf8(length));
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
  if (buffer !== undefined && length > SHORT) {
    buffer.ucs2Write(from === 0 && length === string.length ? string : string.slice(from, from + length), at, 2 * length);
    return;
  }
  const first = at >>> 1;
  for (let n = 0; n < length; n++) units[first + n] = string.charCodeAt(from + n);
}
