// The encodings that are mixed.

import { internal } from "../core.js";
import { REPLACEMENT, UTF_16BE, UTF_16LE, isAsciiCompatible, isSingleByte } from "../numbers.js";

const { encodings, numberOf, toDOMString } = internal;

function toNumber(value) {
  const label = toDOMString(value);
  const number = numberOf(label);
  if (number === undefined) throw new RangeError(`"${label}" is not a label for an encoding.`);
  return number;
}

const isWide = (number) => number === UTF_16BE || number === UTF_16LE;

/** Returns the numbers of the encodings, and the unit. */
export function readList(labels, per) {
  if (!Array.isArray(labels)) throw new TypeError("The encodings must be an array of labels.");
  if (![undefined, "line", "sequence"].includes(per)) throw new TypeError('per must be "line" or "sequence".');
  const numbers = Array.from(labels, toNumber);
  const unit = per ?? (numbers.slice(1).every(isSingleByte) ? "sequence" : "line");
  check(numbers, unit);
  return { encodings: numbers.map((number) => ({ number, name: encodings[number].name, isWide: isWide(number) })), unit };
}

function check(numbers, unit) {
  if (numbers.length < 2) throw new RangeError("Mixed text needs at least two encodings.");
  for (const [n, number] of numbers.entries()) {
    const { name } = encodings[number];
    if (numbers.indexOf(number) < n) throw new RangeError(`${name} is in the list twice.`);
    if (number === REPLACEMENT || (!isAsciiCompatible(number) && !isWide(number))) {
      throw new RangeError(`${name} cannot be mixed with others, because bytes of ASCII do not always mean ASCII in it.`);
    }
    if (unit === "sequence" && (isWide(number) || (n > 0 && !isSingleByte(number)))) {
      throw new RangeError(`${name} is not a single-byte encoding, so it can only be mixed per line.`);
    }
  }
  if (numbers.every(isWide)) throw new RangeError("UTF-16 can only be mixed with an encoding that has ASCII.");
}
