// Encodings that write other characters in ASCII, and EBCDIC whose bytes are all below 80.

import { internal } from "../core.js";
import { groupOf } from "../language.js";
import { NEVER, RARE } from "../language/chars.js";

const { isomorphicDecode } = internal;

/** The header of ISO-2022-KR. */
export const ISO_2022_KR = "there is the header of ISO-2022-KR";

/** The maximum number of pairs in a line of HZ that are looked at. */
const MAX_HZ = 128;
/** Pairs of bytes until `~}`, as in GB 2312. */
const HZ = new RegExp(`~\\{(?:[!-w][!-~]){1,${MAX_HZ}}~\\}`);
const LETTERS = /[A-Za-z0-9+/]*/y;
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Returns what a block of ASCII may be instead, if it is likely. */
export function findHidden(block) {
  const text = isomorphicDecode(block);
  if (text.includes("\x1B$)C")) return ISO_2022_KR;
  if (text.includes("\x1B$")) return "there is an escape sequence of ISO-2022";
  if (HZ.test(text)) return "there are sequences of HZ";
  if (isEbcdic(text)) return "they have no spaces and many @, as text in EBCDIC has";
  return isUtf7(text) ? "there are sequences of UTF-7, which -f UTF-7 decodes" : undefined;
}

/** Returns whether there is no white space of ASCII, but many `@`. */
function isEbcdic(text) {
  return text.length >= 16 && !/[ \n]/.test(text) && (text.match(/@/g)?.length ?? 0) * 20 > text.length;
}

/** Returns whether every `+` starts letters beyond ASCII in base64, or is written as `+-`. */
function isUtf7(text) {
  let hasLetters = false;
  for (let at = text.indexOf("+"); at >= 0; at = text.indexOf("+", at)) {
    at++;
    if (text[at] === "-") continue;
    LETTERS.lastIndex = at;
    const [letters] = LETTERS.exec(text);
    if (!areLetters(letters)) return false;
    hasLetters = true;
    at += letters.length;
  }
  return hasLetters;
}

function areLetters(base64) {
  let bits = 0;
  let value = 0;
  let units = 0;
  for (const digit of base64) {
    value = (value << 6) | BASE64.indexOf(digit);
    bits += 6;
    if (bits < 16) continue;
    bits -= 16;
    const unit = (value >> bits) & 0xffff;
    // Signs of ASCII are often written in base64, too.
    if (unit >= 0x80 && (unit < 0xa0 || [NEVER, RARE].includes(groupOf(unit)))) return false;
    value &= (1 << bits) - 1;
    units++;
  }
  return units > 0 && bits < 6 && value === 0;
}
