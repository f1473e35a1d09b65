// The parts of sentences that give the reason for a result.

export const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

export const rarelyOccurring = (count) =>
  counted(count, "character rarely occurs in text", "characters rarely occur in text");

export const characters = (count) => counted(count, "non-ASCII character", "non-ASCII characters");

/** Describes malformed sequences. `offset` is that of the first byte that was decoded. */
export function malformedSequences({ malformed, isAbandoned, firstMalformed }, offset = 0) {
  const number = isAbandoned
    ? `more than ${malformed - 1} malformed sequences`
    : counted(malformed, "malformed sequence", "malformed sequences");
  if (firstMalformed === undefined) return number;
  return `${number}, ${malformed === 1 ? "" : "the first "}at byte ${firstMalformed + offset}`;
}
