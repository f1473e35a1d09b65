// The last rule: a guess. The encoding with the lowest cost wins.
//
// The guess of the crate is another one, with more tables: docs/design/detection.md.

import { decoderOf, isMultiByte, isSingleByte } from "./encodings.js";
import { characters, malformedSequences, rarelyOccurring } from "./words.js";

/** With this lead over all encodings in which the text differs, the guess has high confidence. Ten factors of e. */
const HIGH_LEAD = 160;
/** The same for medium confidence. */
const MEDIUM_LEAD = 64;
/** The minimum number of non-ASCII characters for high confidence. */
const MIN_HIGH = 8;
/** The minimum number for medium confidence, and if there are no letter pairs of the encoding. */
const MIN_MEDIUM = 2;
const MIN_MEDIUM_WITHOUT = 6;
/** The maximum cost of a pair. More means that the text is not text, or is in a language without letter pairs. */
const MAX_COST = 52;
const MAX_COST_OF_MULTI_BYTE = 70;

/** Multi-byte encodings that exclude each other. */
const GROUP = ["Shift_JIS", "EUC-JP", "EUC-KR", "Big5", "GBK"];

/**
 * Returns the guess, or the fallback if there is none, with the language of the text if it is known, and with another encoding that
 * is likely.
 */
export function guessed(verdict) {
  const { trials, fits, fallback } = verdict;
  const choice = fits && choose(trials, fits);
  const encoding = choice === undefined ? fallback : choice.fit.encoding === "GBK" && trials.isBeyondGbk ? "gb18030" : choice.fit.encoding;
  const tally = trials.tally(encoding);
  const beyond = tally.beyondAscii;
  const start =
    choice === undefined
      ? `no guess was made; ${encoding} is the fallback, with ${characters(beyond)}`
      : `guessed from ${characters(beyond)}`;
  const judged = damage(trials, encoding, tally) ?? judge(trials, choice, encoding, beyond, fits);
  const { confidence, reason } = verdict.lowerForControls(judged.confidence, start + judged.reason);
  const evidence = choice === undefined ? "fallback" : "guess";
  return { encoding, confidence, evidence, reason, language: judged.language, other: choice?.other?.encoding };
}

/** Returns why the confidence is low, whatever the costs are. */
function damage(trials, encoding, tally) {
  const confidence = "low";
  if (tally.malformed > 0) return { confidence, reason: `; but with ${malformedSequences(tally)}` };
  const unlikely = tally.unlikelyBeyondAscii;
  if (unlikely * 100 > tally.beyondAscii) return { confidence, reason: `; but ${rarelyOccurring(unlikely)}` };
  const utf8 = trials.tally("UTF-8");
  if (isSingleByte(encoding) && utf8.beyondAscii * 3 > utf8.malformed) {
    const malformed = malformedSequences(utf8);
    return { confidence, reason: `; but some of them are valid UTF-8; decoded as UTF-8, the text has ${malformed}` };
  }
  return undefined;
}

function judge(trials, choice, encoding, beyond, fits) {
  if (choice === undefined) return { confidence: "low", reason: "" };
  if (beyond >= 32 && isOnlyOne(trials, encoding)) {
    return { confidence: "high", reason: "; malformed in every other multi-byte encoding" };
  }
  const { fit, other } = choice;
  const lead = other === undefined ? Infinity : other.cost - fit.cost;
  const isKnown = fit.language !== undefined;
  if (beyond < (isKnown ? MIN_MEDIUM : MIN_MEDIUM_WITHOUT)) return { confidence: "low", reason: "" };
  if (lead < MEDIUM_LEAD) return { confidence: "low", reason: `; but ${other.encoding} is almost as likely` };
  const confidence = lead >= HIGH_LEAD && beyond >= MIN_HIGH && isKnown ? "high" : "medium";
  if (!isKnown) return { confidence, reason: "" };
  if (fit.cost > (isMultiByte(fit.encoding) ? MAX_COST_OF_MULTI_BYTE : MAX_COST) * fits.pairs) {
    return { confidence: "low", reason: "; but its letters fit no known language" };
  }
  return { confidence, reason: `, with letters as in ${fit.language}`, language: fit.language };
}

/** Chooses between the encodings. `other` is the best one in which the text is different. */
function choose(trials, { fits }) {
  const plausible = fits.filter(({ encoding }) => isPlausible(trials, encoding)).sort((a, b) => a.cost - b.cost);
  const [fit] = plausible; // windows-1252 is always plausible.
  return { fit, other: plausible.find(({ encoding }) => !trials.isSameText(encoding, fit.encoding)) };
}

/** Returns whether the text can be in an encoding. A multi-byte encoding may have a few malformed sequences. */
export function isPlausible(trials, encoding) {
  const tally = trials.tally(encoding);
  const tolerated = isMultiByte(encoding) ? Math.floor(tally.beyondAscii / 100) : 0;
  return tally.malformed <= tolerated && !tally.isAbandoned;
}

/** Returns whether no other multi-byte encoding decodes the text without errors. */
function isOnlyOne(trials, encoding) {
  const decoder = decoderOf(encoding);
  const fits = (other) => other === decoder || trials.tally(other).malformed === 0;
  return GROUP.includes(decoder) && GROUP.filter(fits).length === 1;
}
