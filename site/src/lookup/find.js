// Looks up text and bytes in every encoding and in every index. All of them pause: the first use of an encoding or an
// index takes some time.

import { decodeAndReport } from "textcodec";
import { hex } from "../dom.js";
import { NAMES } from "../encodings.js";
import { INDEXES, encoded, readIndex } from "../explore/indexes.js";
import { pause } from "../pause.js";

/**
 * Encodes text in every encoding.
 * @param {string} text
 * @returns {Promise<{ written: { bytes: string, encodings: string[] }[],
 *   lacking: { encodings: string[], missing: string[] }[] }>} encodings that give the same bytes are one entry, and so are encodings that lack the same characters
 */
export async function encodingsOf(text) {
  const written = new Map();
  const lacking = new Map();
  for (const name of NAMES) {
    await pause();
    const bytes = encoded(text, name);
    if (bytes !== null) add(written, hex(bytes), name);
    else add(lacking, [...new Set(text)].filter((character) => encoded(character, name) === null).join(""), name);
  }
  return {
    written: Array.from(written, ([bytes, encodings]) => ({ bytes, encodings })),
    lacking: Array.from(lacking, ([missing, encodings]) => ({ encodings, missing: [...missing] })),
  };
}

const add = (map, key, value) => map.set(key, [...(map.get(key) ?? []), value]);

/** Indexes to search. The rows of Shift_JIS show the index jis0208 a second time. */
const SEARCHED = INDEXES.filter(({ id }) => id !== "shift_jis" && id !== "iso-2022-jp-katakana");

/**
 * Finds a code point in the indexes.
 * @returns {Promise<{ index: object, pointer: number,
 *   forms: { encoding: string, bytes: string, isWritten: boolean }[] }[]>} `isWritten` says that the encoder writes these bytes; decoders read all of them
 */
export async function placesOf(codePoint) {
  const character = String.fromCodePoint(codePoint);
  const places = [];
  for (const { id } of SEARCHED) {
    await pause();
    const index = readIndex(id);
    for (const pointer of index.findPointers(codePoint)) {
      const forms = index.formsOf(pointer).map(({ encoding, before, bytes, after }) => {
        const whole = hex([...before, ...bytes, ...after]);
        const own = encoded(character, encoding);
        return { encoding, bytes: whole, isWritten: own !== null && hex(own) === whole };
      });
      places.push({ index, pointer, forms });
    }
  }
  return places;
}

/**
 * Decodes bytes in every encoding. Encodings that give the same result are one entry; those without errors come first.
 * @param {Uint8Array} bytes
 * @returns {Promise<{ text: string, errors: object[], encodings: string[] }[]>}
 */
export async function decodingsOf(bytes) {
  const results = new Map();
  for (const name of NAMES) {
    await pause();
    const { text, errors } = decodeAndReport(bytes, name, { bom: "keep" });
    const key = `${errors.length} ${text}`;
    const same = results.get(key);
    if (same === undefined) results.set(key, { text, errors, encodings: [name] });
    else same.encodings.push(name);
  }
  return [...results.values()].sort((a, b) => Number(a.errors.length > 0) - Number(b.errors.length > 0));
}
