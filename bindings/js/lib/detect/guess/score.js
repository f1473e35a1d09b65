// The cost of a text in each encoding.

import { decode } from "../../core.js";
import { Letters, getData, getModels, groupOf, isLetter } from "../../language.js";
import { HALF_KATAKANA, LATIN } from "../../language/chars.js";
import { languagesOf } from "./domains.js";
import { getPages } from "./pages.js";
import { END } from "./sample.js";

/** The maximum cost of words that are all ASCII. They hint at the language, but often belong to markup or code. */
const MAX_ASCII = 12 * 16;
/** The cost of ASCII words in a language of another script: English words occur in all of them. */
const OTHER_ASCII = 3 * 16;
/** How much the ASCII words of a text say, compared with those that have other letters. */
const ASCII_WEIGHT = 0.5;
/** The cost of a language that is not one of those that the caller expects. */
const UNEXPECTED = 6 * 16;
/** The cost of a language that is not one of those of the top-level domain. */
const OTHER_DOMAIN = 3 * 16;
/** The cost of languages in which there is less text. */
const RARE_LANGUAGE = 1.5 * 16;
const RARE = "mt cy br oc gd ga eo af az tg kk is eu gl sq fa".split(" ");
/** With a cost that is higher than the best by this, an encoding does not count. */
const HOPELESS = 60 * 16;
/** The same without a language, as a part of the best. */
const HOPELESS_RATIO = 1.2;
/** The cost of text in no language. */
const NO_LANGUAGE = 32;
/** The cost of a letter that is repeated again and again. */
export const RUN = 20 * 16;
/**
 * The cost for each letter that is missing to the number of different ones that words have at least in a script other than Latin, and
 * the same in East Asia. A text with one such letter probably has none.
 */
const ONE_LETTER = 3 * 16;
const LETTERS = 4;
const WIDE_LETTERS = 3;
/** How many different encodings are tried with languages. */
const TRIED = 10;

/** The multi-byte encodings, their rarity, and the numbers of their models among those of East Asia. */
const MULTI_BYTE = [
  { encoding: "Shift_JIS", rarity: 8, wide: [0] },
  { encoding: "EUC-JP", rarity: 20, wide: [0] },
  { encoding: "EUC-KR", rarity: 12, wide: [1] },
  { encoding: "GBK", rarity: 8, wide: [2, 3] },
  { encoding: "Big5", rarity: 12, wide: [3] },
];

/** The name of UTF-8 in which characters beyond the basic plane are two surrogates. */
const CESU_8 = "CESU-8";

const REPLACEMENT = 0xfffd;

/**
 * An encoding and the cost of the text in it.
 * @typedef {object} Fit
 * @property {string} name
 * @property {string | undefined} encoding `undefined` if it is not in the standard
 * @property {object | undefined} page
 * @property {object | undefined} language
 * @property {number} cost the negative logarithm of the text's frequency, times 16
 * @property {string} text the text, if the encoding is multi-byte
 */

/** What the language of a model costs: the ASCII words of the text, and the language itself. */
export class Hints {
  /** By model. */
  languages;
  /** The cost of the ASCII pairs in words with non-ASCII bytes, which is the same in every single-byte encoding. */
  plain;
  universal;
  /** The cost of text in no language of the model, if languages are expected. */
  noLanguage;

  /** @param expected the languages that the caller expects */
  constructor({ ascii, plain }, expected, domain) {
    const ofDomain = domain === undefined ? [] : languagesOf(domain);
    const { models, universal } = getModels();
    const [{ characters }] = getPages();
    const isLatin = ({ script }) => script === LATIN;
    const costs = models.map((model) => (isLatin(model) && ascii.length > 0 ? model.costOf(ascii, characters) * ASCII_WEIGHT : 0));
    const least = Math.min(...costs.filter((_, n) => isLatin(models[n])));
    this.languages = models.map((model, n) => {
      const { language } = model;
      const ofAscii = isLatin(model) ? Math.min(costs[n] - least, MAX_ASCII) : OTHER_ASCII;
      const isExpected = expected.length === 0 || expected.includes(language);
      const isOfDomain = ofDomain.length === 0 || ofDomain.includes(language.tag);
      const isRare = expected.length === 0 && RARE.includes(language.tag);
      return (
        (least === 0 ? 0 : ofAscii) +
        (isExpected ? 0 : UNEXPECTED) +
        (isOfDomain ? 0 : OTHER_DOMAIN) +
        (isRare ? RARE_LANGUAGE : 0)
      );
    });
    this.plain = models.map((model) => model.costOf(plain, characters));
    this.universal = universal.costOf(plain, characters);
    this.noLanguage = (expected.length === 0 ? 0 : UNEXPECTED) + (ofDomain.length === 0 ? 0 : OTHER_DOMAIN);
  }
}

