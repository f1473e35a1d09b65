// The standard's decoders (sections 8 to 14), a byte at a time.
//
// `handle` takes a byte, or END, and an empty array `queue`. It returns a code point, two code points (see `both`),
// CONTINUE, FINISHED or ERROR. Bytes that it puts into `queue` are read again, in this order.

import { BIG5, EUC_JP, EUC_KR, GB18030, GBK, ISO_2022_JP, REPLACEMENT, SHIFT_JIS, UTF_16BE, UTF_16LE, UTF_8, X_USER_DEFINED, rowOf } from "../numbers.js";
import { big5, eucKr, gb18030, gb18030Ranges, jis0208, jis0212, singleByte } from "./tables.js";

export const END = -1;
export const CONTINUE = -1;
export const FINISHED = -2;
export const ERROR = -3;

/** Two code points in one number. Larger than any single one. */
const both = (first, second) => first * 0x200000 + second;

const isAscii = (byte) => byte >= 0 && byte < 0x80;
const isIn = (byte, first, last) => byte >= first && byte <= last;

/** The decoder's state that most encodings have: the lead byte of a pair, or 0. */
class PairDecoder {
  lead = 0;

  handle(byte, queue) {
    const { lead } = this;
    if (byte === END) {
      this.lead = 0;
      return lead === 0 ? FINISHED : ERROR;
    }
    if (lead === 0) {
      const code = this.single(byte);
      if (code === CONTINUE) this.lead = byte;
      return code;
    }
    this.lead = 0;
    const code = this.pair(lead, byte);
    if (code !== ERROR) return code;
    if (isAscii(byte)) queue.push(byte);
    return ERROR;
  }

  get isNeutral() {
    return this.lead === 0;
  }
}

const orError = (code) => (code === undefined || code === 0 ? ERROR : code);

class ShiftJis extends PairDecoder {
  single(byte) {
    if (byte <= 0x80) return byte;
    if (isIn(byte, 0xa1, 0xdf)) return 0xff61 - 0xa1 + byte;
    return isIn(byte, 0x81, 0x9f) || isIn(byte, 0xe0, 0xfc) ? CONTINUE : ERROR;
  }

  pair(lead, byte) {
    if (!isIn(byte, 0x40, 0x7e) && !isIn(byte, 0x80, 0xfc)) return ERROR;
    const pointer = (lead - (lead < 0xa0 ? 0x81 : 0xc1)) * 188 + byte - (byte < 0x7f ? 0x40 : 0x41);
    return isIn(pointer, 8836, 10715) ? 0xe000 - 8836 + pointer : orError(jis0208()[pointer]);
  }
}

class EucKr extends PairDecoder {
  single(byte) {
    if (isAscii(byte)) return byte;
    return isIn(byte, 0x81, 0xfe) ? CONTINUE : ERROR;
  }

  pair(lead, byte) {
    return isIn(byte, 0x41, 0xfe) ? orError(eucKr()[(lead - 0x81) * 190 + byte - 0x41]) : ERROR;
  }
}

const BIG5_SEQUENCES = {
  1133: both(0xca, 0x304),
  1135: both(0xca, 0x30c),
  1164: both(0xea, 0x304),
  1166: both(0xea, 0x30c),
};

class Big5 extends EucKr {
  pair(lead, byte) {
    if (!isIn(byte, 0x40, 0x7e) && !isIn(byte, 0xa1, 0xfe)) return ERROR;
    const pointer = (lead - 0x81) * 157 + byte - (byte < 0x7f ? 0x40 : 0x62);
    return BIG5_SEQUENCES[pointer] ?? orError(big5()[pointer]);
  }
}

class EucJp extends PairDecoder {
  /** Whether a third byte follows, in JIS X 0212. */
  isThree = false;

  single(byte) {
    this.isThree = false;
    if (isAscii(byte)) return byte;
    return byte === 0x8e || byte === 0x8f || isIn(byte, 0xa1, 0xfe) ? CONTINUE : ERROR;
  }

  pair(lead, byte) {
    if (lead === 0x8e && isIn(byte, 0xa1, 0xdf)) return 0xff61 - 0xa1 + byte;
    if (lead === 0x8f && isIn(byte, 0xa1, 0xfe)) {
      this.isThree = true;
      this.lead = byte;
      return CONTINUE;
    }
    const { isThree } = this;
    this.isThree = false;
    if (!isIn(lead, 0xa1, 0xfe) || !isIn(byte, 0xa1, 0xfe)) return ERROR;
    return orError((isThree ? jis0212() : jis0208())[(lead - 0xa1) * 94 + byte - 0xa1]);
  }
}

