// How much each part of a text says about its encoding.

import { END } from "./sample.js";

/** How much the repetitions of a pair add: so much for each factor of e. */
const REPETITION = 0.5;
/** How often two bytes must be repeated for a run. No word of a language has that. */
const RUN = 3;

/** Neighbouring bytes, and how much each pair counts. */
class Pairs {
  length = 0;

  constructor(capacity) {
    this.befores = new Uint8Array(capacity);
    this.bytes = new Uint8Array(capacity);
    this.weights = new Float64Array(capacity);
  }

  push(before, byte, weight) {
    this.befores[this.length] = before;
    this.bytes[this.length] = byte;
    this.weights[this.length] = weight;
    this.length++;
  }
}

/** The evidence of a text. */
export class Evidence {
  /** The distinct pairs of the words with non-ASCII bytes: those with a non-ASCII byte, and the others. */
  pairs;
  plain;
  /** The distinct pairs of ASCII words. */
  ascii;
  /** The words, each with `END` after it, and the offsets of their starts. The last offset is after all words. */
  text;
  starts;
  /** How much each byte of a word counts on average. */
  weights;
  /** The distinct runs: a byte that is repeated, or two that alternate. */
  runs;
  /** The distinct non-ASCII bytes. */
  bytes;

  constructor(text, ascii) {
    this.text = text;
    this.starts = [0];
    for (let at = text.indexOf(END); at >= 0; at = text.indexOf(END, at + 1)) this.starts.push(at + 1);
    const counts = (reused ??= new Counts());
    this.#forEachWord((word) => counts.add(word));
    this.weights = this.#forEachWord((word) => counts.weightOf(word));
    [this.plain, this.pairs] = counts.pairs();
    this.runs = [...new Set(this.#forEachWord(runsOf).flat())].map((run) => [run >> 8, run & 0xff]);
    const { bytes, length } = this.pairs;
    this.bytes = [...new Set(bytes.subarray(0, length))].filter((byte) => byte >= 0x80);
    counts.clear();
    counts.add(ascii);
    [this.ascii] = counts.pairs();
    counts.clear();
  }

  get count() {
    return this.starts.length - 1;
  }

  /** Returns a word, with the separators before and after it. */
  word(n) {
    return this.text.subarray(this.starts[n], this.starts[n + 1] - 1);
  }

  /** Returns the evidence of some of the words, and of ASCII words. */
  part(numbers, ascii) {
    const parts = numbers.flatMap((n) => [...this.word(n), END]);
    return new Evidence(Uint8Array.from(parts), ascii);
  }

  #forEachWord(call) {
    return Array.from({ length: this.count }, (_, n) => call(this.word(n)));
  }
}

/** Returns what is repeated in a word. Lines of drawings consist of it. */
function runsOf(word) {
  const runs = [];
  for (let at = 0; at + 2 * RUN <= word.length; at++) {
    const [first, second] = [word[at], word[at + 1]];
    let length = 2;
    while (length < 2 * RUN && word[at + length] === word[at + length - 2]) length++;
    if (first >= 0x80 && length === 2 * RUN) runs.push((Math.min(first, second) << 8) | Math.max(first, second));
  }
  return runs;
}

/** Is empty between uses. A new one would take longer than the rest of a short text. */
let reused;

/** The number of each pair of bytes. */
class Counts {
  #counts = new Uint16Array(0x1_0000);
  #distinct = [];

  add(word) {
    for (let at = 0; at + 1 < word.length; at++) {
      const pair = pairAt(word, at);
      if (this.#counts[pair]++ === 0) this.#distinct.push(pair);
    }
  }

  clear() {
    for (const pair of this.#distinct) this.#counts[pair] = 0;
    this.#distinct = [];
  }

  /** Returns the pairs of ASCII, and the others. */
  pairs() {
    const [plain, others] = [new Pairs(this.#distinct.length), new Pairs(this.#distinct.length)];
    for (const pair of this.#distinct) {
      const [before, byte] = [pair >> 8, pair & 0xff];
      (before < 0x80 && byte < 0x80 ? plain : others).push(before, byte, weight(this.#counts[pair]));
    }
    return [plain, others];
  }

  weightOf(word) {
    let sum = 0;
    for (let at = 0; at + 1 < word.length; at++) {
      const count = this.#counts[pairAt(word, at)];
      sum += weight(count) / count;
    }
    return sum / (word.length - 1);
  }
}

const pairAt = (word, at) => (folded(word[at]) << 8) | folded(word[at + 1]);

/** Digits are all the same evidence. */
const folded = (byte) => (byte >= 0x30 && byte <= 0x39 ? 0x30 : byte);

/** Returns how much a pair counts that occurs so often. */
const weight = (count) => 1 + REPETITION * Math.log(count);
