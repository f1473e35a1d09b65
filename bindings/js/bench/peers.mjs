// The peers: a decoder and an encoder of each for each encoding, or `undefined` if it has none.

import { Buffer } from "node:buffer";
import * as exodus from "@exodus/bytes/encoding.js";
import { createMultibyteEncoder } from "@exodus/bytes/multi-byte.js";
import { createSinglebyteEncoder } from "@exodus/bytes/single-byte.js";
import { utf16fromString } from "@exodus/bytes/utf16.js";
import { utf8fromString } from "@exodus/bytes/utf8.js";
import iconv from "iconv-lite";
import textEncoding from "text-encoding";
import * as textcodec from "../dist/index.js";

/** The engine's own classes. */
const native = { TextDecoder: globalThis.TextDecoder, TextEncoder: globalThis.TextEncoder };

/** Returns the result of `make`, or `undefined` if it throws because the peer does not have an encoding. */
function attempt(make) {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function decoderOf(TextDecoder, encoding) {
  const decoder = new TextDecoder(encoding);
  return (bytes) => decoder.decode(bytes);
}

function nativeEncoder(encoding) {
  if (encoding === "utf-16le") return (string) => Buffer.from(string, "utf16le");
  if (encoding !== "utf-8") return undefined;
  const encoder = new native.TextEncoder();
  return (string) => encoder.encode(string);
}

function exodusEncoder(encoding) {
  if (encoding === "utf-8") return utf8fromString;
  if (encoding === "utf-16le") return (string) => utf16fromString(string, "uint8-le");
  if (encoding === "utf-16be") return (string) => utf16fromString(string, "uint8-be");
  return attempt(() => createSinglebyteEncoder(encoding)) ?? createMultibyteEncoder(encoding);
}

function textEncodingEncoder(encoding) {
  const encoder = new textEncoding.TextEncoder(encoding, { NONSTANDARD_allowLegacyEncoding: true });
  return (string) => encoder.encode(string);
}

const PEERS = {
  textcodec: {
    decode: (encoding) => decoderOf(textcodec.TextDecoder, encoding),
    encode: (encoding) => (string) => textcodec.encode(string, encoding),
  },
  native: { decode: (encoding) => decoderOf(native.TextDecoder, encoding), encode: nativeEncoder },
  "@exodus/bytes": { decode: (encoding) => decoderOf(exodus.TextDecoder, encoding), encode: exodusEncoder },
  "iconv-lite": {
    decode: (encoding) => (iconv.encodingExists(encoding) ? (bytes) => iconv.decode(bytes, encoding) : undefined),
    encode: (encoding) => (iconv.encodingExists(encoding) ? (string) => iconv.encode(string, encoding) : undefined),
  },
  "text-encoding": {
    decode: (encoding) => decoderOf(textEncoding.TextDecoder, encoding),
    encode: textEncodingEncoder,
  },
};

export const NAMES = Object.keys(PEERS);

/**
 * Returns the peers that have an encoding.
 * @param {"decode" | "encode"} direction
 * @returns {Record<string, (input: any) => any>}
 */
export function peersFor(direction, encoding) {
  const made = NAMES.map((name) => [name, attempt(() => PEERS[name][direction](encoding))]);
  return Object.fromEntries(made.filter(([, act]) => act !== undefined));
}
