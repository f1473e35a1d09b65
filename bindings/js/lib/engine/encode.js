// Encoding by the module.

import { ISO_2022_JP, UTF_16BE, UTF_16LE, isAsciiCompatible } from "../numbers.js";
import { FAIL, REPORT, UnmappableText, concat, wellFormed } from "../policies.js";
import { asciiStringToBytes, asciiToString, stringToSwappedUtf16Bytes, stringToUnits, stringToUtf16Bytes } from "../strings.js";
import { isHighSurrogate } from "../surrogates.js";
import { byteLengthOf, setBytes } from "../webidl.js";
import { encodeByTable } from "./encode-table.js";
import {
  ADDRESS,
  CODE_POINT,
  LENGTH,
  LIST,
  LIST_LENGTH,
  READ,
  STATE,
  UNMAPPABLE,
  bytesAt,
  callEncode,
  callEncodeInto,
  callPercentEncode,
  discardAfter,
  numbersAt,
  reserveUnits,
  result,
  viewAt,
  writeInput,
} from "./module.js";

/** The maximum number of code units per call of the module. Longer text is encoded in blocks. */
const BLOCK = 1 << 20;
/** The same with a list of unmappable characters or percent-encoding, which may take 14 bytes per code unit. */
const REPORT_BLOCK = 1 << 16;
/** The same where each unmappable character ends the call, and the rest of the block is copied again. */
const SHORT_BLOCK = 1 << 10;

/** Copies the bytes that the last call wrote. */
const readBytes = () => bytesAt(result(ADDRESS), result(LENGTH));

/** Copies `length` code units of a string, from index `from` on, to the module. */
function writeUnits(string, from, length) {
  stringToUnits(string, from, length, reserveUnits(length));
}

/** Returns the end of a block that starts at `from`. It is not within a surrogate pair. */
function blockEnd(string, from, size) {
  if (string.length - from <= size) return string.length;
  if (size === 0) return from;
  return from + size - (isHighSurrogate(string, from + size - 1) ? 1 : 0);
}

/** Returns the index of the character that ended the last call, whose input started at `from`. */
const indexOf = (codePoint, from) => from + result(READ) - (codePoint > 0xffff ? 2 : 1);

/**
 * Encodes a whole string.
 * @param {number} number of the encoding
 * @param {number} policy for unmappable characters
 * @param {string} string
 * @param {(codePoint: number, index: number) => never} [fail] called with the character that stopped the encoder
 * @returns {Uint8Array}
 */
export function encodeWhole(number, policy, string, fail) {
  if (isAsciiCompatible(number)) {
    const bytes = asciiStringToBytes(string);
    if (bytes !== undefined) return bytes;
  } else if (number === UTF_16LE || number === UTF_16BE) {
    const bytes = number === UTF_16LE ? stringToUtf16Bytes(string) : stringToSwappedUtf16Bytes(string);
    if (bytes !== undefined) return bytes;
  }
  const encoded = encodeByTable(number, string);
  if (encoded !== undefined) return encoded;
  const { length } = string;
  if (length > BLOCK) return concat(encodeToParts(number, policy, string, fail));
  writeUnits(string, 0, length);
  if (callEncode(number, 0, policy, 0, length, 1) !== UNMAPPABLE) return readBytes();
  const codePoint = result(CODE_POINT);
  return fail(codePoint, indexOf(codePoint, 0));
}

/**
 * Encodes a whole string in blocks, and continues after unmappable characters.
 * @param {number} number of the encoding
 * @param {number} policy for unmappable characters
 * @param {string} string
 * @param {(codePoint: number, index: number) => string | Uint8Array} [replace] returns the text to encode in place of an
 *   unmappable character, or bytes; may throw
 * @returns {Uint8Array[]}
 */
export function encodeToParts(number, policy, string, replace) {
  return new ChunkEncoder(number, policy).encode(string, true, replace);
}

/** Bytes that grow. */
class Output {
  #bytes;
  #length = 0;

  constructor(size) {
    this.#bytes = new Uint8Array(size);
  }

  push(bytes) {
    this.append(bytes, 0, bytes.length);
  }

  append(bytes, from, to) {
    const end = this.#length + to - from;
    if (end > this.#bytes.length) {
      const longer = new Uint8Array(2 * end);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    // Most parts are so short that a view would take longer than the bytes.
    if (to - from > 64) this.#bytes.set(bytes.subarray(from, to), this.#length);
    else for (let n = from; n < to; n++) this.#bytes[this.#length + n - from] = bytes[n];
    this.#length = end;
  }

  copy() {
    return this.#bytes.slice(0, this.#length);
  }
}

/** An encoder for chunks. */
export class ChunkEncoder {
  #number;
  #policy;
  #block;
  #state = 0;
  /** A high surrogate at the end of the last chunk, or "". */
  #high = "";

  constructor(number, policy) {
    this.#number = number;
    this.#policy = policy;
    this.#block = policy !== REPORT ? BLOCK : number === ISO_2022_JP ? SHORT_BLOCK : REPORT_BLOCK;
  }

