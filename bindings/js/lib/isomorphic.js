// *Isomorphic decode* and *isomorphic encode* of the Infra Standard.

import { toBytes } from "./webidl.js";
import { nativeBuffer } from "./native.js";
import { byteLengthOf, partOf } from "./webidl.js";

/** The maximum number of arguments of a call that all engines support. */
const MAX_ARGUMENTS = 4096;

export function isomorphicDecode(input) {
  const bytes = toBytes(input);
  const length = byteLengthOf(bytes);
  if (nativeBuffer !== undefined) return nativeBuffer.prototype.latin1Slice.call(bytes, 0, length);
  const parts = [];
  for (let from = 0; from < length; from += MAX_ARGUMENTS) {
    parts.push(String.fromCharCode.apply(null, partOf(bytes, from, Math.min(MAX_ARGUMENTS, length - from))));
  }
  return parts.join("");
}

export function isomorphicEncode(string) {
  if (typeof string !== "string") throw new TypeError("The input must be a string.");
  const at = string.search(/[^\0-\xff]/);
  if (at >= 0) throw new TypeError(`The code unit at index ${at} is greater than U+00FF.`);
  const bytes = new Uint8Array(string.length);
  if (nativeBuffer !== undefined) nativeBuffer.prototype.latin1Write.call(bytes, string, 0, bytes.length);
  else for (let n = 0; n < bytes.length; n++) bytes[n] = string.charCodeAt(n);
  return bytes;
}
