// The costs of text in each language: negative natural logarithms of frequencies, times 16.

import { LATIN, MARK, WIDE, isOfLetters } from "./chars.js";
import { getData } from "./data.js";
import { LANGUAGES } from "./languages.js";

/** The cost of a letter that the language does not have. */
const FOREIGN = 104;
/** The additional cost of what a letter costs in text at large, if that is less than in the language. */
const ESCAPE = 40;
/** The additional cost of a letter of another script than the letter before it, because a word is in one script. */
const OTHER_SCRIPT = 48;
/** The additional cost of a letter in text without a language. */
const NO_LANGUAGE = 12;
/** The additional cost of a Latin letter in text of another script. */
const OF_LATIN = 16;

/**
 * Pairs of characters: the sum of the costs that are the same in every language, and of each pair whose second character is a letter
 * what the models need to know.
 */
export class Letters {
  #data = getData();
  shared = 0;
  length = 0;

  constructor(capacity) {
    /** The numbers of the letters, and of those before them. */
    this.numbers = new Uint16Array(capacity);
    this.befores = new Uint16Array(capacity);
    this.units = new Uint16Array(capacity);
    this.scripts = new Uint8Array(capacity);
    /** What the letters cost in text at large. */
    this.universal = new Uint8Array(capacity);
    this.weights = new Float64Array(capacity);
  }

  /** Adds a pair that counts so much. */
  push(before, unit, weight) {
    const { groups, scripts, letters, universal } = this.#data;
    this.shared += sharedCost(this.#data, before, unit) * weight;
    if (!isOfLetters(groups[unit])) return;
    const n = this.length++;
    this.numbers[n] = letters[unit];
    this.befores[n] = letters[before];
    this.units[n] = unit;
    this.scripts[n] = scripts[unit];
    this.universal[n] = universal[unit];
    this.weights[n] = weight;
  }
}

/** Text in a language, or in none. */
class Model {
  #data = getData();
  #letters;
  #wide;

  /**
   * @param language one of LANGUAGES, or `undefined`: then letters cost the same in every language
   * @param letters its letter pairs
   * @param wide the costs of characters of East Asia
   */
  constructor(language, letters, wide) {
    this.language = language;
    this.#letters = letters;
    this.#wide = wide;
    this.isWide = wide !== undefined;
    /** The script of the letters, or 0 if they are not of one script. */
    this.script = letters?.script ?? 0;
    /** The numbers of the letters. */
    this.numbers = letters?.numbers ?? [];
  }

  /** Returns the cost of a character after another one. */
  cost(before, unit) {
    const { groups, scripts, letters, universal } = this.#data;
    const shared = sharedCost(this.#data, before, unit);
    if (!isOfLetters(groups[unit])) return shared;
    return shared + this.#letterCost(letters[before], letters[unit], unit, scripts[unit], universal[unit]);
  }

  /** The part of the cost of a letter that depends on the language. `before` and `number` are numbers of letters. */
  #letterCost(before, number, unit, script, universal) {
    const letters = this.#letters;
    if (letters !== undefined) {
      const symbol = letters.symbols[number];
      if (symbol === 0 || symbol === letters.size - 1) {
        return script === LATIN && letters.script !== LATIN ? universal + OF_LATIN : Math.max(universal + ESCAPE, FOREIGN);
      }
      return Math.min(letters.costs[letters.symbols[before] * letters.size + symbol], universal + ESCAPE);
    }
    if (this.#wide === undefined) return universal + NO_LANGUAGE;
    if (this.#data.groups[unit] === WIDE) return Math.min(this.#wide[unit] || universal, universal);
    return universal + (script === LATIN ? OF_LATIN : ESCAPE);
  }

  /** Adds the costs of letters to a sum, until it is more than `most`. */
  addLetters({ length, befores, numbers, units, scripts, universal, weights }, sum, most) {
    for (let n = 0; n < length && sum <= most; n++) {
      sum += this.#letterCost(befores[n], numbers[n], units[n], scripts[n], universal[n]) * weights[n];
    }
    return sum;
  }

  /** Returns the cost of pairs of bytes that are these characters. */
  costOf({ length, befores, bytes, weights }, characters) {
    let sum = 0;
    for (let n = 0; n < length; n++) sum += this.cost(characters[befores[n]], characters[bytes[n]]) * weights[n];
    return sum;
  }
}

/** Returns the part of the cost of a character after another one that is the same in every language. */
function sharedCost({ groups, scripts, universal, transitions, groupCount }, before, unit) {
  const [first, second] = [groups[before], groups[unit]];
  const cost = transitions[first * groupCount + second];
  if (!isOfLetters(second)) return cost + universal[unit];
  return scripts[before] !== scripts[unit] && isOfLetters(first) && second !== MARK ? cost + OTHER_SCRIPT : cost;
}

let loaded;

/** Returns a model for each language, of which Chinese has two, and the one of text without a language. */
export const getModels = () => (loaded ??= load());

function load() {
  const { languages, wide } = getData();
  const ofLetters = languages.map((letters, n) => new Model(LANGUAGES[n], letters, undefined));
  const first = languages.length;
  const ofEastAsia = wide.map((costs, n) => new Model(LANGUAGES[first + Math.min(n, 2)], undefined, costs));
  return { models: [...ofLetters, ...ofEastAsia], firstWide: first, universal: new Model() };
}
