// The parts of a result.

const LEVELS = ["none", "low", "medium", "high", "certain"];

/** Returns whether a confidence is at least another one. */
export const isAtLeast = (confidence, other) => LEVELS.indexOf(confidence) >= LEVELS.indexOf(other);

/** Returns the lower confidence. */
export const lower = (one, other) => (isAtLeast(one, other) ? other : one);

/** The smallest probability of each level. */
const LEAST = { none: 0, low: 0, medium: 0.98, high: 0.999, certain: 1 };
export const MEDIUM = LEAST.medium;
export const leastOf = (confidence) => LEAST[confidence];

/** Returns the level of the probability of a guess. */
export const confidenceOf = (probability) => (probability >= LEAST.high ? "high" : probability >= MEDIUM ? "medium" : "low");

/** Returns the probability of an answer that follows from a rule. Those of guesses are computed. */
export const probabilityOf = (confidence) => (confidence === "low" ? 0.5 : LEAST[confidence]);

/** Returns the result of decoding the text in one encoding. */
export function candidate(encoding, tally, probability) {
  return {
    encoding,
    malformed: tally.malformed,
    nonAscii: tally.beyondAscii,
    unlikely: tally.unlikelyBeyondAscii,
    probability,
    isComplete: !tally.isAbandoned,
  };
}