/** Index gb18030 ranges code point. */
function rangesCodePoint(pointer) {
  if (isIn(pointer, 39420, 188999) || pointer > 1237575) return ERROR;
  if (pointer >= 189000) return 0x10000 + pointer - 189000;
  if (pointer === 7457) return 0xe7c7;
  const ranges = gb18030Ranges();
  let at = 0;
  while (at + 2 < ranges.length && ranges[at + 2] <= pointer) at += 2;
  return ranges[at + 1] + pointer - ranges[at];
}

class Gb18030 {
  #first = 0;
  #second = 0;
  #third = 0;

  handle(byte, queue) {
    const [first, second, third] = [this.#first, this.#second, this.#third];
    if (byte === END) {
      this.#set(0, 0, 0);
      return first === 0 ? FINISHED : ERROR;
    }
    if (third !== 0) {
      this.#set(0, 0, 0);
      if (!isIn(byte, 0x30, 0x39)) {
        queue.push(second, third, byte);
        return ERROR;
      }
      return rangesCodePoint(((first - 0x81) * 10 + second - 0x30) * 1260 + (third - 0x81) * 10 + byte - 0x30);
    }
    if (second !== 0) {
      if (isIn(byte, 0x81, 0xfe)) return this.#set(first, second, byte);
      this.#set(0, 0, 0);
      queue.push(second, byte);
      return ERROR;
    }
    if (first !== 0) {
      if (isIn(byte, 0x30, 0x39)) return this.#set(first, byte, 0);
      this.#set(0, 0, 0);
      if (isIn(byte, 0x40, 0x7e) || isIn(byte, 0x80, 0xfe)) {
        const code = gb18030()[(first - 0x81) * 190 + byte - (byte < 0x7f ? 0x40 : 0x41)];
        if (code !== 0) return code;
      }
      if (isAscii(byte)) queue.push(byte);
      return ERROR;
    }
    if (isAscii(byte)) return byte;
    if (byte === 0x80) return 0x20ac;
    return byte === 0xff ? ERROR : this.#set(byte, 0, 0);
  }

  #set(first, second, third) {
    [this.#first, this.#second, this.#third] = [first, second, third];
    return CONTINUE;
  }

  get isNeutral() {
    return this.#first === 0;
  }
}

// The states of ISO-2022-JP.
const ASCII = 0;
const ROMAN = 1;
const KATAKANA = 2;
const LEAD_BYTE = 3;
const TRAIL_BYTE = 4;
const ESCAPE_START = 5;
const ESCAPE = 6;

const ESCAPES = { "(B": ASCII, "(J": ROMAN, "(I": KATAKANA, "$@": LEAD_BYTE, $B: LEAD_BYTE };

class Iso2022Jp {
  #state = ASCII;
  #outputState = ASCII;
  #lead = 0;
  #output = false;
  /** Whether the last byte was an escape byte in the place of a trail byte. */
  #isInterrupted = false;

  handle(byte, queue) {
    const lead = this.#lead;
    this.#isInterrupted = false;
    switch (this.#state) {
      case TRAIL_BYTE:
        this.#state = LEAD_BYTE;
        // The standard changes the state here. Reading the byte again has the same effect, and makes it a separate sequence.
        this.#isInterrupted = byte === 0x1b;
        if (this.#isInterrupted) queue.push(byte);
        return isIn(byte, 0x21, 0x7e) ? orError(jis0208()[(lead - 0x21) * 94 + byte - 0x21]) : ERROR;
      case ESCAPE_START:
        if (byte === 0x24 || byte === 0x28) {
          this.#lead = byte;
          this.#state = ESCAPE;
          return CONTINUE;
        }
        if (byte !== END) queue.push(byte);
        return this.#unknownEscape();
      case ESCAPE: {
        const state = byte === END ? undefined : ESCAPES[String.fromCharCode(lead, byte)];
        if (state === undefined) {
          queue.push(lead);
          if (byte !== END) queue.push(byte);
          return this.#unknownEscape();
        }
        this.#state = this.#outputState = state;
        const output = this.#output;
        this.#output = true;
        return output ? ERROR : CONTINUE;
      }
    }
    if (byte === END) return FINISHED;
    if (byte === 0x1b) {
      this.#state = ESCAPE_START;
      return CONTINUE;
    }
    this.#output = false;
    return this.#character(byte);
  }

  #character(byte) {
    switch (this.#state) {
      case KATAKANA:
        return isIn(byte, 0x21, 0x5f) ? 0xff61 - 0x21 + byte : ERROR;
      case LEAD_BYTE:
        if (!isIn(byte, 0x21, 0x7e)) return ERROR;
        this.#lead = byte;
        this.#state = TRAIL_BYTE;
        return CONTINUE;
      case ROMAN:
        if (byte === 0x5c) return 0xa5;
        if (byte === 0x7e) return 0x203e;
    }
    return isAscii(byte) && byte !== 0x0e && byte !== 0x0f ? byte : ERROR;
  }

