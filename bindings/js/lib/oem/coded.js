// Encodings with an algorithm instead of a table, and the loops that run it.
//
// The algorithms are codecs, which have no state of their own. It is a number in the input or the output, and 0 at the start of a text.
// docs/design/rare-encodings.md says what they do, and the files of codecs follow the models in crates/spec-model/src/outside.

import { internal } from "../core.js";
import { Output } from "./output.js";
import { BLOCK, reserve, units, utf16Text } from "./units.js";

const { asciiBytesToString, asciiStringToBytes, byteLengthOf, concat } = internal;

/**
 * @typedef {object} Codec
 * @property {(input: Input) => number} decode reads at least one byte, or changes the state. Returns a code point, `CONTINUE` or
 *   `ERROR`. The bytes that it has read are malformed in the latter case.
 * @property {(codePoint: number, output: CodedOutput) => number} encode writes a character. Returns `MAPPED`, or the code point to
 *   report if the character is unmappable.
 * @property {(output: CodedOutput) => void} [end] writes what ends a text
 * @property {number[]} [header] what the encoder writes before each text
 * @property {boolean} [isAsciiCompatible] whether the bytes below 0x80 are ASCII wherever a character starts
 */

/** Nothing was decoded, and nothing is malformed. */
export const CONTINUE = -1;
/** The bytes that were read are malformed. */
export const ERROR = -2;
/** The character was written. */
export const MAPPED = -1;

/** @type {WeakMap<CodedEncoding, Codec>} */
const codecs = new WeakMap();

/** Returns whether a value is an encoding with an algorithm. */
export const isCoded = (value) => codecs.has(value);

export class CodedEncoding {
  constructor(name, { aliases, codePages, codec }) {
    this.name = name;
    this.aliases = Object.freeze(aliases);
    this.codePages = Object.freeze(codePages);
    codecs.set(Object.freeze(this), codec);
  }

  get isAsciiCompatible() {
    return codecs.get(this).isAsciiCompatible === true;
  }
}

const NONE = new Uint8Array(0);

/** The bytes that a codec reads. */
class Input {
  state = 0;
  /** The index of the next byte. */
  at = 0;
  length = 0;
  /** Whether the codec has looked for a byte that may be in the next chunk. */
  isShort = false;
  #bytes = NONE;
  #isLast = false;

  /** Adds a chunk to the bytes that are left. Returns how many those are. */
  add(chunk, isLast) {
    const left = this.length;
    this.#bytes = left > 0 ? concat([this.#bytes, chunk]) : chunk;
    this.length = left + byteLengthOf(chunk);
    this.#isLast = isLast;
    this.isShort = false;
    return left;
  }

  /** Copies the bytes that are left, because the caller may overwrite them. */
  keep() {
    const left = this.length - this.at;
    this.#bytes = Uint8Array.from({ length: left }, (_, n) => this.#bytes[this.at + n]);
    [this.at, this.length] = [0, left];
  }

  get isEmpty() {
    return this.at === this.length;
  }

  read() {
    return this.#bytes[this.at++];
  }

  /** Returns the byte that is `ahead` of the next one, or -1 if the text ends before. */
  peek(ahead) {
    const at = this.at + ahead;
    if (at < this.length) return this.#bytes[at];
    if (!this.#isLast) this.isShort = true;
    return -1;
  }

  /** Reads all bytes that are left. */
  readAll() {
    this.at = this.length;
  }
}

/** A text that is decoded. */
export class CodedText {
  #codec;
  #input = new Input();
  /** The number of bytes before the next chunk. */
  #offset = 0;

  /** @param {CodedEncoding} encoding */
  constructor(encoding) {
    this.#codec = codecs.get(encoding);
  }

  /**
   * Decodes a chunk. If it is the last one, the next one starts a new text.
   * @param {(start: number, end: number, index: number) => void} [report] called for each malformed sequence: its offsets in the
   *   text's bytes, and the index of its U+FFFD in the result. It may only throw if the text is not used afterwards.
   */
  decode(chunk, isLast, report) {
    const input = this.#input;
    const length = byteLengthOf(chunk);
    const ascii = this.#codec.isAsciiCompatible && input.isEmpty ? asciiBytesToString(chunk, length) : undefined;
    const text = ascii ?? this.#textOf(chunk, isLast, report);
    this.#offset += length;
    if (isLast) [this.#offset, this.#input] = [0, new Input()];
    else input.keep();
    return text;
  }

  #textOf(chunk, isLast, report) {
    const [codec, input] = [this.#codec, this.#input];
    const offset = this.#offset - input.add(chunk, isLast);
    let text = "";
    let length = 0;
    reserve(Math.min(input.length, BLOCK));
    let target = units;
    while (!input.isEmpty) {
      const { at, state } = input;
      let codePoint = codec.decode(input);
      if (input.isShort) {
        [input.at, input.state] = [at, state];
        break;
      }
      if (codePoint === CONTINUE) continue;
      const isError = codePoint === ERROR;
      if (isError) codePoint = 0xfffd;
      if (codePoint > 0xffff) {
        target[length++] = 0xd7c0 + (codePoint >>> 10);
        target[length++] = 0xdc00 | (codePoint & 0x3ff);
      } else target[length++] = codePoint;
      const isReported = isError && report !== undefined;
      if (length < target.length - 1 && !isReported) continue;
      text += utf16Text(length);
      length = 0;
      if (!isReported) continue;
      report(offset + at, offset + input.at, text.length - 1);
      // The function may have decoded other text in the same memory.
      target = units;
    }
    return text + utf16Text(length);
  }
}

/** The bytes that a codec writes. */
class CodedOutput extends Output {
  state = 0;
}

const scalarValue = (codePoint) => ((codePoint & 0x1ff800) === 0xd800 ? 0xfffd : codePoint);

/**
 * Encodes a part of a text.
 * @param {CodedEncoding} encoding
 * @param {string} string
 * @param {object} options
 * @param {number} [options.state] that before the part: what the last call returned, or `undefined` at the start of a text
 * @param {number} [options.offset] the index of the part in the text
 * @param {boolean} options.last whether the text ends
 * @param {(codePoint: number, index: number) => string} options.replace returns the text in place of an unmappable character; may throw
 * @param {(codePoint: number, index: number) => never} options.fail throws the error of a character
 * @returns {{ bytes: Uint8Array, state?: number }}
 */
export function encodeCoded(encoding, string, { state, offset = 0, last, replace, fail }) {
  const codec = codecs.get(encoding);
  if (codec.isAsciiCompatible) {
    const bytes = asciiStringToBytes(string);
    if (bytes !== undefined) return { bytes };
  }
  const output = new CodedOutput(2 * string.length + 64);
  if (state === undefined) codec.header?.forEach((byte) => output.push(byte));
  else output.state = state;
  for (let n = 0; n < string.length; n++) {
    const index = offset + n;
    const codePoint = string.codePointAt(n);
    if (codePoint > 0xffff) n++;
    const reported = codec.encode(scalarValue(codePoint), output);
    if (reported === MAPPED) continue;
    for (const character of replace(reported, index)) {
      // A replacement that is unmappable is an error of the character that it replaces.
      if (codec.encode(scalarValue(character.codePointAt(0)), output) !== MAPPED) fail(reported, index);
    }
  }
  if (last) codec.end?.(output);
  return { bytes: output.bytes(), state: last ? undefined : output.state };
}
