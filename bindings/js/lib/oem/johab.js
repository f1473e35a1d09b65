// JOHAB: annex 3 of KS X 1001, with the pairs of EUC-KR for what is not Hangul.

import { ERROR, MAPPED } from "./coded.js";
import { Pairs, eucKr, once } from "./pairs.js";

// The table of the annex: for each number of five bits, the initial consonant, the vowel and the final consonant. A full stop is no
// letter, and an underscore is a fill code.
const INITIALS = "._ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ...........";
const VOWELS = ".._ㅏㅐㅑㅒㅓ..ㅔㅕㅖㅗㅘㅙ..ㅚㅛㅜㅝㅞㅟ..ㅠㅡㅢㅣ..";
const FINALS = "._ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁ.ㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ..";

const FIRST_SYLLABLE = 0xac00;
const FILL = 0x3000;

/** Adds the pairs of syllables and letters. Syllables are sorted by initial consonant, vowel and final consonant. */
function addHangul({ characters, pairs }) {
  let syllable = FIRST_SYLLABLE;
  for (let number = 0; number < 0x8000; number++) {
    const letters = INITIALS[number >>> 10] + VOWELS[(number >>> 5) & 31] + FINALS[number & 31];
    if (letters.includes(".")) continue;
    const [letter, ...others] = letters.replaceAll("_", "");
    // A letter needs two fill codes, and a syllable an initial consonant and a vowel.
    if (others.length > 0 && letters.indexOf("_") >= 0 && letters.indexOf("_") < 2) continue;
    const character = others.length > 0 ? syllable++ : (letter?.charCodeAt(0) ?? FILL);
    const pair = 0x8000 | number;
    characters[pair] = character;
    // The pair of an initial consonant replaces that of the same final one, which comes before it. U+3000 has another pair.
    if (letter !== undefined) pairs[character] = pair;
  }
}

/** Adds the pairs of rows 0x21 to 0x2C and 0x4A to 0x7D, two in each row of JOHAB, without the letters. */
function addOthers({ characters, pairs }) {
  const source = eucKr().characters;
  for (let leading = 0xd9; leading <= 0xf9; leading++) {
    if (leading === 0xdf) continue;
    for (let cell = 0; cell < 188; cell++) {
      const first = leading < 0xdf ? 0xa1 + 2 * (leading - 0xd9) : 0xca + 2 * (leading - 0xe0);
      const [row, column] = [first + Math.floor(cell / 94), 0xa1 + (cell % 94)];
      const character = source[(row << 8) | column];
      if (character === 0 || (row === 0xa4 && column <= 0xd3)) continue;
      const pair = (leading << 8) | (cell < 78 ? 0x31 + cell : 0x43 + cell);
      characters[pair] = character;
      pairs[character] = pair;
    }
  }
}

const table = once(() => {
  const all = new Pairs();
  addHangul(all);
  addOthers(all);
  return all;
});

const isLead = (byte) => (byte >= 0x84 && byte <= 0xd3) || (byte >= 0xd9 && byte <= 0xf9 && byte !== 0xdf);

export const JOHAB = {
  isAsciiCompatible: true,

  decode(input) {
    const leading = input.read();
    if (leading < 0x80) return leading;
    if (!isLead(leading)) return ERROR;
    const trailing = input.peek(0);
    if (trailing < 0) return ERROR;
    const character = table().characters[(leading << 8) | trailing];
    // ASCII that is not a trail byte is decoded again.
    if (character > 0 || trailing >= 0x80) input.at++;
    return character || ERROR;
  },

  encode(codePoint, output) {
    if (codePoint < 0x80) output.push(codePoint);
    else {
      const pair = table().pairs[codePoint] ?? 0;
      if (pair === 0) return codePoint;
      output.pushTwo(pair);
    }
    return MAPPED;
  },
};
