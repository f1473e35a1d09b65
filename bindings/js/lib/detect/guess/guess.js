// Guesses the encoding from what text looks like, by the model of the crate textcodec-language.
//
// The distinct words of the text are decoded in every encoding, and each has a cost: the negative logarithm of its frequency. The
// encoding with the lowest cost wins. The files here are those of the crate textcodec-detect, and give the same numbers.

import { getModels } from "../../language.js";
import { Evidence } from "./evidence.js";
import { UNKNOWN, findMixture } from "./mixture.js";
import { getPages } from "./pages.js";
import { Sample } from "./sample.js";
import { Hints, findFits, hasWideLetters, isUtf8 } from "./score.js";

/** Collects the text for a guess. */
export class Guesser {
  #sample = new Sample();
  /** Whether there were blocks that it did not get, because the text was UTF-8 until then. */
  hasSkipped = false;

  /** Adds a block of the text. */
  feed(block) {
    this.#sample.feed(block);
  }

  /** Ends the text. */
  end() {
    this.#sample.end();
  }

  /** Returns the guess, or `undefined`. `isPossible` says which encodings of the standard the text can be in. */
  finish(isPossible, languages, domain) {
    const { typicalWords } = this.#sample;
    const typical = typicalWords && new Evidence(typicalWords, []);
    const fitsOf = (evidence) => findFits(evidence, new Hints(evidence, languages, domain), isPossible);
    const evidence = new Evidence(this.#sample.words, this.#sample.ascii);
    const fits = fitsOf(evidence);
    if (fits.length === 0) return undefined;
    const mixture = findMixture(evidence, fits[0]);
    // Words in UTF-8 look like rare encodings. The rest says what the other encoding is.
    const others = Array.from({ length: evidence.count }, (_, n) => n).filter((n) => !isUtf8(evidence.word(n)));
    if (!(mixture?.name === "UTF-8" && mixture.gain > 0) || others.length === 0) return new Guess(evidence, fits, mixture, typical);
    const rest = evidence.part(others, this.#sample.ascii);
    const fitsOfRest = fitsOf(rest);
    return fitsOfRest.length === 0 ? undefined : new Guess(rest, fitsOfRest, mixture, typical);
  }
}

const weightOf = ({ pairs: { length, weights } }) => weights.subarray(0, length).reduce((sum, weight) => sum + weight, 0);

/** What a guess says. */
class Guess {
  /** The cost if the encoding is none of these. */
  unknown;
  /** The number of distinct pairs of bytes with a non-ASCII byte. */
  distinct;
  /** The cost of such a pair in the best encoding, on average, in nats. */
  costOfPair;
  mixture;
  /** Whether there are letters of ASCII, too. */
  hasAsciiLetters;
  /** Whether the best encoding is one of East Asia. */
  isWide;
  /** Whether the best encoding is multi-byte, and the text has no letters beyond ASCII in it. */
  hasSignsOnly;

  /**
   * @param fits how well the text fits each encoding, the best first
   * @param typical the evidence of the words that are typical of the text, if not all are
   */
  constructor(evidence, fits, mixture, typical) {
    this.fits = fits;
    this.mixture = mixture;
    const [best] = fits;
    const { models, universal } = getModels();
    const model = models.find(({ language, isWide }) => language === best.language && !isWide) ?? universal;
    const ofAscii = model.costOf(evidence.plain, getPages()[0].characters);
    const weight = weightOf(evidence);
    this.unknown = ofAscii + weight * UNKNOWN + 64;
    this.distinct = evidence.pairs.length;
    const costOfPair =
      typical !== undefined && typical.pairs.length > 0 && best.page !== undefined
        ? model.costOf(typical.pairs, best.page.characters) / weightOf(typical)
        : (best.cost - ofAscii) / weight;
    this.costOfPair = costOfPair / 16;
    this.hasAsciiLetters = evidence.ascii.length > 0 || evidence.plain.length > 0;
    this.isWide = best.page === undefined && best.encoding !== "UTF-8";
    this.hasSignsOnly = best.page === undefined && !hasWideLetters(best);
  }

  /**
   * Returns how likely it is that the best encoding is wrong, from 0 to 1.
   * @param margin the difference to the cost of the best other text, in nats
   */
  doubt(margin) {
    // Costs are sums over characters that are not independent of each other, so a difference says less than its size.
    const other = 0.5 * Math.exp(-margin / 1.25);
    // Text whose characters cost more is in another encoding or language, or no text.
    const [usual, slope] = this.isWide ? [4, 5] : [4.5, 4];
    const unknown = 0.0002 * Math.exp(slope * Math.min(Math.max(this.costOfPair - usual, 0), 2));
    const doubt = other + unknown + this.#doubtOfLittle(margin) + this.#doubtOfMixture();
    return doubt < 0.97 ? doubt : 0.97; // also if it is not a number
  }

  #doubtOfLittle(margin) {
    const { distinct, hasAsciiLetters } = this;
    if (distinct < 3) return hasAsciiLetters ? 0.01 : 0.03;
    if (distinct < 8) return this.isWide || !hasAsciiLetters ? 0.003 : 0.0004;
    // Signs of East Asia without any letters: of drawings, which all of its encodings have.
    return this.hasSignsOnly && margin < 15 ? 0.03 : 0;
  }

  #doubtOfMixture() {
    if (this.mixture === undefined) return 0;
    const gain = this.mixture.gain / 16;
    return gain >= 4 ? 0.5 : gain >= 0 ? 0.05 : 0.005;
  }
}