/** Returns how well the text fits each encoding, the best first. `isWanted` says which encodings take part. */
export function findFits(evidence, hints, isWanted) {
  const byCost = (a, b) => a.cost - b.cost;
  const tried = getPages()
    .filter(({ encoding }) => encoding === undefined || isWanted(encoding))
    .map((page) => tryPage(page, evidence, hints))
    .sort(byCost);
  const kept = [];
  let different = 0;
  for (const one of tried) {
    if (!kept.some(({ page }) => page.isSame(one.page, evidence.bytes))) different++;
    const limit = kept.length === 0 ? Infinity : kept[0].cost * HOPELESS_RATIO + HOPELESS;
    if (different <= TRIED && one.cost <= limit) kept.push(one);
  }
  const fits = MULTI_BYTE.filter(({ encoding }) => isWanted(encoding)).map((one) => ofMultiByte(one, evidence, hints));
  if (isWanted("UTF-8")) fits.push(ofUnicode("UTF-8", "UTF-8", decoded("UTF-8", evidence), evidence, hints));
  if (hasSurrogates(evidence.text)) fits.push(ofUnicode(CESU_8, undefined, inCesu8(evidence.text), evidence, hints));
  const found = fits.filter((fit) => fit !== undefined);
  let best = Math.min(...found.map(({ cost }) => cost));
  for (const one of kept) {
    const fit = ofPage(one, evidence, hints, best + HOPELESS);
    best = Math.min(best, fit.cost);
    found.push(fit);
  }
  return found.sort(byCost);
}

/** The cost of the text in a page without a language. */
function tryPage(page, evidence, hints) {
  const additional = costOfPage(page, evidence);
  const cost = getModels().universal.costOf(evidence.pairs, page.characters) + hints.universal + additional;
  return { page, additional, cost };
}

/** `limit` is a cost above which the exact cost does not matter. */
function ofPage({ page, additional, cost: universal }, { pairs }, hints, limit) {
  const letters = new Letters(pairs.length);
  for (let n = 0; n < pairs.length; n++) {
    letters.push(page.characters[pairs.befores[n]], page.characters[pairs.bytes[n]], pairs.weights[n]);
  }
  const shared = letters.shared + additional;
  const scripts = new Set([LATIN]);
  for (let n = 0; n < letters.length; n++) if (letters.numbers[n] > 0) scripts.add(letters.scripts[n]);
  let cost = universal + NO_LANGUAGE + hints.noLanguage;
  let language;
  getModels().models.forEach((model, n) => {
    if (model.isWide || !scripts.has(model.script)) return;
    const start = shared + hints.plain[n] + hints.languages[n] + page.missing[n];
    const sum = model.addLetters(letters, start, Math.min(cost, limit));
    if (sum < cost && sum <= limit) {
      cost = sum;
      language = model.language;
    }
  });
  return { name: page.name, encoding: page.encoding, page, language, cost, text: "" };
}

/** What a page costs in addition to its pairs. */
function costOfPage({ rarity, characters }, evidence) {
  const runs = evidence.runs.filter((run) => run.some((byte) => isWordCharacter(characters[byte]))).length;
  return rarity + runs * RUN + fewLetters(characters, evidence);
}

/** The cost of having few different letters of a script other than Latin. */
function fewLetters(characters, evidence) {
  const { scripts } = getData();
  const isOfOther = (byte) => isLetter(characters[byte]) && scripts[characters[byte]] !== LATIN;
  const count = evidence.bytes.filter(isOfOther).length;
  return count === 0 ? 0 : Math.max(LETTERS - count, 0) * ONE_LETTER;
}

/** Decodes the words in an encoding. */
const decoded = (encoding, evidence) => decode(evidence.text, encoding, { bom: "keep" });

/** Returns whether there is a surrogate in the form of UTF-8, which only CESU-8 has. */
function hasSurrogates(bytes) {
  const isSurrogate = (at) => bytes[at + 1] >= 0xa0 && bytes[at + 1] <= 0xbf;
  for (let at = bytes.indexOf(0xed); at >= 0; at = bytes.indexOf(0xed, at + 1)) if (isSurrogate(at)) return true;
  return false;
}

/** Decodes bytes in CESU-8. */
function inCesu8(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const [first, second, third] = bytes.subarray(at, at + 3);
    if (first === 0xed && second >= 0xa0 && second <= 0xbf && third >= 0x80 && third <= 0xbf) {
      text += String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
      at += 3;
      continue;
    }
    let end = at + 1;
    while (end < bytes.length && !(bytes[end] === 0xed && bytes[end + 1] >= 0xa0)) end++;
    text += decode(bytes.subarray(at, end), "UTF-8", { bom: "keep" });
    at = end;
  }
  return text;
}

/** Returns the number of code units for which a function returns `true`. */
function count(text, isCounted) {
  let sum = 0;
  for (let n = 0; n < text.length; n++) if (isCounted(text.charCodeAt(n))) sum++;
  return sum;
}

