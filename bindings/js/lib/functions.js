// The hooks that the standard offers to other standards (section 6), and functions that are not in the standard.

import { TextDecoder } from "./decoder.js";
import { TextEncoder, encodeUtf8 } from "./encoder.js";
import { ChunkDecoder, decodeWhole, encodeToParts, encodeWhole, percentEncode } from "./engine.js";
import { encodings, numberOf } from "./labels.js";
import { REPLACEMENT, UTF_16BE, UTF_16LE, UTF_8, hasBom } from "./numbers.js";
import { FAIL, FATAL, HTML, IGNORE_BOM, REPORT, SKIP, UnmappableText, concat } from "./policies.js";
import { TextDecoderStream, TextEncoderStream } from "./streams.js";
import { LONE_SURROGATES } from "./surrogates.js";
import { bytesOf, checkBufferSource, toDOMString } from "./webidl.js";

/** Thrown for malformed bytes. */
export class DecodeError extends TypeError {
  constructor(encoding, start, end) {
    super(`Malformed ${encoding} at ${end - start === 1 ? `byte ${start}` : `bytes ${start} to ${end - 1}`}.`);
    this.encoding = encoding;
    this.start = start;
    this.end = end;
  }
}

/** Thrown for a character that an encoding cannot represent. */
export class EncodeError extends TypeError {
  constructor(encoding, codePoint, index) {
    const hex = codePoint.toString(16).toUpperCase().padStart(4, "0");
    super(`${encoding} cannot represent U+${hex} at index ${index}.`);
    this.encoding = encoding;
    this.codePoint = codePoint;
    this.index = index;
  }
}

for (const error of [DecodeError, EncodeError]) {
  Object.defineProperty(error.prototype, "name", { value: error.name, configurable: true, writable: true });
}

/** Returns the members of an options object. `undefined` and `null` are empty objects, as in Web IDL. */
function toOptions(value) {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" && typeof value !== "function") throw new TypeError("The options must be an object.");
  return value;
}

function encodingNumber(label) {
  const number = numberOf(toDOMString(label));
  if (number === undefined) throw new RangeError(`"${label}" is not a label for an encoding.`);
  return number;
}

function inputBytes(bytes) {
  return bytesOf(bytes, checkBufferSource(bytes));
}

export function getEncoding(label) {
  const number = numberOf(toDOMString(label));
  return number === undefined ? null : encodings[number].name;
}

export function getOutputEncoding(label) {
  return encodings[outputNumber(encodingNumber(label))].name;
}

const outputNumber = (number) => (number === REPLACEMENT || hasBom(number) ? UTF_8 : number);

function sniffBom(bytes) {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return UTF_8;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return UTF_16BE;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return UTF_16LE;
  return undefined;
}

export function bomSniff(bytes) {
  const number = sniffBom(inputBytes(bytes));
  return number === undefined ? null : encodings[number].name;
}

export function decode(bytes, label = "utf-8", options = undefined) {
  const { fatal = false } = toOptions(options);
  const input = inputBytes(bytes);
  const labelNumber = encodingNumber(label);
  const number = sniffBom(input) ?? labelNumber;
  return decodeWhole(number, fatal ? FATAL : 0, input, (start, end) => {
    throw new DecodeError(encodings[number].name, start, end);
  });
}

/** The maximum number of errors in a list. They take a few hundred megabytes. */
const MAX_ERRORS = 1 << 22;

export function decodeAndReport(bytes, label = "utf-8", options = undefined) {
  const { bom = "sniff", limit = 1000 } = toOptions(options);
  const input = inputBytes(bytes);
  const labelNumber = encodingNumber(label);
  if (!["sniff", "own", "keep"].includes(bom)) throw new TypeError('bom must be "sniff", "own" or "keep".');
  if (!(limit >= 0)) throw new RangeError("limit must be a non-negative number.");
  const bomNumber = bom === "sniff" ? sniffBom(input) : undefined;
  const number = bomNumber ?? labelNumber;
  const errors = [];
  const decoder = new ChunkDecoder(number, bom === "keep" ? IGNORE_BOM : 0);
  const text = decoder.decode(input, false, { limit: Math.min(limit, MAX_ERRORS + 1), errors });
  if (errors.length > MAX_ERRORS) {
    throw new RangeError(`There are more than ${MAX_ERRORS} errors. Pass a lower limit: the list would need too much memory.`);
  }
  return { text, encoding: encodings[number].name, bom: bomNumber !== undefined, errors };
}

