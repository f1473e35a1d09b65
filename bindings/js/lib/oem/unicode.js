// UTF-32 in both orders and with a mark, UCS-2 in both orders, and CESU-8.

import { CONTINUE, ERROR, MAPPED } from "./coded.js";

const isSurrogate = (unit) => unit >>> 11 === 0x1b;
const isHigh = (unit) => unit >>> 10 === 0x36;

/** Reads a code unit of `size` bytes, or all bytes if there are too few: then it is `ERROR`. */
function readUnit(input, size, isBig) {
  if (input.peek(size - 1) < 0) {
    input.readAll();
    return ERROR;
  }
  let unit = 0;
  for (let n = 0; n < size; n++) unit = (unit << 8) | input.peek(isBig ? n : size - 1 - n);
  input.at += size;
  return unit >>> 0;
}

function pushUnit(output, unit, size, isBig) {
  for (let n = 0; n < size; n++) output.push((unit >>> (8 * (isBig ? size - 1 - n : n))) & 0xff);
}

// States of the decoder of UTF-32, in which a mark decides the order: 0 is before its place.
const BIG = 1;
const LITTLE = 2;

const MARK = 0xfeff;
/** The mark in the other order. */
const SWAPPED = 0xfffe0000;

export class Utf32 {
  #isBig;
  #hasMark;
  header;

  /** @param {boolean | undefined} isBig `undefined` if a mark decides */
  constructor(isBig) {
    this.#isBig = isBig ?? true;
    this.#hasMark = isBig === undefined;
    if (this.#hasMark) this.header = [0, 0, 0xfe, 0xff];
  }

  decode(input) {
    const unit = readUnit(input, 4, this.#isBig && input.state !== LITTLE);
    if (this.#hasMark && input.state === 0 && unit !== ERROR) {
      input.state = unit === SWAPPED ? LITTLE : BIG;
      if (unit === MARK || unit === SWAPPED) return CONTINUE;
    }
    return unit > 0x10ffff || isSurrogate(unit) ? ERROR : unit;
  }

  encode(codePoint, output) {
    pushUnit(output, codePoint, 4, this.#isBig);
    return MAPPED;
  }
}

export class Ucs2 {
  #isBig;

  constructor(isBig) {
    this.#isBig = isBig;
  }

  decode(input) {
    const unit = readUnit(input, 2, this.#isBig);
    return isSurrogate(unit) ? ERROR : unit;
  }

  encode(codePoint, output) {
    if (codePoint > 0xffff) return codePoint;
    pushUnit(output, codePoint, 2, this.#isBig);
    return MAPPED;
  }
}

const isTrail = (byte, lowest) => byte >= lowest && byte <= 0xbf;

/** Reads the trail bytes of a lead byte. Returns the code unit, or `ERROR` if one of them is missing; those before it are read. */
function readThreeByteUnit(input, lead) {
  if (lead < 0xc2 || lead > 0xef) return ERROR;
  const trails = lead < 0xe0 ? 1 : 2;
  let unit = lead & (trails === 1 ? 0x1f : 0xf);
  for (let n = 0; n < trails; n++) {
    if (!isTrail(input.peek(0), lead === 0xe0 && n === 0 ? 0xa0 : 0x80)) return ERROR;
    unit = (unit << 6) | (input.read() & 0x3f);
  }
  return unit;
}

function pushUtf8Unit(output, unit) {
  if (unit < 0x80) return output.push(unit);
  if (unit < 0x800) output.push(0xc0 | (unit >>> 6));
  else {
    output.push(0xe0 | (unit >>> 12));
    output.push(0x80 | ((unit >>> 6) & 0x3f));
  }
  output.push(0x80 | (unit & 0x3f));
}

export const CESU_8 = {
  isAsciiCompatible: true,

  decode(input) {
    const lead = input.read();
    if (lead < 0x80) return lead;
    const unit = readThreeByteUnit(input, lead);
    if (!isSurrogate(unit)) return unit;
    if (!isHigh(unit) || input.peek(0) !== 0xed || !isTrail(input.peek(1), 0xb0) || !isTrail(input.peek(2), 0x80)) return ERROR;
    const low = ((input.peek(1) & 0xf) << 6) | (input.peek(2) & 0x3f);
    input.at += 3;
    return 0x10000 + (((unit & 0x3ff) << 10) | low);
  },

  encode(codePoint, output) {
    if (codePoint > 0xffff) {
      pushUtf8Unit(output, 0xd7c0 + (codePoint >>> 10));
      pushUtf8Unit(output, 0xdc00 | (codePoint & 0x3ff));
    } else pushUtf8Unit(output, codePoint);
    return MAPPED;
  },
};
