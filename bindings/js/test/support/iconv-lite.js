// The iconv-lite entry and iconv-lite itself, in Node with its Buffer, or without Buffer as in a browser.

import { Buffer } from "node:buffer";
import original from "iconv-lite";

export { Buffer, original };

/** Whether this process has no global Buffer: see natives/none.mjs. */
export const withoutBuffer = globalThis.Buffer === undefined;

export const entry = await import(withoutBuffer ? "../../dist/iconv-lite.js" : "../../dist/iconv-lite-node.js");
export const iconv = entry.default;

original.encodingExists("utf-8"); // loads the list of encodings
/** All names of iconv-lite. */
export const NAMES = Object.keys(original.encodings).filter((name) => !name.startsWith("_"));
/** The names that are not other names of an encoding. */
export const ROOTS = NAMES.filter((name) => typeof original.encodings[name] !== "string");

export const hex = (bytes) => (bytes === undefined ? "" : Buffer.from(bytes).toString("hex"));
export const bytesOf = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));

/** Runs a function with other values in fields of an object. */
export function withFields(object, fields, run) {
  const before = Object.fromEntries(Object.keys(fields).map((name) => [name, object[name]]));
  Object.assign(object, fields);
  try {
    return run();
  } finally {
    Object.assign(object, before);
  }
}

/** Decodes chunks. */
export function decodeChunks(decoder, chunks) {
  return chunks.map((chunk) => decoder.write(chunk)).join("") + (decoder.end() ?? "");
}

/** Encodes chunks, and returns the bytes in hexadecimal. */
export function encodeChunks(encoder, chunks) {
  return chunks.map((chunk) => hex(encoder.write(chunk))).join("") + hex(encoder.end());
}

/** Returns an input split in two at every place. */
export function* splits(input) {
  for (let at = 0; at <= input.length; at++) yield [input.slice(0, at), input.slice(at)];
}
