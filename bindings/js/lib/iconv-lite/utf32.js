// UTF-32. Unpaired surrogates are read and written unchanged.

import { NO_BYTES, Text, asBuffer, asBytes, joined } from "./bytes.js";
import { DetectingCodec } from "./byte-order.js";
import { ChunkwiseEncoder } from "./encoder.js";

export class Utf32Codec {
  bomAware = true;
  encoder = ChunkwiseEncoder;
  decoder = Utf32Decoder;
  #isLittle;

  constructor(isLittle, iconv) {
    this.#isLittle = isLittle;
    this.iconv = iconv;
  }

  decodeAll(bytes) {
    const { length } = bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, length);
    const text = new Text(length >>> 1, this.iconv);
    for (let at = 0; at + 4 <= length; at += 4) {
      const codePoint = view.getUint32(at, this.#isLittle);
      if (codePoint > 0x10ffff) text.pushUnknown();
      else if (codePoint < 0x10000) text.push(codePoint);
      else {
        text.push(0xd7c0 + (codePoint >>> 10));
        text.push(0xdc00 + (codePoint & 0x3ff));
      }
    }
    if (length % 4 !== 0) text.pushUnknown();
    return text.toString();
  }

  encodeAll(string) {
    const view = new DataView(new ArrayBuffer(4 * string.length));
    let length = 0;
    for (let n = 0; n < string.length; n++) {
      const codePoint = string.codePointAt(n);
      if (codePoint > 0xffff) n++;
      view.setUint32(length, codePoint, this.#isLittle);
      length += 4;
    }
    return asBuffer(new Uint8Array(view.buffer, 0, length));
  }
}

/** Keeps the first bytes of an incomplete character for the next chunk. */
class Utf32Decoder {
  #codec;
  #held = NO_BYTES;

  constructor(options, codec) {
    this.#codec = codec;
  }

  write(buffer) {
    const bytes = joined(this.#held, asBytes(buffer));
    const end = bytes.length & ~3;
    this.#held = end === bytes.length ? NO_BYTES : new Uint8Array(bytes.subarray(end)); // a copy
    return this.#codec.decodeAll(bytes.subarray(0, end));
  }

  end() {
    const text = this.#codec.decodeAll(this.#held);
    this.#held = NO_BYTES;
    return text || undefined;
  }
}

/** "utf-32": the byte order is that of a byte order mark, or of most of the first characters. */
export class Utf32AutoCodec extends DetectingCodec {
  constructor(iconv) {
    super(iconv, { little: "utf-32le", big: "utf-32be", length: 32, detect: detectUtf32 });
  }

  writtenAs(options) {
    return this.defaultOf(options);
  }
}

/** Detects the byte order by the mark, or by which order gives more characters below U+10000 and fewer invalid ones. */
function detectUtf32(bytes) {
  const end = Math.min(bytes.length - 3, 400);
  let little = 0;
  for (let at = 0; at < end; at += 4) {
    const [a, b, c, d] = bytes.subarray(at, at + 4);
    if (at === 0 && a === 0xff && b === 0xfe && c === 0 && d === 0) return 1;
    if (at === 0 && a === 0 && b === 0 && c === 0xfe && d === 0xff) return -1;
    little += score(d, c, b, a) - score(a, b, c, d);
  }
  return little;
}

/** Rates four bytes, the most significant one first. */
function score(a, b, c, d) {
  if (a !== 0 || b > 0x10) return -1;
  return b === 0 && (c !== 0 || d !== 0) ? 1 : 0;
}
