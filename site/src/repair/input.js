// What was pasted: bytes, written in one of three ways, or text that was decoded wrongly.

/** @typedef {"hex" | "base64" | "percent" | "text"} Kind */

export const KINDS = {
  hex: "bytes in hexadecimal",
  base64: "bytes in base64",
  percent: "percent-encoded bytes",
  text: "text that was decoded wrongly",
};

/**
 * What pasted text most probably is.
 * @returns {Kind}
 */
export function guess(pasted) {
  const text = pasted.trim();
  if (fromHex(text) !== null) return "hex";
  if (/%[0-9a-f]{2}/i.test(text) && /^[\x21-\x7e\s]*$/.test(text)) return "percent";
  // Words are base64, too: there has to be something that words do not have.
  const isLikely = /=$|[0-9+/]/.test(text) && /[A-Z]/.test(text) && text.length >= 8;
  if (isLikely && !/\s\S+\s\S+\s/.test(text) && fromBase64(text) !== null) return "base64";
  return "text";
}

/**
 * The bytes that text stands for, or `null` where it is not of that kind.
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

/** `82 A0`, `82a0`, `0x82, 0xA0`, `\x82\xA0`, and what hex dumps of `xxd -p` look like. */
function fromHex(text) {
  const digits = text.replaceAll(/0x|\\x|[\s,;:]/gi, "");
  if (digits === "" || digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits)) return null;
  return Uint8Array.from(digits.match(/../g), (byte) => Number.parseInt(byte, 16));
}

/** base64 and base64url, with and without the padding. */
function fromBase64(text) {
  const plain = text.replaceAll(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Bytes of URLs; what is not `%` and two digits is ASCII, or nothing. */
function fromPercent(text) {
  if (!/^[\x00-\x7f]*$/.test(text)) return null;
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16)));
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}
