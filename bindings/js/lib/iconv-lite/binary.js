// The names of Node's Buffer for bytes as text: "binary", "base64" and "hex". Their decoders write text of this kind,
// and their encoders read it.

import { internal } from "../core.js";
import { base64Digits, fromBase64Digits, toBase64 } from "./base64.js";
import { NO_BYTES, asBuffer, asBytes, joined, latin1Bytes, latin1String } from "./bytes.js";

const { nativeBuffer } = internal;

/** A decoder and an encoder that keep nothing between chunks. */
class Stateless {
  #codec;

  constructor(options, codec) {
    this.#codec = codec;
  }

  write(input) {
    return typeof input === "string" ? this.#codec.encodeAll(input) : this.#codec.decodeAll(asBytes(input));
  }

  end() {
    return undefined;
  }
}

/** "binary": each character is a byte. Of characters above U+00FF, the low byte is written. */
export class BinaryCodec {
  encoder = Stateless;
  decoder = Stateless;

  decodeAll(bytes) {
    return latin1String(bytes);
  }

  encodeAll(text) {
    return latin1Bytes(text);
  }
}

export class Base64Codec {
  encoder = Base64Encoder;
  decoder = Base64Decoder;

  decodeAll(bytes) {
    return toBase64(bytes);
  }

  encodeAll(text) {
    return fromBase64Digits(base64Digits(text));
  }
}

/** Writes base64 of whole groups of three bytes, and the rest at the end. */
class Base64Decoder {
  #held = NO_BYTES;

  write(buffer) {
    const bytes = joined(this.#held, asBytes(buffer));
    const end = bytes.length - (bytes.length % 3);
    this.#held = new Uint8Array(bytes.subarray(end)); // a copy
    return toBase64(bytes.subarray(0, end));
  }

  end() {
    const text = toBase64(this.#held);
    this.#held = NO_BYTES;
    return text || undefined;
  }
}

/** Reads whole groups of four digits, and the rest at the end. */
class Base64Encoder {
  #held = "";
  #isPadded = false;

  write(string) {
    if (this.#isPadded) return asBuffer(NO_BYTES);
    this.#isPadded = string.includes("=");
    const digits = this.#held + base64Digits(string);
    const end = digits.length - (digits.length % 4);
    this.#held = digits.slice(end);
    return fromBase64Digits(digits.slice(0, end));
  }

  end() {
    const bytes = fromBase64Digits(this.#held);
    this.#held = "";
    this.#isPadded = false;
    return bytes.length === 0 ? undefined : bytes;
  }
}

export class HexCodec {
  encoder = HexEncoder;
  decoder = Stateless;

  decodeAll(bytes) {
    if (nativeBuffer !== undefined) return nativeBuffer.prototype.hexSlice.call(bytes, 0, bytes.length);
    let text = "";
    for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
    return text;
  }

  encodeAll(text) {
    return new HexEncoder().write(text);
  }
}

function bytesOfHex(digits) {
  if (nativeBuffer !== undefined) return nativeBuffer.from(digits, "hex");
  const byteAt = (_, n) => parseInt(digits.slice(2 * n, 2 * n + 2), 16);
  return asBuffer(Uint8Array.from({ length: digits.length >>> 1 }, byteAt));
}

/** Reads pairs of digits up to the first other character. Keeps an odd digit for the next chunk. */
class HexEncoder {
  #held = "";
  #hasEnded = false;

  write(string) {
    const text = this.#held + string;
    const digits = this.#hasEnded ? "" : /^[0-9a-f]*/i.exec(text)[0];
    if (digits.length < text.length) this.#hasEnded = true;
    this.#held = digits.slice(digits.length & ~1);
    return bytesOfHex(digits);
  }

  end() {
    this.#held = "";
    this.#hasEnded = false;
    return undefined;
  }
}
