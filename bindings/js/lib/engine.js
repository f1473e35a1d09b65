// Calls into the module, and its memory.
//
// Bytes and text cross the boundary in buffers of the module, which every call reuses. Large inputs are converted in
// blocks, so that the module's memory, which never shrinks, stays small.

import * as wasm from "../generated/module.js";
import { UTF_16LE, isAsciiCompatible } from "./numbers.js";
import { FATAL, HTML, IGNORE_BOM, UnmappableText, concat, wellFormed } from "./policies.js";
import { byteLengthOf, partOf, setBytes } from "./webidl.js";
import {
  asciiBytesToString,
  asciiStringToBytes,
  asciiToString,
  convertsLatin1ToUtf8,
  stringToUnits,
  stringToUtf16Bytes,
  utf16BytesToString,
  useMemory,
  utf16ToString,
} from "./strings.js";
import { isHighSurrogate } from "./surrogates.js";

/** The maximum number of bytes or code units per block. */
const BLOCK = 1 << 20;
/** The same if a function handles unmappable characters. */
const SMALL_BLOCK = 1 << 12;

/** @type {WebAssembly.Memory | undefined} */
let memory;
let heap = new Uint8Array(0);

/** Takes the exports that `initSync` or `init` of the generated code returns. */
export function start(exports) {
  memory = exports.memory;
}

/** Throws if `start` has not been called. */
export function checkStarted() {
  if (memory === undefined) throw new Error("The module is not loaded: await the default export of this entry first.");
}

/** Returns the whole memory. When a call makes the memory grow, earlier views become empty. */
function view() {
  if (heap.length === 0) {
    checkStarted();
    heap = new Uint8Array(memory.buffer);
    useMemory(heap);
  }
  return heap;
}

/** The maximum number of bytes or code units in calls that cannot be split into blocks: the memory is 4 GiB at most. */
const MAX_LENGTH = 1 << 28;

function checkLength(length) {
  if (length > MAX_LENGTH) throw new RangeError(`This call takes at most ${MAX_LENGTH} bytes or code units.`);
}

/** Copies bytes to the module's input buffer. */
function writeInput(bytes, length) {
  checkLength(length);
  const at = wasm.input(length);
  view().set(bytes, at);
}

/** Reads the string that a decoder of the module returned. `null` if the input is malformed. */
function readText(result) {
  if (result < 0) return null;
  const length = result >>> 2;
  if (length === 0) return "";
  view();
  switch (result & 3) {
    case 0:
      return utf16ToString(wasm.text(), length);
    case 1:
      return latin1ToString(length);
    default:
      return asciiToString(wasm.input(0), length);
  }
}

/** Reads `length` bytes of Latin-1 from the module's output. */
function latin1ToString(length) {
  if (!convertsLatin1ToUtf8(length)) return asciiToString(wasm.bytes(), length);
  const written = wasm.latin1_as_utf8(length);
  view(); // the memory may have grown, and the buffer moved
  return asciiToString(wasm.utf8(), written);
}

/**
 * Decodes a whole input.
 * @param {number} encoding its number
 * @param {number} flags 1 for `fatal`, 2 for `ignoreBOM`
 * @param {Uint8Array} bytes
 * @returns {string | null} `null` if the input is malformed and `fatal` is set
 */
export function decodeWhole(encoding, flags, bytes) {
  const length = byteLengthOf(bytes);
  if (isAsciiCompatible(encoding)) {
    const text = asciiBytesToString(bytes, length);
    if (text !== undefined) return text;
  } else if (encoding === UTF_16LE) {
    const text = utf16BytesToString(bytes, length);
    if (text !== undefined) return flags & IGNORE_BOM || text.charCodeAt(0) !== 0xfeff ? text : text.slice(1);
  }
  if (length > BLOCK) {
    const handle = wasm.open_decoder(encoding, flags);
    try {
      return decodeChunk(handle, bytes, false, (flags & FATAL) !== 0);
    } finally {
      wasm.close_decoder(handle);
    }
  }
  writeInput(bytes, length);
  return readText(wasm.decode(encoding, flags, length));
}

/** Creates a decoder for chunks and returns its handle. */
export function openDecoder(encoding, flags) {
  view();
  return wasm.open_decoder(encoding, flags);
}

/** Frees a decoder. */
export function closeDecoder(handle) {
  wasm.close_decoder(handle);
}

/** Decodes a chunk. `stream` says that more input follows. `null` for malformed input if the decoder is fatal. */
export function decodeChunk(handle, bytes, stream, fatal) {
  const length = byteLengthOf(bytes);
  // A call that throws must not count a byte order mark as seen, so a chunk that may throw is one call.
  if (length <= BLOCK || (stream && fatal)) {
    writeInput(bytes, length);
    return readText(wasm.decode_chunk(handle, length, stream));
  }
  const parts = [];
  for (let from = 0; from < length; from += BLOCK) {
    const block = partOf(bytes, from, Math.min(BLOCK, length - from));
    writeInput(block, block.length);
    const part = readText(wasm.decode_chunk(handle, block.length, stream || from + BLOCK < length));
    if (part === null) return null;
    parts.push(part);
  }
  return parts.join("");
}

/** Copies the bytes that the last call wrote. */
function readBytes(length) {
  const at = wasm.bytes();
  return view().slice(at, at + length);
}

/** Counts writes to the module's code units. A caller compares it to detect that its units were overwritten. */
let unitWrites = 0;