function encodeErrorThrower(number) {
  return (codePoint, index) => {
    throw new EncodeError(encodings[number].name, codePoint, index);
  };
}

function encoderNumber(label) {
  const number = encodingNumber(label);
  if (number === REPLACEMENT) throw new RangeError("There is no encoder for replacement.");
  return number;
}

export function encode(string, label = "utf-8", options = undefined) {
  const { unmappable = "html", surrogates = "replace" } = toOptions(options);
  const text = toDOMString(string);
  const number = encoderNumber(label);
  if (surrogates === "fail") checkWellFormed(text, number);
  else if (surrogates !== "replace") throw new TypeError('surrogates must be "replace" or "fail".');
  switch (unmappable) {
    case "html":
      return number === UTF_8 ? encodeUtf8(text) : encodeWhole(number, HTML, text);
    case "fail":
      return encodeWhole(number, FAIL, text, encodeErrorThrower(number));
    case "skip":
      return encodeWhole(number, SKIP, text, encodeErrorThrower(number));
  }
  if (typeof unmappable !== "function") {
    throw new TypeError('unmappable must be "html", "fail", "skip" or a function.');
  }
  return encodeReplacing(number, text, unmappable);
}

export function encodeOrFail(string, label = "utf-8", options = undefined) {
  const { surrogates = "fail" } = toOptions(options);
  return encode(string, label, { unmappable: "fail", surrogates });
}

/** Encodes text. `replace` returns the text that replaces an unmappable code point. */
function encodeReplacing(number, text, replace) {
  try {
    return concat(encodeToParts(number, REPORT, text, (codePoint) => toReplacement(replace(codePoint))));
  } catch (error) {
    if (error instanceof UnmappableText) encodeErrorThrower(number)(error.codePoint, error.index);
    throw error;
  }
}

function toReplacement(value) {
  if (value === undefined || value === null) {
    throw new TypeError(`The function for unmappable characters returned ${value} instead of a string.`);
  }
  return toDOMString(value);
}

function checkWellFormed(text, number) {
  const at = text.search(LONE_SURROGATES);
  if (at >= 0) throw new EncodeError(encodings[number].name, text.charCodeAt(at), at);
}

/** The printable ASCII characters in each percent-encode set of the URL Standard. All other bytes are in every set. */
const C0 = "";
const QUERY = C0 + " \"#<>";
const PATH = QUERY + "?^`{}";
const USERINFO = PATH + "/:;=@[\\]|";
const COMPONENT = USERINFO + "$&+,%";
const SETS = {
  __proto__: null,
  c0: C0,
  fragment: " \"<>`",
  query: QUERY,
  "special-query": QUERY + "'",
  path: PATH,
  userinfo: USERINFO,
  component: COMPONENT,
  "application/x-www-form-urlencoded": COMPONENT + "!'()~",
};

/** @type {Map<string, Uint8Array>} */
const namedSets = new Map();

/** Returns 256 bytes, of which those that are not 0 are in a percent-encode set: a name, or the characters beyond `c0`. */
function percentEncodeSet(set) {
  if (typeof set !== "string") return toSet([...set].join(""));
  const characters = SETS[set];
  if (characters === undefined) throw new TypeError(`"${set}" is not a percent-encode set.`);
  if (!namedSets.has(set)) namedSets.set(set, toSet(characters));
  return namedSets.get(set);
}

function toSet(characters) {
  const isIn = (byte) => byte < 0x20 || byte > 0x7e || characters.includes(String.fromCharCode(byte));
  if (/[^\x20-\x7e]/.test(characters)) throw new TypeError("A percent-encode set has printable ASCII characters only.");
  return Uint8Array.from({ length: 256 }, (_, byte) => (isIn(byte) ? 1 : 0));
}

export function percentEncodeAfterEncoding(string, label = "utf-8", options = undefined) {
  const { set = "query", spaceAsPlus = false } = toOptions(options);
  const bytes = percentEncodeSet(set);
  const number = outputNumber(encodingNumber(label));
  return percentEncode(number, toDOMString(string), bytes, Boolean(spaceAsPlus));
}

export function install(target = globalThis) {
  for (const interface_ of [TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream]) {
    Object.defineProperty(target, interface_.name, {
      value: interface_,
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }
}
