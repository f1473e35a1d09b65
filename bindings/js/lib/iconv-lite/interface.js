// The functions of iconv-lite. Applications set fields of the object `iconv`, so the functions read them at each call.

import { BOM, UNKNOWN, asBuffer, asBytes } from "./bytes.js";
import { MarkedEncoder, StrippingDecoder, stripBom } from "./bom.js";
import { canonical, makeEncodings } from "./encodings.js";
import { streamClasses } from "./streams.js";

/** @typedef {{ stripBOM?: boolean | (() => void), defaultEncoding?: string }} DecodeOptions */
/** @typedef {{ addBOM?: boolean, defaultEncoding?: string }} EncodeOptions */

/**
 * Encodes a string. Unmappable characters become `defaultCharSingleByte`.
 * @param {EncodeOptions} [options]
 * @returns {Uint8Array} a Buffer if the platform has one
 */
export function encode(string, encoding, options = undefined) {
  const text = "" + (string || "");
  const codec = iconv.getCodec(encoding);
  if (codec.encodeAll !== undefined) {
    const isMarked = codec.bomAware && options?.addBOM;
    return codec.encodeAll(isMarked ? BOM + text : text, options);
  }
  const encoder = iconv.getEncoder(encoding, options);
  const bytes = encoder.write(text);
  const rest = encoder.end();
  if (!(rest?.length > 0)) return bytes;
  const all = new Uint8Array(bytes.length + rest.length);
  all.set(bytes);
  all.set(rest, bytes.length);
  return asBuffer(all);
}

/**
 * Decodes bytes. Malformed bytes become `defaultCharUnicode`.
 * @param {DecodeOptions} [options]
 */
export function decode(buffer, encoding, options = undefined) {
  if (typeof buffer === "string") warnOfString();
  const codec = iconv.getCodec(encoding);
  const bytes = asBytes(buffer);
  if (codec.decodeAll !== undefined) {
    const text = codec.decodeAll(bytes, options);
    return codec.bomAware ? stripBom(text, options) : text;
  }
  const decoder = iconv.getDecoder(encoding, options);
  const text = decoder.write(asBuffer(bytes));
  return text + (decoder.end() || "");
}

function warnOfString() {
  if (iconv.skipDecodeWarning) return;
  iconv.skipDecodeWarning = true;
  console.error(
    "iconv-lite: decode() was called with a string. Each of its characters is read as a byte. Pass a Buffer.",
  );
}

/** Returns whether an encoding with this name is supported. */
export function encodingExists(encoding) {
  try {
    iconv.getCodec(encoding);
    return true;
  } catch {
    return false;
  }
}

/** The canonical forms of names. Names come from outside, so the map must not grow without limit. */
const canonicalNames = new Map();
const MAX_NAMES = 1000;
const MAX_LENGTH = 64;

/** Converts a name to lower case, and removes all but letters and digits, and a year at the end. */
export function _canonicalizeEncoding(encoding) {
  const known = canonicalNames.get(encoding);
  if (known !== undefined) return known;
  const name = canonical(encoding);
  if (typeof encoding === "string" && encoding.length <= MAX_LENGTH) {
    if (canonicalNames.size >= MAX_NAMES) canonicalNames.clear();
    canonicalNames.set(encoding, name);
  }
  return name;
}

/** `Object.hasOwn`, which the oldest supported browsers do not have. */
const hasOwn = Function.prototype.call.bind(Object.prototype.hasOwnProperty);

/** Returns the codec of an encoding. It has the classes `encoder` and `decoder`, and `bomAware`. */
export function getCodec(encoding) {
  let name = iconv._canonicalizeEncoding(encoding);
  let options;
  /** The names that led to this one. Applications can add names that lead to each other. */
  let followed;
  for (;;) {
    const cache = iconv._codecDataCache;
    if (hasOwn(cache, name)) return cache[name];
    followed ??= [];
    if (followed.includes(name)) {
      throw new Error(`Encoding not recognized: '${encoding}' (its names lead to each other: '${followed.join("', '")}')`);
    }
    followed.push(name);
    const definition = hasOwn(iconv.encodings, name) ? iconv.encodings[name] : undefined;
    switch (typeof definition) {
      case "string":
        name = definition;
        break;
      case "object":
        options = { encodingName: name, ...options, ...definition };
        name = definition.type;
        break;
      case "function": {
        options ??= { encodingName: name };
        const codec = new definition(options, iconv);
        cache[options.encodingName] = codec;
        return codec;
      }
      default:
        throw new Error(`Encoding not recognized: '${encoding}' (searched as: '${name}')`);
    }
  }
}

/**
 * Creates an encoder for chunks. `write` returns the bytes of a chunk, `end` the remaining bytes or `undefined`.
 * @param {EncodeOptions} [options]
 */
export function getEncoder(encoding, options = undefined) {
  const codec = iconv.getCodec(encoding);
  const encoder = new codec.encoder(options, codec);
  return codec.bomAware && options?.addBOM ? new MarkedEncoder(encoder) : encoder;
}

/**
 * Creates a decoder for chunks. `write` returns the text of a chunk, `end` the remaining text or `undefined`.
 * @param {DecodeOptions} [options]
 */
export function getDecoder(encoding, options = undefined) {
  const codec = iconv.getCodec(encoding);
  const decoder = new codec.decoder(options, codec);
  return codec.bomAware && options?.stripBOM !== false ? new StrippingDecoder(decoder, options) : decoder;
}

export let supportsStreams = false;
export let IconvLiteEncoderStream;
export let IconvLiteDecoderStream;

/** Enables streams on platforms other than Node: `enableStreamingAPI(require("stream"))`. */
export function enableStreamingAPI(stream) {
  if (iconv.supportsStreams) return;
  ({ IconvLiteEncoderStream, IconvLiteDecoderStream } = streamClasses(stream));
  supportsStreams = true;
  Object.assign(iconv, { IconvLiteEncoderStream, IconvLiteDecoderStream, supportsStreams });
}

function checkStreams() {
  if (iconv.supportsStreams) return;
  throw new Error('iconv-lite Streaming API is not enabled: call iconv.enableStreamingAPI(require("stream")) first.');
}

/** Creates a Node stream that encodes text. Options are those of `encode` and of Node's streams. */
export function encodeStream(encoding, options = undefined) {
  checkStreams();
  return new iconv.IconvLiteEncoderStream(iconv.getEncoder(encoding, options), options);
}

/** Creates a Node stream that decodes bytes. Options are those of `decode` and of Node's streams. */
export function decodeStream(encoding, options = undefined) {
  checkStreams();
  return new iconv.IconvLiteDecoderStream(iconv.getDecoder(encoding, options), options);
}

/** The older names of `encode` and `decode`. */
export { encode as toEncoding, decode as fromEncoding };

export const encodings = makeEncodings();
export const _codecDataCache = { __proto__: null };
export const defaultCharUnicode = UNKNOWN;
export const defaultCharSingleByte = "?";
export const skipDecodeWarning = false;

/** All of these as an object, whose fields applications can set. */
const iconv = {
  encode,
  decode,
  encodingExists,
  toEncoding: encode,
  fromEncoding: decode,
  getCodec,
  getEncoder,
  getDecoder,
  encodeStream,
  decodeStream,
  enableStreamingAPI,
  _canonicalizeEncoding,
  encodings,
  _codecDataCache,
  defaultCharUnicode,
  defaultCharSingleByte,
  skipDecodeWarning,
  supportsStreams,
};

export default iconv;
