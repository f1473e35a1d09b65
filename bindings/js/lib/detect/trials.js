// Decodes text in all encodings at once, and counts errors and unlikely characters.
//
// Each multi-byte encoding has a decoder. For single-byte encodings, a histogram of bytes is sufficient.

import { Encoder, decode, internal } from "../core.js";
import * as classes from "./classes.js";
import { MULTI_BYTE, decoderOf, isSingleByte } from "./encodings.js";

const { ChunkDecoder, IGNORE_BOM, numberOf } = internal;

/** The counts for text in one encoding. */
export class Tally {
  /** The number of malformed sequences. */
  malformed = 0;
  /** The offset of the first one, if it is known. */
  firstMalformed = undefined;
  /** Whether decoding stopped before the end, so that all counts are lower bounds. */
  isAbandoned = false;
  /** The number of code units of each class. */
  counts = new Array(classes.COUNT).fill(0);

  #sum(...wanted) {
    return wanted.reduce((sum, one) => sum + this.counts[one], 0);
  }

  /** The number of non-ASCII characters. */
  get beyondAscii() {
    const whole = this.#sum(classes.CJK_PUNCTUATION, classes.ORDINARY, classes.RARE, classes.UNLIKELY);
    return whole + Math.floor(this.counts[classes.SURROGATE] / 2);
  }

  /** The number of characters that rarely occur in text: control characters, private use, unassigned code points. */
  get unlikely() {
    return this.#sum(classes.CONTROL, classes.UNLIKELY);
  }

  /** The same for non-ASCII characters only, in which the encodings differ. */
  get unlikelyBeyondAscii() {
    return this.counts[classes.UNLIKELY];
  }

  get controls() {
    return this.counts[classes.CONTROL];
  }

  get rare() {
    return this.counts[classes.RARE];
  }

  get ascii() {
    return this.counts[classes.ASCII];
  }

  /** The number of white space and CJK punctuation characters, which occur in every longer text. */
  get spacesAndPunctuation() {
    return this.#sum(classes.SPACE, classes.CJK_PUNCTUATION);
  }

  /** The number of code units. */
  get units() {
    return this.counts.reduce((sum, count) => sum + count);
  }
}

/** Encodings in which U+FFFD can be encoded, so that it is not a malformed sequence wherever it is in the text. */
const WITH_REPLACEMENT = ["UTF-8", "UTF-16LE", "UTF-16BE", "GBK"];

/** A decoder and its counts. */
class Trial {
  tally = new Tally();
  #decoder;
  #offset;
  /** The maximum number of errors in a list. Lists take most of the time, so counting U+FFFD replaces them if it is exact. */
  #limit;
  /** Encodes the text to find characters that GBK cannot represent. */
  #gbk;

  /** @param offset that of the first byte that the decoder gets */
  constructor(encoding, offset) {
    this.encoding = encoding;
    this.isBeyondGbk = false;
    this.#offset = offset;
    this.#limit = WITH_REPLACEMENT.includes(encoding) ? Infinity : 1;
    this.#decoder = new ChunkDecoder(numberOf(encoding), IGNORE_BOM);
    const onUnmappable = () => (this.isBeyondGbk = true);
    this.#gbk = encoding === "GBK" ? new Encoder("gbk", { unmappable: "skip", onUnmappable }) : undefined;
  }

  feed(block, isLast) {
    const { tally } = this;
    if (tally.isAbandoned) return;
    const errors = [];
    const text = this.#decoder.decode(block, !isLast, { limit: this.#limit, errors });
    if (errors.length > 0) tally.firstMalformed ??= this.#offset + errors[0].start;
    const { counts } = tally;
    for (let n = 0, last = -1, page; n < text.length; n++) {
      const unit = text.charCodeAt(n);
      if (unit >> 8 !== last) {
        last = unit >> 8;
        page = classes.pageOf(unit);
      }
      counts[page[unit & 0xff]]++;
    }
    tally.malformed += this.#limit === 1 ? counts[classes.REPLACEMENT] : errors.length;
    counts[classes.REPLACEMENT] = 0;
    if (this.#gbk !== undefined && !this.isBeyondGbk) this.#gbk.write(text);
    tally.isAbandoned = !isLast && this.#isHopeless();
  }

  /** Returns whether there are too many malformed sequences, whatever follows. */
  #isHopeless() {
    return this.tally.malformed > 1000 && this.tally.malformed > Math.floor(this.tally.beyondAscii / 8);
  }
}

