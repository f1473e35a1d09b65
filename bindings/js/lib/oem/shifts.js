// HZ of RFC 1843 and ISO-2022-KR of RFC 1557: shifts between ASCII and pairs, whose bytes have no high bits.

import { CONTINUE, ERROR, MAPPED } from "./coded.js";
import { eucKr, once, pairsOf } from "./pairs.js";

// States. An encoder has the first and the last one.
const ASCII = 0;
/** Pairs, directly after the shift to them. */
const EMPTY = 1;
const PAIRS = 2;

const HIGH_BITS = 0x8080;
const LINE_FEED = 0x0a;

const isIn = (byte, first, last) => byte >= first && byte <= last;

/** Reads the rest of a pair. */
function readPair(input, first, table) {
  const second = input.peek(0);
  if (!isIn(second, 0x21, 0x7e)) return ERROR;
  input.at++;
  return table.characters[(first << 8) | second | HIGH_BITS] || ERROR;
}

/** What both have in common. A codec adds `decode`. */
class Shifts {
  /** Returns the pairs of the encoding. */
  #table;
  /** The highest first byte of a pair. */
  #last;
  /** The shifts to ASCII and to pairs. */
  #toAscii;
  #toPairs;
  /** Characters that text cannot have, because they are shifts. */
  #reserved;
  /** A character that is written twice. */
  #doubled;

  constructor({ table, last, toAscii, toPairs, reserved = [], doubled = undefined }) {
    this.#table = table;
    this.#last = last;
    this.#toAscii = toAscii;
    this.#toPairs = toPairs;
    this.#reserved = reserved;
    this.#doubled = doubled;
  }

  /** Reads a character that is not part of a shift. */
  readCharacter(input, state) {
    const byte = input.read();
    if (byte === LINE_FEED) {
      input.state = ASCII;
      return byte;
    }
    if (state === ASCII) return byte < 0x80 ? byte : ERROR;
    return isIn(byte, 0x21, this.#last) ? readPair(input, byte, this.#table()) : ERROR;
  }

  /** Shifts only for a character that is mappable. */
  encode(codePoint, output) {
    if (codePoint < 0x80) {
      if (this.#reserved.includes(codePoint)) return 0xfffd; // as step 3 of ISO-2022-JP's encoder
      this.#shift(output, ASCII);
      output.push(codePoint);
      if (codePoint === this.#doubled) output.push(codePoint);
      return MAPPED;
    }
    const pair = (this.#table().pairs[codePoint] ?? 0) & ~HIGH_BITS;
    if (pair === 0 || pair >>> 8 > this.#last) return codePoint;
    this.#shift(output, PAIRS);
    output.pushTwo(pair);
    return MAPPED;
  }

  end(output) {
    this.#shift(output, ASCII);
  }

  #shift(output, state) {
    if (output.state === state) return;
    output.state = state;
    for (const byte of state === PAIRS ? this.#toPairs : this.#toAscii) output.push(byte);
  }
}

const TILDE = 0x7e;
const OPEN = 0x7b;
const CLOSE = 0x7d;

class Hz extends Shifts {
  constructor() {
    const table = once(() => pairsOf("gb18030"));
    super({ table, last: 0x77, toAscii: [TILDE, CLOSE], toPairs: [TILDE, OPEN], doubled: TILDE });
  }

  decode(input) {
    const { state } = input;
    if (state === EMPTY) input.state = PAIRS;
    if (input.peek(0) !== TILDE) return this.readCharacter(input, state);
    input.at++;
    const next = input.peek(0);
    if (state !== ASCII) {
      if (next !== CLOSE) return ERROR;
      input.at++;
      input.state = ASCII;
      return state === EMPTY ? ERROR : CONTINUE;
    }
    if (next !== TILDE && next !== LINE_FEED && next !== OPEN) return ERROR;
    input.at++;
    if (next === TILDE) return TILDE;
    if (next === OPEN) input.state = EMPTY;
    return CONTINUE;
  }
}

const SO = 0x0e;
const SI = 0x0f;
const ESCAPE = 0x1b;

class Iso2022Kr extends Shifts {
  header = [ESCAPE, 0x24, 0x29, 0x43];

  constructor() {
    super({ table: eucKr, last: 0x7e, toAscii: [SI], toPairs: [SO], reserved: [SO, SI, ESCAPE] });
  }

  decode(input) {
    const { state } = input;
    const byte = input.peek(0);
    if (byte === ESCAPE && this.header.every((byte, n) => input.peek(n) === byte)) {
      input.at += this.header.length;
      return CONTINUE;
    }
    if (byte === SO) {
      input.at++;
      if (state === ASCII) input.state = EMPTY;
      return CONTINUE;
    }
    if (state === EMPTY) input.state = PAIRS;
    if (byte === SI || byte === ESCAPE) {
      input.at++;
      if (byte === SI) input.state = ASCII;
      return byte === ESCAPE || state === EMPTY ? ERROR : CONTINUE;
    }
    return this.readCharacter(input, state);
  }
}

export const HZ = new Hz();
export const ISO_2022_KR = new Iso2022Kr();
