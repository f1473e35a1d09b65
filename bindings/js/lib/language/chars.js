// The kinds of characters. Characters are UTF-16 code units here: those of surrogate pairs are all the same to the model.

/** The groups that have a meaning here: `Group` in chars.rs has them all. */
export const LOWER = 1;
export const UPPER = 2;
export const WIDE = 4;
export const MARK = 5;
export const NEVER = 7;
export const RARE = 9;
export const HALF_KATAKANA = 13;

/** The number of the Latin script. */
export const LATIN = 1;

/** Returns whether a group consists of letters, ideographs, or marks on letters. */
export const isOfLetters = (group) => group >= LOWER && group <= MARK;

/** Returns the small letter if it is a single code unit. */
export function withoutCase(unit) {
  const lower = String.fromCharCode(unit).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}
