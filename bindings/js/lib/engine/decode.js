// Decoding by the module.

import { UTF_16LE, hasBom, isAsciiCompatible } from "../numbers.js";
import { FATAL, IGNORE_BOM } from "../policies.js";
import {
  asciiBytesToString,
  latin1ToString,
  takesUtf8,
  utf16BytesToString,
  utf16ToString,
  utf8ToString,
} from "../strings.js";
import { byteLengthOf, partOf } from "../webidl.js";
import { decodeByTable } from "./decode-table.js";
import {
  ADDRESS,
  FORM,
  LENGTH,
  LIST,
  LIST_LENGTH,
  MALFORMED,
  PENDING,
  PENDING_LENGTH,
  STATE,
  callDecode,
  discardAfter,
  numbersAt,
  result,
  writeInput,
} from "./module.js";

/** The maximum number of bytes per call of the module. Longer input is decoded in blocks. */
const BLOCK = 1 << 20;
/** The same with a list of errors, which may be twelve times as long. */
const REPORT_BLOCK = 1 << 16;
/** The maximum number of errors per call of the module. */
const MAX_LIMIT = 0xffffffff;

// Flags of the module's function, with FATAL.
const LAST = 1;
const FATAL_FLAG = 2;
const AS_UTF8 = 4;

const UTF_16 = 0;
const LATIN_1 = 1;

/** Reads the text that the last call decoded. */
function readText() {
  const length = result(LENGTH);
  if (length === 0) return "";
  const address = result(ADDRESS);
  switch (result(FORM)) {
    case UTF_16:
      return utf16ToString(address, length);
    case LATIN_1:
      return latin1ToString(address, length);
    default:
      return utf8ToString(address, length);
  }
}

const flagsFor = (flags, length, last) =>
  (last ? LAST : 0) | (flags & FATAL ? FATAL_FLAG : 0) | (takesUtf8(length) ? AS_UTF8 : 0);

const removesBom = (number, flags) => hasBom(number) && !(flags & IGNORE_BOM);

const withoutBom = (text) => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

/**
 * Decodes a whole input.
 * @param {number} number of the encoding
 * @param {number} flags FATAL and IGNORE_BOM
 * @param {Uint8Array} bytes
 * @param {(start: number, end: number) => never} [fail] called with the offsets of the malformed bytes
 * @returns {string | null} `null` if the input is malformed, `FATAL` is set, and there is no function to call
 */
export function decodeWhole(number, flags, bytes, fail) {
  const length = byteLengthOf(bytes);
  let text;
  if (isAsciiCompatible(number)) {
    text = asciiBytesToString(bytes, length);
    if (text !== undefined) return text;
    text = decodeByTable(number, bytes, length, decodeByModule);
    if (text !== undefined) return text;
  } else if (number === UTF_16LE) {
    text = utf16BytesToString(bytes, length);
    if (text !== undefined) return removesBom(number, flags) ? withoutBom(text) : text;
  }
  if (length > BLOCK) return new ChunkDecoder(number, flags).decode(bytes, false, { fail });
  text = decodeByModule(number, flags, bytes, length, fail);
  return text !== null && removesBom(number, flags) ? withoutBom(text) : text;
}

/** Decodes a whole input of at most one block. Keeps a byte order mark. */
function decodeByModule(number, flags, bytes, length, fail) {
  writeInput(bytes, length);
  if (callDecode(number, 0, 0, 0, length, flagsFor(flags, length, true), flags & FATAL) === MALFORMED) {
    if (fail === undefined) return null;
    const [start, end] = numbersAt(result(LIST), 2);
    return fail(start, end);
  }
  return readText();
}

/** A decoder for chunks: the numbers with which the next chunk starts. */
export class ChunkDecoder {
  #number;
  #flags;
  #state = 0;
  #pending = 0;
  #pendingLength = 0;
  #hasSeenText = false;
  /** The number of bytes before the next chunk. */
  #offset = 0;

  constructor(number, flags) {
    this.#number = number;
    this.#flags = flags;
  }

  /**
   * Decodes a chunk. `stream` says that more input follows. If the call throws, the decoder is in the same state as before.
   *
   * The first `limit` errors are appended to `errors`: the offsets of the malformed bytes in the whole input, and the index
   * of their U+FFFD in the text that the call returns. A fatal decoder calls `fail` with the offsets instead, or returns
   * `null`.
   * @param {Uint8Array} bytes
   * @param {boolean} stream
   * @param {{ limit?: number, errors?: object[], fail?: (start: number, end: number) => never }} [report]
   */
  decode(bytes, stream, { limit = 0, errors = [], fail } = {}) {
    const length = byteLengthOf(bytes);
    const isFatal = (this.#flags & FATAL) !== 0;
    const block = limit > 0 ? REPORT_BLOCK : BLOCK;
    let [state, pending, pendingLength] = [this.#state, this.#pending, this.#pendingLength];
    let text = "";
    let from = 0;
    let malformed;
    do {
      const size = Math.min(length - from, block);
      writeInput(size === length ? bytes : partOf(bytes, from, size), size);
      const flags = flagsFor(this.#flags, size, !stream && from + size === length);
      const most = isFatal ? 1 : Math.min(limit - errors.length, MAX_LIMIT);
      const status = callDecode(this.#number, state, pending, pendingLength, size, flags, most);
      [state, pending, pendingLength] = [result(STATE), result(PENDING), result(PENDING_LENGTH)];
      const list = most > 0 ? this.#readErrors(this.#offset + from, text.length) : [];
      if (status === MALFORMED) [malformed] = list;
      else errors.push(...list);
      // Engines join the parts when the string is read.
      if (malformed === undefined) text += readText();
      from += size;
    } while (from < length && malformed === undefined);
    [this.#state, this.#pending, this.#pendingLength] = [state, pending, pendingLength];
    this.#offset += length;
    discardAfter(length);
    if (malformed !== undefined) return fail === undefined ? null : fail(malformed.start, malformed.end);
    return this.#withoutBom(text, errors);
  }

  /** Reads the errors of the last call. Their offsets are relative to the block, and may be negative. */
  #readErrors(offset, index) {
    const list = numbersAt(result(LIST), 3 * result(LIST_LENGTH));
    return Array.from({ length: list.length / 3 }, (_, n) => ({
      start: offset + (list[3 * n] | 0),
      end: offset + (list[3 * n + 1] | 0),
      index: index + list[3 * n + 2],
    }));
  }

  #withoutBom(text, errors) {
    if (text === "" || this.#hasSeenText) return text;
    this.#hasSeenText = true;
    if (!removesBom(this.#number, this.#flags) || text.charCodeAt(0) !== 0xfeff) return text;
    for (const error of errors) error.index--;
    return text.slice(1);
  }
}
