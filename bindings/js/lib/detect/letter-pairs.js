// How well the letter pairs of a text fit each encoding. The cost of a text is the negative logarithm of its frequency: 16 for
// each factor of e.

import { LATIN, SINGLE, TRAIL, isLetter } from "./costs.js";
import { DoubleByte } from "./double-byte.js";
import { ROWS, SINGLE_BYTE } from "./languages.js";
import { loadModels } from "./model.js";
import { charactersOf } from "./trials.js";

/** Encodings that are rare today, and the cost of using one. */
const RARE = ["macintosh", "x-mac-cyrillic", "IBM866", "ISO-8859-4"];
const RARITY = 16;
/** The maximum cost of words that are all ASCII. They hint at the language, but often belong to markup or code. */
const MAX_ASCII = 160;
/** The maximum number of bytes that are kept to see whether a word has non-ASCII bytes. */
const MAX_WORD = 64;
/** The byte before and after a word. */
const SPACE = 0x20;

/** Counts the byte pairs of a text, and its lead bytes. */
export class LetterPairs {
  /** The number of each pair in words with non-ASCII bytes, and in other words. */
  #pairs = new Uint32Array(0x10000);
  #ascii = new Uint32Array(0x10000);
  /** The start of the current word, and the byte before it. */
  #word = [];
  #before = SPACE;
  /** The lead bytes of the characters, if the text is in EUC-JP, EUC-KR or GBK. */
  #leads = new Uint32Array(256);
  /** A lead byte without its trail byte, or 0. */
  #lead = 0;
  /** The number of non-ASCII bytes that are not in a pair of bytes from A1 on. */
  #single = 0;
  #doubleByte = new DoubleByte();

  feed(block) {
    for (const byte of block) {
      if (isLetter(byte) || byte >= 0x80) {
        this.#word.push(byte);
        if (this.#word.length === MAX_WORD) this.#countWord();
      } else if (this.#word.length > 0) {
        this.#word.push(SPACE);
        this.#countWord();
      }
    }
    this.#doubleByte.feed(block);
  }

  #countWord() {
    const isAscii = this.#before < 0x80 && this.#word.every((byte) => byte < 0x80);
    const counts = isAscii ? this.#ascii : this.#pairs;
    for (const byte of this.#word) {
      counts[(this.#before << 8) | byte]++;
      this.#before = byte;
      const lead = this.#lead;
      this.#lead = 0;
      if (byte < 0xa1) this.#single += (lead > 0) + (byte >= 0x80);
      else if (lead > 0) this.#leads[lead]++;
      else this.#lead = byte;
    }
    this.#word = [];
  }

  /** Returns how well the text fits each encoding, and the number of pairs in words with non-ASCII bytes. */
  finish() {
    this.#word.push(SPACE);
    this.#countWord();
    const pairs = pairsOf(this.#pairs);
    const ascii = pairsOf(this.#ascii);
    const { languages, leads } = loadModels();
    const inAscii = costsIn(languages, ascii, bytesOf(ascii), "windows-1252");
    const least = Math.min(...inAscii);
    const ofAscii = inAscii.map((cost) => Math.min(cost - least, MAX_ASCII));
    const bytes = bytesOf(pairs);
    const fits = SINGLE_BYTE.map((encoding) => {
      const models = languages.filter(({ language }) => language.encodings.includes(encoding));
      const costs = costsIn(models, pairs, bytes, encoding).map((cost, n) => cost + ofAscii[languages.indexOf(models[n])]);
      const cost = Math.min(...costs);
      const language = models[costs.indexOf(cost)].language.name;
      return { encoding, language, cost: cost + (RARE.includes(encoding) ? RARITY : 0) };
    });
    const asciiCost = Math.min(Math.max(sum(ascii) * LATIN - least, 0), MAX_ASCII);
    const latin = sum(pairs.filter(({ second }) => isLetter(second)));
    ROWS.forEach(({ encoding, language }, n) => {
      const cost = this.#leads.reduce((sum, count, lead) => sum + count * (leads[n][lead] + TRAIL), 0);
      fits.push({ encoding, language, cost: cost + latin * LATIN + this.#single * SINGLE + asciiCost });
    });
    fits.push(...this.#doubleByte.fits(leads[0], asciiCost));
    return { fits, pairs: sum(pairs) };
  }
}

const sum = (pairs) => pairs.reduce((sum, { count }) => sum + count, 0);

function pairsOf(counts) {
  const pairs = [];
  for (let at = 0; at < counts.length; at++) {
    if (counts[at] > 0) pairs.push({ first: at >> 8, second: at & 0xff, count: counts[at] });
  }
  return pairs;
}

/** Returns the bytes that occur, each once. */
const bytesOf = (pairs) => [...new Set(pairs.flatMap(({ first, second }) => [first, second]))];

/** Returns the cost of pairs in each of the languages. `bytes` are those of the pairs. */
function costsIn(models, pairs, bytes, encoding) {
  const characters = charactersOf(encoding);
  return models.map((model) => model.cost(pairs, characters, bytes));
}
