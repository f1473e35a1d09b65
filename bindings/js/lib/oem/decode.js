// Functions that decode. One byte is one code unit, so offsets in the text are those of the bytes.

import { DecodeError, Decoder as LabelledDecoder, bomSniff, decode as decodeLabelled, decodeAndReport as reportLabelled, internal } from "../core.js";
import { toPageOrLabel } from "./encodings.js";
import { isOverridden, tablesOf } from "./page.js";

const { MAX_ERRORS, asciiBytesToString, byteLengthOf, checkBom, concat, mayBecomeBom, nativeBuffer, nativeUtf16, toBytes, toFunction, toOptions } = internal;

const UNASSIGNED = "\ufffd";
const NONE = new Uint8Array(0);

/** The maximum number of bytes that are decoded at a time. */
const BLOCK = 1 << 16;
/** The maximum number of arguments of a call that all engines support. */
const MAX_ARGUMENTS = 4096;

/** The memory for the code units of a block, in which they have one byte or two. */
let memory = new ArrayBuffer(0);
let units = new Uint16Array(0);
let narrow = new Uint8Array(0);
/** The same as a Buffer, in Node. */
let buffer;

/** Makes the memory large enough for a block. */
function reserve(length) {
  if (units.length >= length) return;
  memory = new ArrayBuffer(2 * Math.min(BLOCK, Math.max(256, 2 * length)));
  units = new Uint16Array(memory);
  narrow = new Uint8Array(memory);
  buffer = nativeBuffer?.from(memory);
}

/** Returns the text of bytes. Unassigned bytes are U+FFFD. */
function textOf(page, bytes) {
  const tables = tablesOf(page);
  const length = byteLengthOf(bytes);
  if (tables.isAscii) {
    const text = asciiBytesToString(bytes, length);
    if (text !== undefined) return text;
  }
  reserve(Math.min(length, BLOCK));
  const block = tables.isLatin1 ? latin1Block : utf16Block;
  let text = "";
  for (let from = 0; from < length; from += BLOCK) text += block(tables.units, bytes, from, Math.min(from + BLOCK, length));
  return text;
}

// One loop for each type of array, so that engines compile each for one type.

function latin1Block(table, bytes, from, to) {
  const target = narrow;
  for (let n = from; n < to; n++) target[n - from] = table[bytes[n]];
  if (buffer !== undefined) return buffer.latin1Slice(0, to - from);
  return fromCharCodes(target, to - from);
}

function utf16Block(table, bytes, from, to) {
  const target = units;
  let n = from;
  // Four at a time, which takes a sixth less time.
  for (; n + 3 < to; n += 4) {
    const first = table[bytes[n]];
    const second = table[bytes[n + 1]];
    const third = table[bytes[n + 2]];
    const fourth = table[bytes[n + 3]];
    target[n - from] = first;
    target[n - from + 1] = second;
    target[n - from + 2] = third;
    target[n - from + 3] = fourth;
  }
  for (; n < to; n++) target[n - from] = table[bytes[n]];
  if (buffer !== undefined) return buffer.ucs2Slice(0, 2 * (to - from));
  // No table has surrogates.
  if (nativeUtf16 !== undefined) return nativeUtf16.decode(target.subarray(0, to - from));
  return fromCharCodes(target, to - from);
}

function fromCharCodes(units, length) {
  let text = "";
  for (let from = 0; from < length; from += MAX_ARGUMENTS) {
    text += String.fromCharCode.apply(null, units.subarray(from, Math.min(from + MAX_ARGUMENTS, length)));
  }
  return text;
}

/** Calls a function with the offset of each unassigned byte, until it returns false. */
function eachUnassigned(page, text, act) {
  if (tablesOf(page).isTotal) return;
  for (let at = text.indexOf(UNASSIGNED); at >= 0 && act(at) !== false; at = text.indexOf(UNASSIGNED, at + 1));
}

/** Throws if a text has unassigned bytes. `offset` is that of its start. */
function checkAssigned(page, text, offset) {
  eachUnassigned(page, text, (at) => {
    throw new DecodeError(page.name, offset + at, offset + at + 1);
  });
}

/** Returns the encoding of a byte order mark that overrides the page, or `null`. */
const markOf = (page, bom, bytes) => (bom === "sniff" && isOverridden(page) ? bomSniff(bytes) : null);

