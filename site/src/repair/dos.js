// Two encodings of DOS, which consoles of Windows still use. They are not in the Encoding Standard.

import { SHARED, unpack } from "../../../bindings/js/lib/code-pages.js";

/** The 256 characters of each encoding. */
const TABLES = { cp437: unpack(SHARED, "IBM437"), cp850: unpack(SHARED, "IBM850") };

export const DOS = Object.keys(TABLES);

/** Decodes bytes. Each byte has a character. */
export const decodeDos = (bytes, name) => Array.from(bytes, (byte) => TABLES[name][byte]).join("");

/** Returns the byte of a character, or `null`. */
export function dosByte(character, name) {
  const byte = TABLES[name].indexOf(character);
  return byte < 0 ? null : Uint8Array.of(byte);
}