  /**
   * Encodes a chunk and returns its parts. After the `last` chunk, a new text starts. If the call throws, the encoder is in
   * the same state as before. An index that `replace` gets may be -1, for a pair that starts in the chunk before.
   */
  encode(string, last, replace) {
    const start = this.#high.length;
    const text = start > 0 ? this.#high + string : string;
    const holds = !last && isHighSurrogate(text, text.length - 1);
    const end = text.length - (holds ? 1 : 0);
    const parts = [];
    let state = this.#state;
    let from = 0;
    try {
      do {
        const to = Math.min(blockEnd(text, from, this.#block), end);
        const isLast = last && to === end;
        state = this.#encodeBlock(text, from, to, isLast, state, parts, (code, index) => replace(code, index - start));
        from = to;
      } while (from < end);
    } finally {
      discardAfter(text.length);
    }
    this.#state = last ? 0 : state;
    this.#high = holds ? text.slice(end) : "";
    return parts;
  }

  /** Encodes a block, appends its parts, and returns the state after it. */
  #encodeBlock(text, from, to, last, state, parts, replace) {
    for (;;) {
      writeUnits(text, from, to - from);
      const status = callEncode(this.#number, state, this.#policy, 0, to - from, last ? 1 : 0);
      state = result(STATE);
      const bytes = readBytes();
      if (status !== UNMAPPABLE) {
        const count = result(LIST_LENGTH);
        if (count > 0) this.#insert(bytes, numbersAt(result(LIST), 3 * count), from, parts, replace);
        else if (bytes.length > 0) parts.push(bytes);
        return state;
      }
      // A policy that fails, or a function and ISO-2022-JP.
      if (bytes.length > 0) parts.push(bytes);
      const codePoint = result(CODE_POINT);
      const index = indexOf(codePoint, from);
      from += result(READ);
      state = this.#replace(replace(codePoint, index), codePoint, index, state, parts);
    }
  }

  /** Appends bytes, with replacements for the unmappable characters in a list. */
  #insert(bytes, list, from, parts, replace) {
    const output = new Output(2 * bytes.length + list.length);
    let at = 0;
    for (let n = 0; n < list.length; n += 3) {
      const [codePoint, after, before] = [list[n], from + list[n + 1], list[n + 2]];
      output.append(bytes, at, before);
      at = before;
      const index = after - (codePoint > 0xffff ? 2 : 1);
      this.#replace(replace(codePoint, index), codePoint, index, 0, output);
    }
    output.append(bytes, at, bytes.length);
    parts.push(output.copy());
  }

  /** Appends what replaces an unmappable character: a text to encode, or bytes. Returns the state after it. */
  #replace(replacement, codePoint, index, state, parts) {
    let bytes;
    if (replacement instanceof Uint8Array) bytes = replacement;
    else if (this.#number !== ISO_2022_JP) bytes = encodeByTable(this.#number, replacement);
    if (bytes !== undefined) {
      parts.push(bytes);
      return state;
    }
    const text = wellFormed(replacement);
    let next = state;
    for (let from = 0; from < text.length; ) {
      const to = blockEnd(text, from, BLOCK);
      writeUnits(text, from, to - from);
      if (callEncode(this.#number, next, FAIL, 0, to - from, 0) === UNMAPPABLE) {
        throw new UnmappableText(codePoint, index - this.#high.length); // the index in the chunk, as for `replace`
      }
      parts.push(readBytes());
      next = result(STATE);
      from = to;
    }
    discardAfter(text.length);
    return next;
  }
}

/**
 * Encodes a string in UTF-8 into a destination.
 * @returns {{ read: number, written: number }} code units of the source, bytes of the destination
 */
export function encodeInto(string, destination) {
  const all = byteLengthOf(destination);
  let read = 0;
  let written = 0;
  for (;;) {
    // A code unit takes at least one byte, so more units than free bytes cannot fit.
    const length = blockEnd(string, read, Math.min(all - written, BLOCK)) - read;
    writeUnits(string, read, length);
    callEncodeInto(length, Math.min(all - written, 3 * length));
    setBytes(destination, viewAt(result(ADDRESS), result(LENGTH)), written);
    read += result(READ);
    written += result(LENGTH);
    if (result(READ) < length || length === 0) break;
  }
  discardAfter(read);
  return { read, written };
}

/**
 * *Percent-encode after encoding*.
 * @param {number} number of the encoding
 * @param {string} string
 * @param {Uint8Array} set 256 bytes; those that are not 0 are in the percent-encode set
 * @param {boolean} spaceAsPlus
 */
export function percentEncode(number, string, set, spaceAsPlus) {
  const { length } = string;
  let output = "";
  let state = 0;
  let from = 0;
  do {
    const to = blockEnd(string, from, REPORT_BLOCK);
    writeUnits(string, from, to - from);
    writeInput(set, 256);
    callPercentEncode(number, state, to - from, to === length ? 1 : 0, spaceAsPlus ? 1 : 0);
    state = result(STATE);
    output += asciiToString(result(ADDRESS), result(LENGTH));
    from = to;
  } while (from < length);
  discardAfter(length);
  return output;
}
