// Section 7.4: TextEncoder.

import { encodeInto, encodeWhole } from "./engine.js";
import { UTF_8 } from "./numbers.js";
import { FAIL } from "./policies.js";
import { nativeBuffer, nativeEncoder } from "./native.js";
import { bytesOf, checkUint8Array, shape, toDOMString } from "./webidl.js";

/** The length from which the module is faster than Node's own encoder. */
const LONG = 1024;

/** Encodes a string in UTF-8. Unpaired surrogates become U+FFFD. */
export function encodeUtf8(string) {
  const isForNative = nativeEncoder !== undefined && (nativeBuffer === undefined || string.length < LONG);
  return isForNative ? nativeEncoder.encode(string) : encodeWhole(UTF_8, FAIL, string);
}

export class TextEncoder {
  #brand;

  constructor() {}

  get encoding() {
    this.#brand;
    return "utf-8";
  }

  encode(input = "") {
    this.#brand;
    return encodeUtf8(toDOMString(input));
  }

  encodeInto(source, destination) {
    this.#brand;
    if (arguments.length < 2) throw new TypeError("encodeInto needs a source and a destination.");
    const string = toDOMString(source);
    const shared = checkUint8Array(destination);
    // Browsers' own encoders may reject shared memory.
    if (nativeEncoder !== undefined && !shared) return nativeEncoder.encodeInto(string, destination);
    return encodeInto(string, bytesOf(destination));
  }
}

shape(TextEncoder, "TextEncoder");
