// Costs that the letter pairs and the encodings with pairs of bytes share. They are negative logarithms, 16 for each factor of e.

/** The additional cost of a Latin letter in a language with another script. */
export const LATIN = 45;
/** The cost of a trail byte: one of 94. */
export const TRAIL = 73;
/** The cost of a non-ASCII byte that is not in a pair, in an encoding with pairs. */
export const SINGLE = 400;

/** Returns whether a byte is an ASCII letter. */
export const isLetter = (byte) => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