/** Returns whether one in so many non-ASCII characters is malformed, or more. */
const isMalformed = (text, oneIn) => count(text, (unit) => unit === REPLACEMENT) * oneIn > count(text, (unit) => unit >= 0x80);

/** Returns how well the text fits in a form of UTF-8, which has no language of its own. A few sequences may be malformed. */
function ofUnicode(name, encoding, text, evidence, hints) {
  if (isMalformed(text, 3)) return undefined;
  const models = getModels().models.map((model, n) => ({ model, own: hints.languages[n] }));
  return { name, encoding, page: undefined, ...cheapest(text, evidence, models), text };
}

function ofMultiByte({ encoding, rarity, wide }, evidence, hints) {
  const text = decoded(encoding, evidence);
  if (isMalformed(text, 4)) return undefined;
  const { models, firstWide, universal } = getModels();
  const tried = wide.map((n) => ({ model: models[firstWide + n], own: hints.languages[firstWide + n] }));
  tried.push({ model: universal, own: NO_LANGUAGE + hints.noLanguage });
  const { cost, language } = cheapest(text, evidence, tried);
  const additional = lettersInRuns(text) * RUN + fewWideLetters(text);
  return { name: encoding, encoding, page: undefined, language, cost: cost + rarity + additional, text };
}

/** The cost of having few different letters of East Asia. */
function fewWideLetters(text) {
  const letters = new Set();
  for (let n = 0; n < text.length && letters.size < WIDE_LETTERS; n++) {
    const unit = text.charCodeAt(n);
    if (unit >= 0x2e80 && isLetter(unit)) letters.add(unit);
  }
  return letters.size === 0 ? 0 : (WIDE_LETTERS - letters.size) * ONE_LETTER;
}

/** Returns whether a character belongs to words, so that it is not repeated again and again. */
const isWordCharacter = (unit) => isLetter(unit) || groupOf(unit) === HALF_KATAKANA;

/** Returns the cost of a text in the cheapest of the models, and its language. Each model has a cost of its own. */
function cheapest(text, { weights }, models) {
  const letters = new Letters(text.length);
  forEachPair(text, (before, unit, word) => letters.push(before, unit, weights[word]));
  let cost = Infinity;
  let language;
  for (const { model, own } of models) {
    const sum = model.addLetters(letters, letters.shared + own, cost);
    if (sum < cost) {
      cost = sum;
      language = model.language;
    }
  }
  return { cost, language };
}

/** Calls a function with the characters of a text after each other, and the number of the word. */
function forEachPair(text, call) {
  for (let n = 1, word = 0, before = text.charCodeAt(0); n < text.length; n++) {
    const unit = text.charCodeAt(n);
    if (unit === END) word++;
    else if (before !== END) call(before, unit, word);
    before = unit;
  }
}

/** Returns the number of distinct letters that are repeated again and again. */
function lettersInRuns(text) {
  const units = new Set();
  for (let n = 0, length = 0, before = -1; n < text.length; n++) {
    const unit = text.charCodeAt(n);
    length = unit === before ? length + 1 : 1;
    before = unit;
    if (length === 4 && isWordCharacter(unit)) units.add(unit);
  }
  return units.size;
}

/** Returns the cost of each word in a text. */
export function costsOfWords(text, evidence, model) {
  const costs = new Array(evidence.count).fill(0);
  forEachPair(text, (before, unit, word) => (costs[word] += model.cost(before, unit)));
  return costs;
}

/** Returns the cost of each word in each multi-byte encoding, in the likeliest of its languages. */
export function inMultiByte(evidence) {
  const { models, firstWide } = getModels();
  const costsIn = (encoding, models) => {
    const text = decoded(encoding, evidence);
    const all = models.map((model) => costsOfWords(text, evidence, model));
    const sums = all.map((costs) => costs.reduce((sum, cost) => sum + cost));
    return { encoding, costs: all[sums.indexOf(Math.min(...sums))] };
  };
  const wide = MULTI_BYTE.map(({ encoding, wide }) => costsIn(encoding, wide.map((n) => models[firstWide + n])));
  const hasUtf8 = Array.from({ length: evidence.count }, (_, n) => evidence.word(n)).some(isUtf8);
  return hasUtf8 ? [...wide, costsIn("UTF-8", models)] : wide;
}

/** Returns whether bytes are well-formed UTF-8. */
export function isUtf8(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const [first, second] = [bytes[at], bytes[at + 1]];
    const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length === 0 || at + length > bytes.length) return false;
    for (let n = 1; n < length; n++) if (bytes[at + n] >> 6 !== 2) return false;
    const isTooLow = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
    if (isTooLow || (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f)) return false;
    at += length;
  }
  return true;
}

/** Returns whether the text has letters beyond ASCII in a multi-byte encoding. */
export const hasWideLetters = ({ text }) => count(text, (unit) => unit >= 0x80 && isLetter(unit)) > 0;
