// What both engines share: flags, policies for unmappable characters, and the parts of an encoder's result.

import { LONE_SURROGATES } from "./surrogates.js";

/** Flags of a decoder. */
export const FATAL = 1;
export const IGNORE_BOM = 2;

/** Policies for unmappable characters. Any smaller number is the code point of a replacement. */
export const FAIL = 0x110000;
export const HTML = 0x110001;
export const SKIP = 0x110002;
export const REPORT = 0x110003;

/** Thrown if the replacement for an unmappable character is unmappable, too. */
export class UnmappableText extends Error {
  constructor(codePoint, index) {
    super();
    this.codePoint = codePoint;
    this.index = index;
  }
}

/** Replaces unpaired surrogates. */
export function wellFormed(string) {
  return string.replaceAll(LONE_SURROGATES, "\ufffd");
}

/** Concatenates arrays of bytes. */
export function concat(parts) {
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
