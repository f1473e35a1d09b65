// Pairs of two bytes from 0xA1 on, as the standard's decoders and encoders have them.

import { decode, internal } from "../core.js";

const { encodeWhole, numberOf } = internal;

const FIRST = 0xa1;
/** The number of rows, and of columns. */
const SIZE = 94;
/** What replaces an unmappable character. */
const QUESTION_MARK = 0x3f;
const UNMAPPED = 0xfffd;

/** Characters of pairs, and pairs of characters. A pair is a number, with the first byte in the higher bits. 0 means that there is none. */
export class Pairs {
  characters = new Uint16Array(0x10000);
  pairs = new Uint16Array(0x10000);
}

/** Returns the pairs of an encoding whose other sequences have one byte or four, or a byte below 0xA1. */
export function pairsOf(label) {
  const table = new Pairs();
  const all = Uint8Array.from({ length: 2 * SIZE * SIZE }, (_, n) => FIRST + (n % 2 ? (n >>> 1) % SIZE : Math.floor(n / 2 / SIZE)));
  const characters = decode(all, label, { bom: "keep" });
  for (let n = 0; n < characters.length; n++) {
    const character = characters.charCodeAt(n);
    if (character !== UNMAPPED) table.characters[(all[2 * n] << 8) | all[2 * n + 1]] = character;
  }
  // Encoders do not write all pairs, and write some for private-use characters that decoders have for others.
  let text = characters;
  for (let code = 0xe000; code <= 0xf8ff; code++) text += String.fromCharCode(code);
  const bytes = encodeWhole(numberOf(label), QUESTION_MARK, text);
  for (let n = 0, at = 0; n < text.length; n++) {
    const first = bytes[at];
    const second = bytes[at + 1];
    if (first >= FIRST && second >= FIRST) table.pairs[text.charCodeAt(n)] = (first << 8) | second;
    at += first === QUESTION_MARK ? 1 : second < QUESTION_MARK ? 4 : 2;
  }
  return table;
}

/** Returns a function that calls another one at its first call only, and always returns its result. */
export function once(make) {
  let made;
  return () => (made ??= make());
}

export const eucKr = once(() => pairsOf("euc-kr"));
