// The standard's encoders (sections 8 to 14), a code point at a time.
//
// `handle` takes a code point and an array. It appends the bytes to the array, and returns MAPPED, or the code point to
// report if there are none.

import { BIG5, EUC_JP, EUC_KR, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_16BE, UTF_16LE, UTF_8, X_USER_DEFINED, rowOf } from "../numbers.js";
import { big5Pointer, eucKrPointer, gb18030Pointer, gb18030Ranges, jis0208Pointer, katakana, shiftJisPointer, singleByteInverse } from "./tables.js";

export const MAPPED = -1;

const isIn = (code, first, last) => code >= first && code <= last;

/** Appends a pair of bytes: `pointer` in rows of `width`, from the lead byte `lead` on. */
function putPair(bytes, pointer, width, lead, trail) {
  bytes.push(Math.floor(pointer / width) + lead, (pointer % width) + trail);
  return MAPPED;
}

/** Makes an encoder whose characters other than ASCII are encoded by a function. */
const asciiCompatible = (handle) => ({
  handle(code, bytes) {
    if (code >= 0x80) return handle(code, bytes);
    bytes.push(code);
    return MAPPED;
  },
});

function utf8(code, bytes) {
  const trail = (shift) => 0x80 | ((code >> shift) & 0x3f);
  if (code < 0x800) bytes.push(0xc0 | (code >> 6), trail(0));
  else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), trail(6), trail(0));
  else bytes.push(0xf0 | (code >> 18), trail(12), trail(6), trail(0));
  return MAPPED;
}

const utf16 = (isBigEndian) => ({
  handle(code, bytes) {
    const put = (unit) => (isBigEndian ? bytes.push(unit >> 8, unit & 0xff) : bytes.push(unit & 0xff, unit >> 8));
    if (code > 0xffff) put(0xd7c0 + (code >> 10));
    put(code > 0xffff ? 0xdc00 | (code & 0x3ff) : code);
    return MAPPED;
  },
});

function shiftJis(code, bytes) {
  if (code === 0x80) return single(bytes, 0x80);
  if (code === 0xa5) return single(bytes, 0x5c);
  if (code === 0x203e) return single(bytes, 0x7e);
  if (isIn(code, 0xff61, 0xff9f)) return single(bytes, code - 0xff61 + 0xa1);
  const pointer = shiftJisPointer(code === 0x2212 ? 0xff0d : code);
  if (pointer < 0) return code;
  const column = pointer % 188;
  return putPair(bytes, pointer - column, 188, pointer < 0x1f * 188 ? 0x81 : 0xc1, column + (column < 0x3f ? 0x40 : 0x41));
}

function single(bytes, byte) {
  bytes.push(byte);
  return MAPPED;
}

function eucJp(code, bytes) {
  if (code === 0xa5) return single(bytes, 0x5c);
  if (code === 0x203e) return single(bytes, 0x7e);
  if (isIn(code, 0xff61, 0xff9f)) {
    bytes.push(0x8e, code - 0xff61 + 0xa1);
    return MAPPED;
  }
  const pointer = jis0208Pointer(code === 0x2212 ? 0xff0d : code);
  return pointer < 0 ? code : putPair(bytes, pointer, 94, 0xa1, 0xa1);
}

function eucKr(code, bytes) {
  const pointer = eucKrPointer(code);
  return pointer < 0 ? code : putPair(bytes, pointer, 190, 0x81, 0x41);
}

function big5(code, bytes) {
  const pointer = big5Pointer(code);
  if (pointer < 0) return code;
  const column = pointer % 157;
  return putPair(bytes, pointer - column, 157, 0x81, column + (column < 0x3f ? 0x40 : 0x62));
}

/** GB18030-2022: code points that are no longer in index gb18030, with their bytes. */
const SIDE_TABLE = {
  0xe78d: 0xa6d9,
  0xe78e: 0xa6da,
  0xe78f: 0xa6db,
  0xe790: 0xa6dc,
  0xe791: 0xa6dd,
  0xe792: 0xa6de,
  0xe793: 0xa6df,
  0xe794: 0xa6ec,
  0xe795: 0xa6ed,
  0xe796: 0xa6f3,
  0xe81e: 0xfe59,
  0xe826: 0xfe61,
  0xe82b: 0xfe66,
  0xe82c: 0xfe67,
  0xe832: 0xfe6d,
  0xe843: 0xfe7e,
  0xe854: 0xfe90,
  0xe864: 0xfea0,
};

