// The package in iconv-lite's manner: its users change one import.
//
// What differs:
// - The tables are the standard's. So latin1 and ascii are windows-1252, gb2312 is GBK, as on the web; and malformed
//   input becomes U+FFFD where browsers have it.
// - Encodings that the web does not have are not here: cp437, utf-7, utf-32, cesu-8, binary, hex, base64 and others.
//   `encodingExists` tells.
// - A character outside the Basic Multilingual Plane that an encoding lacks becomes one "?", never two.
// - What is no part of iconv-lite's documented interface (`getCodec`, `encodings`) is not here.

import { TextDecoder, internal } from "./core.js";
import { canonical, numberOfName } from "./iconv-names.js";

const { ChunkEncoder, UTF_16BE, UTF_16LE, concat, encodeWhole, encodings, hasBom } = internal;

const BOM = "\ufeff";
/** What stands for the name "utf-16", whose byte order the text tells. */
const UTF_16 = -1;

function known(name) {
  const number = canonical(name) === "utf16" ? UTF_16 : numberOfName(name);
  if (number === undefined) throw new Error(`Encoding not recognized: '${name}'`);
  return number;
}

/** Bytes as Node's users expect them. */
function asBuffer(bytes) {
  return globalThis.Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) ?? bytes;
}

/** Old code gives strings whose characters are bytes. */
function asBytes(input) {
  return typeof input === "string" ? Uint8Array.from(input, (char) => char.charCodeAt(0)) : input;
}

/** What an unmappable character becomes, for the module. */
function replacement() {
  return iconv.defaultCharSingleByte.codePointAt(0) ?? 0x3f;
}

function cannotReplace() {
  throw new Error(`The encoding has no '${iconv.defaultCharSingleByte}' either`);
}

/**
 * The text that bytes are; U+FFFD, or `defaultCharUnicode`, for malformed ones.
 * @param {Uint8Array} buffer
 * @param {string} encoding
 * @param {{ stripBOM?: boolean | (() => void), defaultEncoding?: string }} [options]
 *   `stripBOM: false` leaves a byte order mark in the text, a function is called when one is removed; `defaultEncoding`
 *   is for "utf-16" where nothing tells the byte order
 */
export function decode(buffer, encoding, options = undefined) {
  const bytes = asBytes(buffer);
  const name = known(encoding);
  const number = name === UTF_16 ? byteOrder(bytes, options) : name;
  const text = replaced(wholeDecoder(number).decode(bytes));
  return hasBom(number) ? stripped(text, options) : text;
}

/** @type {TextDecoder[]} */
const wholeDecoders = [];

function wholeDecoder(number) {
  return (wholeDecoders[number] ??= textDecoder(number));
}

const textDecoder = (number) => new TextDecoder(encodings[number].name, { ignoreBOM: true });

function replaced(text) {
  return iconv.defaultCharUnicode === "\ufffd" ? text : text.replaceAll("\ufffd", () => iconv.defaultCharUnicode);
}

function stripped(text, options) {
  const stripBOM = options?.stripBOM;
  if (stripBOM === false || !text.startsWith(BOM)) return text;
  if (typeof stripBOM === "function") stripBOM();
  return text.slice(1);
}

/** UTF-16 by its byte order mark, or by where the zeros of ASCII characters are in the first hundred code units. */
function byteOrder(bytes, options) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return UTF_16LE;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return UTF_16BE;
  let little = 0;
  const end = Math.min(bytes.length - 1, 200);
  for (let n = 0; n < end; n += 2) little += (bytes[n + 1] === 0) - (bytes[n] === 0);
  if (little !== 0) return little > 0 ? UTF_16LE : UTF_16BE;
  return options?.defaultEncoding === undefined ? UTF_16LE : known(options.defaultEncoding);
}

/**
 * The bytes of a string; "?", or `defaultCharSingleByte`, for what the encoding lacks.
 * @param {string} string
 * @param {string} encoding
 * @param {{ addBOM?: boolean }} [options] `addBOM` puts a byte order mark first; "utf-16" does so unless it is `false`
 * @returns {Uint8Array} a Buffer where there is Buffer
 */
