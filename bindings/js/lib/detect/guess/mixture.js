// Two encodings in one text.
//
// The words that are unlikely in the best encoding are judged once more. If another encoding explains some of them, the text has
// both.

import { getModels, isLetter } from "../../language.js";
import { getPages } from "./pages.js";
import { RUN, costsOfWords, inMultiByte, isUtf8 } from "./score.js";

/** The cost of a pair of bytes in text that is unknown: in another encoding or language, or no text. */
export const UNKNOWN = 4.6 * 16;
/** The cost of a pair of bytes from which on a word is unlikely. */
const UNLIKELY = 4 * 16;
/** How much likelier a word must be in another encoding to be in it, at least. */
const MIN_GAIN = 3 * 16;
/** What text in two encodings costs, in addition to its words. */
const SECOND = 7 * 16;
/** The cost of a sign between two letters, where hardly any stand, in addition to those of its pairs. */
const INNER = 4 * 16;
/** Signs that stand between letters. */
const JOINERS = "’‘·–—…\xa0\xad";
/** The maximum number of words that are judged. */
const MAX_WORDS = 64;
/** The rarity of a second encoding that is multi-byte. */
const MULTI_BYTE = 16;

/**
 * Returns the encoding in which some words are much likelier than in the best one: its name, the numbers of words in it and of all,
 * and the gain, which is how much likelier the text is in both encodings. Returns `undefined` if there is none.
 */
export function findMixture(evidence, best) {
  const { models, universal } = getModels();
  const model = (best.language && models.find(({ language }) => language === best.language)) ?? universal;
  const all = evidence.count;
  const costs = best.page === undefined ? costsOfWords(best.text, evidence, model) : costsIn(best.page, evidence, model);
  const excessOf = (cost, n) => {
    const word = evidence.word(n);
    if (best.encoding !== "UTF-8" && isUtf8(word)) return Infinity;
    return cost - costOfAscii(word, model) - UNLIKELY * countOthers(word);
  };
  const excesses = costs.map((cost, n) => ({ n, excess: excessOf(cost, n) })).filter(({ excess }) => excess > 0);
  const doubtful = excesses.sort((a, b) => (a.excess === b.excess ? 0 : b.excess - a.excess)).slice(0, MAX_WORDS);
  const chosen = doubtful.map(({ n }) => n).sort((a, b) => a - b);
  if (chosen.length === 0) return undefined;
  const part = evidence.part(chosen, []);
  const mixture = (name, encoding, rarity, others) => {
    const gains = chosen.map((n, at) => costs[n] - others[at]).filter((gain) => gain > 0);
    const { words, gain } = likeliestPart(gains, all);
    return { name, encoding, words, all, gain: gain - SECOND - rarity };
  };
  const pages = getPages().filter(({ name }) => name !== best.name);
  const inPages = pages.map((page) => {
    const [ofLanguage, ofAll] = [costsIn(page, part, model), costsIn(page, part, universal)];
    return mixture(page.name, page.encoding, page.rarity, ofLanguage.map((cost, n) => Math.min(cost, ofAll[n])));
  });
  const wide = inMultiByte(part).filter(({ encoding }) => encoding !== best.encoding);
  const inWide = wide.map(({ encoding, costs }) => mixture(encoding, encoding, MULTI_BYTE, costs));
  // What no encoding explains may be in an unknown one. Signs are rare enough without it.
  const ofUnknown = (n) => {
    const word = evidence.word(n);
    const hasNoSigns = best.page !== undefined && word.every((byte) => byte < 0x80 || isLetter(best.page.characters[byte]));
    return hasNoSigns ? costOfAscii(word, model) + countOthers(word) * UNKNOWN : Infinity;
  };
  const unknown = mixture("another encoding", undefined, 0, chosen.map(ofUnknown));
  const mixtures = [...inPages, ...inWide, unknown].filter(({ words }) => words > 0);
  // The last one, if several have the same gain.
  return mixtures.reduce((best, other) => (best === undefined || other.gain >= best.gain ? other : best), undefined);
}

/**
 * Returns how many of the words are in the other encoding, and how much likelier the text is then. A word there costs what says which of
 * all words it is.
 */
function likeliestPart(gains, all) {
  let best = { words: 0, gain: 0 };
  let sum = 0;
  gains.sort((a, b) => b - a).forEach((gain, n) => {
    sum += gain;
    const words = n + 1;
    const price = MIN_GAIN + 16 * Math.log(all / words);
    const ofAll = sum - price * words;
    if (ofAll > best.gain) best = { words, gain: ofAll };
  });
  return best;
}

const isAscii = (word, at) => (word[at] | word[at + 1]) < 0x80;

/** Returns the number of pairs of a word that are not all ASCII. */
function countOthers(word) {
  let count = 0;
  for (let at = 0; at + 1 < word.length; at++) if (!isAscii(word, at)) count++;
  return count;
}

/** Returns the cost of the ASCII pairs of a word. */
function costOfAscii(word, model) {
  const [{ characters }] = getPages();
  let sum = 0;
  for (let at = 0; at + 1 < word.length; at++) {
    if (isAscii(word, at)) sum += model.cost(characters[word[at]], characters[word[at + 1]]);
  }
  return sum;
}

/** Returns the cost of each word in a single-byte encoding. */
function costsIn({ characters }, evidence, model) {
  return Array.from({ length: evidence.count }, (_, n) => {
    const word = evidence.word(n);
    let sum = 0;
    let inner = 0;
    for (let at = 0; at + 1 < word.length; at++) {
      sum += model.cost(characters[word[at]], characters[word[at + 1]]);
      if (at > 0 && word[at] >= 0x80 && isInnerSign(characters[word[at - 1]], characters[word[at]], characters[word[at + 1]])) inner++;
    }
    return sum + INNER * inner + (hasRun(word, characters) ? RUN : 0);
  });
}

/** Returns whether a letter is repeated again and again, which only spaces and signs are. */
const hasRun = (word, characters) =>
  word.some((byte, at) => byte >= 0x80 && byte === word[at + 1] && byte === word[at + 2] && isLetter(characters[byte]));

/** Returns whether a character is a sign that does not stand between two letters, but is there. */
const isInnerSign = (before, unit, after) =>
  !isLetter(unit) && isLetter(before) && isLetter(after) && !JOINERS.includes(String.fromCharCode(unit));
