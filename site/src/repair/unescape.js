// Reads notations for bytes and for characters: those of mail, HTML and programming languages.

import { decode, getEncoding } from "textcodec";

const bytesOf = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const fromDigits = (digits) => String.fromCharCode(Number.parseInt(digits, 16));

/**
 * Returns the bytes of quoted-printable text, or `null`.
 * @param {string} text
 */
export function fromQuotedPrintable(text) {
  if (/[^\x00-\x7f]/.test(text) || /=(?![0-9A-F]{2}|[ \t]*\r?\n|$)/i.test(text)) return null;
  const joined = text.replaceAll(/=[ \t]*(?:\r?\n|$)/g, "");
  return bytesOf(joined.replaceAll(/=([0-9A-F]{2})/gi, (_, digits) => fromDigits(digits)));
}

const WORD = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi;

/** Decodes the encoded words of mail headers (RFC 2047), such as `=?UTF-8?Q?caf=C3=A9?=`. */
export function fromEncodedWords(text) {
  // Spaces between two encoded words are not part of the text.
  const plain = text.replaceAll(/(\?=)\s+(?==\?[^?\s]+\?[bq]\?)/gi, "$1");
  const words = [];
  let end = 0;
  for (const match of plain.matchAll(WORD)) {
    const [whole, label, kind, content] = match;
    const bytes = kind.toLowerCase() === "b" ? fromBase64(content) : fromQ(content);
    if (match.index > end) words.push({ text: plain.slice(end, match.index) });
    if (bytes === null || getEncoding(label) === null) words.push({ text: whole });
    // Programs split characters between words, although they should not.
    else if (words.at(-1)?.label === label.toLowerCase() && match.index === end) words.at(-1).parts.push(bytes);
    else words.push({ label: label.toLowerCase(), parts: [bytes] });
    end = match.index + whole.length;
  }
  words.push({ text: plain.slice(end) });
  return words.map(({ text, label, parts }) => text ?? decode(Uint8Array.from(parts.flatMap((part) => [...part])), label)).join("");
}

const fromQ = (content) => fromQuotedPrintable(content.replaceAll("_", " "));

/** base64 and base64url, with and without padding. */
export function fromBase64(text) {
  const plain = text.replaceAll(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    return bytesOf(atob(plain));
  } catch {
    return null;
  }
}

const isScalar = (codePoint) => codePoint > 0 && codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);

/** Replaces numeric references of HTML. As in browsers, those from 128 to 159 are bytes of windows-1252. */
export const fromReferences = (text) =>
  text.replaceAll(/&(?:amp;)*#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (whole, hex, decimal) => {
    const codePoint = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (!isScalar(codePoint)) return whole;
    return codePoint >= 0x80 && codePoint <= 0x9f
      ? decode(Uint8Array.of(codePoint), "windows-1252")
      : String.fromCodePoint(codePoint);
  });

/** Replaces `\u00E9`, `%u00E9`, `\u{1F600}` and `\U0001F600`. Two escapes can be one character in UTF-16. */
export const fromUnicodeEscapes = (text) =>
  text.replaceAll(
    /\\u\{([0-9a-fA-F]{1,6})\}|[\\%]u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})/g,
    (whole, braced, four, eight) => {
      const unit = Number.parseInt(braced ?? four ?? eight, 16);
      if (four !== undefined) return String.fromCharCode(unit);
      return isScalar(unit) ? String.fromCodePoint(unit) : whole;
    },
  );

/** Returns the bytes of text with `\xC3\xA9`, `\303\251`, or `null`. Git writes names of files like this. */
export function fromByteEscapes(text) {
  if (/[^\x00-\x7f]/.test(text)) return null;
  return bytesOf(
    text.replaceAll(/\\x([0-9a-f]{2})|\\([0-3][0-7]{2})/gi, (_, hex, octal) =>
      hex === undefined ? String.fromCharCode(Number.parseInt(octal, 8)) : fromDigits(hex),
    ),
  );
}
