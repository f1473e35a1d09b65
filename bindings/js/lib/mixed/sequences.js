// Decoding per sequence: well-formed characters of the first encoding, and other encodings for what is malformed in it.

import { decode, internal } from "../core.js";
import { countFeeds } from "./bytes.js";

const { ChunkDecoder, IGNORE_BOM, concat } = internal;

/** No incomplete character is longer. */
const MAX_PENDING = 4;

const BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);

export class Sequences {
  #output;
  #decoder;
  /** The other encodings, which are single-byte encodings, with the characters of all bytes. U+FFFD means that there is none. */
  #others;
  /** The last bytes before the chunk: an incomplete character is among them. */
  #tail = new Uint8Array(0);
  /** The offset of the chunk. */
  #offset = 0;
  /** The number of the line at the offset `counted`. */
  #line = 1;
  #counted = 0;

  constructor(output) {
    const [first, ...others] = output.encodings;
    this.#output = output;
    this.#decoder = new ChunkDecoder(first.number, IGNORE_BOM);
    this.#others = others.map(({ name }) => ({ name, characters: decode(BYTES, name, { bom: "keep" }) }));
  }

  run(chunk, isLast) {
    const errors = [];
    const text = this.#decoder.decode(chunk, !isLast, { limit: Infinity, errors });
    let from = 0;
    for (const { start, end, index } of errors) {
      this.#advance(chunk, start);
      this.#output.text += text.slice(from, index) + this.#replacement(this.#bytesAt(chunk, start, end), start, end);
      from = index + 1;
    }
    this.#output.text += text.slice(from);
    this.#advance(chunk, this.#offset + chunk.length);
    this.#offset += chunk.length;
    this.#tail = concat([this.#tail, chunk.subarray(-MAX_PENDING)]).slice(-MAX_PENDING);
  }

  /** Counts the lines before an offset. Bytes before the chunk belong to an incomplete character, which has no line feed. */
  #advance(chunk, offset) {
    if (offset <= this.#counted) return;
    this.#line += countFeeds(chunk.subarray(this.#counted - this.#offset, offset - this.#offset));
    this.#counted = offset;
  }

  #bytesAt(chunk, start, end) {
    const at = start - this.#offset;
    if (at >= 0) return chunk.subarray(at, end - this.#offset);
    const before = this.#tail.subarray(this.#tail.length + at);
    return concat([before, chunk.subarray(0, Math.max(end - this.#offset, 0))]).subarray(0, end - start);
  }

  /** Returns the text for a malformed sequence. */
  #replacement(bytes, start, end) {
    let malformed;
    for (const [n, { name, characters }] of this.#others.entries()) {
      let text = "";
      for (const byte of bytes) text += characters[byte];
      const at = text.indexOf("\ufffd");
      if (at < 0) {
        this.#output.add(n + 1, this.#line, start, end);
        return text;
      }
      malformed = { encoding: name, line: this.#line, start: start + at, end: start + at + 1 };
    }
    this.#output.addMalformed(malformed);
    return "\ufffd";
  }
}
