// Whole texts in any encoding: UTF-8 by the platform's own functions, if they are faster than the module.

import { decodeWhole, encodeWhole } from "./engine.js";
import { nativeEncoder, nativeUtf8, nativeUtf8Fatal } from "./native.js";
import { UTF_8 } from "./numbers.js";
import { FAIL, FATAL, IGNORE_BOM } from "./policies.js";
import { isForNativeEncoder, isForNativeUtf8 } from "./strings.js";
import { byteLengthOf, partOf } from "./webidl.js";

/** Decodes a whole input: `decodeWhole` of the engine. */
export function decodeText(number, flags, bytes, fail) {
  if (number === UTF_8 && isForNativeUtf8(bytes)) {
    const native = flags & FATAL ? nativeUtf8Fatal : nativeUtf8;
    if (native !== undefined) {
      try {
        return native.decode(flags & IGNORE_BOM ? bytes : withoutBom(bytes));
      } catch {
        // Malformed, if it is fatal. The engine tells where.
      }
    }
  }
  return decodeWhole(number, flags, bytes, fail);
}

function withoutBom(bytes) {
  if (bytes[0] !== 0xef || bytes[1] !== 0xbb || bytes[2] !== 0xbf) return bytes;
  return partOf(bytes, 3, byteLengthOf(bytes) - 3);
}

/** Encodes a string in UTF-8. Unpaired surrogates become U+FFFD. */
export function encodeUtf8(string) {
  return isForNativeEncoder(string.length) ? nativeEncoder.encode(string) : encodeWhole(UTF_8, FAIL, string);
}
