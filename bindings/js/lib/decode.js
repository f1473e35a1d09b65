// Functions that decode: *decode* and *BOM sniff* of section 6, and those that are not in the standard.

import { checkBom, nameOf, sniffBom, toEncoding, toFunction, toOptions } from "./arguments.js";
import { ChunkDecoder, discardAfter } from "./engine.js";
import { DecodeError } from "./errors.js";
import { FATAL, IGNORE_BOM, concat } from "./policies.js";
import { decodeText } from "./utf8.js";
import { byteLengthOf, partOf, toBytes } from "./webidl.js";

export function bomSniff(bytes) {
  const number = sniffBom(toBytes(bytes));
  return number === undefined ? null : nameOf(number);
}

function thrower(number) {
  return (start, end) => {
    throw new DecodeError(nameOf(number), start, end);
  };
}

const flagsOf = (bom, fatal) => (bom === "keep" ? IGNORE_BOM : 0) | (fatal ? FATAL : 0);

export function decode(bytes, label = "utf-8", options = undefined) {
  const { bom = "sniff", fatal = false } = toOptions(options);
  checkBom(bom);
  const labelled = toEncoding(label);
  const input = toBytes(bytes); // after all conversions, in which the caller's functions may detach the buffer
  const number = (bom === "sniff" ? sniffBom(input) : undefined) ?? labelled;
  return decodeText(number, flagsOf(bom, fatal), input, thrower(number));
}

/** The maximum number of errors in a list. They take a few hundred megabytes. */
export const MAX_ERRORS = 1 << 22;

export function decodeAndReport(bytes, label = "utf-8", options = undefined) {
  const { bom = "sniff", limit = 1000 } = toOptions(options);
  checkBom(bom);
  const labelled = toEncoding(label);
  const most = Math.min(limit, MAX_ERRORS + 1);
  if (!(most >= 0)) throw new RangeError("limit must be a non-negative number.");
  const input = toBytes(bytes);
  const marked = bom === "sniff" ? sniffBom(input) : undefined;
  const number = marked ?? labelled;
  const errors = [];
  const decoder = new ChunkDecoder(number, flagsOf(bom, false));
  const text = decoder.decode(input, false, { limit: most | 0, errors });
  if (errors.length > MAX_ERRORS) {
    throw new RangeError(`There are more than ${MAX_ERRORS} errors. Pass a lower limit: the list would need too much memory.`);
  }
  return { text, encoding: nameOf(number), bom: marked !== undefined, errors };
}

const NONE = new Uint8Array(0);

/** The maximum number of bytes whose errors are listed before they are reported: a list takes a hundred bytes for an error. */
const PART = 1 << 16;

/** Decodes a text in chunks. */
export class Decoder {
  /** The encoding of the label. */
  #labelled;
  /** The encoding of the text. */
  #number;
  #bom;
  #fatal;
  #onMalformed;
  /** The first bytes, while they may be a part of a byte order mark. */
  #first = NONE;
  /** The engine's decoder, or `undefined` at the start of a text. */
  #decoder;

  constructor(label = "utf-8", options = undefined) {
    const { bom = "sniff", fatal = false, onMalformed = undefined } = toOptions(options);
    checkBom(bom);
    this.#labelled = this.#number = toEncoding(label);
    this.#bom = bom;
    this.#fatal = Boolean(fatal);
    this.#onMalformed = toFunction(onMalformed, "onMalformed");
  }

  /** The name of the encoding: that of the byte order mark, once one was found. */
  get encoding() {
    return nameOf(this.#number);
  }

  write(bytes) {
    return this.#decode(toBytes(bytes), true);
  }

  end() {
    return this.#decode(NONE, false);
  }

  #decode(bytes, stream) {
    const chunk = this.#first.length > 0 ? concat([this.#first, bytes]) : bytes;
    if (this.#decoder === undefined) {
      const sniffs = this.#bom === "sniff";
      this.#number = (sniffs ? sniffBom(chunk) : undefined) ?? this.#labelled;
      if (sniffs && stream && mayBecomeBom(chunk)) {
        this.#first = new Uint8Array(chunk); // not `slice`, which does not copy a Buffer
        return "";
      }
    }
    const decoder = this.#decoder ?? new ChunkDecoder(this.#number, flagsOf(this.#bom, this.#fatal));
    const finish = () => {
      this.#first = NONE;
      this.#decoder = stream ? decoder : undefined;
    };
    const fail = (start, end) => {
      finish();
      thrower(this.#number)(start, end);
    };
    const report = this.#onMalformed;
    if (report === undefined || this.#fatal) {
      const text = decoder.decode(chunk, stream, { fail });
      finish();
      return text;
    }
    const length = byteLengthOf(chunk);
    const thrown = [];
    let text = "";
    let from = 0;
    do {
      const part = partOf(chunk, from, Math.min(PART, length - from));
      from += part.length;
      const errors = [];
      text += decoder.decode(part, stream || from < length, { limit: Infinity, errors, fail });
      if (from === length) finish();
      // If the function throws, the chunk has been decoded nevertheless.
      try {
        if (thrown.length === 0) for (const { start, end } of errors) report({ start, end });
      } catch (error) {
        thrown.push(error);
      }
    } while (from < length);
    discardAfter(length);
    if (thrown.length > 0) throw thrown[0];
    return text;
  }
}

/** Returns whether bytes are a part of a byte order mark. */
export function mayBecomeBom({ length, 0: first, 1: second }) {
  if (length > 2) return false;
  if (first === 0xef) return length === 1 || second === 0xbb;
  return length === 0 || (length === 1 && (first === 0xfe || first === 0xff));
}
