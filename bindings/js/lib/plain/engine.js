// The engine in plain JavaScript: the same functions as ../engine.js, for platforms without WebAssembly.

import { REPLACEMENT, UTF_8, hasBom, isAsciiCompatible } from "../numbers.js";
import { FAIL, FATAL, HOOK, HTML, IGNORE_BOM, REPORT, SKIP, UnmappableText, concat, wellFormed } from "../policies.js";
import { byteLengthOf } from "../webidl.js";
import { CONTINUE, END, ERROR, FINISHED, newDecoder } from "./decoders.js";
import { MAPPED, newEncoder } from "./encoders.js";

export function checkStarted() {}

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

/** A decoder with the byte order mark's handling, and the state between chunks. */
class ChunkDecoder {
  #number;
  #flags;
  #decoder;
  #hasSeenBom = false;
  /** The number of bytes read, and the offset of the current sequence. */
  #position = 0;
  #start = 0;

  constructor(number, flags) {
    this.#number = number;
    this.#flags = flags;
    this.#decoder = newDecoder(number);
  }

  /**
   * Decodes a chunk. `onError` is called with the offsets of malformed bytes and the length of the text before them.
   * Returns `null` for malformed input if the decoder is fatal.
   */
  decode(bytes, stream, onError) {
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
          if (!stream) this.#restart();
          return null;
        }
        onError?.(this.#start, this.#position, text.length);
        text.putUnit(0xfffd);
      } else if (code !== CONTINUE) {
        if (code > 0x10ffff) text.put(Math.floor(code / 0x200000));
        text.put(code > 0x10ffff ? code % 0x200000 : code);
      }
    }
    const result = this.#withoutBom(text.toString());
    if (!stream) this.#restart();
    return result;
  }

  #restart() {
    this.#decoder = newDecoder(this.#number);
    this.#hasSeenBom = false;
    this.#position = 0;
  }

  #withoutBom(text) {
    if (text === "" || this.#hasSeenBom) return text;
    this.#hasSeenBom = true;
    return hasBom(this.#number) && !(this.#flags & IGNORE_BOM) && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
}

export function openDecoder(number, flags) {
  return new ChunkDecoder(number, flags);
}

export function closeDecoder() {}

export function decodeChunk(decoder, bytes, stream) {
  return decoder.decode(bytes, stream);
}

export function decodeWhole(number, flags, bytes) {
  return new ChunkDecoder(number, flags).decode(bytes, false);
}

export function report(number, keepBom, bytes, limit) {
  const length = byteLengthOf(bytes);
  const errors = [];
  if (number === REPLACEMENT) {
    if (length === 0) return { text: "", errors };
    if (limit >= 1) errors.push({ start: 0, end: 1, index: 0 });
    return { text: "\ufffd", errors };
  }
  let removed = 0;
  const decoder = new ChunkDecoder(number, IGNORE_BOM);
  let text = decoder.decode(bytes, false, (start, end, index) => {
    if (errors.length < limit) errors.push({ start, end, index });
  });
  if (!keepBom && hasBom(number) && text.charCodeAt(0) === 0xfeff) {
    text = text.slice(1);
    removed = 1;
  }
  for (const error of errors) error.index -= removed;
  return { text, errors };
}

/** The policies of which a code unit of the output depends on the standard's handler. */
const followsHandler = (policy) => policy === FAIL || policy === HTML || policy === HOOK;

/** An encoder for chunks. */
export class ChunkEncoder {
  #policy;
  #encoder;
  #number;
  /** A high surrogate at the end of the last chunk, or "". */
  #high = "";

  constructor(number, policy) {
    this.#number = number;
    this.#policy = policy;
    this.#encoder = newEncoder(number, followsHandler(policy));
    // A replacement that is unmappable itself is an error.
    if (policy < FAIL && newEncoder(number, false).handle(policy, []) !== MAPPED) this.#policy = FAIL;
  }

  /** Encodes a chunk and returns its parts. After the `last` chunk, a new text starts. */
  encode(string, last, replace) {
    const parts = [];
    let bytes = [];
    const flush = () => {
      if (bytes.length > 0) parts.push(Uint8Array.from(bytes));
      bytes = [];
    };
    const before = this.#high.length;
    let text = this.#high + string;
    this.#high = "";
    if (!last && /[\ud800-\udbff]$/.test(text)) {
      this.#high = text.slice(-1);
      text = text.slice(0, -1);
    }
    for (let at = 0; at < text.length; ) {
      let code = text.codePointAt(at);
      const next = at + (code > 0xffff ? 2 : 1);
      if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
      const unmappable = this.#encoder.handle(code, bytes);
      if (unmappable !== MAPPED) {
        const inserted = this.#replace(unmappable, at - before, bytes, replace);
        if (inserted !== undefined) {
          flush();
          parts.push(inserted);
        }
      }
      at = next;
      if (bytes.length > 0x8000) flush();
    }
    if (last) {
      this.#encoder.finish?.(bytes);
    }
    flush();
    return parts;
  }

  /** Handles an unmappable character. Returns an object to insert among the parts, if `replace` has returned one. */
  #replace(code, index, bytes, replace) {
    const put = (text) => {
      for (const character of text) {
        if (this.#encoder.handle(character.codePointAt(0), bytes) !== MAPPED) throw new UnmappableText(code, index);
      }
    };
    switch (this.#policy) {
      case HTML:
        return put(`&#${code};`);
      case SKIP:
        return undefined;
      case REPORT:
      case HOOK:
      case FAIL: {
        const replacement = replace(code, index);
        return typeof replacement === "string" ? put(wellFormed(replacement)) : replacement;
      }
    }
    return put(String.fromCodePoint(this.#policy));
  }

  close() {}
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
  let read = 0;
  let written = 0;
  while (read < string.length) {
    const bytes = [];
    let code = string.codePointAt(read);
    const units = code > 0xffff ? 2 : 1;
    if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
    encoder.handle(code, bytes);
    if (written + bytes.length > capacity) break;
    for (const byte of bytes) destination[written++] = byte;
    read += units;
  }
  return { read, written };
}
