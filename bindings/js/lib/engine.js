// The module's memory, and what crosses it.
//
// Bytes and text go in and come out by buffers of the module that each call uses again. Large inputs go in pieces, so
// that the module's memory, which never shrinks, stays small.

import * as wasm from "../generated/module.js";
import { UTF_16LE, isAsciiCompatible } from "./numbers.js";
import { byteLengthOf, partOf, setBytes } from "./webidl.js";
import {
  LONE_SURROGATES,
  asciiBytesToString,
  asciiStringToBytes,
  asciiToString,
  isHighSurrogate,
  latin1GoesByUtf8,
  stringToUnits,
  stringToUtf16Bytes,
  utf16BytesToString,
  useMemory,
  utf16ToString,
} from "./strings.js";

/** The most bytes, or code units, that go in at once. */
const PIECE = 1 << 20;
/** The same where functions say what becomes of unmappable characters. */
const SMALL_PIECE = 1 << 12;

/** A decoder's flags. */
export const FATAL = 1;
export const IGNORE_BOM = 2;

/** What the module is told to do about unmappable characters, beside the code point of a replacement. */
export const FAIL = 0x110000;
export const HTML = 0x110001;
export const SKIP = 0x110002;
export const REPORT = 0x110003;
export const HOOK = 0x110004;

/** @type {WebAssembly.Memory | undefined} */
let memory;
let heap = new Uint8Array(0);

/** Starts with what `initSync` or `init` of the generated code gives. */
export function start(exports) {
  memory = exports.memory;
}

/** Throws where `start` has not been called. */
export function checkStarted() {
  if (memory === undefined) throw new Error('The module is not there yet: await init() of "textcodec/slim" first.');
}

/** The whole memory. A call that makes it grow leaves earlier views empty. */
function view() {
  if (heap.length === 0) {
    checkStarted();
    heap = new Uint8Array(memory.buffer);
    useMemory(heap);
  }
  return heap;
}

/** The most bytes, or code units, for what cannot go in pieces: the module's memory is 4 GiB at most. */
const MOST = 1 << 28;

function checkLength(length) {
  if (length > MOST) throw new RangeError(`More than ${MOST} bytes or code units cannot be looked at in one piece.`);
}

/** Gives bytes to the module. */
function put(bytes, length) {
  checkLength(length);
  const at = wasm.input(length);
  view().set(bytes, at);
}

/** The string that an answer of the module's decoders stands for; `null` for malformed input. */
function take(answer) {
  if (answer < 0) return null;
  const length = answer >>> 2;
  if (length === 0) return "";
  view();
  switch (answer & 3) {
    case 0:
      return utf16ToString(wasm.text(), length);
    case 1:
      return latin1ToString(length);
    default:
      return asciiToString(wasm.input(0), length);
  }
}

/** `length` bytes that the module has left, each a code point. */
function latin1ToString(length) {
  if (!latin1GoesByUtf8(length)) return asciiToString(wasm.bytes(), length);
  const written = wasm.latin1_as_utf8(length);
  view(); // the memory may have grown, and the buffer moved
  return asciiToString(wasm.utf8(), written);
}

/** All encodings: `{ name, labels }`, in the order of their numbers. */
export function readLabels() {
  const length = wasm.labels();
  view();
  const lines = asciiToString(wasm.bytes(), length).trimEnd().split("\n");
  return lines.map((line) => {
    const [name, ...labels] = line.split(" ");
    return Object.freeze({ name, labels: Object.freeze(labels) });
  });
}

/**
 * Decodes all bytes.
 * @param {number} encoding its number
 * @param {number} flags 1 for `fatal`, 2 for `ignoreBOM`
 * @param {Uint8Array} bytes
 * @returns {string | null} `null` where they are malformed and `fatal` is set
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
  if (length > PIECE) {
    const handle = wasm.open_decoder(encoding, flags);
    try {
      return decodeChunk(handle, bytes, false, (flags & FATAL) !== 0);
    } finally {
      wasm.close_decoder(handle);
    }
  }
  put(bytes, length);
  return take(wasm.decode(encoding, flags, length));
}

/** A decoder for chunks, by its number. */
export function openDecoder(encoding, flags) {
  view();
  return wasm.open_decoder(encoding, flags);
}

/** Frees it. */
export function closeDecoder(handle) {
  wasm.close_decoder(handle);
}

/** Decodes a chunk; with `stream`, more is to come. `null` for malformed input where the decoder is fatal. */
export function decodeChunk(handle, bytes, stream, fatal) {
  const length = byteLengthOf(bytes);
  // A call that throws has not seen a byte order mark, so a chunk that may throw goes in at once.
  if (length <= PIECE || (stream && fatal)) {
    put(bytes, length);
    return take(wasm.decode_chunk(handle, length, stream));
  }
  const parts = [];
  for (let from = 0; from < length; from += PIECE) {
    const piece = partOf(bytes, from, Math.min(PIECE, length - from));
    put(piece, piece.length);
    const part = take(wasm.decode_chunk(handle, piece.length, stream || from + PIECE < length));
    if (part === null) return null;
    parts.push(part);
  }
  return parts.join("");
}

/** A copy of the bytes that the last call has left. */
function takeBytes(length) {
  const at = wasm.bytes();
  return view().slice(at, at + length);
}

/** Whoever has written code units to the module knows by this number whether they are still there. */
let turn = 0;

/** Writes `length` code units of a string, from `from` on, to the `to`-th place; the turn of it. */
function putUnits(string, from, length, to) {
  checkLength(to + length);
  const at = wasm.units(to + length);
  view();
  stringToUnits(string, from, length, at + 2 * to);
  return ++turn;
}

