// The parts of a result.

const LEVELS = ["none", "low", "medium", "high", "certain"];

/** Returns whether a confidence is at least another one. */
export const isAtLeast = (confidence, other) => LEVELS.indexOf(confidence) >= LEVELS.indexOf(other);

/** Returns the lower confidence. */
export const lower = (one, other) => (isAtLeast(one, other) ? other : one);

/** Returns the result of decoding the text in one encoding. */
export function candidate(encoding, tally) {
  return {
    encoding,
    malformed: tally.malformed,
    nonAscii: tally.beyondAscii,
    unlikely: tally.unlikelyBeyondAscii,
    isComplete: !tally.isAbandoned,
  };
}
