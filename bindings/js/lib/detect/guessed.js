// The last rule: a guess.
//
// The encoding in which the text is likeliest wins. How likely it is that the answer is right follows from what the other encodings
// cost, and from what text costs whose encoding or language is unknown.

import { MEDIUM, confidenceOf, leastOf } from "./detection.js";
import { decoderOf, isMultiByte, isSingleByte } from "./encodings.js";
import { characters, malformedSequences, rarelyOccurring } from "./words.js";

/** The highest probability of text with something that speaks against it. It is low. */
const DOUBTFUL = 0.9;

/** A difference of costs: an encoding is almost as likely as the best one. */
const CLOSE = 96;

/** Returns the guess with its probability, or the fallback if there is none. The language is that of the text, if it is known. */
export function guessed(verdict) {
  const { trials, guess, fallback } = verdict;
  const choice = guess && choose(verdict, guess);
  const named = choice?.fit.encoding ?? fallback;
  const encoding = choice?.fit.encoding === "GBK" && trials.isBeyondGbk ? "gb18030" : named;
  const beyond = trials.tally(encoding).beyondAscii;
  let reason =
    choice === undefined
      ? `no guess was made; ${encoding} is the fallback, with ${characters(beyond)}`
      : `guessed from ${characters(beyond)}`;
  const doubt = doubtOf(verdict, encoding, choice);
  const { mixture } = guess ?? {};
  const second = mixture?.gain > 0 ? mixture.encoding : undefined;
  const mixed = second ?? (hasUtf8(trials, encoding) ? "UTF-8" : undefined);
  // With candidates, the answer can be what another encoding is mixed with.
  const mixedWith = mixed === encoding ? undefined : mixed;
  let probability = choice?.probability ?? 0.5;
  let language;
  if (doubt !== undefined) {
    probability = Math.min(probability, DOUBTFUL);
    reason += `; but ${doubt}`;
  } else if (choice !== undefined) {
    const { fit, other } = choice;
    if (probability >= MEDIUM) language = fit.language?.name;
    if (language !== undefined) reason += `, with letters as in ${language}`;
    if (probability < MEDIUM) {
      const isClose = other !== undefined && other.cost - fit.cost < CLOSE;
      reason += isClose ? `; but ${other.name} is almost as likely` : "; but its letters fit no known language well";
    }
  }
  const confidence = confidenceOf(probability);
  const lowered = verdict.lowerForControls(confidence, reason);
  if (lowered.confidence !== confidence) probability = leastOf(lowered.confidence);
  return { encoding, ...lowered, evidence: choice === undefined ? "fallback" : "guess", probability, language, mixedWith };
}

/** Returns whether many of the characters of a text in a single-byte encoding are valid UTF-8. */
function hasUtf8(trials, encoding) {
  const { beyondAscii, malformed } = trials.tally("UTF-8");
  return isSingleByte(encoding) && beyondAscii * 3 > malformed;
}

/** Returns what speaks against the answer, whatever the costs are. */
function doubtOf({ trials, guess, hasSkipped }, encoding, choice) {
  const tally = trials.tally(encoding);
  if (tally.malformed > 0) return `with ${malformedSequences(tally)}`;
  const unlikely = tally.unlikelyBeyondAscii;
  if (unlikely * 100 > tally.beyondAscii) return rarelyOccurring(unlikely);
  if (hasUtf8(trials, encoding) || hasSkipped) {
    return `some of them are valid UTF-8; decoded as UTF-8, the text has ${malformedSequences(trials.tally("UTF-8"))}`;
  }
  if (choice === undefined) return undefined;
  const { mixture } = guess;
  if (mixture?.gain > 0) return `${mixture.words} of ${mixture.all} words look like ${mixture.name}`;
  return choice.fit.encoding === undefined ? `it looks like ${choice.fit.name}, which cannot be decoded here` : undefined;
}

/**
 * Chooses between the encodings. `other` is the best one in which the text is different. `ranked` are the probabilities of all
 * encodings, by their names. Encodings in which the text is the same have the same one.
 */
export function choose({ trials, candidates }, guess) {
  const isWanted = ({ encoding }) =>
    candidates.length === 0 || (encoding !== undefined && candidates.some((one) => decoderOf(one) === decoderOf(encoding)));
  const fit = guess.fits.find(isWanted);
  if (fit === undefined) return undefined;
  const bytes = trials.nonAsciiBytes;
  const groups = [fit];
  for (const other of guess.fits) if (!groups.some((group) => isSame(group, other, bytes))) groups.push(other);
  const [, ...others] = groups;
  const margin = others.length === 0 ? Infinity : (others[0].cost - fit.cost) / 16;
  const probability = 1 - guess.doubt(margin);
  // What is not the best text's probability is shared by the others, and by what is unknown.
  // An encoding that is not wanted can be far likelier. e^600 times the number of encodings is finite.
  const weight = ({ cost }) => Math.exp(Math.min((fit.cost - cost) / 16, 600));
  const ofUnknown = Math.min(Math.exp((fit.cost - guess.unknown) / 16), 1e6) + 1e-9;
  const sum = others.reduce((sum, other) => sum + weight(other), 0) + ofUnknown;
  const of = (other) => (isSame(fit, other, bytes) ? probability : ((1 - probability) * weight(other)) / sum);
  const known = guess.fits.filter(({ encoding }) => encoding !== undefined);
  return { fit, other: others[0], probability, ranked: new Map(known.map((fit) => [fit.encoding, of(fit)])) };
}

/** Returns whether text can be in a multi-byte encoding. A few sequences may be malformed. */
export function isPlausibleInMultiByte({ beyondAscii, malformed, isAbandoned }) {
  const tolerated = beyondAscii < 16 ? 0 : Math.ceil(beyondAscii / 50);
  return malformed <= tolerated && !isAbandoned;
}

/** Returns whether the text can be in an encoding. */
export function isPlausible(trials, encoding) {
  const tally = trials.tally(encoding);
  return isMultiByte(encoding) ? isPlausibleInMultiByte(tally) : tally.malformed === 0 && !tally.isAbandoned;
}

/** Returns whether the text is the same in both encodings. `bytes` are its non-ASCII bytes. */
function isSame(one, other, bytes) {
  if (one.page === undefined || other.page === undefined) return one.page === other.page && one.name === other.name;
  return one.page.isSame(other.page, bytes);
}
