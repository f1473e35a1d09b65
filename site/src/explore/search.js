// Searches an index for a character, a code point, bytes or a pointer.

/**
 * Returns the possible meanings of a query, the most likely first.
 * @param {string} query
 * @param {"any" | "character" | "code point" | "bytes" | "pointer"} kind
 * @returns {({ kind: "code point", codePoint: number } | { kind: "bytes", bytes: number[] }
 *   | { kind: "pointer", pointer: number })[]}
 */
export function interpret(query, kind = "any") {
  const text = query.trim();
  const meanings = [];
  const wanted = (...kinds) => kind === "any" || kinds.includes(kind);
  const characters = Array.from(query.length === 1 ? query : text);
  if (wanted("character") && characters.length === 1 && (kind === "character" || !/[0-9]/.test(text))) {
    meanings.push({ kind: "code point", codePoint: characters[0].codePointAt(0) });
  }
  if (wanted("code point")) {
    const match = /^(?:u\+|0x|\\u\{?|&#x)([0-9a-f]{1,6})[};]?$/i.exec(text);
    if (match !== null) meanings.push(asCodePoint(Number.parseInt(match[1], 16)));
  }
  if (wanted("pointer") && /^\d{1,7}$/.test(text)) meanings.push({ kind: "pointer", pointer: Number(text) });
  if (wanted("bytes")) {
    const digits = text.replaceAll(/0x|\\x|[\s,%]/gi, "");
    if (digits !== "" && digits.length % 2 === 0 && !/[^0-9a-f]/i.test(digits)) {
      meanings.push({ kind: "bytes", bytes: digits.match(/../g).map((byte) => Number.parseInt(byte, 16)) });
    }
  }
  if (wanted("code point")) {
    const match = /^(?:&#)?(\d{1,7});?$/.exec(text);
    if (match !== null) meanings.push(asCodePoint(Number(match[1])));
    // Fewer digits are more likely bytes or a pointer.
    const isHex = kind === "any" ? /^[0-9a-f]{4,6}$/i : /^[0-9a-f]{1,6}$/i;
    if (isHex.test(text) && (kind === "any" || match === null)) meanings.push(asCodePoint(Number.parseInt(text, 16)));
  }
  return meanings.filter((meaning) => meaning !== null);
}

const asCodePoint = (codePoint) =>
  codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff) ? null : { kind: "code point", codePoint };

/**
 * Returns the matches in an index, `{ pointer, why }`, without duplicate pointers.
 */
export function find(index, meanings) {
  const found = new Map();
  const add = (pointer, why) => found.has(pointer) || found.set(pointer, { pointer, why });
  for (const meaning of meanings) {
    switch (meaning.kind) {
      case "code point":
        for (const pointer of index.pointersOf(meaning.codePoint)) add(pointer, "code point");
        if (index.katakana && meaning.codePoint >= 0xff61 && meaning.codePoint <= 0xff9f) {
          add(meaning.codePoint - 0xff61, "half-width");
        }
        break;
      case "pointer":
        if (meaning.pointer < index.size && (!index.ranges || index.codePointOf(meaning.pointer) >= 0)) {
          add(meaning.pointer, "pointer");
        }
        break;
      case "bytes":
        for (const { pointer, encoding } of index.pointersOfBytes(meaning.bytes)) add(pointer, `bytes of ${encoding}`);
    }
  }
  return [...found.values()];
}
