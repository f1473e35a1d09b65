// Section 4: names and labels.

import { checkStarted, readLabels } from "./engine.js";

/** @typedef {{ readonly name: string, readonly labels: readonly string[] }} Encoding */

/**
 * All encodings, in the order of the standard. Elsewhere they are numbers: places in here.
 * @type {readonly Encoding[]}
 */
export let encodings = Object.freeze([]);

/** @type {Map<string, number>} */
const numbers = new Map();

/** Reads the table out of the module. */
export function loadLabels() {
  encodings = Object.freeze(readLabels());
  encodings.forEach(({ labels }, number) => labels.forEach((label) => numbers.set(label, number)));
}

const isSpace = (code) => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;

/** *Get an encoding*: its number, or `undefined` where the label is none. */
export function numberOf(label) {
  checkStarted();
  return numbers.get(label) ?? numbers.get(normalized(label));
}

function normalized(label) {
  let start = 0;
  let end = label.length;
  while (start < end && isSpace(label.charCodeAt(start))) start++;
  while (start < end && isSpace(label.charCodeAt(end - 1))) end--;
  // No label is longer, and only ASCII letters have a lower case here.
  return end - start > 32 ? "" : label.slice(start, end).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
