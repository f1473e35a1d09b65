// The letter pairs of languages: how seldom each symbol follows each other symbol. docs/design/detection.md describes them.
//
// The symbols of a language are a separator (everything in ASCII that is not a letter), its letters without case, and one for all
// other characters. In a script other than Latin, all Latin letters are one symbol, `a`. Costs are negative logarithms, 16 for
// each factor of e.

import { base64, length, levels } from "../../generated/letter-pairs.js";
import { internal } from "../core.js";
import { LATIN } from "./costs.js";
import { LANGUAGES, ROWS } from "./languages.js";

/** The additional cost of a letter that is not in the language, because there are many. */
const FOREIGN = 32;
/** Symbols that occur in text in every language. */
const COMMON = "\xa0\xad‘’‚“”„‹›«»–—…•·†‡§°±×÷−¼½¾¹²³ªºµ€£¥©®™№¿¡";
/** The additional cost of such a symbol. */
const SYMBOL = 24;
/** The additional cost of another symbol. */
const ODD = 72;
/** The additional cost of a character that does not occur in text: a control character. */
const UNLIKELY = 150;

const SEPARATOR = 0;
const CASES = 3;

/** What a character is in every language, by character. */
const properties = new Map();

/**
 * Returns the letter without case if that is a single character, whether it is not a letter (0), a small one (1) or a capital (2), and
 * the additional cost if it is not in the language.
 */
function propertiesOf(char) {
  let known = properties.get(char);
  if (known === undefined) {
    const lower = char.toLowerCase();
    const letter = lower.length === 1 ? lower : char;
    const letterCase = /\p{Lowercase}/u.test(char) ? 1 : /\p{Uppercase}/u.test(char) ? 2 : 0;
    properties.set(char, (known = { letter, letterCase, foreignCost: foreignCost(char), isAsciiLetter: /[A-Za-z]/.test(char) }));
  }
  return known;
}

function foreignCost(char) {
  if (/[\x80-\x9f\ufffd\ue000-\uf8ff]/.test(char)) return UNLIKELY;
  if (/\p{Alphabetic}/u.test(char)) return FOREIGN;
  return COMMON.includes(char) ? SYMBOL : ODD;
}

class Model {
  #letters;
  #costs;
  #caseCosts;

  /** @param letters sorted */
  constructor(language, letters, costs, caseCosts) {
    this.language = language;
    this.#letters = new Map(letters.map((letter, n) => [letter, n + 1]));
    this.#costs = costs;
    this.#caseCosts = caseCosts;
  }

  get #other() {
    return this.#letters.size + 1;
  }

  #symbolOf(letter) {
    const symbol = this.#letters.get(letter);
    if (symbol !== undefined) return symbol;
    if (letter >= "a" && letter <= "z") return this.#letters.get("a") ?? this.#other;
    return letter < "\x80" ? SEPARATOR : this.#other;
  }

  /** Returns what each byte is in the language, if it is this character. */
  #decoded(characters, bytes) {
    const isLatin = this.#symbolOf("a") !== this.#symbolOf("b");
    const decoded = [];
    for (const byte of bytes) {
      const { letter, letterCase, foreignCost, isAsciiLetter } = propertiesOf(characters[byte]);
      const symbol = this.#symbolOf(letter);
      const additionalCost = symbol === this.#other ? foreignCost : 0;
      decoded[byte] = { symbol, case: letterCase, additionalCost: isAsciiLetter && !isLatin ? LATIN : additionalCost };
    }
    return decoded;
  }

  /** Returns the cost of byte pairs. `bytes` are those that occur, and `characters` are those of all bytes. */
  cost(pairs, characters, bytes) {
    const decoded = this.#decoded(characters, bytes);
    const count = this.#letters.size + 2;
    return pairs.reduce((sum, pair) => {
      const [first, second] = [decoded[pair.first], decoded[pair.second]];
      const letters = levels[this.#costs[first.symbol * count + second.symbol]];
      const cases = this.#caseCosts[first.case * CASES + second.case];
      return sum + pair.count * (letters + cases + second.additionalCost);
    }, 0);
  }
}

let models;

/** Returns the models of all languages, and for each encoding of `ROWS` the cost of each lead byte. */
export function loadModels() {
  return (models ??= unpack(internal.inflate(base64, length)));
}

function unpack(bytes) {
  let at = 0;
  const take = (length) => bytes.subarray(at, (at += length));
  const caseCosts = take(CASES * CASES);
  const languages = LANGUAGES.map((language) => {
    const [count] = take(1);
    const units = take(2 * count);
    const letters = Array.from({ length: count }, (_, n) => String.fromCharCode(units[2 * n] | (units[2 * n + 1] << 8)));
    return new Model(language, letters.sort(), take((count + 2) ** 2), caseCosts);
  });
  return { languages, leads: ROWS.map(() => take(256)) };
}
