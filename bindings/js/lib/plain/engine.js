// The engine in plain JavaScript: the same functions as ../engine.js, for platforms without WebAssembly.

import { UTF_8, hasBom, isAsciiCompatible } from "../numbers.js";
import { FAIL, FATAL, HTML, IGNORE_BOM, REPORT, SKIP, UnmappableText, concat, wellFormed } from "../policies.js";
import { isHighSurrogate } from "../surrogates.js";
import { byteLengthOf, setBytes } from "../webidl.js";
import { CONTINUE, END, ERROR, FINISHED, newDecoder } from "./decoders.js";
import { MAPPED, newEncoder } from "./encoders.js";

export function checkStarted() {}

/** Here is nothing to discard. */
export function discardAfter() {}

/** Text that grows, in code units. */
class Text {
  #parts = [];
  #units = new Uint16Array(4096);
  #count = 0;
  length = 0;

  putUnit(unit) {
    if (this.#count === this.#units.length) this.#flush();
    this.#units[this.#count++] = unit;
    this.length++;
  }

  put(code) {
    if (code > 0xffff) this.putUnit(0xd7c0 + (code >> 10));
    this.putUnit(code > 0xffff ? 0xdc00 | (code & 0x3ff) : code);
  }

  #flush() {
    this.#parts.push(String.fromCharCode.apply(null, this.#units.subarray(0, this.#count)));
    this.#count = 0;
  }

  toString() {
    this.#flush();
    return this.#parts.join("");
  }
}

/** A decoder for chunks. Its interface is that of the module's engine. */
export class ChunkDecoder {
  #number;
  #flags;
  #decoder;
  #hasSeenText = false;
  /** The number of bytes read, and the offset of the current sequence. */
  #position = 0;
  #start = 0;

  constructor(number, flags) {
    this.#number = number;
    this.#flags = flags;
    this.#decoder = newDecoder(number);
  }

