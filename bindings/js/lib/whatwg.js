// The hooks of the Encoding, URL and Infra Standards under the names by which jsdom and whatwg-url call them.

import {
  TextDecoder,
  TextDecoderStream,
  TextEncoder,
  TextEncoderStream,
  bomSniff,
  decode,
  getEncoding,
  getOutputEncoding,
  percentEncodeAfterEncoding as percentEncode,
  internal,
} from "./core.js";

export { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream };

/** Returns the name of a label's encoding, or `null`. */
export const labelToName = getEncoding;

/** Returns the name of a label's encoding in lower case, or `null`. */
export function normalizeEncoding(label) {
  return getEncoding(label)?.toLowerCase() ?? null;
}

/** *BOM sniff*: returns the name of an encoding in lower case, or `null`. */
export function getBOMEncoding(input) {
  return bomSniff(input)?.toLowerCase() ?? null;
}

/** *Decode*: a byte order mark overrides the encoding, and is removed. */
export function legacyHookDecode(input, fallbackEncoding = "utf-8") {
  return decode(input, fallbackEncoding);
}

/** *Percent-encode after encoding*. `percentEncodeSet` has the characters beyond the C0 control percent-encode set. */
export function percentEncodeAfterEncoding(encoding, input, percentEncodeSet, spaceAsPlus = false) {
  const name = getEncoding(encoding);
  if (name === null || getOutputEncoding(name) !== name) {
    throw new RangeError(`"${encoding}" is not a label for an encoding that URLs can have.`);
  }
  return percentEncode(input, name, { set: new Set(percentEncodeSet), spaceAsPlus });
}

/** *Isomorphic decode*: each byte becomes the code point of the same value. */
export function isomorphicDecode(input) {
  return internal.isomorphicDecode(input);
}

/** *Isomorphic encode*: each code point becomes the byte of the same value. */
export function isomorphicEncode(string) {
  return internal.isomorphicEncode(string);
}
