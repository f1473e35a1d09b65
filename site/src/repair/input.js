// Interprets pasted input: bytes in one of three notations, or garbled text.

/** @typedef {"hex" | "base64" | "percent" | "text"} Kind */

export const KINDS = {
  hex: "hexadecimal bytes",
  base64: "base64",
  percent: "percent-encoded bytes",
  text: "garbled text",
};

/**
 * Guesses the kind of pasted input.
 * @returns {Kind}
 */
export function guess(pasted) {
  const text = pasted.trim();
  if (fromHex(text) !== null) return "hex";
  if (/%[0-9a-f]{2}/i.test(text) && /^[\x21-\x7e\s]*$/.test(text)) return "percent";
  // Words are valid base64, too, so the input must contain characters that words rarely have.
  const isLikely = /=$|[0-9+/]/.test(text) && /[A-Z]/.test(text) && text.length >= 8;
  if (isLikely && !/\s\S+\s\S+\s/.test(text) && fromBase64(text) !== null) return "base64";
  return "text";
}

/**
 * Returns the bytes that text represents, or `null` if it is not valid for that kind.
 * @param {string} pasted
 * @param {Exclude<Kind, "text">} kind
 * @returns {Uint8Array | null}
 */
export function toBytes(pasted, kind) {
  const text = pasted.trim();
  switch (kind) {
    case "hex":
      return fromHex(text);
    case "base64":
      return fromBase64(text);
    default:
      return fromPercent(text);
  }
}

/** `82 A0`, `82a0`, `0x82, 0xA0`, `\x82\xA0`, and the output of `xxd -p`. */
function fromHex(text) {
  const digits = text.replaceAll(/0x|\\x|[\s,;:]/gi, "");
  if (digits === "" || digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits)) return null;
  return Uint8Array.from(digits.match(/../g), (byte) => Number.parseInt(byte, 16));
}

/** base64 and base64url, with and without padding. */
function fromBase64(text) {
  const plain = text.replaceAll(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Percent-encoded bytes. All other characters must be ASCII. */
function fromPercent(text) {
  if (!/^[\x00-\x7f]*$/.test(text)) return null;
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16)));
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}
