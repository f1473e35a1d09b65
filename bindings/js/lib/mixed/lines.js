// Decoding per line: the first encoding in which the line is well-formed.

import { internal } from "../core.js";
import { UTF_8 } from "../numbers.js";
import { FEED, Kept, countFeeds } from "./bytes.js";
import { decodeStrict } from "./strict.js";
import { Wide, lineEndOf } from "./wide.js";

const { ChunkDecoder, IGNORE_BOM } = internal;

/** The maximum number of bytes of a line that are kept and decide about its encoding. */
const MAX_LINE = 1 << 20;

/** The maximum number of bytes that are decoded at once if all lines in them may be in the first encoding. */
const BULK = 1 << 13;

const NONE = new Uint8Array(0);

export class Lines {
  #output;
  /** Bytes that are not decoded yet, from the start of a line. At most {@link MAX_LINE} between two calls. */
  #pending = new Kept();
  /** The offset of the first of them. */
  #offset = 0;
  /** The number of their line. */
  #line = 1;
  /** Decodes the rest of a line that is too long to be kept. */
  #long;
  /** Finds lines in UTF-16, if it is in the list. */
  #wide;

  constructor(output) {
    this.#output = output;
    this.#wide = output.encodings.some(({ isWide }) => isWide) ? new Wide(output.encodings) : undefined;
  }

  run(chunk, isLast) {
    let rest = chunk;
    do {
      rest = this.#decodeBulk(this.#continueLong(rest));
      rest = this.#wide === undefined ? this.#decodeNext(rest) : this.#decodeDecided(rest, isLast);
    } while (rest.length > 0);
    if (!isLast) return;
    if (this.#pending.length > 0) this.#decodeLine(NONE);
    if (this.#long !== undefined) this.#endLong(NONE);
  }

  /** Decodes whole lines at the start of the input while they are in the first encoding. Returns the rest. */
  #decodeBulk(chunk) {
    const { number } = this.#output.encodings[0];
    if (this.#pending.length > 0 || this.#long !== undefined) return chunk;
    if (this.#wide !== undefined && (this.#wide.previous !== undefined || number !== UTF_8)) return chunk;
    for (let rest = chunk, malformed; ; ) {
      let lines = this.#firstLines(rest);
      if (malformed !== undefined || lines.length === 0) return rest;
      let text = decodeStrict(number, lines, true, (offset) => void (malformed = offset));
      if (malformed !== undefined) {
        lines = lines.subarray(0, lines.lastIndexOf(FEED, malformed) + 1);
        text = decodeStrict(number, lines, true);
      }
      const count = countFeeds(lines);
      this.#output.text += text;
      this.#output.addFirst(count);
      this.#wide?.forget(lines.length);
      this.#offset += lines.length;
      this.#line += count;
      rest = rest.subarray(lines.length);
    }
  }

  /** Returns whole lines that may be decoded at once. */
  #firstLines(rest) {
    let window = rest.subarray(0, BULK);
    if (this.#wide !== undefined) {
      // A zero byte after a line feed may belong to it.
      const zero = window.indexOf(0);
      window = window.subarray(0, Math.max((zero < 0 ? window.length : zero) - 1, 0));
    }
    return window.subarray(0, window.lastIndexOf(FEED) + 1);
  }

  /** Decodes the next line, or keeps its start. Returns the rest. */
  #decodeNext(rest) {
    const window = rest.subarray(0, MAX_LINE - this.#pending.length);
    const feed = window.indexOf(FEED);
    if (feed >= 0) {
      this.#decodeLine(rest.subarray(0, feed + 1));
      return rest.subarray(feed + 1);
    }
    this.#pending.add(window);
    if (this.#pending.length === MAX_LINE) {
      const line = this.#pending.bytes;
      this.#pending.remove(MAX_LINE);
      this.#startLong(this.#choose(line, false).index, line);
    }
    return rest.subarray(window.length);
  }

  /** Decodes a line: what is pending, and then `more`. */
  #decodeLine(more) {
    let line = more;
    if (this.#pending.length > 0) {
      this.#pending.add(more);
      line = this.#pending.bytes;
      this.#pending.remove(line.length);
    }
    const { index, text } = this.#choose(line, true);
    this.#decodePart(index, line, line[line.length - 1] === FEED, text);
  }

  /**
   * Decodes a part with the encoding that has this index, and advances past it. `text` is its text if it is known to be
   * well-formed.
   */
  #decodePart(index, part, endsLine, text) {
    const at = { base: this.#offset, line: this.#line };
    this.#offset += part.length;
    if (endsLine) this.#line++;
    this.#output.add(index, at.line, at.base, this.#offset);
    if (text === null) this.#decode(this.#newDecoder(index), part, false, at);
    else this.#output.text += text;
  }

  /**
   * Returns the index of the first encoding in which a line is well-formed, and the text, or the last one, and `null`. Those with
   * code units of two bytes are left out.
   */
  #choose(line, isWhole) {
    let last;
    for (const [index, { number, isWide }] of this.#output.encodings.entries()) {
      if (isWide) continue;
      last = { index, text: decodeStrict(number, line, isWhole) };
      if (last.text !== null) break;
    }
    return last;
  }

