// GSM 03.38: the default alphabet of 3GPP TS 23.038, one septet in each byte, and its extension table.

import { ERROR, MAPPED } from "./coded.js";

const ESCAPE = 0x1b;

/** The table of section 6.2.1. The escape to the extension table is at its place as itself. */
const ALPHABET =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

/** The table of section 6.2.1.1: the characters, and those that are their bytes in ASCII. */
const EXTENDED = "\f^{}\\[~]|€";
const EXTENSION = "\n\x14()/<=>@e";

export const GSM_03_38 = {
  decode(input) {
    const byte = input.read();
    if (byte >= 0x80) return ERROR;
    if (byte !== ESCAPE) return ALPHABET.charCodeAt(byte);
    const next = input.peek(0);
    const at = next < 0 ? -1 : EXTENSION.indexOf(String.fromCharCode(next));
    if (at < 0) return ERROR;
    input.at++;
    return EXTENDED.charCodeAt(at);
  },

  encode(codePoint, output) {
    const character = String.fromCodePoint(codePoint);
    const byte = ALPHABET.indexOf(character);
    const at = byte < 0 || byte === ESCAPE ? EXTENDED.indexOf(character) : -1;
    if (at >= 0) {
      output.push(ESCAPE);
      output.push(EXTENSION.charCodeAt(at));
    } else if (byte < 0 || byte === ESCAPE) return codePoint;
    else output.push(byte);
    return MAPPED;
  },
};