/** The number of bytes used for statistics. More text would not change the result. */
export const SAMPLE = 1 << 20;

/** The control characters that text files do not have. */
const isOddControl = (byte) => (byte < 0x20 || byte === 0x7f) && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b;
const BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const ODD_CONTROLS = [...BYTES].filter(isOddControl);

/** For each single-byte encoding, the characters of all bytes. */
const charactersByEncoding = new Map();

/** Returns the character of each byte in a single-byte encoding. */
export function charactersOf(encoding) {
  let characters = charactersByEncoding.get(encoding);
  if (characters === undefined) charactersByEncoding.set(encoding, (characters = decode(BYTES, encoding, { bom: "keep" })));
  return characters;
}

/** Trial decoding of text in all encodings. */
export class Trials {
  /** The number of bytes read. */
  bytes = 0;
  /** The number of bytes decoded: all blocks from the first one that is not plain ASCII. */
  decoded = 0;
  /** Whether all bytes so far are visible ASCII and white space, which reveal no encoding. */
  isPlain = true;
  /** The number of occurrences of each byte. */
  histogram = new Float64Array(256);
  #pairs = 0;
  #letterPairs = 0;
  #trials = [];

  feed(block) {
    const wasPlain = this.isPlain;
    for (const byte of block) this.histogram[byte]++;
    if (wasPlain) this.isPlain = this.isAscii && this.controls === 0 && this.histogram[0x1b] === 0;
    if (wasPlain && !this.isPlain) this.#trials = MULTI_BYTE.map((encoding) => new Trial(encoding, this.bytes));
    if (!this.isPlain && this.decoded < SAMPLE) this.#countPairs(block);
    for (const trial of this.#trials) trial.feed(block, false);
    this.bytes += block.length;
    if (!this.isPlain) this.decoded += block.length;
  }

  /** Ends the text. An incomplete sequence is malformed. */
  finish() {
    for (const trial of this.#trials) trial.feed(new Uint8Array(0), true);
  }

  /** Stops decoding the encodings that are not wanted. */
  retain(isWanted) {
    for (const { encoding, tally } of this.#trials) tally.isAbandoned ||= !isWanted(encoding);
  }

  get controls() {
    return ODD_CONTROLS.reduce((sum, byte) => sum + this.histogram[byte], 0);
  }

  get isAscii() {
    return this.histogram.subarray(0x80).every((count) => count === 0);
  }

  /** The non-ASCII bytes that occur. */
  get nonAsciiBytes() {
    return [...BYTES.subarray(0x80)].filter((byte) => this.histogram[byte] > 0);
  }

  /** Whether many byte pairs are ASCII letters, which would be ideographs in UTF-16. */
  get isAsciiInPairs() {
    return this.#letterPairs * 5 > this.#pairs * 2;
  }

  /** Whether the text has characters that gb18030 can represent, but not GBK. */
  get isBeyondGbk() {
    return this.#trials.some(({ isBeyondGbk }) => isBeyondGbk);
  }

  /** Returns the counts for an encoding. */
  tally(encoding) {
    const decoder = decoderOf(encoding);
    const trial = this.#trials.find(({ encoding }) => encoding === decoder);
    if (trial !== undefined) return trial.tally;
    if (encoding === "replacement") return Object.assign(new Tally(), { malformed: 1 });
    const tally = new Tally();
    // Without a trial, the text is plain ASCII.
    const characters = charactersOf(isSingleByte(encoding) ? encoding : "windows-1252");
    this.histogram.forEach((count, byte) => {
      if (count === 0) return;
      const unit = characters.charCodeAt(byte);
      if (unit === 0xfffd) tally.malformed += count;
      else tally.counts[classes.pageOf(unit)[unit & 0xff]] += count;
    });
    return tally;
  }

  /** Returns whether the text is certainly the same in both encodings. */
  isSameText(one, other) {
    if (decoderOf(one) === decoderOf(other)) return true;
    if (!isSingleByte(one) || !isSingleByte(other)) return false;
    const [a, b] = [charactersOf(one), charactersOf(other)];
    return this.histogram.every((count, byte) => count === 0 || a[byte] === b[byte]);
  }

  #countPairs(block) {
    const isLetter = (byte) => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x20;
    for (let n = 0; n + 1 < block.length; n += 2) {
      this.#pairs++;
      if (isLetter(block[n]) && isLetter(block[n + 1])) this.#letterPairs++;
    }
  }
}
