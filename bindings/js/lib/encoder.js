// Section 7.4: TextEncoder.

import { encodeInto } from "./engine.js";
import { nativeEncoder } from "./native.js";
import { encodeUtf8 } from "./utf8.js";
import { byteLengthOf, bytesOf, checkUint8Array, partOf, shape, toDOMString } from "./webidl.js";

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
    if (nativeEncoder === undefined || shared) return encodeInto(string, bytesOf(destination));
    const { read, written } = nativeEncoder.encodeInto(string, destination);
    const space = byteLengthOf(destination) - written;
    if (read === string.length || lengthAt(string, read) > space) return { read, written };
    // From Node 25 on, it may stop one character early if the text is long and has surrogate pairs.
    const rest = encodeInto(string.slice(read), partOf(destination, written, space));
    return { read: read + rest.read, written: written + rest.written };
  }
}

/** Returns the number of bytes that the character at an index of a string has in UTF-8. */
function lengthAt(string, index) {
  const code = string.codePointAt(index);
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

shape(TextEncoder, "TextEncoder");
