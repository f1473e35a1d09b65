// Characters that a decoder of the standard reads and its encoder does not write, but iconv-lite does: the Hong Kong
// characters of Big5, and JIS X 0212 in EUC-JP. Their bytes are found with the decoder.

import { TextDecoder, internal } from "../core.js";
import { NO_BYTES, splitAtSurrogate } from "./bytes.js";

const { FAIL, REPORT, concat, encodeToParts, encodeWhole, numberOf } = internal;

const NEWLINE = 0x0a;
/** Thrown when a text has characters that the standard's encoder does not write. */
const UNMAPPABLE = {};

function* range(from, to) {
  for (let n = from; n <= to; n++) yield n;
}

/** Of the sequences for the same character, the first one is written, except these. */
const NOT_WRITTEN = [0x8fcc, 0x92c8, 0x9644, 0x96ed];

function* big5() {
  for (const lead of range(0x87, 0xa0)) {
    for (const trail of [...range(0x40, 0x7e), ...range(0xa1, 0xfe)]) {
      if (!NOT_WRITTEN.includes((lead << 8) | trail)) yield [lead, trail];
    }
  }
}

function* jis0212() {
  for (const lead of range(0xa1, 0xfe)) for (const trail of range(0xa1, 0xfe)) yield [0x8f, lead, trail];
}

const SEQUENCES = { big5, "euc-jp": jis0212 };

export class Extras {
  #label;
  #number;
  /** @type {Map<string, number[]> | undefined} the bytes for each character, and for each pair of characters */
  #bytes;
  /** The first characters of pairs. Their bytes depend on the character that follows. */
  #starts = new Set();

  /** @param {"big5" | "euc-jp"} label */
  constructor(label) {
    this.#label = label;
    this.#number = numberOf(label);
  }

  /** Encodes a text. `replacement` returns the code point that replaces characters without bytes. */
  encode(text, replacement) {
    try {
      return encodeWhole(this.#number, FAIL, text, fail);
    } catch (error) {
      if (error !== UNMAPPABLE) throw error;
    }
    return concat(encodeToParts(this.#number, REPORT, text, this.#replacer(text, replacement())));
  }

  /** Returns a function that returns what replaces a character without bytes in the standard's encoder. */
  #replacer(text, replacement) {
    const table = this.#table();
    const char = String.fromCodePoint(replacement);
    let encoded = -1;
    return (codePoint, index) => {
      if (index === encoded) return NO_BYTES;
      const pair = this.#starts.has(codePoint) && table.get(text.slice(index, index + 2));
      if (pair) encoded = index + 1;
      const bytes = pair || table.get(String.fromCodePoint(codePoint));
      return bytes === undefined ? char : Uint8Array.from(bytes);
    };
  }

  /** Splits a chunk before a character at its end whose bytes depend on the next chunk. */
  split(string) {
    this.#table();
    const end = string.length - 1;
    return this.#starts.has(string.charCodeAt(end))
      ? [string.slice(0, end), string.slice(end)]
      : splitAtSurrogate(string);
  }

  #table() {
    if (this.#bytes !== undefined) return this.#bytes;
    this.#bytes = new Map();
    const sequences = [...SEQUENCES[this.#label]()];
    const input = Uint8Array.from(sequences.flatMap((bytes) => [...bytes, NEWLINE]));
    const lines = new TextDecoder(this.#label).decode(input).split("\n");
    sequences.forEach((bytes, n) => {
      const text = lines[n];
      if (text.startsWith("\ufffd") || this.#bytes.has(text)) return;
      this.#bytes.set(text, bytes);
      if (text.length === 2 && text.codePointAt(0) < 0x10000) this.#starts.add(text.charCodeAt(0));
    });
    return this.#bytes;
  }
}

function fail() {
  throw UNMAPPABLE;
}
