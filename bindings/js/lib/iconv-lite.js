// The package with the interface of iconv-lite: its users change one import.
//
// Differences from iconv-lite:
// - The tables are the standard's. On the web, latin1 and ascii are windows-1252, and gb2312 is GBK. Malformed input
//   becomes U+FFFD in the same places as in browsers.
// - Encodings that are not in the standard are not supported: cp437, utf-7, utf-32, cesu-8, binary, hex, base64 and
//   others. `encodingExists` returns false for them.
// - An unmappable character outside the Basic Multilingual Plane becomes one "?", never two.
// - The undocumented parts of iconv-lite's interface (`getCodec`, `encodings`) are missing.

import { TextDecoder, internal } from "./core.js";
import { canonical, numberOfName } from "./iconv-names.js";

const { ChunkEncoder, UTF_16BE, UTF_16LE, concat, encodeWhole, encodings, hasBom } = internal;

const BOM = "\ufeff";
/** The number of the name "utf-16", whose byte order is detected from the text. */
const UTF_16 = -1;

function encodingNumber(name) {
  const number = canonical(name) === "utf16" ? UTF_16 : numberOfName(name);
  if (number === undefined) throw new Error(`Encoding not recognized: '${name}'`);
  return number;
}

/** Returns bytes as a Buffer if the platform has one. */
function asBuffer(bytes) {
  return globalThis.Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) ?? bytes;
}

/** Returns the bytes of an input. Old code passes strings in which each character is a byte. */
function asBytes(input) {
  return typeof input === "string" ? Uint8Array.from(input, (char) => char.charCodeAt(0)) : input;
}

/** Returns the code point that replaces unmappable characters. */
function replacement() {
  return iconv.defaultCharSingleByte.codePointAt(0) ?? 0x3f;
}

function cannotReplace() {
  throw new Error(`The encoding cannot represent the replacement '${iconv.defaultCharSingleByte}'`);
}

/**
 * Decodes bytes. Malformed bytes become U+FFFD, or `defaultCharUnicode`.
 * @param {Uint8Array} buffer
 * @param {string} encoding
 * @param {{ stripBOM?: boolean | (() => void), defaultEncoding?: string }} [options]
 *   `stripBOM: false` keeps a byte order mark in the text; a function is called when one is removed. `defaultEncoding`
 *   is used for "utf-16" if the byte order cannot be detected.
 */
export function decode(buffer, encoding, options = undefined) {
  const bytes = asBytes(buffer);
  const name = encodingNumber(encoding);
  const number = name === UTF_16 ? byteOrder(bytes, options) : name;
  const text = replaceMalformed(wholeDecoder(number).decode(bytes));
  return hasBom(number) ? stripBom(text, options) : text;
}

/** @type {TextDecoder[]} */
const wholeDecoders = [];

function wholeDecoder(number) {
  return (wholeDecoders[number] ??= textDecoder(number));
}

const textDecoder = (number) => new TextDecoder(encodings[number].name, { ignoreBOM: true });

function replaceMalformed(text) {
  return iconv.defaultCharUnicode === "\ufffd" ? text : text.replaceAll("\ufffd", () => iconv.defaultCharUnicode);
}

function stripBom(text, options) {
  const stripBOM = options?.stripBOM;
  if (stripBOM === false || !text.startsWith(BOM)) return text;
  if (typeof stripBOM === "function") stripBOM();
  return text.slice(1);
}

/** Detects the byte order of UTF-16 by its byte order mark, or by the zero bytes in the first hundred code units. */
function byteOrder(bytes, options) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return UTF_16LE;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return UTF_16BE;
  let little = 0;
  const end = Math.min(bytes.length - 1, 200);
  for (let n = 0; n < end; n += 2) little += (bytes[n + 1] === 0) - (bytes[n] === 0);
  if (little !== 0) return little > 0 ? UTF_16LE : UTF_16BE;
  return options?.defaultEncoding === undefined ? UTF_16LE : encodingNumber(options.defaultEncoding);
}

/**
 * Encodes a string. Unmappable characters become "?", or `defaultCharSingleByte`.
 * @param {string} string
 * @param {string} encoding
 * @param {{ addBOM?: boolean }} [options] `addBOM` adds a byte order mark; it is on by default for "utf-16"
 * @returns {Uint8Array} a Buffer if the platform has one
 */
export function encode(string, encoding, options = undefined) {
  const name = encodingNumber(encoding);
  const number = name === UTF_16 ? UTF_16LE : name;
  const text = `${string || ""}`;
  const all = addsBom(name, options) ? BOM + text : text;
  return asBuffer(encodeWhole(number, replacement(), all, cannotReplace));
}

function addsBom(name, options) {
  return name === UTF_16 ? options?.addBOM !== false : hasBom(name) && Boolean(options?.addBOM);
}

