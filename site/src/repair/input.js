// Interprets pasted input: bytes or text in one of several notations, or garbled text.

import { fromDump, isLikeText } from "./dump.js";
import {
  fromBase64,
  fromByteEscapes,
  fromEncodedWords,
  fromQuotedPrintable,
  fromReferences,
  fromUnicodeEscapes,
} from "./unescape.js";

/** @typedef {keyof typeof KINDS} Kind */

export const KINDS = {
  hex: "hexadecimal bytes",
  dump: "a dump by hexdump, xxd or od",
  base64: "base64",
  percent: "percent-encoded bytes",
  "quoted-printable": "quoted-printable",
  words: "encoded words of mail (RFC 2047)",
  references: "HTML references (&#…;)",
  escapes: "\\u escapes",
  bytes: "\\x escapes",
  text: "garbled text",
};

/**
 * Guesses the kind of pasted input.
 * @param {string} pasted
 * @returns {Kind}
 */
export function guess(pasted) {
  const text = pasted.trim();
  if (fromDump(text) !== null) return "dump";
  if (/=\?[^?\s]+\?[bq]\?[^?]*\?=/i.test(text)) return "words";
  if (isLikelyHex(text)) return "hex";
  if (/%u[0-9a-f]{4}/i.test(text)) return "escapes";
  if (/%[0-9a-f]{2}/i.test(text) && /^[\x21-\x7e\s]*$/.test(text)) return "percent";
  if (/&(?:amp;)*#(?:x[0-9a-f]+|\d+);/i.test(text)) return "references";
  if (/\\u(?:\{[0-9a-f]+\}|[0-9a-f]{4})/i.test(text)) return "escapes";
  if (/\\x[0-9a-f]{2}|\\[0-3][0-7]{2}/i.test(text) && fromByteEscapes(text) !== null) return "bytes";
  // Words are valid base64, too, so the input must contain characters that words rarely have.
  const isLikely = /=$|[0-9+/]/.test(text) && /[A-Z]/.test(text) && text.length >= 8;
  if (isLikely && !/\s\S+\s\S+\s/.test(text) && fromBase64(text) !== null) return "base64";
  const isQuoted = /=(?:[89A-F][0-9A-F]|3D|20|\r?\n)|(?:=[89a-f][0-9a-f]){2}/.test(text);
  if (isQuoted && fromQuotedPrintable(text) !== null) return "quoted-printable";
  return "text";
}

/** How kinds are read: as bytes, or as text. */
const BYTES = {
  hex: fromHex,
  dump: fromDump,
  base64: fromBase64,
  percent: fromPercent,
  "quoted-printable": fromQuotedPrintable,
  bytes: fromByteEscapes,
};
const TEXTS = {
  words: fromEncodedWords,
  references: fromReferences,
  escapes: fromUnicodeEscapes,
};

/**
 * Returns the bytes that text represents, or `null` if it is not valid for that kind, or the kind is text.
 * @param {string} pasted
 * @param {Kind} kind
 * @returns {Uint8Array | null}
 */
export const toBytes = (pasted, kind) => BYTES[kind]?.(pasted.trim()) ?? null;

/**
 * Returns the text that a notation for characters represents, or `undefined` if the kind is one for bytes.
 * @param {string} pasted
 * @param {Kind} kind
 * @returns {string | undefined}
 */
export const toText = (pasted, kind) => (kind === "text" ? pasted : TEXTS[kind]?.(pasted));

/** `82 A0`, `82a0`, `0x82, 0xA0`, `\x82\xA0`, and the output of `xxd -p`. */
function fromHex(text) {
  const digits = text.replaceAll(/0x|\\x|[\s,;:]/gi, "");
  if (digits === "" || digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits)) return null;
  return Uint8Array.from(digits.match(/../g), (byte) => Number.parseInt(byte, 16));
}

/** Says whether text is bytes and not other numbers, such as dates, times, prices and numbers of telephones. */
function isLikelyHex(text) {
  const bytes = fromHex(text);
  if (bytes === null || /0x|\\x|[a-f]/i.test(text)) return bytes !== null;
  const isEven = /^(?:(?:\d\d)+|\d\d(?:,?\s+\d\d)+|\d{4}(?:\s+\d{4})+(?:\s+\d\d)?)$/;
  return isEven.test(text) && isLikeText(bytes);
}

/** Percent-encoded bytes. All other characters must be ASCII. */
function fromPercent(text) {
  if (!/^[\x00-\x7f]*$/.test(text)) return null;
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16)));
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}
