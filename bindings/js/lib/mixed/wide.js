// Finds lines in UTF-16 among lines in other encodings.
//
// Text has no zero bytes, except in UTF-16, where characters of ASCII have one, and so has each line end. So the first zero byte of a line
// shows that UTF-16 has started. It has started at the line, or at the character of the zero byte, if what is before it is more likely
// text in another encoding.

import { decode } from "../core.js";
import { cost } from "../language.js";
import { UTF_16BE, UTF_16LE } from "../numbers.js";
import { FEED } from "./bytes.js";
import { decodeStrict } from "./strict.js";

/** The number of bytes that are compared to see whether UTF-16 is the more likely text. */
const SAMPLE = 512;

/** The number of bytes after which that is compared again. */
const REFUSED = 32;

const isEven = (number) => number % 2 === 0;

const isBigEndian = (encoding) => encoding.number === UTF_16BE;

/** Returns a line feed in UTF-16. */
export const lineEndOf = (encoding) => (isBigEndian(encoding) ? [0, FEED] : [FEED, 0]);

export class Wide {
  #le;
  #be;
  #others;
  /** The encoding of the previous line, if it was UTF-16. */
  previous;
  /** Lines that start before this index are not UTF-16: it was less likely. This limits how often the same bytes are compared. */
  #refusedUntil = 0;
  #feed = new Cursor(1);
  #zero = new Cursor(1);
  /** Line ends in UTF-16LE and UTF-16BE, at even and odd indexes. */
  #ends = [[new Cursor(2), new Cursor(2)], [new Cursor(2), new Cursor(2)]];

  constructor(encodings) {
    this.#le = encodings.find(({ number }) => number === UTF_16LE);
    this.#be = encodings.find(({ number }) => number === UTF_16BE);
    this.#others = encodings.filter(({ isWide }) => !isWide);
  }