/** Returns whether an encoding with this name is supported. */
export function encodingExists(encoding) {
  try {
    encodingNumber(encoding);
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates a decoder for chunks. `write` returns the text of a chunk, `end` the remaining text or `undefined`. Options
 * are those of `decode`.
 */
export function getDecoder(encoding, options = undefined) {
  const name = encodingNumber(encoding);
  return name === UTF_16 ? new Utf16Decoder(options) : new Decoder(name, options);
}

class Decoder {
  #decoder;
  #options;
  /** Whether a byte order mark may still follow. */
  #atStart;

  constructor(number, options) {
    this.#decoder = textDecoder(number);
    this.#options = options;
    this.#atStart = hasBom(number);
  }

  write(buffer) {
    return this.#text(this.#decoder.decode(asBytes(buffer), { stream: true }));
  }

  end() {
    return this.#text(this.#decoder.decode()) || undefined;
  }

  #text(decoded) {
    const text = replaceMalformed(decoded);
    if (!this.#atStart || text === "") return text;
    this.#atStart = false;
    return stripBom(text, this.#options);
  }
}

/** Collects bytes until there are enough to detect the byte order. */
class Utf16Decoder {
  #decoder;
  #options;
  #first = new Uint8Array(0);

  constructor(options) {
    this.#options = options;
  }

  write(buffer) {
    const bytes = asBytes(buffer);
    if (this.#decoder !== undefined) return this.#decoder.write(bytes);
    this.#first = concat([this.#first, bytes]);
    return this.#first.length < 16 ? "" : this.#start();
  }

  #start() {
    this.#decoder = new Decoder(byteOrder(this.#first, this.#options), this.#options);
    return this.#decoder.write(this.#first);
  }

  end() {
    const text = this.#decoder === undefined ? this.#start() : "";
    return text + (this.#decoder.end() ?? "") || undefined;
  }
}

/**
 * Creates an encoder for chunks. `write` returns the bytes of a chunk, `end` the remaining bytes or `undefined`.
 * Options are those of `encode`.
 */
export function getEncoder(encoding, options = undefined) {
  const name = encodingNumber(encoding);
  return new Encoder(name === UTF_16 ? UTF_16LE : name, addsBom(name, options));
}

/** Frees the module's encoder when an encoder is abandoned before `end`. */
const abandoned = globalThis.FinalizationRegistry && new FinalizationRegistry((encoder) => encoder.close());

class Encoder {
  #number;
  /** A byte order mark before the first chunk, or "". */
  #prefix;
  /** The module's encoder. It exists from the first `write` to `end`. */
  #encoder;

  constructor(number, addBOM) {
    this.#number = number;
    this.#prefix = addBOM ? BOM : "";
  }

  write(string) {
    return asBuffer(this.#encode(`${string}`, false));
  }

  end() {
    const bytes = this.#encode("", true);
    abandoned?.unregister(this);
    this.#encoder.close();
    this.#encoder = undefined;
    return bytes.length === 0 ? undefined : asBuffer(bytes);
  }

  #encode(string, last) {
    if (this.#encoder === undefined) {
      this.#encoder = new ChunkEncoder(this.#number, replacement());
      abandoned?.register(this, this.#encoder, this);
    }
    // As in iconv-lite, a byte order mark is written only with a chunk.
    const text = last ? string : this.#prefix + string;
    if (!last) this.#prefix = "";
    return concat(this.#encoder.encode(text, last, cannotReplace));
  }
}

let DecoderStream;
let EncoderStream;

/** Enables streams on platforms other than Node: `enableStreamingAPI(require("stream"))`. */
export function enableStreamingAPI({ Transform }) {
  if (iconv.supportsStreams) return;
  DecoderStream = class IconvLiteDecoderStream extends ConverterStream(Transform) {
    constructor(decoder, options) {
      super(decoder, { ...options, encoding: "utf8" });
    }

    accepts(chunk) {
      return ArrayBuffer.isView(chunk);
    }

    join(chunks) {
      return chunks.join("");
    }
  };
  EncoderStream = class IconvLiteEncoderStream extends ConverterStream(Transform) {
    constructor(encoder, options) {
      super(encoder, { ...options, decodeStrings: false });
    }

    accepts(chunk) {
      return typeof chunk === "string";
    }

    join(chunks) {
      return asBuffer(concat(chunks));
    }
  };
  iconv.supportsStreams = true;
}

const ConverterStream = (Transform) =>
  class extends Transform {
    #converter;

    constructor(converter, options) {
      super(options);
      this.#converter = converter;
    }

    _transform(chunk, encoding, done) {
      if (!this.accepts(chunk)) return done(new TypeError(`The stream cannot convert a chunk of type ${typeof chunk}`));
      this.#pushResult(() => this.#converter.write(chunk), done);
    }

    _flush(done) {
      this.#pushResult(() => this.#converter.end(), done);
    }

    #pushResult(convert, done) {
      let result;
      try {
        result = convert();
      } catch (error) {
        return done(error);
      }
      if (result?.length > 0) this.push(result, typeof result === "string" ? "utf8" : undefined);
      done();
    }

    /** Calls back with an error, or with `null` and the whole result. */
    collect(callback) {
      const chunks = [];
      this.on("error", callback);
      this.on("data", (chunk) => chunks.push(chunk));
      this.on("end", () => callback(null, this.join(chunks)));
      return this;
    }
  };

function needStreams() {
  if (!iconv.supportsStreams) throw new Error('Streams are not enabled: call enableStreamingAPI(require("stream"))');
}

/** Creates a Node stream that decodes bytes. Options are those of `decode` and of Node's streams. */
export function decodeStream(encoding, options = undefined) {
  needStreams();
  return new DecoderStream(getDecoder(encoding, options), options);
}

/** Creates a Node stream that encodes text. Options are those of `encode` and of Node's streams. */
export function encodeStream(encoding, options = undefined) {
  needStreams();
  return new EncoderStream(getEncoder(encoding, options), options);
}

/** The older names of `decode` and `encode`. */
export { decode as fromEncoding, encode as toEncoding };

const iconv = {
  decode,
  encode,
  encodingExists,
  decodeStream,
  encodeStream,
  getDecoder,
  getEncoder,
  enableStreamingAPI,
  fromEncoding: decode,
  toEncoding: encode,
  supportsStreams: false,
  /** The replacement for malformed bytes. Applications may set it. */
  defaultCharUnicode: "\ufffd",
  /** The replacement for unmappable characters. Applications may set it. */
  defaultCharSingleByte: "?",
};

export default iconv;
