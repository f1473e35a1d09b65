// Section 7.2: TextDecoder.

import { ChunkDecoder } from "./engine.js";
import { encodings, numberOf } from "./labels.js";
import { REPLACEMENT } from "./numbers.js";
import { FATAL, IGNORE_BOM } from "./policies.js";
import { decodeText } from "./utf8.js";
import { bytesOf, checkBufferSource, shape, toBytes, toDictionary, toDOMString } from "./webidl.js";

const malformed = () => new TypeError("The encoded data was not valid.");

/** The part that TextDecoder and TextDecoderStream share: a decoder and its flags. */
export class DecoderCommon {
  #flags;
  /** The decoder of a stream, or `undefined` if the next call starts a new one. */
  #stream;

  /** Steps 1 to 5 of both constructors. */
  constructor(label, options) {
    const name = toDOMString(label);
    const [fatal, ignoreBOM] = toDictionary(options, "fatal", "ignoreBOM");
    const number = numberOf(name);
    if (number === undefined || number === REPLACEMENT) {
      throw new RangeError(`"${name}" is not a label for an encoding that can be decoded.`);
    }
    this.number = number;
    this.encoding = encodings[number].name.toLowerCase();
    this.fatal = fatal;
    this.ignoreBOM = ignoreBOM;
    this.#flags = (fatal ? FATAL : 0) | (ignoreBOM ? IGNORE_BOM : 0);
  }

  /** The method's steps after the conversion of its arguments. */
  decode(bytes, stream) {
    let text;
    if (this.#stream === undefined && !stream) {
      text = decodeText(this.number, this.#flags, bytes);
    } else {
      const decoder = (this.#stream ??= new ChunkDecoder(this.number, this.#flags));
      text = decoder.decode(bytes, stream);
      if (!stream) this.#stream = undefined; // not if the module has failed
    }
    if (text === null) throw malformed();
    return text;
  }
}

const EMPTY = new Uint8Array(0);

export class TextDecoder {
  #common;

  constructor(label = "utf-8", options = undefined) {
    this.#common = new DecoderCommon(label, options);
  }

  get encoding() {
    return this.#common.encoding;
  }

  get fatal() {
    return this.#common.fatal;
  }

  get ignoreBOM() {
    return this.#common.ignoreBOM;
  }

  decode(input = undefined, options = undefined) {
    const common = this.#common;
    if (options === undefined) return common.decode(input === undefined ? EMPTY : toBytes(input), false);
    const shared = input !== undefined && checkBufferSource(input);
    const [stream] = toDictionary(options, "stream");
    return common.decode(input === undefined ? EMPTY : bytesOf(input, shared), stream);
  }
}

shape(TextDecoder, "TextDecoder");