/** Index gb18030 ranges pointer. */
function rangesPointer(code) {
  if (code === 0xe7c7) return 7457;
  if (code >= 0x10000) return 189000 + code - 0x10000;
  const ranges = gb18030Ranges();
  let at = 0;
  while (at + 3 < ranges.length && ranges[at + 3] <= code) at += 2;
  return ranges[at] + code - ranges[at + 1];
}

const gb18030 = (isGbk) => (code, bytes) => {
  if (code === 0xe5e5) return code;
  if (isGbk && code === 0x20ac) return single(bytes, 0x80);
  const pair = SIDE_TABLE[code];
  if (pair !== undefined) {
    bytes.push(pair >> 8, pair & 0xff);
    return MAPPED;
  }
  const pointer = gb18030Pointer(code);
  if (pointer >= 0) {
    const column = pointer % 190;
    return putPair(bytes, pointer - column, 190, 0x81, column + (column < 0x3f ? 0x40 : 0x41));
  }
  if (isGbk) return code;
  const rank = rangesPointer(code);
  const digit = (divisor, base) => (Math.floor(rank / divisor) % base);
  bytes.push(digit(12600, 126) + 0x81, digit(1260, 10) + 0x30, digit(10, 126) + 0x81, digit(1, 10) + 0x30);
  return MAPPED;
};

// The states of ISO-2022-JP.
const ASCII = [0x1b, 0x28, 0x42];
const ROMAN = [0x1b, 0x28, 0x4a];
const JIS_0208 = [0x1b, 0x24, 0x42];

class Iso2022Jp {
  #state = ASCII;
  #followsHandler;

  constructor(followsHandler) {
    this.#followsHandler = followsHandler;
  }

  copy() {
    const copy = new Iso2022Jp(this.#followsHandler);
    copy.#state = this.#state;
    return copy;
  }

  handle(code, bytes) {
    if (code === 0x0e || code === 0x0f || code === 0x1b) return this.#unmappable(0xfffd, bytes);
    if (code < 0x80) {
      const isInRoman = this.#state === ROMAN && code !== 0x5c && code !== 0x7e;
      if (!isInRoman) this.#escape(ASCII, bytes);
      return single(bytes, code);
    }
    if (code === 0xa5 || code === 0x203e) {
      this.#escape(ROMAN, bytes);
      return single(bytes, code === 0xa5 ? 0x5c : 0x7e);
    }
    let mapped = code === 0x2212 ? 0xff0d : code;
    if (isIn(code, 0xff61, 0xff9f)) mapped = katakana()[code - 0xff61];
    const pointer = jis0208Pointer(mapped);
    // Pointers of other rows have no lead byte in seven bits.
    if (pointer < 0 || pointer >= 94 * 94) return this.#unmappable(code, bytes);
    this.#escape(JIS_0208, bytes);
    return putPair(bytes, pointer, 94, 0x21, 0x21);
  }

  #escape(state, bytes) {
    if (this.#state !== state) bytes.push(...state);
    this.#state = state;
  }

  #unmappable(code, bytes) {
    if (this.#followsHandler && this.#state === JIS_0208) this.#escape(ASCII, bytes);
    return code;
  }

  /** Returns to the initial state. */
  finish(bytes) {
    this.#escape(ASCII, bytes);
  }
}

const singleByte = (row) => (code, bytes) => {
  const byte = code > 0xffff ? 0 : singleByteInverse(row)[code];
  return byte === 0 ? code : single(bytes, byte);
};

const userDefined = (code, bytes) => (isIn(code, 0xf780, 0xf7ff) ? single(bytes, code - 0xf780 + 0x80) : code);

/**
 * Creates an encoder. `followsHandler` says that ISO-2022-JP returns to ASCII before an unmappable character, as the
 * standard's handler does, because ASCII must follow in its place.
 */
export function newEncoder(number, followsHandler) {
  switch (number) {
    case UTF_8:
      return asciiCompatible(utf8);
    case UTF_16BE:
    case UTF_16LE:
      return utf16(number === UTF_16BE);
    case GBK:
    case GB18030:
      return asciiCompatible(gb18030(number === GBK));
    case BIG5:
      return asciiCompatible(big5);
    case EUC_JP:
      return asciiCompatible(eucJp);
    case EUC_KR:
      return asciiCompatible(eucKr);
    case ISO_2022_JP:
      return new Iso2022Jp(followsHandler);
    case SHIFT_JIS:
      return asciiCompatible(shiftJis);
    case X_USER_DEFINED:
      return asciiCompatible(userDefined);
    default:
      return asciiCompatible(singleByte(rowOf(number)));
  }
}