  /**
   * Decodes lines as far as their encoding is known, with UTF-16 in the list. Stops within a line that is too long to be kept, and
   * returns the rest.
   */
  #decodeDecided(chunk, isLast) {
    const [pending, wide] = [this.#pending, this.#wide];
    let rest = chunk;
    let at = 0;
    const forget = () => {
      pending.remove(at);
      wide.forget(at);
      at = 0;
    };
    while (this.#long === undefined) {
      if (pending.length - at < MAX_LINE && rest.length > 0) {
        forget();
        const more = rest.subarray(0, 2 * MAX_LINE - pending.length);
        pending.add(more);
        rest = rest.subarray(more.length);
      }
      const length = Math.min(pending.length, at + MAX_LINE);
      const bytes = pending.bytes.subarray(0, length);
      const isEnd = isLast && rest.length === 0 && length === pending.length;
      let decision = wide.decide(bytes, at, false);
      if (decision === undefined && (isEnd || length === at + MAX_LINE)) decision = wide.decide(bytes, at, true);
      if (decision === undefined) break;
      const part = bytes.subarray(at, at + decision.length);
      const isCut = !isEnd && part.length === length - at;
      this.#decodeDecision(decision, part, isCut);
      at += part.length;
      if (this.#long === undefined) continue;
      // The rest of the line may be in what was kept, too.
      forget();
      at = pending.length - this.#continueLong(pending.bytes).length;
    }
    forget();
    return rest;
  }

  /** Decodes a part that {@link Wide} has found. `isCut` says that it goes on if no line end is its end. */
  #decodeDecision({ encoding, endsLine }, part, isCut) {
    const { encodings } = this.#output;
    this.#wide.previous = encoding;
    if (encoding === undefined) {
      const isLine = part[part.length - 1] === FEED;
      const { index, text } = this.#choose(part, isLine || !isCut);
      if (isCut && !isLine) this.#startLong(index, part);
      else this.#decodePart(index, part, isLine, text);
    } else if (isCut && !endsLine) {
      this.#startLong(encodings.indexOf(encoding), part);
    } else {
      this.#decodePart(encodings.indexOf(encoding), part, endsLine, null);
    }
  }

  /** Starts a line that is too long to be kept, with the encoding that has this index. */
  #startLong(index, part) {
    const at = { base: this.#offset, line: this.#line };
    const encoding = this.#output.encodings[index];
    this.#offset += part.length;
    this.#output.add(index, at.line, at.base, this.#offset);
    const decoder = this.#newDecoder(index);
    this.#decode(decoder, part, true, at);
    const isOdd = part.length % 2 === 1;
    this.#long = { decoder, at, end: new LineEnd(encoding, isOdd, part[part.length - 1]) };
  }

  /** Decodes the rest of a line that is too long to be kept. Returns what follows it. */
  #continueLong(rest) {
    if (this.#long === undefined) return rest;
    const end = this.#long.end.find(rest);
    const part = rest.subarray(0, end);
    this.#offset += part.length;
    if (end === undefined) {
      this.#decode(this.#long.decoder, part, true, this.#long.at);
    } else {
      this.#endLong(part);
      this.#line++;
    }
    return rest.subarray(part.length);
  }

  #endLong(part) {
    const { decoder, at } = this.#long;
    this.#long = undefined;
    this.#decode(decoder, part, false, at);
  }

  #newDecoder(index) {
    const { number, name } = this.#output.encodings[index];
    return { name, decoder: new ChunkDecoder(number, IGNORE_BOM) };
  }

  /** Decodes bytes of a line. `at` is the offset at which the decoder has started, and the number of the line. */
  #decode({ name, decoder }, bytes, stream, { base, line }) {
    const errors = [];
    this.#output.text += decoder.decode(bytes, stream, { limit: Infinity, errors });
    for (const { start, end } of errors) {
      this.#output.addMalformed({ encoding: name, line, start: base + start, end: base + end });
    }
  }
}

/** Finds the end of a long line. */
class LineEnd {
  /** In UTF-16: its two bytes. */
  #unit;
  /** Whether the next byte is the second one of its code unit. `previous` is the first. */
  #isOdd;
  #previous;

  constructor(encoding, isOdd, previous) {
    this.#unit = encoding.isWide ? lineEndOf(encoding) : undefined;
    this.#isOdd = isOdd;
    this.#previous = previous;
  }

  /** Returns the end of the line in the next bytes, or `undefined`. */
  find(rest) {
    if (this.#unit === undefined) {
      const feed = rest.indexOf(FEED);
      return feed < 0 ? undefined : feed + 1;
    }
    for (let at = 0; at < rest.length; at++) {
      if (this.#isOdd && this.#previous === this.#unit[0] && rest[at] === this.#unit[1]) return at + 1;
      this.#isOdd = !this.#isOdd;
      this.#previous = rest[at];
    }
    return undefined;
  }
}