  /** Moves all indexes after bytes were removed. */
  forget(length) {
    this.#refusedUntil = Math.max(this.#refusedUntil - length, 0);
    if (!isEven(length)) for (const byParity of this.#ends) byParity.reverse();
    for (const cursor of [...this.#ends.flat(), this.#feed, this.#zero]) cursor.forget(length);
  }

  /**
   * Returns the part of `bytes` from a line at index `at` on whose encoding is known: its length, its encoding, if that is UTF-16, and
   * whether a line end in UTF-16 ends it. Returns `undefined` if that depends on what follows. `isAllKnown` says that nothing
   * follows, or that no more can be kept.
   */
  decide(bytes, at, isAllKnown) {
    const length = bytes.length - at;
    if (length === 0) return undefined;
    const feed = this.#feed.find(bytes, at, (from) => bytes.indexOf(FEED, from));
    const zero = this.#zero.find(bytes, at, (from) => bytes.indexOf(0, from));
    const [first, second] = bytes.subarray(at, at + 2);
    if (length === 1 && first >= 0xfe && !isAllKnown) return undefined;
    const marked = (first === 0xff && second === 0xfe && this.#le) || (first === 0xfe && second === 0xff && this.#be) || undefined;
    const asBytes = () => (feed !== undefined ? { length: feed + 1 - at } : isAllKnown ? { length } : undefined);
    let encoding = marked ?? this.previous;
    if (encoding === undefined && zero === undefined) {
      // The byte after a line feed may be its other half.
      const isKnown = feed !== undefined && (feed + 1 < bytes.length || !this.#isHalf(feed - at));
      return isKnown || isAllKnown ? asBytes() : undefined;
    }
    if (encoding === undefined) {
      const isBefore = feed !== undefined && (zero > feed + 1 || (zero === feed + 1 && !this.#isHalf(feed - at)));
      if (isBefore || at < this.#refusedUntil) return asBytes();
      encoding = this.#ofZero(zero - at);
    }
    // Where the character of the zero byte starts.
    let start = at;
    if (marked === undefined && zero !== undefined) {
      start = isBigEndian(encoding) ? zero : zero - 1;
      // The second half of a character is before it.
      if (start < at) return asBytes();
    }
    const end = this.#end(bytes, start, encoding);
    if (end === undefined && !isAllKnown) return undefined;
    const endsLine = end !== undefined;
    const isNext = this.previous === encoding;
    const part = bytes.subarray(start, end);
    // Without a line end, and not after UTF-16, there is little that shows it.
    const isWide =
      endsLine || isNext
        ? isMostlyAscii(encoding, part) || this.#isCheaper(encoding, part)
        : part.length >= 4 && isMostlyAscii(encoding, part);
    if (marked === undefined && !isWide) {
      this.#refusedUntil = at + REFUSED;
      return asBytes();
    }
    const whole = { encoding, length: (end ?? bytes.length) - at, endsLine };
    // What is before that character is another part, or UTF-16 too.
    const before = bytes.subarray(at, start);
    const lastLine = before.lastIndexOf(FEED) + 1;
    if (isEven(before.length) && isNext && lastLine === 0 && before.some((byte) => byte >= 0x80)) return whole;
    const isSeparate = (length) => length > 0 && !this.#isCheaper(encoding, before.subarray(0, length));
    if (!isEven(before.length) || (isEven(lastLine) && isSeparate(lastLine)) || isSeparate(before.length)) {
      const feed = before.indexOf(FEED);
      return { length: feed < 0 ? before.length : feed + 1 };
    }
    return whole;
  }

  /** Returns the end of the line in UTF-16 to which the character at `start` belongs. No zero byte is before it. */
  #end(bytes, start, encoding) {
    const [first, second] = lineEndOf(encoding);
    const next = (from) => {
      let at = bytes.indexOf(first, from);
      while (at >= 0 && bytes[at + 1] !== second) at = bytes.indexOf(first, at + 1);
      return at;
    };
    const cursor = this.#ends[isBigEndian(encoding) ? 1 : 0][start % 2];
    for (let from = start; ; ) {
      const found = cursor.find(bytes, from, next);
      if (found === undefined || isEven(found - start)) return found === undefined ? undefined : found + 2;
      from = found + 1;
    }
  }

  /** Returns whether a line feed at this distance from the start of the line may be the first half of one of two bytes. */
  #isHalf(distance) {
    return this.#le !== undefined && isEven(distance);
  }

  /** Returns the byte order in which the byte at this distance is the zero byte of a character of ASCII. */
  #ofZero(distance) {
    return this.#le !== undefined && (this.#be === undefined || !isEven(distance)) ? this.#le : this.#be;
  }

  /** Returns whether bytes are more likely text in UTF-16 than in the other encodings. */
  #isCheaper(encoding, bytes) {
    const sample = bytes.subarray(0, SAMPLE);
    return cost(decode(sample, encoding.name)) < cost(this.#decodeAsBytes(sample));
  }

  /** Decodes bytes as a line without UTF-16 would be decoded. */
  #decodeAsBytes(bytes) {
    for (const { number } of this.#others) {
      const text = decodeStrict(number, bytes, true);
      if (text !== null) return text;
    }
    return decode(bytes, this.#others[this.#others.length - 1].name, { bom: "keep" });
  }
}

/** Returns whether most code units in UTF-16 are characters of ASCII. */
function isMostlyAscii(encoding, bytes) {
  const length = Math.min(bytes.length, SAMPLE);
  const [high, low] = isBigEndian(encoding) ? [0, 1] : [1, 0];
  let count = 0;
  for (let at = 0; at + 1 < length; at += 2) {
    if (bytes[at + high] === 0 && bytes[at + low] > 0 && bytes[at + low] < 0x80) count++;
  }
  return 2 * count > Math.floor(length / 2);
}

/** Finds the first match at or after an index that only grows, and examines each byte once. */
class Cursor {
  /** The number of bytes of a match. */
  #length;
  /** All before this index was examined. */
  #scanned = 0;
  #found;

  constructor(length) {
    this.#length = length;
  }

  /** @param next returns the first match at or after an index, or -1 */
  find(bytes, from, next) {
    if (this.#found === undefined || this.#found < from) {
      const start = Math.max(this.#scanned, from);
      const found = next(start);
      this.#found = found < 0 ? undefined : found;
      this.#scanned = found < 0 ? Math.max(bytes.length + 1 - this.#length, start) : found + 1;
    }
    return this.#found;
  }

  forget(length) {
    this.#scanned = Math.max(this.#scanned - length, 0);
    this.#found = this.#found >= length ? this.#found - length : undefined;
  }
}
