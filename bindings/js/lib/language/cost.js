// The cost of a whole text.

import { Letters, getModels } from "./model.js";

/** What is before and after a text. */
const EDGE = 0x0a;

/**
 * Returns how unlikely text is: the negative natural logarithm of its frequency, times 16, in the language in which that is the
 * least. Half of a surrogate pair has the cost of the character.
 */
export function cost(text) {
  const letters = new Letters(text.length + 1);
  let before = EDGE;
  for (const char of `${text}\n`) {
    const unit = char.charCodeAt(0);
    letters.push(before, unit, 1);
    before = unit;
  }
  const { models, firstWide } = getModels();
  const wideFirst = [...models.slice(firstWide), ...models.slice(0, firstWide)];
  return wideFirst.reduce((least, model) => Math.min(least, model.addLetters(letters, letters.shared, least)), Infinity);
}
