// What a query of Look up can mean: text, a code point, or bytes.

/**
 * @typedef {{ kind: "text", text: string, points: number[] } | { kind: "point", points: number[] }
 *   | { kind: "bytes", bytes: Uint8Array }} Reading
 */

/** The longest text and the most bytes that are looked up. */
export const MAX_POINTS = 200;
export const MAX_BYTES = 400;

/** The address of a query, read as a kind: `#lookup/82A0/bytes`. */
export const addressOf = (query, kind) =>
  `#lookup/${encodeURIComponent(query.toWellFormed())}${kind === undefined ? "" : `/${kind}`}`;

const POINT = /(?:u\+|0x|\\u\{?|&#x)([0-9a-f]{1,8})[};]?/i;
const DECIMAL = /&#(\d{1,8});/;
const isScalar = (point) => point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);

/**
 * Returns the possible readings of a query, the most likely first.
 * @param {string} query
 * @returns {Reading[]}
 */
export function readingsOf(query) {
  // Spaces around anything but a space are from copying.
  const text = query.trim() === "" ? query : query.trim();
  if (text === "") return [];
  const asText = { kind: "text", text, points: Array.from(text, (character) => character.codePointAt(0)) };
  const points = pointsOf(text);
  const bytes = bytesOf(text);
  const asPoint = points && { kind: "point", points };
  const asBytes = bytes && { kind: "bytes", bytes };
  // A notation with a prefix or with spaces is hardly ever text. `82A0` is more likely bytes, and `face` a word.
  const order = isWord(text)
    ? [asText, asBytes, asPoint]
    : isPrefixed(text)
      ? [asPoint, asBytes, asText]
      : [asBytes, asPoint, asText];
  return order.filter(Boolean);
}

const isWord = (text) => /^[a-z]+$/i.test(text) || /^.$/su.test(text);
const isPrefixed = (text) =>
  new RegExp(`^(?:${POINT.source}|${DECIMAL.source})`, "i").test(text) && !/^0x..(\W|$)/i.test(text);

/** `U+20AC`, `U+0041 U+030A`, `0x20AC`, `\u20AC`, `&#x20AC;`, `&#8364;`, and four to six digits */
function pointsOf(text) {
  const parts = text.replaceAll(/(?<=.)(?=U\+|&#|\\u)/gi, " ").split(/[\s,]+/);
  const points = parts.map((part) => {
    const hex =
      new RegExp(`^${POINT.source}$`, "i").exec(part) ?? (parts.length === 1 ? /^([0-9a-f]{4,6})$/i.exec(part) : null);
    if (hex !== null) return Number.parseInt(hex[1], 16);
    return Number(new RegExp(`^${DECIMAL.source}$`).exec(part)?.[1] ?? Number.NaN);
  });
  return points.every(isScalar) ? points : null;
}

/** `82 A0`, `82A0`, `%82%A0`, `\x82\xA0`, `0x82, 0xA0` */
function bytesOf(text) {
  const parts = text.replaceAll(/0x(?=[0-9a-f]{2}(?![0-9a-f]))|\\x/gi, " ").split(/[\s,;:%]+/).filter((part) => part !== "");
  // "a b" is text.
  if (parts.length === 0 || !parts.every((part) => /^(?:[0-9a-f]{2})+$/i.test(part))) return null;
  const digits = parts.join("");
  return Uint8Array.from(digits.match(/../g), (byte) => Number.parseInt(byte, 16));
}