/**
 * Encodes all of a string.
 * @param {number} encoding its number
 * @param {number} what to do about unmappable characters
 * @param {string} string
 * @param {(codePoint: number, index: number) => never} [fail] is told of the one that has ended it
 * @returns {Uint8Array}
 */
export function encodeWhole(encoding, what, string, fail) {
  if (isAsciiCompatible(encoding)) {
    const bytes = asciiStringToBytes(string);
    if (bytes !== undefined) return bytes;
  } else if (encoding === UTF_16LE) {
    const bytes = stringToUtf16Bytes(string);
    if (bytes !== undefined) return bytes;
  }
  const { length } = string;
  if (length > PIECE) return concat(encodeToParts(encoding, what, string, fail));
  putUnits(string, 0, length, 0);
  const written = wasm.encode(encoding, what, length);
  const codePoint = what === HTML ? -1 : wasm.unmappable_character();
  return codePoint < 0 ? takeBytes(written) : fail(codePoint, indexOf(codePoint, 0));
}

/** Where the character is that has ended the last call, which had `from` code units before it. */
function indexOf(codePoint, from) {
  return from + wasm.units_read() - (codePoint > 0xffff ? 2 : 1);
}

/**
 * Encodes all of a string in pieces, and goes on behind unmappable characters.
 * @param {number} encoding its number
 * @param {number} what to do about unmappable characters
 * @param {string} string
 * @param {(codePoint: number, index: number) => string | object} [instead] gives the text to be encoded in a
 * character's place, or what
 *   is to be among the parts; may throw
 * @returns {object[]} arrays of bytes, and what `instead` gave
 */
export function encodeToParts(encoding, what, string, instead) {
  const encoder = new ChunkEncoder(encoding, what);
  try {
    return encoder.encode(string, true, instead);
  } finally {
    encoder.close();
  }
}

/** An encoder for chunks. Its parameters are those of `encodeToParts`. */
export class ChunkEncoder {
  #handle;

  constructor(encoding, what) {
    view();
    this.#handle = wasm.open_encoder(encoding, what);
  }

  /** The parts of a chunk; after the `last` one, the next text begins. */
  encode(string, last, instead) {
    return encodedParts(this.#handle, string, last, instead);
  }

  /** Frees it. */
  close() {
    wasm.close_encoder(this.#handle);
  }
}

function encodedParts(handle, string, isLast, instead) {
  const parts = [];
  const encode = (start, end, last) => {
    const written = wasm.encode_chunk(handle, start, end, last);
    if (written > 0) parts.push(takeBytes(written));
    return wasm.unmappable_character();
  };
  // Where a function uses the module itself, the rest of a piece has to be written again.
  const piece = instead === undefined ? PIECE : SMALL_PIECE;
  let from = 0;
  do {
    const length = Math.min(string.length - from, piece);
    const last = isLast && from + length === string.length;
    let mine = putUnits(string, from, length, 0);
    let start = 0;
    for (;;) {
      const codePoint = encode(start, length, last);
      if (codePoint < 0) break;
      const index = indexOf(codePoint, from + start);
      start += wasm.units_read();
      const other = instead(codePoint, index);
      if (typeof other !== "string") {
        parts.push(other);
        continue;
      }
      // The function may have used the module.
      if (mine !== turn) putUnits(string, from + start, length - start, start);
      // Half a pair would wait for what follows.
      const whole = wellFormed(other);
      mine = putUnits(whole, 0, whole.length, length);
      if (encode(length, length + whole.length, false) >= 0) throw new UnmappableText(codePoint, index);
    }
    from += length;
  } while (from < string.length);
  return parts;
}

function wellFormed(string) {
  return string.replaceAll(LONE_SURROGATES, "\ufffd");
}

/** What was to be in the place of an unmappable character is unmappable, too. */
export class UnmappableText extends Error {
  constructor(codePoint, index) {
    super();
    this.codePoint = codePoint;
    this.index = index;
  }
}

/** One array of many. */
export function concat(parts) {
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * UTF-8 into a destination.
 * @returns {{ read: number, written: number }} code units of the source, bytes of the destination
 */
export function encodeInto(string, destination) {
  const all = byteLengthOf(destination);
  let read = 0;
  let written = 0;
  for (;;) {
    // A code unit is at least a byte, so what is behind so many has no room. A pair stays together.
    let length = Math.min(string.length - read, all - written, PIECE);
    if (length > 0 && length < string.length - read && isHighSurrogate(string, read + length - 1)) length--;
    putUnits(string, read, length, 0);
    const room = Math.min(all - written, 3 * length);
    const more = wasm.encode_into(length, room);
    const moreRead = wasm.units_read();
    const from = wasm.bytes();
    setBytes(destination, view().subarray(from, from + more), written);
    read += moreRead;
    written += more;
    if (moreRead < length || length === 0) return { read, written };
  }
}

/**
 * Decodes all bytes with U+FFFD for errors, and lists the first `limit` of them.
 * @returns {{ text: string, errors: { start: number, end: number, index: number }[] }}
 */
export function report(encoding, keepBom, bytes, limit) {
  const length = byteLengthOf(bytes);
  put(bytes, length);
  const text = take(wasm.report(encoding, keepBom ? 1 : 0, length, Math.min(limit, MOST)));
  const count = wasm.spans_len();
  const spans = new Uint32Array(view().buffer, wasm.spans(), 3 * count);
  const errors = [];
  for (let n = 0; n < spans.length; n += 3) {
    errors.push({ start: spans[n], end: spans[n + 1], index: spans[n + 2] });
  }
  return { text, errors };
}
