// Measures how much a decoding result looks like real text. `words.js` explains the measure.

import { foreignLetters, frequency, wordOddness } from "./letters.js";

/** The maximum number of code units that are measured. */
const SAMPLE = 32768;

const OTHER = 0;
const BAD = 1;
const SYMBOL = 2;
const QUOTE = 3;
// From here on, parts of words.
const LOWER = 4;
const UPPER = 5;
const LETTER = 6;
const MARK = 7;

/** The index of the Latin script in `SCRIPTS`. */
const LATIN = 0;

const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]/u,
  /\p{Script=Hangul}/u,
];

/** A cache of traits of characters. */
const cache = new Map();

function traits(character) {
  let traits = cache.get(character);
  if (traits === undefined) {
    traits = { kind: kindOf(character), script: SCRIPTS.findIndex((script) => script.test(character)), character };
    cache.set(character, traits);
  }
  return traits;
}

function kindOf(character) {
  if (character === "\ufffd") return OTHER;
  if (/[\p{Cc}\p{Co}\p{Cn}\p{Cs}\ufffe\uffff]/u.test(character)) return /[\t\n\f\r]/.test(character) ? OTHER : BAD;
  if (/\p{Ll}/u.test(character)) return LOWER;
  if (/\p{Lu}/u.test(character)) return UPPER;
  if (/\p{L}/u.test(character)) return LETTER;
  if (/\p{M}/u.test(character)) return MARK;
  if (/[“”«»…–—·º¿¡„‘‹›°²³¹]/.test(character)) return QUOTE;
  return character > "\x7f" && /[\p{S}\p{No}§¶†‡•‰‚„]/u.test(character) ? SYMBOL : OTHER;
}

/**
 * Measures text.
 * @param {string} text
 * @param {{ errors: number, bom?: boolean, structure?: number, rarity?: number }} facts the number of malformed
 *   sequences; whether a byte order mark identifies the encoding; how much of the text, from 0 to 1, is in an encoding in
 *   which arbitrary bytes are rarely well-formed (UTF-8, ISO-2022-JP); how rare the encoding is, in points
 * @returns {{ rank: number, score: number, characters: number, common: number, bad: number, odd: number }} `score` is
 *   `rank` limited to 0 to 100; `characters` is the number of characters other than ASCII, and the others are shares of
 *   them from 0 to 1
 */
export function measure(text, { errors, bom = false, structure = 0, rarity = 0 }) {
  const sample = text.length > SAMPLE ? text.slice(0, SAMPLE) : text;
  let characters = 0;
  let common = 0;
  let bad = 0;
  let odd = 0;
  let format = 0;
  const start = { kind: OTHER, script: -1, character: "" };
  let [earlier, before] = [start, start];
  let wasAscii = true;
  for (const character of sample) {
    // Format characters, such as those for the direction of text, do not separate the letters next to them.
    if (FORMAT.test(character)) {
      format++;
      continue;
    }
    const isAscii = character <= "\x7e";
    const now = traits(character);
    const isExpected = !isAscii && isSignInPlace(character, before, earlier);
    if (character === "\ufffd") {
      characters++;
    } else if (now.kind === BAD) {
      characters++;
      bad++;
    } else {
      if (!isAscii) {
        characters++;
        // Words in capitals are less frequent. Signs are usually between spaces or next to numbers.
        if (isExpected) common += 0.9;
        else if (now.kind === SYMBOL) common += before.kind < SYMBOL ? Math.max(0.6, frequency(character)) : 0;
        else common += frequency(character) * (now.kind === UPPER && before.kind >= LOWER ? 0.9 : 1);
      }
      if ((!isAscii || !wasAscii) && !isExpected) odd += oddness(before, now, isAscii || wasAscii);
      const isAfterAccent = earlier.script === LATIN && earlier.character > "\x7f";
      if (isAfterAccent && /[{}^`]/.test(before.character) && now.kind >= LOWER) odd++;
      if (!isAscii && before.kind === QUOTE && earlier.kind >= LOWER && now.kind >= LOWER) odd++;
    }
    earlier = before;
    before = now;
    wasAscii = isAscii;
  }
  characters += format;
  // A few format characters are in text whose other letters look right, and nowhere else.
  common += Math.min(format, 2 + characters / 20) * (structure > 0 ? 0.8 : 0.1);
  if (characters === 0) return { rank: 100, score: 100, characters, common: 0, bad: 0, odd: 0 };
  for (const [word] of sample.matchAll(WORDS)) odd += wordOddness(word);
  odd += 0.7 * foreignLetters(sample);
  const replaced = Math.min(1, errors / characters);
  const shares = { common: common / characters, bad: bad / characters, odd: Math.min(1, odd / characters) };
  let rank = 40 + 60 * shares.common - 150 * shares.odd - 300 * shares.bad - 100 * replaced - rarity;
  if (errors > 0) rank -= 5;
  rank += 35 * structure * Math.max(0, 1 - 5 * replaced);
  if (bom) rank += 200;
  return { rank, score: Math.round(Math.min(100, Math.max(0, rank))), characters, ...shares };
}

/**
 * Says whether a sign is where correct text has it: "Windows™", "–€5", "µm", "★★★". A single accented letter before ™ or
 * ® can be the first half of a garbled character.
 */
function isSignInPlace(character, before, earlier) {
  if (/[™®©]/.test(character)) {
    if (before.kind < LOWER) return /[\d)”™®©]/.test(before.character);
    const isWord = before.script === LATIN ? /[a-z]/i.test(earlier.character) : before.script === earlier.script;
    return /[a-z]/i.test(before.character) || (isWord && before.script >= 0);
  }
  if (/[€£¥]/.test(character)) return /[“„‘«–—€£¥]/.test(before.character);
  if (character === "µ") return before.kind === OTHER;
  return before.kind === SYMBOL && character === before.character;
}

const FORMAT = /\p{Cf}/u;
const WORDS =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Greek}\p{Script=Cyrillic}]+|\p{Script=Thai}+|[\u3041-\u3096\u30a1-\u30fc]+/gu;

/**
 * Rates how unlikely two neighbours are: two scripts or a symbol within a word, an uppercase letter after a lowercase
 * one, two accented letters in a row, or a mark that does not follow a letter of its script.
 */
function oddness(before, now, isHalfAscii) {
  if (now.kind === MARK && now.script >= 0) return before.kind >= LOWER && before.script === now.script ? 0 : 1;
  if (before.kind >= LOWER && now.kind >= LOWER && now.kind !== MARK) {
    if (before.kind === LOWER && now.kind === UPPER) return 1;
    if (before.script === now.script) return before.script === LATIN && !isHalfAscii ? 0.25 : 0;
    if (before.script < 0 || now.script < 0) return 0;
    return isHalfAscii ? 0.5 : 1;
  }
  if (now.kind === MARK) return before.kind >= LOWER ? 0.25 : 1;
  if (/[ºª²³¹]/.test(before.character) && now.kind >= LOWER) return 1;
  if (before.kind >= SYMBOL && before.kind <= QUOTE && now.kind >= SYMBOL && now.kind <= QUOTE) return 0.5;
  return (before.kind === SYMBOL && now.kind >= LOWER) || (before.kind >= LOWER && now.kind === SYMBOL) ? 1 : 0;
}
