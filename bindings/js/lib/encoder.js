// Section 7.4: TextEncoder.

import { encodeInto } from "./engine.js";
import { nativeEncoder } from "./native.js";
import { encodeUtf8 } from "./utf8.js";
import { bytesOf, checkUint8Array, shape, toDOMString } from "./webidl.js";

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
