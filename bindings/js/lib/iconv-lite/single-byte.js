// Single-byte encodings with tables of their own: those of pages.js, and those that applications add to `encodings`.

import {
  UNKNOWN,
  allocate,
  asBytes,
  charOf,
  isHighSurrogate,
  isLowSurrogate,
  latin1Bytes,
  latin1String,
  unitsToString,
} from "./bytes.js";
import { ChunkwiseEncoder } from "./encoder.js";
import { replaceUnknown } from "./replacement.js";

const QUESTION_MARK = 0x3f;

export class PageCodec {
  encoder = ChunkwiseEncoder;
  decoder = PageDecoder;
  #iconv;
  /** The code unit for each byte. */
  #units;
  /** The byte for each code unit, or 0. Filled by the first encoder. */
  #bytes;
  /** The bytes below this mean the characters with their numbers: 0x80 in most encodings, 0x100 in Latin-1. */
  #same;

  /** @param {string} chars the 256 characters; U+FFFD for unassigned bytes */
  constructor(chars, iconv) {
    this.#iconv = iconv;
    this.#units = Uint16Array.from(chars, (char) => char.charCodeAt(0));
    const different = this.#units.findIndex((unit, byte) => unit !== byte);
    this.#same = different < 0 ? 0x100 : different;
  }

  decodeAll(bytes) {
    if (this.#same > 0xff) return latin1String(bytes);
    const table = this.#units;
    const units = new Uint16Array(bytes.length);
    let all = 0;
    for (let n = 0; n < bytes.length; n++) {
      const byte = bytes[n];
      all |= byte;
      units[n] = table[byte];
    }
    if (all < this.#same) return latin1String(bytes);
    return replaceUnknown(unitsToString(units), this.#iconv);
  }

  encodeAll(text) {
    if (this.#same > 0xff && !/[^\0-\xff]/.test(text)) return latin1Bytes(text);
    const table = (this.#bytes ??= this.#reversed());
    const zero = this.#units[0];
    const replacement = this.#replacement(table);
    const bytes = allocate(text.length);
    let length = 0;
    for (let n = 0; n < text.length; n++) {
      const unit = text.charCodeAt(n);
      let byte = table[unit];
      if (byte === 0 && unit !== zero) {
        byte = replacement;
        if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(n + 1))) n++;
      }
      bytes[length++] = byte;
    }
    return length === bytes.length ? bytes : bytes.subarray(0, length);
  }

  /** If several bytes mean the same character, the last one is written, as in iconv-lite. */
  #reversed() {
    const bytes = new Uint8Array(0x10000);
    this.#units.forEach((unit, byte) => (bytes[unit] = byte));
    bytes[UNKNOWN.charCodeAt(0)] = 0;
    return bytes;
  }

  #replacement(table) {
    return table[charOf(this.#iconv, "defaultCharSingleByte").charCodeAt(0)] || table[QUESTION_MARK] || QUESTION_MARK;
  }
}

/** A decoder without state. */
export class PageDecoder {
  #codec;

  constructor(options, codec) {
    this.#codec = codec;
  }

  write(buffer) {
    return this.#codec.decodeAll(asBytes(buffer));
  }

  end() {
    return undefined;
  }
}

const ASCII = String.fromCharCode(...Array(128).keys());

/** The type "_sbcs" for tables that applications add: `chars` has 256 characters, or the upper 128 of them. */
export function pageOf({ chars, encodingName }, iconv) {
  if (typeof chars !== "string" || (chars.length !== 128 && chars.length !== 256)) {
    throw new Error(`The encoding '${encodingName}' must have a string 'chars' of 128 or 256 characters.`);
  }
  return new PageCodec(chars.length === 128 ? ASCII + chars : chars, iconv);
}
