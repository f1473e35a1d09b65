// UTF-7 (RFC 2152), and its variant for the names of mailboxes in IMAP (RFC 3501, section 5.1.3).

import { DIGITS, digitValues } from "../base64-digits.js";
import { toBase64 } from "./base64.js";
import { Text, asBytes, latin1Bytes } from "./bytes.js";

const MINUS = 0x2d;
const SLASH = 0x2f;

const VALUES = digitValues(DIGITS);
const IMAP_VALUES = VALUES.slice();
IMAP_VALUES[0x2c] = VALUES[SLASH];

/** Returns code units as big-endian base64 without padding. */
function base64OfUnits(string) {
  const bytes = new Uint8Array(2 * string.length);
  for (let n = 0; n < string.length; n++) {
    const unit = string.charCodeAt(n);
    bytes[2 * n] = unit >>> 8;
    bytes[2 * n + 1] = unit;
  }
  return toBase64(bytes).replace(/=+$/, "");
}

class Utf7Like {
  bomAware = true;
  encoder = Utf7Encoder;
  decoder = Utf7Decoder;

  /** @param {string} start the character that starts base64 */
  constructor(iconv, start, values) {
    this.iconv = iconv;
    this.start = start;
    this.shift = start.charCodeAt(0);
    this.values = values;
  }

  decodeAll(bytes) {
    return new Utf7Decoder(undefined, this).write(bytes);
  }

  encodeAll(text) {
    return latin1Bytes(text.replace(this.runs, (run, direct) => (direct === undefined ? this.base64(run) : this.direct(run))));
  }

  /** Returns a whole sequence of base64. */
  base64(run) {
    return `${this.start}${run === "+" ? "" : this.digits(run)}-`;
  }
}

export class Utf7Codec extends Utf7Like {
  /** Matches runs of characters. Those of its group are written directly, all others in base64. */
  runs = /([A-Za-z0-9'(),\-./:? \n\r\t]+)|[^A-Za-z0-9'(),\-./:? \n\r\t]+/g;

  constructor(iconv) {
    super(iconv, "+", VALUES);
  }

  direct(run) {
    return run;
  }

  digits(units) {
    return base64OfUnits(units);
  }
}

export class Utf7ImapCodec extends Utf7Like {
  runs = /([\x20-\x7e]+)|[^\x20-\x7e]+/g;

  constructor(iconv) {
    super(iconv, "&", IMAP_VALUES);
  }

  direct(run) {
    return run.replaceAll("&", "&-");
  }

  digits(units) {
    return base64OfUnits(units).replaceAll("/", ",");
  }
}

/** A decoder for chunks. Any character that is not a base64 digit ends base64. */
class Utf7Decoder {
  #codec;
  #inBase64 = false;
  /** Whether base64 has started, but no digit has followed. */
  #isFirst = false;
  #bits = 0;
  #bitCount = 0;

  constructor(options, codec) {
    this.#codec = codec;
  }

  write(buffer) {
    const bytes = asBytes(buffer);
    const { iconv, shift, values } = this.#codec;
    const text = new Text(bytes.length, iconv);
    for (const byte of bytes) {
      if (this.#inBase64 && this.#base64(byte, values[byte], text)) continue;
      if (byte === shift) {
        this.#inBase64 = true;
        this.#isFirst = true;
        this.#bitCount = 0;
      } else if (byte < 0x80) text.push(byte);
      else text.pushUnknown();
    }
    return text.toString();
  }

  /** Reads a byte after the start of base64. Returns false if it is a character after the end. */
  #base64(byte, value, text) {
    if (value >= 0) {
      this.#isFirst = false;
      this.#bits = (this.#bits << 6) | value;
      this.#bitCount += 6;
      if (this.#bitCount >= 16) {
        this.#bitCount -= 16;
        text.push((this.#bits >>> this.#bitCount) & 0xffff);
      }
      return true;
    }
    this.#inBase64 = false;
    if (this.#isFirst && byte === MINUS) text.push(this.#codec.shift);
    return byte === MINUS;
  }

  end() {
    this.#inBase64 = false;
    return undefined;
  }
}

/** An encoder for chunks. Base64 can continue in the next chunk. */
class Utf7Encoder {
  #codec;
  /** Whether base64 has started. It starts with its first three units, or when it ends: a run "+" is written without digits. */
  #inBase64 = false;
  /** Up to two code units that have not been written, because three units are eight digits. */
  #held = "";

  constructor(options, codec) {
    this.#codec = codec;
  }

  write(string) {
    const codec = this.#codec;
    const text = string.replace(codec.runs, (run, direct) =>
      direct === undefined ? this.#base64(run) : this.#endText() + codec.direct(run),
    );
    return latin1Bytes(text);
  }

  #base64(run) {
    const units = this.#held + run;
    const end = units.length - (units.length % 3);
    this.#held = units.slice(end);
    if (end === 0) return "";
    const start = this.#inBase64 ? "" : this.#codec.start;
    this.#inBase64 = true;
    return start + this.#codec.digits(units.slice(0, end));
  }

  end() {
    const text = this.#endText();
    return text === "" ? undefined : latin1Bytes(text);
  }

  #endText() {
    const [inBase64, held] = [this.#inBase64, this.#held];
    this.#inBase64 = false;
    this.#held = "";
    if (inBase64) return `${this.#codec.digits(held)}-`;
    return held === "" ? "" : this.#codec.base64(held);
  }
}
