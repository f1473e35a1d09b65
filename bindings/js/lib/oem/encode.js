// Functions that encode.

import { EncodeError, Encoder as LabelledEncoder, encode as encodeLabelled, internal } from "../core.js";
import { encodeCoded, isCoded } from "./coded.js";
import { toEncodingOrLabel } from "./encodings.js";
import { Output } from "./output.js";
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
  const output = new Output(string.length + 64);
  for (let n = 0; n < string.length; n++) {
    const byte = table[string.charCodeAt(n)];
    if (byte !== UNMAPPABLE) {
      output.push(byte);
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
      output.push(byte);
    }
  }
  return output.bytes();
}

export function encode(string, encoding, options = undefined) {
  const text = toDOMString(string);
  const page = toEncodingOrLabel(encoding);
  if (typeof page === "string") return encodeLabelled(text, page, options);
  const fail = failureOf(page);
  const { textFor, isStrict } = readOptions(fail, "", options);
  if (isStrict) checkWellFormed(text, fail, 0);
  if (isCoded(page)) return encodeCoded(page, text, { last: true, replace: textFor, fail }).bytes;
  return bytesOf(page, text, 0, textFor);
}

export function encodeOrFail(string, encoding, options = undefined) {
  const { surrogates = "fail", bom = false } = toOptions(options);
  return encode(string, encoding, { unmappable: "fail", surrogates, bom });
}

/** The encoder of a page, or of an encoding with an algorithm. */
class OemEncoder {
  #page;
  #options;
  #onUnmappable;
  /** The number of code units before the next chunk. */
  #offset = 0;
  /** A high surrogate at the end of the last chunk, or "". */
  #high = "";
  /** The state of an encoding with an algorithm, or `undefined` at the start of a text. */
  #state;

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
    const fail = failureOf(this.#page);
    if (isStrict) checkWellFormed(text, fail, offset);
    const replace = (codePoint, index) => {
      const replacement = textFor(codePoint, index); // throws if the character is not replaced
      this.#onUnmappable?.({ codePoint, index });
      return replacement;
    };
    const { bytes, state } = isCoded(this.#page)
      ? encodeCoded(this.#page, text, { state: this.#state, offset, last, replace, fail })
      : { bytes: bytesOf(this.#page, text, offset, replace) };
    // The call cannot throw from here on: if it throws, the state is that before it.
    this.#state = state;
    this.#high = all.slice(end);
    this.#offset = last ? 0 : offset + all.length;
    return bytes;
  }
}

export class Encoder {
  #encoder;

  constructor(encoding, options = undefined) {
    const page = toEncodingOrLabel(encoding);
    this.#encoder = typeof page === "string" ? new LabelledEncoder(page, options) : new OemEncoder(page, options);
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
