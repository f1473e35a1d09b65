// Encodings whose decoder detects the byte order, and whose encoder writes a byte order mark: "utf-16" and "utf-32".

import { NO_BYTES, asBytes, joined } from "./bytes.js";

/**
 * @typedef {object} Scheme
 * @property {string} little the name of the encoding with the least significant byte first
 * @property {string} big
 * @property {number} length a decoder waits for this number of bytes
 * @property {(bytes: Uint8Array) => number} detect returns a positive number for little, a negative one for big
 */

export class DetectingCodec {
  encoder = MarkingEncoder;
  decoder = DetectingDecoder;

  /** @param {Scheme} scheme */
  constructor(iconv, scheme) {
    this.iconv = iconv;
    this.scheme = scheme;
  }

  decodeAll(bytes, options) {
    return this.iconv.decode(bytes, this.detected(bytes, options), options);
  }

  encodeAll(text, options) {
    return this.iconv.encode(text, this.writtenAs(options), marked(options));
  }

  detected(bytes, options) {
    const { little, big, detect } = this.scheme;
    const order = detect(bytes);
    if (order === 0) return this.defaultOf(options);
    return order > 0 ? little : big;
  }

  writtenAs() {
    return this.scheme.little;
  }

  /** Returns the encoding that the options name. One that detects its byte order, too, would lead to itself. */
  defaultOf(options) {
    const name = options?.defaultEncoding;
    return name && !(this.iconv.getCodec(name) instanceof DetectingCodec) ? name : this.scheme.little;
  }
}

/** Adds a byte order mark, unless the options say otherwise. */
const marked = (options) => ({ ...options, addBOM: options?.addBOM === undefined || options.addBOM });

class MarkingEncoder {
  #encoder;

  constructor(options, codec) {
    this.#encoder = codec.iconv.getEncoder(codec.writtenAs(options), marked(options));
  }

  write(string) {
    return this.#encoder.write(string);
  }

  end() {
    return this.#encoder.end();
  }
}

/** Collects bytes until there are enough to detect the byte order. After `end`, it can decode another text. */
class DetectingDecoder {
  #codec;
  #options;
  #decoder;
  #first = NO_BYTES;

  constructor(options, codec) {
    this.#options = options;
    this.#codec = codec;
  }

  write(buffer) {
    const bytes = asBytes(buffer);
    if (this.#decoder !== undefined) return this.#decoder.write(bytes);
    this.#first = joined(this.#first, new Uint8Array(bytes)); // a copy
    return this.#first.length < this.#codec.scheme.length ? "" : this.#start();
  }

  #start() {
    const { iconv } = this.#codec;
    const first = this.#first;
    this.#first = NO_BYTES;
    this.#decoder = iconv.getDecoder(this.#codec.detected(first, this.#options), this.#options);
    return this.#decoder.write(first);
  }

  end() {
    const text = this.#decoder === undefined ? this.#start() : "";
    const rest = this.#decoder.end() ?? "";
    this.#decoder = undefined;
    return text + rest || undefined;
  }
}