export function decode(bytes, encoding, options = undefined) {
  const page = toPageOrLabel(encoding);
  if (typeof page === "string") return decodeLabelled(bytes, page, options);
  const { bom = "sniff", fatal = false } = toOptions(options);
  checkBom(bom);
  const input = toBytes(bytes);
  const mark = markOf(page, bom, input);
  if (mark !== null) return decodeLabelled(input, mark, { bom: "own", fatal });
  const text = textOf(page, input);
  if (fatal) checkAssigned(page, text, 0);
  return text;
}

export function decodeAndReport(bytes, encoding, options = undefined) {
  const page = toPageOrLabel(encoding);
  if (typeof page === "string") return reportLabelled(bytes, page, options);
  const { bom = "sniff", limit = 1000 } = toOptions(options);
  checkBom(bom);
  const most = Math.min(limit, MAX_ERRORS + 1) | 0;
  if (!(limit >= 0)) throw new RangeError("limit must be a non-negative number.");
  const input = toBytes(bytes);
  const mark = markOf(page, bom, input);
  if (mark !== null) return reportLabelled(input, mark, { limit });
  const text = textOf(page, input);
  const errors = [];
  eachUnassigned(page, text, (at) => errors.length < most && errors.push({ start: at, end: at + 1, index: at }) > 0);
  if (errors.length > MAX_ERRORS) {
    throw new RangeError(`There are more than ${MAX_ERRORS} errors. Pass a lower limit: the list would need too much memory.`);
  }
  return { text, encoding: page.name, bom: false, errors };
}

class PageDecoder {
  #page;
  #options;
  /** The decoder of the encoding of a byte order mark, once one was found. */
  #marked;
  /** The first bytes, while they may be a part of a byte order mark. */
  #first = NONE;
  #isAtStart = true;
  /** The number of bytes that were decoded. */
  #offset = 0;
  #encoding;

  constructor(page, options) {
    const { bom = "sniff", fatal = false, onMalformed = undefined } = toOptions(options);
    checkBom(bom);
    this.#page = page;
    this.#encoding = page.name;
    this.#options = { bom, fatal: Boolean(fatal), onMalformed: toFunction(onMalformed, "onMalformed") };
  }

  get encoding() {
    return this.#encoding;
  }

  write(bytes) {
    return this.#decode(toBytes(bytes), false);
  }

  end() {
    return this.#decode(NONE, true);
  }

  #decode(bytes, last) {
    const { bom, fatal, onMalformed } = this.#options;
    const chunk = this.#first.length > 0 ? concat([this.#first, bytes]) : bytes;
    if (this.#isAtStart) {
      const mark = markOf(this.#page, bom, chunk);
      this.#encoding = mark ?? this.#page.name;
      if (mark !== null) this.#marked = new LabelledDecoder(mark, { bom: "own", fatal, onMalformed });
      else if (!last && bom === "sniff" && isOverridden(this.#page) && mayBecomeBom(chunk)) {
        this.#first = new Uint8Array(chunk); // not `slice`, which does not copy a Buffer
        return "";
      }
    }
    const marked = this.#marked;
    const offset = this.#offset;
    this.#first = NONE;
    this.#isAtStart = last;
    this.#offset = last ? 0 : offset + byteLengthOf(chunk);
    if (last) this.#marked = undefined;
    if (marked !== undefined) return marked.write(chunk) + (last ? marked.end() : "");
    const text = textOf(this.#page, chunk);
    // If one of these throws, the chunk has been decoded nevertheless.
    if (fatal) checkAssigned(this.#page, text, offset);
    else if (onMalformed !== undefined) {
      eachUnassigned(this.#page, text, (at) => void onMalformed({ start: offset + at, end: offset + at + 1 }));
    }
    return text;
  }
}

export class Decoder {
  #decoder;

  constructor(encoding, options = undefined) {
    const page = toPageOrLabel(encoding);
    this.#decoder = typeof page === "string" ? new LabelledDecoder(page, options) : new PageDecoder(page, options);
  }

  get encoding() {
    return this.#decoder.encoding;
  }

  write(bytes) {
    return this.#decoder.write(bytes);
  }

  end() {
    return this.#decoder.end();
  }
}