/**
 * Copies `length` code units of a string, from index `from` on, to index `to` of the module's code units. Returns the
 * new value of `unitWrites`.
 */
function writeUnits(string, from, length, to) {
  checkLength(to + length);
  const at = wasm.units(to + length);
  view();
  stringToUnits(string, from, length, at + 2 * to);
  return ++unitWrites;
}

/**
 * Encodes a whole string.
 * @param {number} encoding its number
 * @param {number} policy for unmappable characters
 * @param {string} string
 * @param {(codePoint: number, index: number) => never} [fail] called with the character that stopped the encoder
 * @returns {Uint8Array}
 */
export function encodeWhole(encoding, policy, string, fail) {
  if (isAsciiCompatible(encoding)) {
    const bytes = asciiStringToBytes(string);
    if (bytes !== undefined) return bytes;
  } else if (encoding === UTF_16LE) {
    const bytes = stringToUtf16Bytes(string);
    if (bytes !== undefined) return bytes;
  }
  const { length } = string;
  if (length > BLOCK) return concat(encodeToParts(encoding, policy, string, fail));
  writeUnits(string, 0, length, 0);
  const written = wasm.encode(encoding, policy, length);
  const codePoint = policy === HTML ? -1 : wasm.unmappable_character();
  return codePoint < 0 ? readBytes(written) : fail(codePoint, indexOf(codePoint, 0));
}

/** Returns the index of the character that stopped the last call. The call's input started at index `from`. */
function indexOf(codePoint, from) {
  return from + wasm.units_read() - (codePoint > 0xffff ? 2 : 1);
}

/**
 * Encodes a whole string in blocks, and continues after unmappable characters.
 * @param {number} encoding its number
 * @param {number} policy for unmappable characters
 * @param {string} string
 * @param {(codePoint: number, index: number) => string | object} [replace] returns the text to encode in place of an
 *   unmappable character, or an object to insert among the parts; may throw
 * @returns {object[]} arrays of bytes, and the objects that `replace` returned
 */
export function encodeToParts(encoding, policy, string, replace) {
  const encoder = new ChunkEncoder(encoding, policy);
  try {
    return encoder.encode(string, true, replace);
  } finally {
    encoder.close();
  }
}

/** An encoder for chunks. Its parameters are those of `encodeToParts`. */
export class ChunkEncoder {
  #handle;

  constructor(encoding, policy) {
    view();
    this.#handle = wasm.open_encoder(encoding, policy);
  }

  /** Encodes a chunk and returns its parts. After the `last` chunk, a new text starts. */
  encode(string, last, replace) {
    return encodeParts(this.#handle, string, last, replace);
  }

  /** Frees the module's encoder. */
  close() {
    wasm.close_encoder(this.#handle);
  }
}

function encodeParts(handle, string, isLast, replace) {
  const parts = [];
  const encode = (start, end, last) => {
    const written = wasm.encode_chunk(handle, start, end, last);
    if (written > 0) parts.push(readBytes(written));
    return wasm.unmappable_character();
  };
  // If a function uses the module itself, the rest of the block has to be written again.
  const block = replace === undefined ? BLOCK : SMALL_BLOCK;
  let from = 0;
  do {
    const length = Math.min(string.length - from, block);
    const last = isLast && from + length === string.length;
    let lastWrite = writeUnits(string, from, length, 0);
    let start = 0;
    for (;;) {
      const codePoint = encode(start, length, last);
      if (codePoint < 0) break;
      const index = indexOf(codePoint, from + start);
      start += wasm.units_read();
      const replacement = replace(codePoint, index);
      if (typeof replacement !== "string") {
        parts.push(replacement);
        continue;
      }
      // The function may have used the module.
      if (lastWrite !== unitWrites) writeUnits(string, from + start, length - start, start);
      // The encoder would keep an unpaired high surrogate until the next call.
      const text = wellFormed(replacement);
      lastWrite = writeUnits(text, 0, text.length, length);
      if (encode(length, length + text.length, false) >= 0) throw new UnmappableText(codePoint, index);
    }
    from += length;
  } while (from < string.length);
  return parts;
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
    // A code unit takes at least one byte, so more units than free bytes cannot fit. A surrogate pair is not split.
    let length = Math.min(string.length - read, all - written, BLOCK);
    if (length > 0 && length < string.length - read && isHighSurrogate(string, read + length - 1)) length--;
    writeUnits(string, read, length, 0);
    const capacity = Math.min(all - written, 3 * length);
    const more = wasm.encode_into(length, capacity);
    const moreRead = wasm.units_read();
    const from = wasm.bytes();
    setBytes(destination, view().subarray(from, from + more), written);
    read += moreRead;
    written += more;
    if (moreRead < length || length === 0) return { read, written };
  }
}

/**
 * Decodes a whole input with U+FFFD for errors, and lists the first `limit` errors.
 * @returns {{ text: string, errors: { start: number, end: number, index: number }[] }}
 */
export function report(encoding, keepBom, bytes, limit) {
  const length = byteLengthOf(bytes);
  writeInput(bytes, length);
  const text = readText(wasm.report(encoding, keepBom ? 1 : 0, length, Math.min(limit, MAX_LENGTH)));
  const count = wasm.spans_len();
  const spans = new Uint32Array(view().buffer, wasm.spans(), 3 * count);
  const errors = [];
  for (let n = 0; n < spans.length; n += 3) {
    errors.push({ start: spans[n], end: spans[n + 1], index: spans[n + 2] });
  }
  return { text, errors };
}