  decode(bytes, stream, { limit = 0, errors = [], fail } = {}) {
    const text = new Text();
    const queue = [];
    const length = byteLengthOf(bytes);
    const decoder = this.#decoder;
    const ascii = isAsciiCompatible(this.#number);
    let at = 0;
    for (;;) {
      if (decoder.isNeutral) {
        while (ascii && queue.length === 0 && at < length && bytes[at] < 0x80) {
          text.putUnit(bytes[at++]);
          this.#position++;
        }
        this.#start = this.#position;
      }
      let byte = END;
      if (queue.length > 0) byte = queue.shift();
      else if (at < length) byte = bytes[at++];
      else if (stream) break;
      if (byte !== END) this.#position++;
      const restored = [];
      const code = decoder.handle(byte, restored);
      if (restored.length > 0) {
        queue.unshift(...restored);
        this.#position -= restored.length;
      }
      if (code === FINISHED) break;
      if (code === ERROR) {
        if (this.#flags & FATAL) {
          decoder.discardQueue?.();
          const [start, end] = [this.#start, this.#position];
          this.#position += length - at + queue.length;
          if (!stream) this.#restart();
          return fail === undefined ? null : fail(start, end);
        }
        if (errors.length < limit) errors.push({ start: this.#start, end: this.#position, index: text.length });
        text.putUnit(0xfffd);
      } else if (code !== CONTINUE) {
        if (code > 0x10ffff) text.put(Math.floor(code / 0x200000));
        text.put(code > 0x10ffff ? code % 0x200000 : code);
      }
    }
    const result = this.#withoutBom(text.toString(), errors);
    if (!stream) this.#restart();
    return result;
  }

  #restart() {
    this.#decoder = newDecoder(this.#number);
    this.#hasSeenText = false;
    this.#position = 0;
  }

  #withoutBom(text, errors) {
    if (text === "" || this.#hasSeenText) return text;
    this.#hasSeenText = true;
    if (!hasBom(this.#number) || this.#flags & IGNORE_BOM || text.charCodeAt(0) !== 0xfeff) return text;
    for (const error of errors) error.index--;
    return text.slice(1);
  }
}

export function decodeWhole(number, flags, bytes, fail) {
  return new ChunkDecoder(number, flags).decode(bytes, false, { fail });
}

/** Whether the bytes before a character that is reported are those of the standard's handler. */
const followsHandler = (policy) => policy === FAIL || policy === HTML;

/** Calls a function for each code point of a text, with the index of its first unit. Unpaired surrogates become U+FFFD. */
function forEachCodePoint(text, act) {
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at);
    act(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code, at);
    at += code > 0xffff ? 2 : 1;
  }
}

/** An encoder for chunks. */
export class ChunkEncoder {
  #policy;
  #encoder;
  /** A high surrogate at the end of the last chunk, or "". */
  #high = "";

  constructor(number, policy) {
    this.#encoder = newEncoder(number, followsHandler(policy));
    // A replacement that is unmappable itself is an error.
    this.#policy = policy < FAIL && newEncoder(number, false).handle(policy, []) !== MAPPED ? FAIL : policy;
  }

  /**
   * Encodes a chunk and returns its parts. After the `last` chunk, a new text starts. If the call throws, the encoder is in the
   * same state as before.
   */
  encode(string, last, replace) {
    const encoder = this.#encoder.copy?.() ?? this.#encoder;
    const parts = [];
    let bytes = [];
    const flush = () => {
      if (bytes.length > 0) parts.push(Uint8Array.from(bytes));
      bytes = [];
    };
    const start = this.#high.length;
    const text = this.#high + string;
    const end = text.length - (!last && isHighSurrogate(text, text.length - 1) ? 1 : 0);
    forEachCodePoint(text.slice(0, end), (code, index) => {
      const unmappable = encoder.handle(code, bytes);
      if (unmappable !== MAPPED) this.#replace(encoder, unmappable, index - start, bytes, replace);
      if (bytes.length >= 0x8000) flush();
    });
    if (last) encoder.finish?.(bytes);
    flush();
    this.#encoder = encoder;
    this.#high = text.slice(end);
    return parts;
  }

  /** Encodes what replaces an unmappable character. */
  #replace(encoder, code, index, bytes, replace) {
    const replacement = {
      [HTML]: () => `&#${code};`,
      [SKIP]: () => "",
      [REPORT]: () => wellFormed(replace(code, index)),
      [FAIL]: () => replace(code, index),
    }[this.#policy];
    forEachCodePoint(replacement?.() ?? String.fromCodePoint(this.#policy), (other) => {
      if (encoder.handle(other, bytes) !== MAPPED) throw new UnmappableText(code, index);
    });
  }
}

export function encodeToParts(number, policy, string, replace) {
  return new ChunkEncoder(number, policy).encode(string, true, replace);
}

export function encodeWhole(number, policy, string, fail) {
  return concat(encodeToParts(number, policy, string, fail));
}

export function encodeInto(string, destination) {
  const encoder = newEncoder(UTF_8);
  const capacity = byteLengthOf(destination);
  let [read, written] = [0, 0];
  while (read < string.length) {
    const code = string.codePointAt(read);
    const bytes = [];
    encoder.handle(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code, bytes);
    if (written + bytes.length > capacity) break;
    setBytes(destination, bytes, written);
    written += bytes.length;
    read += code > 0xffff ? 2 : 1;
  }
  return { read, written };
}

export function percentEncode(number, string, set, spaceAsPlus) {
  const encoder = newEncoder(number, true);
  let bytes = [];
  let output = "";
  const flush = () => {
    for (const byte of bytes) {
      if (spaceAsPlus && byte === 0x20) output += "+";
      else output += set[byte] === 0 ? String.fromCharCode(byte) : "%" + byte.toString(16).toUpperCase().padStart(2, "0");
    }
    bytes = [];
  };
  forEachCodePoint(string, (code) => {
    const unmappable = encoder.handle(code, bytes);
    flush();
    if (unmappable !== MAPPED) output += `%26%23${unmappable}%3B`;
  });
  encoder.finish?.(bytes);
  flush();
  return output;
}
