// CESU-8: UTF-8 in which a surrogate pair is two sequences of three bytes. MySQL stores text like this.

import { TextDecoder } from "../core.js";
import { Text, asBuffer, asBytes, charOf } from "./bytes.js";

const RARE = /[\ud800-\udfff\ufffd]/;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

export class Cesu8Codec {
  bomAware = true;
  encoder = Cesu8Encoder;
  decoder = Cesu8Decoder;

  constructor(iconv) {
    this.iconv = iconv;
  }

  decodeAll(bytes) {
    const text = commonText(bytes);
    if (text !== undefined) return text;
    const decoder = new Cesu8Decoder(undefined, this);
    return decoder.writeAny(bytes) + (decoder.end() ?? "");
  }

  encodeAll(text) {
    const bytes = new Uint8Array(3 * text.length);
    let length = 0;
    for (let n = 0; n < text.length; n++) {
      const unit = text.charCodeAt(n);
      if (unit < 0x80) {
        bytes[length++] = unit;
        continue;
      }
      if (unit < 0x800) bytes[length++] = 0xc0 | (unit >>> 6);
      else {
        bytes[length++] = 0xe0 | (unit >>> 12);
        bytes[length++] = 0x80 | ((unit >>> 6) & 0x3f);
      }
      bytes[length++] = 0x80 | (unit & 0x3f);
    }
    return asBuffer(bytes.slice(0, length));
  }
}

/** Decodes what is the same in UTF-8: well-formed text without characters above U+FFFF, and without U+FFFD. */
function commonText(bytes) {
  const text = utf8.decode(bytes);
  return RARE.test(text) ? undefined : text;
}

class Cesu8Encoder {
  #codec;

  constructor(options, codec) {
    this.#codec = codec;
  }

  write(string) {
    return this.#codec.encodeAll(string);
  }

  end() {
    return undefined;
  }
}

/** A decoder for chunks. As in iconv-lite, C0 80 is U+0000, and an overlong sequence is one error. */
class Cesu8Decoder {
  #iconv;
  #unit = 0;
  /** How many bytes of a sequence have been read, and how many are missing. */
  #read = 0;
  #missing = 0;

  constructor(options, codec) {
    this.#iconv = codec.iconv;
  }

  write(buffer) {
    const bytes = asBytes(buffer);
    return (this.#missing === 0 ? commonText(bytes) : undefined) ?? this.writeAny(bytes);
  }

  writeAny(bytes) {
    const text = new Text(bytes.length, this.#iconv);
    for (const byte of bytes) {
      if ((byte & 0xc0) === 0x80) this.#trail(byte, text);
      else this.#lead(byte, text);
    }
    return text.toString();
  }

  #lead(byte, text) {
    if (this.#missing > 0) text.pushUnknown();
    this.#missing = byte < 0xc0 || byte >= 0xf0 ? 0 : byte < 0xe0 ? 1 : 2;
    this.#read = 1;
    this.#unit = byte & (byte < 0xe0 ? 0x1f : 0x0f);
    if (byte < 0x80) text.push(byte);
    else if (byte >= 0xf0) text.pushUnknown();
  }

  #trail(byte, text) {
    if (this.#missing === 0) return text.pushUnknown();
    this.#unit = (this.#unit << 6) | (byte & 0x3f);
    this.#read++;
    if (--this.#missing > 0) return;
    const isOverlong = this.#read === 2 ? this.#unit > 0 && this.#unit < 0x80 : this.#unit < 0x800;
    if (isOverlong) text.pushUnknown();
    else text.push(this.#unit);
  }

  end() {
    if (this.#missing === 0) return undefined;
    this.#missing = 0;
    return charOf(this.#iconv, "defaultCharUnicode");
  }
}
