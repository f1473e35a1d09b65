// Unpacks the packed indexes, which crates/textcodec/src/index/unpack.rs describes.

const UNMAPPED = 0;
const SAME = 1;
const OTHER = 2;
const ABSOLUTE = 3;
const FORWARD = 4;
const BACKWARD = 15;
/** Kinds from here on are far steps. */
const FAR = FORWARD + 10;
/** The number of kinds, rounded up to a power of 2. */
const KINDS = 32;
/** All code points of the indexes are below this. */
const END = 0x30000;

/** Reads bits from a range coder. */
class Bits {
  #bytes;
  #at = 4;
  #range = 0xffffffff;
  #code;

  constructor(bytes) {
    this.#bytes = bytes;
    this.#code = ((bytes[0] << 24) | (bytes[1] << 16) | (bytes[2] << 8) | bytes[3]) >>> 0;
  }

  #narrow(range) {
    while (range < 1 << 24) {
      range = (range << 8) >>> 0;
      this.#code = ((this.#code << 8) | (this.#bytes[this.#at++] ?? 0)) >>> 0;
    }
    this.#range = range;
  }

  /** Reads a bit, and adapts the probability at an index, in 4,096ths, that it is 0. */
  adaptive(probabilities, index) {
    const zero = probabilities[index];
    const bound = (this.#range >>> 12) * zero;
    if (this.#code < bound) {
      probabilities[index] = zero + ((4096 - zero) >> 4);
      this.#narrow(bound);
      return 0;
    }
    probabilities[index] = zero - (zero >> 4);
    this.#code -= bound;
    this.#narrow(this.#range - bound);
    return 1;
  }

  /** Reads a number below 2 to the power of `length`, bit by bit. The probability of a bit depends on those before it. */
  tree(probabilities, length) {
    let node = 1;
    for (let n = 0; n < length; n++) node = (node << 1) | this.adaptive(probabilities, node);
    return node - (1 << length);
  }

  /** Reads `length` bits that are 0 or 1 with equal probability. */
  raw(length) {
    const range = this.#range >>> length;
    const value = Math.floor(this.#code / range);
    this.#code -= value * range;
    this.#narrow(range);
    return value;
  }

  /** Reads a number of `length` bits, whose first bit is 1 and omitted. */
  number(length) {
    return length === 0 ? 0 : (1 << (length - 1)) | this.raw(length - 1);
  }
}

/**
 * Unpacks an index.
 * @param {Uint8Array} packed
 * @param {{ width: number, parts: number[][], separate?: boolean }} walk the order of the pointers: rectangles of the
 *   index, each as `[first row, end, first column, end]`, and for `SAME` the distance to the earlier pointer
 * @param {Uint16Array | Uint32Array} index receives the code points, by pointer
 * @param {Iterable<number>} [known] code points that count as used
 */
export function unpack(packed, { width, parts, separate = false }, index, known = []) {
  const bits = new Bits(packed);
  const kinds = Array.from({ length: KINDS }, () => new Uint16Array(KINDS).fill(2048));
  const codes = new Uint16Array(256).fill(2048);
  let before = UNMAPPED;
  const readKind = () => {
    if (bits.adaptive(kinds[before], 0) === 1) before = bits.tree(kinds[before], 5);
    return before;
  };

  let used, anchor, other;
  const start = () => {
    used = new Uint8Array(END);
    for (const code of known) used[code] = 1;
    [anchor, other] = [0x4e00, 0x20];
  };
  const forward = (count) => {
    let code = anchor + 1;
    for (;; code++) if (used[code] === 0 && count-- === 0) return code;
  };
  const backward = (count) => {
    let code = anchor - 1;
    for (;; code--) if (used[code] === 0 && --count === 0) return code;
  };

  start();
  for (const [firstRow, endRow, firstColumn, endColumn, back] of parts) {
    if (separate) start();
    for (let row = firstRow; row < endRow; row++) {
      for (let pointer = row * width + firstColumn; pointer < row * width + endColumn; pointer++) {
        let kind = readKind();
        if (kind === OTHER) {
          [anchor, other] = [other, anchor];
          kind = readKind();
        }
        if (kind === UNMAPPED) continue;
        let code;
        if (kind === SAME) code = index[pointer - back];
        else if (kind === ABSOLUTE) code = (bits.tree(codes, 8) << 10) | bits.raw(10);
        else if (kind <= BACKWARD) code = forward(bits.number(kind - FORWARD));
        else code = backward(bits.number(kind - BACKWARD));
        if (kind === ABSOLUTE || (kind >= FAR && kind <= BACKWARD)) other = anchor;
        anchor = code;
        used[code] = 1;
        index[pointer] = code;
      }
    }
  }
}
