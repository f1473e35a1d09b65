// Base64, with Buffer or without.

import { internal } from "../core.js";
import { latin1Bytes, latin1String } from "./bytes.js";

const { nativeBuffer } = internal;

/** Returns bytes as base64, padded. */
export function toBase64(bytes) {
  if (nativeBuffer !== undefined) return nativeBuffer.prototype.base64Slice.call(bytes, 0, bytes.length);
  return btoa(latin1String(bytes));
}

/** Returns the digits of base64 text up to the padding, in the ordinary alphabet. Other characters are ignored. */
export function base64Digits(text) {
  if (!/[^A-Za-z0-9+/]/.test(text)) return text;
  const end = text.indexOf("=");
  const digits = (end < 0 ? text : text.slice(0, end)).replace(/[^A-Za-z0-9+/_-]/g, "");
  return digits.replaceAll("-", "+").replaceAll("_", "/");
}

/** Returns the bytes of base64 digits, as a Buffer if the platform has one. A single digit at the end is ignored. */
export function fromBase64Digits(digits) {
  if (nativeBuffer !== undefined) return nativeBuffer.from(digits, "base64");
  return latin1Bytes(atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits));
}
