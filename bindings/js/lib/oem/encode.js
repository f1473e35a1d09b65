// Functions that encode.

import { EncodeError, Encoder as LabelledEncoder, encode as encodeLabelled, internal } from "../core.js";
import { toPageOrLabel } from "./encodings.js";
import { UNMAPPABLE, tablesOf } from "./page.js";

const { asciiStringToBytes, checkWellFormed, encodeSingle, isHighSurrogate, readOptions, toDOMString, toFunction, toOptions } = internal;

const failureOf =
  ({ name }) =>
  (codePoint, index) => {
    throw new EncodeError(name, codePoint, index);
  };

/**
 * Encodes a string.
 * @param {CodePage} page
 * @param {string} string
 * @param {number} offset the index of its start in the text
 * @param {(codePoint: number, index: number) => string} replace returns the text in place of an unmappable character; may throw
 */
function bytesOf(page, string, offset, replace) {
  const tables = tablesOf(page);
  const bytes = tables.isAscii ? asciiStringToBytes(string) : undefined;
  return bytes ?? encodeSingle(tables.bytes, string) ?? replacedBytes(page, string, offset, replace);
}

function replacedBytes(page, string, offset, replace) {
  const table = tablesOf(page).bytes;
  let bytes = new Uint8Array(string.length + 64);
  let length = 0;
  const push = (byte) => {
    if (length === bytes.length) {
      const longer = new Uint8Array(2 * length);
      longer.set(bytes);
      bytes = longer;
    }
    bytes[length++] = byte;
  };
  for (let n = 0; n < string.length; n++) {
    const byte = table[string.charCodeAt(n)];
    if (byte !== UNMAPPABLE) {
      push(byte);
      continue;
    }
    const index = offset + n;
    let codePoint = string.codePointAt(n);
    if (codePoint > 0xffff) n++;
    else if ((codePoint & 0xf800) === 0xd800) codePoint = 0xfffd;
    const replacement = replace(codePoint, index);
    for (let at = 0; at < replacement.length; at++) {
      const byte = table[replacement.charCodeAt(at)];
      // A replacement that is unmappable is an error of the character that it replaces.
      if (byte === UNMAPPABLE) failureOf(page)(codePoint, index);
      push(byte);
    }
  }
  return bytes.slice(0, length);
}

export function encode(string, encoding, options = undefined) {
  const text = toDOMString(string);
  const page = toPageOrLabel(encoding);
  if (typeof page === "string") return encodeLabelled(text, page, options);
  const fail = failureOf(page);
  const { textFor, isStrict } = readOptions(fail, "", options);
  if (isStrict) checkWellFormed(text, fail, 0);
  return bytesOf(page, text, 0, textFor);
}

export function encodeOrFail(string, encoding, options = undefined) {
  const { surrogates = "fail", bom = false } = toOptions(options);
  return encode(string, encoding, { unmappable: "fail", surrogates, bom });
}

class PageEncoder {
  #page;
  #options;
  #onUnmappable;
  /** The number of code units before the next chunk. */
  #offset = 0;
  /** A high surrogate at the end of the last chunk, or "". */
  #high = "";

  constructor(page, options) {
    this.#page = page;
    this.#options = readOptions(failureOf(page), "", options);
    this.#onUnmappable = toFunction(toOptions(options).onUnmappable, "onUnmappable");
  }

  get encoding() {
    return this.#page.name;
  }

  write(string) {
    return this.#encode(toDOMString(string), false);
  }

  end() {
    return this.#encode("", true);
  }

  #encode(string, last) {
    const { isStrict, textFor } = this.#options;
    const all = this.#high + string;
    const end = all.length - (!last && isHighSurrogate(all, all.length - 1) ? 1 : 0);
    const text = all.slice(0, end);
    const offset = this.#offset - this.#high.length;
    if (isStrict) checkWellFormed(text, failureOf(this.#page), offset);
    const bytes = bytesOf(this.#page, text, offset, (codePoint, index) => {
      const replacement = textFor(codePoint, index); // throws if the character is not replaced
      this.#onUnmappable?.({ codePoint, index });
      return replacement;
    });
    // The call cannot throw from here on: if it throws, the state is that before it.
    this.#high = all.slice(end);
    this.#offset = last ? 0 : offset + all.length;
    return bytes;
  }
}

export class Encoder {
  #encoder;

  constructor(encoding, options = undefined) {
    const page = toPageOrLabel(encoding);
    this.#encoder = typeof page === "string" ? new LabelledEncoder(page, options) : new PageEncoder(page, options);
  }

  get encoding() {
    return this.#encoder.encoding;
  }

  write(string) {
    return this.#encoder.write(string);
  }

  end() {
    return this.#encoder.end();
  }
}