  #unknownEscape() {
    this.#output = false;
    this.#state = this.#outputState;
    return ERROR;
  }

  get isNeutral() {
    return this.#state <= LEAD_BYTE;
  }

  /** Continues without the bytes that were put back. In the standard's terms, the escape byte above is not one of them. */
  discardQueue() {
    if (this.#isInterrupted) this.#state = ESCAPE_START;
  }
}

class Utf8 {
  #code = 0;
  /** The number of bytes that are missing. */
  #needed = 0;
  #lower = 0x80;
  #upper = 0xbf;

  handle(byte, queue) {
    if (byte === END) {
      const isComplete = this.#needed === 0;
      this.#reset();
      return isComplete ? FINISHED : ERROR;
    }
    if (this.#needed === 0) return this.#lead(byte);
    if (!isIn(byte, this.#lower, this.#upper)) {
      this.#reset();
      queue.push(byte);
      return ERROR;
    }
    [this.#lower, this.#upper] = [0x80, 0xbf];
    this.#code = (this.#code << 6) | (byte & 0x3f);
    return --this.#needed === 0 ? this.#code : CONTINUE;
  }

  #lead(byte) {
    if (isAscii(byte)) return byte;
    if (!isIn(byte, 0xc2, 0xf4)) return ERROR;
    this.#needed = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    this.#code = byte & (0x3f >> this.#needed);
    if (byte === 0xe0) this.#lower = 0xa0;
    if (byte === 0xed) this.#upper = 0x9f;
    if (byte === 0xf0) this.#lower = 0x90;
    if (byte === 0xf4) this.#upper = 0x8f;
    return CONTINUE;
  }

  #reset() {
    this.#needed = 0;
    [this.#lower, this.#upper] = [0x80, 0xbf];
  }

  get isNeutral() {
    return this.#needed === 0;
  }
}

class Utf16 {
  #isBigEndian;
  #lead = -1;
  #high = 0;

  constructor(isBigEndian) {
    this.#isBigEndian = isBigEndian;
  }

  handle(byte, queue) {
    const lead = this.#lead;
    const high = this.#high;
    if (byte === END) {
      [this.#lead, this.#high] = [-1, 0];
      return lead < 0 && high === 0 ? FINISHED : ERROR;
    }
    if (lead < 0) {
      this.#lead = byte;
      return CONTINUE;
    }
    this.#lead = -1;
    const unit = this.#isBigEndian ? (lead << 8) | byte : (byte << 8) | lead;
    if (high !== 0) {
      this.#high = 0;
      if (isIn(unit, 0xdc00, 0xdfff)) return 0x10000 + ((high - 0xd800) << 10) + unit - 0xdc00;
      queue.push(lead, byte);
      return ERROR;
    }
    if (isIn(unit, 0xd800, 0xdbff)) {
      this.#high = unit;
      return CONTINUE;
    }
    return isIn(unit, 0xdc00, 0xdfff) ? ERROR : unit;
  }

  get isNeutral() {
    return this.#lead < 0 && this.#high === 0;
  }
}

/** A single-byte encoding: `upper` has the code points of the bytes from 0x80 on, or 0. */
class SingleByte {
  isNeutral = true;
  #upper;

  constructor(upper) {
    this.#upper = upper;
  }

  handle(byte) {
    if (byte === END) return FINISHED;
    return isAscii(byte) ? byte : orError(this.#upper[byte - 0x80]);
  }
}

/** The decoder of `replacement`. */
class Replacement {
  isNeutral = true;
  #hasFailed = false;

  handle(byte) {
    if (byte === END || this.#hasFailed) return FINISHED;
    this.#hasFailed = true;
    return ERROR;
  }
}

/** Creates a decoder of an encoding. */
export function newDecoder(number) {
  switch (number) {
    case REPLACEMENT:
      return new Replacement();
    case UTF_8:
      return new Utf8();
    case UTF_16BE:
    case UTF_16LE:
      return new Utf16(number === UTF_16BE);
    case GBK:
    case GB18030:
      return new Gb18030();
    case BIG5:
      return new Big5();
    case EUC_JP:
      return new EucJp();
    case EUC_KR:
      return new EucKr();
    case ISO_2022_JP:
      return new Iso2022Jp();
    case SHIFT_JIS:
      return new ShiftJis();
    case X_USER_DEFINED:
      return new SingleByte(Uint16Array.from({ length: 128 }, (_, n) => 0xf780 + n));
    default:
      return new SingleByte(singleByte(rowOf(number)));
  }
}
