// Replacements for malformed bytes and unmappable characters, which applications can set.

import { internal } from "../core.js";
import { NO_BYTES, UNKNOWN, charOf, joined } from "./bytes.js";

const { FAIL, encodeWhole } = internal;
const QUESTION_MARK = 0x3f;
const STREAM = { stream: true };

/** Replaces U+FFFD by `defaultCharUnicode`. */
export function replaceUnknown(text, iconv) {
  const unknown = charOf(iconv, "defaultCharUnicode");
  return unknown === UNKNOWN ? text : text.replaceAll(UNKNOWN, () => unknown);
}

/**
 * Decodes in chunks, and replaces the U+FFFD of malformed bytes, but not those that the input contains. The last byte of
 * an encoded U+FFFD is decoded in a separate call. Its result is U+FFFD if these bytes are a character, and otherwise
 * nothing: in GB18030, the byte is then the second one of another sequence.
 */
export class ReplacingDecoder {
  #decoder;
  #encoded;
  #iconv;
  /** The bytes before the next chunk, one fewer than those of an encoded U+FFFD. */
  #before = NO_BYTES;

  /**
   * @param {TextDecoder} decoder
   * @param {Uint8Array} encoded the bytes of U+FFFD, or none if the encoding does not have it
   */
  constructor(decoder, encoded, iconv) {
    this.#decoder = decoder;
    this.#encoded = encoded;
    this.#iconv = iconv;
  }

  write(bytes) {
    const { length } = this.#encoded;
    if (length === 0 || charOf(this.#iconv, "defaultCharUnicode") === UNKNOWN) {
      this.#before = NO_BYTES;
      return this.#decoded(bytes);
    }
    const all = joined(this.#before, bytes);
    let text = "";
    let from = this.#before.length;
    for (let at = 0; (at = this.#find(all, at)) >= 0; at++) {
      const last = at + length - 1;
      text += this.#decoded(all.subarray(from, last));
      text += this.#decoder.decode(all.subarray(last, last + 1), STREAM);
      from = last + 1;
    }
    this.#before = new Uint8Array(all.subarray(Math.max(all.length - length + 1, 0))); // a copy
    return text + this.#decoded(all.subarray(from));
  }

  end() {
    this.#before = NO_BYTES;
    return replaceUnknown(this.#decoder.decode(), this.#iconv);
  }

  #decoded(bytes) {
    return replaceUnknown(this.#decoder.decode(bytes, STREAM), this.#iconv);
  }

  #find(bytes, from) {
    const encoded = this.#encoded;
    for (let at = bytes.indexOf(encoded[0], from); at >= 0; at = bytes.indexOf(encoded[0], at + 1)) {
      if (encoded.every((byte, n) => bytes[at + n] === byte)) return at;
    }
    return -1;
  }
}

/** Returns a function that returns the code point to write for unmappable characters in an encoding. */
export function replacementIn(number, iconv) {
  let char;
  let codePoint;
  return () => {
    const current = charOf(iconv, "defaultCharSingleByte");
    if (char !== current) {
      char = current;
      codePoint = canEncode(number, char) ? char.codePointAt(0) : QUESTION_MARK;
    }
    return codePoint;
  };
}

function canEncode(number, string) {
  return (
    string !== "" &&
    encodeWhole(number, FAIL, String.fromCodePoint(string.codePointAt(0)), () => undefined) !== undefined
  );
}
