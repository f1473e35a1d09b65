// Section 4: names and labels.

import LINES from "../generated/labels.js";
import { checkStarted } from "./engine.js";

/** @typedef {{ readonly name: string, readonly labels: readonly string[] }} Encoding */

/**
 * All encodings, in the order of the standard. Other files refer to an encoding by its index in this array.
 * @type {readonly Encoding[]}
 */
export const encodings = Object.freeze(
  LINES.split("\n").map((line) => {
    const [name, ...labels] = line.split(" ");
    return Object.freeze({ name, labels: Object.freeze(labels) });
  }),
);

/** @type {Map<string, number>} */
const numbers = new Map(encodings.flatMap(({ labels }, number) => labels.map((label) => [label, number])));

const isSpace = (code) => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;

/** *Get an encoding*: returns its number, or `undefined` if there is no such label. */
export function numberOf(label) {
  checkStarted();
  return numbers.get(label) ?? numbers.get(normalizeLabel(label));
}

/** Returns a label in lower case without white space around it, or "" if it is too long. */
export function normalizeLabel(label) {
  let start = 0;
  let end = label.length;
  while (start < end && isSpace(label.charCodeAt(start))) start++;
  while (start < end && isSpace(label.charCodeAt(end - 1))) end--;
  // No label is longer than 32. Labels are compared ASCII case-insensitively.
  return end - start > 32 ? "" : label.slice(start, end).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
