// The memory in which a block of text is made.

import { internal } from "../core.js";

const { nativeBuffer, nativeUtf16 } = internal;

/** The maximum number of code units of a block. */
export const BLOCK = 1 << 16;
/** The maximum number of arguments of a call that all engines support. */
const MAX_ARGUMENTS = 4096;

let memory = new ArrayBuffer(0);
/** The memory as code units. */
export let units = new Uint16Array(0);
/** The same for text in Latin-1, whose code units are bytes. */
export let narrow = new Uint8Array(0);
/** The same as a Buffer, in Node. */
let buffer;

/** Makes the memory large enough for that many code units, at most a block. */
export function reserve(length) {
  if (units.length >= length) return;
  memory = new ArrayBuffer(2 * Math.min(BLOCK, Math.max(256, 2 * length)));
  units = new Uint16Array(memory);
  narrow = new Uint8Array(memory);
  buffer = nativeBuffer?.from(memory);
}

/** Returns the first code units as a string. They must not contain unpaired surrogates. */
export function utf16Text(length) {
  if (buffer !== undefined) return buffer.ucs2Slice(0, 2 * length);
  if (nativeUtf16 !== undefined) return nativeUtf16.decode(units.subarray(0, length));
  return fromCharCodes(units, length);
}

/** Returns the first code units in Latin-1 as a string. */
export function latin1Text(length) {
  return buffer !== undefined ? buffer.latin1Slice(0, length) : fromCharCodes(narrow, length);
}

function fromCharCodes(units, length) {
  let text = "";
  for (let from = 0; from < length; from += MAX_ARGUMENTS) {
    text += String.fromCharCode.apply(null, units.subarray(from, Math.min(from + MAX_ARGUMENTS, length)));
  }
  return text;
}
