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
 * @returns {string | null} `null` if the input is malformed and `FATAL` is set
 */
export function decodeWhole(number, flags, bytes) {
  const length = byteLengthOf(bytes);
  let text;
  if (isAsciiCompatible(number)) {
    text = asciiBytesToString(bytes, length);
    if (text !== undefined) return text;
  } else if (number === UTF_16LE) {
    text = utf16BytesToString(bytes, length);
    if (text !== undefined) return removesBom(number, flags) ? withoutBom(text) : text;
  }
  if (length > BLOCK) return new ChunkDecoder(number, flags).decode(bytes, false);
  writeInput(bytes, length);
  if (callDecode(number, 0, 0, 0, length, flagsFor(flags, length, true), 0) === MALFORMED) return null;
  text = readText();
  return removesBom(number, flags) ? withoutBom(text) : text;
}

/** A decoder for chunks: the numbers with which the next chunk starts. */
export class ChunkDecoder {
  #number;
  #flags;
  #state = 0;
  #pending = 0;
  #pendingLength = 0;
  #hasSeenText = false;

  constructor(number, flags) {
    this.#number = number;
    this.#flags = flags;
  }

  /**
   * Decodes a chunk. `stream` says that more input follows. Returns `null` for malformed input if the decoder is fatal. If
   * the call throws, the decoder is in the same state as before.
   */
  decode(bytes, stream) {
    const length = byteLengthOf(bytes);
    let [state, pending, pendingLength] = [this.#state, this.#pending, this.#pendingLength];
    let text = "";
    let status;
    let from = 0;
    do {
      const size = Math.min(length - from, BLOCK);
      writeInput(size === length ? bytes : partOf(bytes, from, size), size);
      from += size;
      const flags = flagsFor(this.#flags, size, !stream && from === length);
      status = callDecode(this.#number, state, pending, pendingLength, size, flags, 0);
      [state, pending, pendingLength] = [result(STATE), result(PENDING), result(PENDING_LENGTH)];
      // Engines join the parts when the string is read.
      if (status !== MALFORMED) text += readText();
    } while (from < length && status !== MALFORMED);
    [this.#state, this.#pending, this.#pendingLength] = [state, pending, pendingLength];
    discardAfter(length);
    if (status === MALFORMED) return null;
    if (text === "" || this.#hasSeenText) return text;
    this.#hasSeenText = true;
    return removesBom(this.#number, this.#flags) ? withoutBom(text) : text;
  }
}

/**
 * Decodes a whole input with U+FFFD for errors, and lists the first `limit` errors.
 * @returns {{ text: string, errors: { start: number, end: number, index: number }[] }}
 */
export function report(number, keepBom, bytes, limit) {
  const length = byteLengthOf(bytes);
  const errors = [];
  let [state, pending, pendingLength] = [0, 0, 0];
  let text = "";
  let from = 0;
  do {
    const size = Math.min(length - from, REPORT_BLOCK);
    writeInput(size === length ? bytes : partOf(bytes, from, size), size);
    const flags = flagsFor(0, size, from + size === length);
    callDecode(number, state, pending, pendingLength, size, flags, Math.min(limit - errors.length, 0xffffffff));
    [state, pending, pendingLength] = [result(STATE), result(PENDING), result(PENDING_LENGTH)];
    const list = numbersAt(result(LIST), 3 * result(LIST_LENGTH));
    for (let n = 0; n < list.length; n += 3) {
      // Offsets are relative to the block, and may be negative.
      errors.push({ start: from + (list[n] | 0), end: from + (list[n + 1] | 0), index: text.length + list[n + 2] });
    }
    text += readText();
    from += size;
  } while (from < length);
  discardAfter(length);
  if (keepBom || !hasBom(number) || text.charCodeAt(0) !== 0xfeff) return { text, errors };
  for (const error of errors) error.index--;
  return { text: text.slice(1), errors };
}

