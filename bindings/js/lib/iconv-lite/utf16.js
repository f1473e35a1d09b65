// UTF-16 without loss: unpaired surrogates are read and written unchanged, and an odd byte at the end is ignored.

import { TextDecoder, internal } from "../core.js";
import { NO_BYTES, asBuffer, asBytes, isHighSurrogate, joined, unitsToString } from "./bytes.js";
import { ChunkwiseEncoder } from "./encoder.js";
import { DetectingCodec } from "./byte-order.js";

const { nativeBuffer } = internal;

export class Utf16Codec {
  bomAware = true;
  encoder = ChunkwiseEncoder;
  decoder = Utf16Decoder;
  #isLittle;
  #fatal;

  constructor(isLittle) {
    this.#isLittle = isLittle;
    this.#fatal = new TextDecoder(isLittle ? "utf-16le" : "utf-16be", { fatal: true, ignoreBOM: true });
  }

  decodeAll(bytes) {
    const even = bytes.length % 2 === 0 ? bytes : bytes.subarray(0, -1);
    if (nativeBuffer !== undefined) return this.#decodeByBuffer(even);
    try {
      return this.#fatal.decode(even);
    } catch {
      return unitsToString(Uint16Array.from({ length: even.length / 2 }, (_, n) => this.unitAt(even, 2 * n)));
    }
  }

  #decodeByBuffer(bytes) {
    if (this.#isLittle) return nativeBuffer.prototype.ucs2Slice.call(bytes, 0, bytes.length);
    return nativeBuffer.from(bytes).swap16().ucs2Slice(0, bytes.length);
  }

  encodeAll(text) {
    if (nativeBuffer !== undefined) {
      const bytes = nativeBuffer.from(text, "utf16le");
      return this.#isLittle ? bytes : bytes.swap16();
    }
    const view = new DataView(new ArrayBuffer(2 * text.length));
    for (let n = 0; n < text.length; n++) view.setUint16(2 * n, text.charCodeAt(n), this.#isLittle);
    return asBuffer(new Uint8Array(view.buffer));
  }

  unitAt(bytes, at) {
    return this.#isLittle ? bytes[at] | (bytes[at + 1] << 8) : (bytes[at] << 8) | bytes[at + 1];
  }
}

/** Keeps an odd byte or a high surrogate at the end of a chunk for the next one. */
class Utf16Decoder {
  #codec;
  #held = NO_BYTES;

  constructor(options, codec) {
    this.#codec = codec;
  }

  write(buffer) {
    const bytes = joined(this.#held, asBytes(buffer));
    let end = bytes.length & ~1;
    if (end > 0 && isHighSurrogate(this.#codec.unitAt(bytes, end - 2))) end -= 2;
    this.#held = end === bytes.length ? NO_BYTES : new Uint8Array(bytes.subarray(end)); // a copy
    return this.#codec.decodeAll(bytes.subarray(0, end));
  }

  end() {
    const text = this.#codec.decodeAll(this.#held);
    this.#held = NO_BYTES;
    return text || undefined;
  }
}

/** "utf-16": the byte order is that of a byte order mark, or of most of the first characters. */
export class Utf16AutoCodec extends DetectingCodec {
  constructor(iconv) {
    super(iconv, { little: "utf-16le", big: "utf-16be", length: 16, detect: detectUtf16 });
  }
}

/** Detects the byte order by the mark, or by characters below U+0100. */
function detectUtf16(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 1;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return -1;
  let little = 0;
  const end = Math.min(bytes.length - 1, 200);
  for (let n = 0; n < end; n += 2) little += (bytes[n + 1] === 0) - (bytes[n] === 0);
  return little;
}
