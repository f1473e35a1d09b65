// Bytes and strings on platforms with and without Node's Buffer.

import { internal } from "../core.js";

const { nativeBuffer } = internal;
const { Buffer } = globalThis;
const { ucs2Slice, latin1Slice, latin1Write } = nativeBuffer?.prototype ?? {};

export const BOM = "\ufeff";
export const UNKNOWN = "\ufffd";
export const NO_BYTES = new Uint8Array(0);

/** The maximum number of arguments of a call that all engines support. */
const MAX_ARGUMENTS = 4096;
/** The length up to which `fromCharCode` is faster than a native function. */
const SHORT = 16;

/** Returns a field of the object `iconv` that applications can set: `defaultCharUnicode` or `defaultCharSingleByte`. */
export function charOf(iconv, field) {
  const char = iconv[field];
  if (typeof char === "string") return char;
  throw new TypeError(`iconv.${field} must be a string, not ${typeName(char)}`);
}

const typeName = (value) => (value === null ? "null" : typeof value);

/** Returns bytes as a Buffer if the platform has one. */
export function asBuffer(bytes) {
  return Buffer === undefined ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns new bytes for a result: a Buffer if the platform has one. The caller must fill all of them. */
export function allocate(length) {
  if (nativeBuffer !== undefined) return nativeBuffer.allocUnsafe(length);
  return asBuffer(new Uint8Array(length));
}

/** Returns the bytes of a decoder's input. Each character of a string is a byte. */
export function asBytes(input) {
  if (input instanceof Uint8Array) return withFixedLength(input);
  if (typeof input === "string") return latin1Bytes(input);
  if (ArrayBuffer.isView(input)) {
    return withFixedLength(new Uint8Array(input.buffer, input.byteOffset, input.byteLength));
  }
  if (Array.isArray(input)) return Uint8Array.from(input);
  const tag = Object.prototype.toString.call(input);
  if (tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]") return withFixedLength(new Uint8Array(input));
  throw new TypeError(`The input of a decoder must be a Buffer or a Uint8Array, not ${typeName(input)}`);
}

/** Copies bytes in a resizable buffer, which `TextDecoder` rejects, but iconv-lite does not. */
function withFixedLength(bytes) {
  const { resizable, growable } = bytes.buffer;
  return resizable || growable ? new Uint8Array(bytes) : bytes;
}

/** Returns the low bytes of all code units, as a Buffer if the platform has one. */
export function latin1Bytes(string) {
  const bytes = allocate(string.length);
  if (latin1Write !== undefined) latin1Write.call(bytes, string, 0, bytes.length);
  else for (let n = 0; n < bytes.length; n++) bytes[n] = string.charCodeAt(n);
  return bytes;
}

/** Returns a string whose characters are the bytes. */
export function latin1String(bytes) {
  if (latin1Slice !== undefined && bytes.length > SHORT) return latin1Slice.call(bytes, 0, bytes.length);
  return fromCharCodes(bytes);
}

/** Returns a string of code units, which may have unpaired surrogates. */
export function unitsToString(units) {
  if (ucs2Slice === undefined || units.length <= SHORT) return fromCharCodes(units);
  const bytes = new Uint8Array(units.buffer, units.byteOffset, units.byteLength);
  return ucs2Slice.call(bytes, 0, bytes.length);
}

function fromCharCodes(units) {
  if (units.length <= MAX_ARGUMENTS) return String.fromCharCode.apply(null, units);
  const parts = [];
  for (let from = 0; from < units.length; from += MAX_ARGUMENTS) {
    parts.push(String.fromCharCode.apply(null, units.subarray(from, from + MAX_ARGUMENTS)));
  }
  return parts.join("");
}

/** Returns two arrays of bytes as one. */
export function joined(first, second) {
  if (first.length === 0) return second;
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

export const isHighSurrogate = (unit) => (unit & 0xfc00) === 0xd800;
export const isLowSurrogate = (unit) => (unit & 0xfc00) === 0xdc00;

/** Returns the first part of a string, and its last character if that is a high surrogate. */
export function splitAtSurrogate(string) {
  const end = string.length - (isHighSurrogate(string.charCodeAt(string.length - 1)) ? 1 : 0);
  return end === string.length ? [string, ""] : [string.slice(0, end), string.slice(end)];
}

/** Collects the text of a decoder: code units, paired or not, and replacements for malformed bytes. */
export class Text {
  #parts = "";
  #units;
  #length = 0;
  #iconv;

  /** @param {number} capacity the maximum number of code units, without one for a character that began in another chunk */
  constructor(capacity, iconv) {
    this.#units = new Uint16Array(capacity + 1);
    this.#iconv = iconv;
  }

  push(unit) {
    this.#units[this.#length++] = unit;
  }

  pushUnknown() {
    const unknown = charOf(this.#iconv, "defaultCharUnicode");
    if (unknown === UNKNOWN) return this.push(0xfffd);
    this.#parts = this.toString() + unknown;
    this.#length = 0;
  }

  toString() {
    return this.#parts + unitsToString(this.#units.subarray(0, this.#length));
  }
}
