// UTF-7 of RFC 2152, and its form for mailboxes in RFC 3501, section 5.1.3.
//
// In base64, the state of a decoder is the bits of the last digit that are not in a code unit yet, and that of an encoder the bits that
// are not written yet: none, two, or four, after a bit that is 1. So it is `BASE64` without bits.

import { DIGITS, digitValues } from "../base64-digits.js";
import { CONTINUE, ERROR, MAPPED } from "./coded.js";

/** Outside of base64. */
const DIRECT = 0;
const BASE64 = 1;
/** The decoder of UTF-7-IMAP is directly after base64. */
const AFTER_BASE64 = -1;

const HYPHEN = 0x2d;

const LETTERS = DIGITS.slice(0, 62);
const PRINTABLE = String.fromCharCode(...Array.from({ length: 0x5f }, (_, n) => 0x20 + n));
/** Set D and Rule 3 of RFC 2152. */
const SET_D = `${LETTERS}'(),-./:? \t\r\n`;
const SET_O = '!"#$%&*;<=>@[]^_`{|}';

/** Returns for each byte whether it is one of the characters. */
function setOf(characters) {
  const set = new Uint8Array(256);
  for (let n = 0; n < characters.length; n++) set[characters.charCodeAt(n)] = 1;
  return set;
}

/** Returns the number of bits in a state. */
const bitsIn = (state) => 31 - Math.clz32(state);
/** Returns the last bits of a number, as a state. */
const lastBits = (number, count) => (1 << count) | (number & ((1 << count) - 1));

export class Utf7 {
  #isImap;
  /** The character that starts base64. */
  #shift;
  #digits;
  #values;
  /** What is a character outside of base64, to the decoder and to the encoder. */
  #read;
  #written;

  constructor(isImap) {
    this.#isImap = isImap;
    this.#shift = (isImap ? "&" : "+").charCodeAt(0);
    this.#digits = isImap ? `${LETTERS}+,` : DIGITS;
    this.#values = digitValues(this.#digits);
    this.#read = setOf(isImap ? PRINTABLE : SET_D + SET_O);
    this.#written = setOf(isImap ? PRINTABLE : SET_D);
  }

  #isDigit(byte) {
    return byte >= 0 && this.#values[byte] >= 0;
  }

  decode(input) {
    if (input.state >= BASE64) {
      if (this.#isDigit(input.peek(0))) return this.#character(input);
      input.state = DIRECT;
      if (input.peek(0) === HYPHEN) {
        input.at++;
        if (this.#isImap) input.state = AFTER_BASE64;
      }
      return CONTINUE;
    }
    const isAfterBase64 = input.state === AFTER_BASE64;
    input.state = DIRECT;
    const byte = input.read();
    if (byte !== this.#shift) return this.#read[byte] ? byte : ERROR;
    if (input.peek(0) === HYPHEN) {
      input.at++;
      return byte;
    }
    if (isAfterBase64 || !this.#isDigit(input.peek(0))) return ERROR;
    input.state = BASE64;
    return CONTINUE;
  }

  /** Reads a character in base64. */
  #character(input) {
    const unit = this.#unit(input);
    if (unit >>> 10 === 0x37) return ERROR; // a low surrogate
    if (unit >>> 10 === 0x36) {
      const { at, state } = input;
      const low = this.#unit(input);
      if (low >>> 10 === 0x37 && this.#endsWell(input)) return 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
      [input.at, input.state] = [at, state];
      return ERROR;
    }
    if (unit !== ERROR) {
      if (this.#isImap && this.#read[unit]) return ERROR;
      if (this.#endsWell(input)) return unit;
    }
    input.state = BASE64;
    return ERROR;
  }

  /** Reads digits until there are 16 bits. Returns a code unit, or `ERROR` if there are too few. */
  #unit(input) {
    let bits = input.state;
    while (bits < 0x10000) {
      const digit = input.peek(0);
      if (!this.#isDigit(digit)) return ERROR;
      input.at++;
      bits = (bits << 6) | this.#values[digit];
    }
    const left = bitsIn(bits) - 16;
    input.state = lastBits(bits, left);
    return (bits >>> left) & 0xffff;
  }

  /** Returns whether base64 may end after a character, if it does. */
  #endsWell(input) {
    const isZero = (input.state & (input.state - 1)) === 0;
    if (isZero && !this.#isImap) return true;
    const next = input.peek(0);
    return this.#isDigit(next) || (isZero && this.#isImap && next === HYPHEN);
  }

  encode(codePoint, output) {
    if (codePoint < 0x80 && this.#written[codePoint]) {
      if (output.state !== DIRECT) this.#end(output, this.#isImap || codePoint === HYPHEN || this.#isDigit(codePoint));
      output.push(codePoint);
      if (codePoint === this.#shift) output.push(HYPHEN);
      return MAPPED;
    }
    if (output.state === DIRECT) {
      output.push(this.#shift);
      if (codePoint === this.#shift) {
        output.push(HYPHEN);
        return MAPPED;
      }
      output.state = BASE64;
    }
    if (codePoint > 0xffff) this.#pushUnit(output, 0xd7c0 + (codePoint >>> 10));
    this.#pushUnit(output, codePoint > 0xffff ? 0xdc00 | (codePoint & 0x3ff) : codePoint);
    return MAPPED;
  }

  #pushUnit(output, unit) {
    const bits = (output.state << 16) | unit;
    let left = bitsIn(bits);
    for (; left >= 6; left -= 6) output.push(this.#digits.charCodeAt((bits >>> (left - 6)) & 63));
    output.state = lastBits(bits, left);
  }

  /** Ends base64: the last digit has zero bits. */
  #end(output, needsHyphen) {
    const left = bitsIn(output.state);
    if (left > 0) output.push(this.#digits.charCodeAt((output.state << (6 - left)) & 63));
    if (needsHyphen) output.push(HYPHEN);
    output.state = DIRECT;
  }

  end(output) {
    if (output.state !== DIRECT) this.#end(output, true);
  }
}
