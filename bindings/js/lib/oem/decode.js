// Functions that decode. In a page, one byte is one code unit, so offsets in the text are those of the bytes.

import { DecodeError, Decoder as LabelledDecoder, bomSniff, decode as decodeLabelled, decodeAndReport as reportLabelled, internal } from "../core.js";
import { CodedText, isCoded } from "./coded.js";
import { toEncodingOrLabel } from "./encodings.js";
import { isOverridden, tablesOf } from "./page.js";
import { BLOCK, latin1Text, narrow, reserve, units, utf16Text } from "./units.js";

const { MAX_ERRORS, asciiBytesToString, byteLengthOf, checkBom, concat, mayBecomeBom, partOf, toBytes, toFunction, toOptions } = internal;

const UNASSIGNED = "\ufffd";
const NONE = new Uint8Array(0);

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
  return latin1Text(to - from);
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
  return utf16Text(to - from); // no table has surrogates
}

/** Calls a function with the offset of each unassigned byte, until it returns false. */
function eachUnassigned(page, text, act) {
  if (tablesOf(page).isTotal) return;
  for (let at = text.indexOf(UNASSIGNED); at >= 0 && act(at) !== false; at = text.indexOf(UNASSIGNED, at + 1));
}

/** Returns a function that throws the error of malformed bytes. */
const failureOf =
  ({ name }) =>
  (start, end) => {
    throw new DecodeError(name, start, end);
  };

/** Throws if a text has unassigned bytes. `offset` is that of its start. */
function checkAssigned(page, text, offset) {
  eachUnassigned(page, text, (at) => failureOf(page)(offset + at, offset + at + 1));
}

/** Returns the encoding of a byte order mark that overrides the page, or `null`. */
const markOf = (page, bom, bytes) => (bom === "sniff" && isOverridden(page) ? bomSniff(bytes) : null);

export function decode(bytes, encoding, options = undefined) {
  const page = toEncodingOrLabel(encoding);
  if (typeof page === "string") return decodeLabelled(bytes, page, options);
  const { bom = "sniff", fatal = false } = toOptions(options);
  checkBom(bom);
  const input = toBytes(bytes);
  if (isCoded(page)) return new CodedText(page).decode(input, true, fatal ? failureOf(page) : undefined);
  const mark = markOf(page, bom, input);
  if (mark !== null) return decodeLabelled(input, mark, { bom: "own", fatal });
  const text = textOf(page, input);
  if (fatal) checkAssigned(page, text, 0);
  return text;
}

export function decodeAndReport(bytes, encoding, options = undefined) {
  const page = toEncodingOrLabel(encoding);
  if (typeof page === "string") return reportLabelled(bytes, page, options);
  const { bom = "sniff", limit = 1000 } = toOptions(options);
  checkBom(bom);
  const most = Math.min(limit, MAX_ERRORS + 1) | 0;
  if (!(limit >= 0)) throw new RangeError("limit must be a non-negative number.");
  const input = toBytes(bytes);
  const errors = [];
  /** Returns whether the list takes another error. */
  const add = (start, end, index) => errors.length < most && errors.push({ start, end, index }) > 0;
  let text;
  if (isCoded(page)) text = new CodedText(page).decode(input, true, add);
  else {
    const mark = markOf(page, bom, input);
    if (mark !== null) return reportLabelled(input, mark, { limit });
    text = textOf(page, input);
    eachUnassigned(page, text, (at) => add(at, at + 1, at));
  }
  if (errors.length > MAX_ERRORS) {
    throw new RangeError(`There are more than ${MAX_ERRORS} errors. Pass a lower limit: the list would need too much memory.`);
  }
  return { text, encoding: page.name, bom: false, errors };
}

/** The options of a decoder, checked. */
function readOptions(options) {
  const { bom = "sniff", fatal = false, onMalformed = undefined } = toOptions(options);
  checkBom(bom);
  return { bom, fatal: Boolean(fatal), onMalformed: toFunction(onMalformed, "onMalformed") };
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
    this.#page = page;
    this.#encoding = page.name;
    this.#options = readOptions(options);
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

class CodedDecoder {
  #text;
  #act;

  constructor(encoding, options) {
    const { fatal, onMalformed } = readOptions(options);
    this.encoding = encoding.name;
    this.#text = new CodedText(encoding);
    this.#act = fatal ? failureOf(encoding) : onMalformed && ((start, end) => void onMalformed({ start, end }));
  }

  write(bytes) {
    return this.#decode(toBytes(bytes), false);
  }

  end() {
    return this.#decode(NONE, true);
  }

  #decode(bytes, last) {
    const act = this.#act;
    if (act === undefined) return this.#text.decode(bytes, last);
    const length = byteLengthOf(bytes);
    const thrown = [];
    let text = "";
    let from = 0;
    do {
      const part = partOf(bytes, from, Math.min(BLOCK, length - from));
      from += part.length;
      const errors = [];
      text += this.#text.decode(part, last && from === length, (start, end) => void errors.push({ start, end }));
      // The function may use this decoder, so it is not called before the state is stored. If it throws, the chunk has been decoded
      // nevertheless.
      try {
        if (thrown.length === 0) for (const { start, end } of errors) act(start, end);
      } catch (error) {
        thrown.push(error);
      }
    } while (from < length);
    if (thrown.length > 0) throw thrown[0];
    return text;
  }
}

/** Returns the decoder of what an argument means. */
function newDecoder(encoding, options) {
  if (typeof encoding === "string") return new LabelledDecoder(encoding, options);
  return isCoded(encoding) ? new CodedDecoder(encoding, options) : new PageDecoder(encoding, options);
}

export class Decoder {
  #decoder;

  constructor(encoding, options = undefined) {
    this.#decoder = newDecoder(toEncodingOrLabel(encoding), options);
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
