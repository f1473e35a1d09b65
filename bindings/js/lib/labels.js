// Section 4: names and labels.

import { checkStarted, readLabels } from "./engine.js";

/** @typedef {{ readonly name: string, readonly labels: readonly string[] }} Encoding */

/**
 * All encodings, in the order of the standard. Other files refer to an encoding by its index in this array.
 * @type {readonly Encoding[]}
 */
export let encodings = Object.freeze([]);

/** @type {Map<string, number>} */
const numbers = new Map();

/** Reads the table from the module. */
export function loadLabels() {
  encodings = Object.freeze(readLabels());
  encodings.forEach(({ labels }, number) => labels.forEach((label) => numbers.set(label, number)));
}

const isSpace = (code) => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;

/** *Get an encoding*: returns its number, or `undefined` if there is no such label. */
export function numberOf(label) {
  checkStarted();
  return numbers.get(label) ?? numbers.get(normalize(label));
}

function normalize(label) {
  let start = 0;
  let end = label.length;
  while (start < end && isSpace(label.charCodeAt(start))) start++;
  while (start < end && isSpace(label.charCodeAt(end - 1))) end--;
  // No label is longer than 32. Labels are compared ASCII case-insensitively.
  return end - start > 32 ? "" : label.slice(start, end).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