export function encode(string, encoding, options = undefined) {
  const name = known(encoding);
  const number = name === UTF_16 ? UTF_16LE : name;
  const text = `${string || ""}`;
  const all = addsBom(name, options) ? BOM + text : text;
  return asBuffer(encodeWhole(number, replacement(), all, cannotReplace));
}

function addsBom(name, options) {
  return name === UTF_16 ? options?.addBOM !== false : hasBom(name) && Boolean(options?.addBOM);
}

/** Whether there is an encoding with this name. */
export function encodingExists(encoding) {
  try {
    known(encoding);
    return true;
  } catch {
    return false;
  }
}

/** Decodes chunks: `write` gives the text so far, `end` what is left, or nothing. Options are those of `decode`. */
export function getDecoder(encoding, options = undefined) {
  const name = known(encoding);
  return name === UTF_16 ? new Utf16Decoder(options) : new Decoder(name, options);
}

class Decoder {
  #decoder;
  #options;
  /** Whether the text may still start with a byte order mark. */
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
    const text = replaced(decoded);
    if (!this.#atStart || text === "") return text;
    this.#atStart = false;
    return stripped(text, this.#options);
  }
}

/** Waits for bytes that tell the byte order. */
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

/** Encodes chunks: `write` gives the bytes so far, `end` what is left, or nothing. Options are those of `encode`. */
export function getEncoder(encoding, options = undefined) {
  const name = known(encoding);
  return new Encoder(name === UTF_16 ? UTF_16LE : name, addsBom(name, options));
}

/** Frees the module's encoders of those who have stopped in the middle. */
const abandoned = globalThis.FinalizationRegistry && new FinalizationRegistry((encoder) => encoder.close());

class Encoder {
  #number;
  /** What is to precede the first chunk. */
  #before;
  /** The module's encoder, while there is one. */
  #encoder;

  constructor(number, addBOM) {
    this.#number = number;
    this.#before = addBOM ? BOM : "";
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
    // iconv-lite has a byte order mark only where a chunk is written.
    const text = last ? string : this.#before + string;
    if (!last) this.#before = "";
    return concat(this.#encoder.encode(text, last, cannotReplace));
  }
}

let DecoderStream;
let EncoderStream;

/** Gives this entry streams like Node's, where it has none: `enableStreamingAPI(require("stream"))`. */
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
      if (!this.accepts(chunk)) return done(new TypeError(`The stream converts no chunk of type ${typeof chunk}`));
      this.#give(() => this.#converter.write(chunk), done);
    }

    _flush(done) {
      this.#give(() => this.#converter.end(), done);
    }

    #give(convert, done) {
      let result;
      try {
        result = convert();
      } catch (error) {
        return done(error);
      }
      if (result?.length > 0) this.push(result, typeof result === "string" ? "utf8" : undefined);
      done();
    }

    /** Calls back with an error, or with `null` and everything. */
    collect(callback) {
      const chunks = [];
      this.on("error", callback);
      this.on("data", (chunk) => chunks.push(chunk));
      this.on("end", () => callback(null, this.join(chunks)));
      return this;
    }
  };

function needStreams() {
  if (!iconv.supportsStreams) throw new Error('There are no streams here: enableStreamingAPI(require("stream")) first');
}

/** A stream of Node's that takes bytes and gives text. Options are those of `decode` and of Node's streams. */
export function decodeStream(encoding, options = undefined) {
  needStreams();
  return new DecoderStream(getDecoder(encoding, options), options);
}

/** A stream of Node's that takes text and gives bytes. Options are those of `encode` and of Node's streams. */
export function encodeStream(encoding, options = undefined) {
  needStreams();
  return new EncoderStream(getEncoder(encoding, options), options);
}

/** Older names. */
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
  /** What malformed bytes become. It can be set. */
  defaultCharUnicode: "\ufffd",
  /** What characters become that an encoding lacks. It can be set. */
  defaultCharSingleByte: "?",
};

export default iconv;
