// The arguments of the functions that are not in the standard.

import { encodings, numberOf } from "./labels.js";
import { REPLACEMENT, UTF_16BE, UTF_16LE, UTF_8, hasBom } from "./numbers.js";
import { toDOMString } from "./webidl.js";

/** Returns the members of an options object. `undefined` and `null` are empty objects, as in Web IDL. */
export function toOptions(value) {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" && typeof value !== "function") throw new TypeError("The options must be an object.");
  return value;
}

/** Returns the number of a label's encoding. */
export function toEncoding(label) {
  const number = numberOf(toDOMString(label));
  if (number === undefined) throw new RangeError(`"${label}" is not a label for an encoding.`);
  return number;
}

/** Returns the number of a label's encoding, which must have an encoder. */
export function toEncoder(label) {
  const number = toEncoding(label);
  if (number === REPLACEMENT) throw new RangeError("There is no encoder for replacement.");
  return number;
}

/** Checks a function among the options, which may be missing. */
export function toFunction(value, name) {
  if (value !== undefined && typeof value !== "function") throw new TypeError(`${name} must be a function.`);
  return value;
}

/** *Get an output encoding*. */
export const outputNumber = (number) => (number === REPLACEMENT || hasBom(number) ? UTF_8 : number);

export const nameOf = (number) => encodings[number].name;

/** *BOM sniff*: returns the number of an encoding, or `undefined`. */
export function sniffBom(bytes) {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return UTF_8;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return UTF_16BE;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return UTF_16LE;
  return undefined;
}

/** Checks how to handle a byte order mark. */
export function checkBom(bom) {
  if (!["sniff", "own", "keep"].includes(bom)) throw new TypeError('bom must be "sniff", "own" or "keep".');
}
