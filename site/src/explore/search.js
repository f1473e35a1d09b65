// What somebody looks for in an index: a character, a code point, bytes or a pointer.

/**
 * The ways to read what was typed, the likeliest first.
 * @param {string} typed
 * @param {"any" | "character" | "code point" | "bytes" | "pointer"} kind
 * @returns {({ kind: "code point", codePoint: number } | { kind: "bytes", bytes: number[] }
 *   | { kind: "pointer", pointer: number })[]}
 */
export function interpret(typed, kind = "any") {
  const text = typed.trim();
  const ways = [];
  const wanted = (...kinds) => kind === "any" || kinds.includes(kind);
  const characters = Array.from(typed.length === 1 ? typed : text);
  if (wanted("character") && characters.length === 1 && (kind === "character" || !/[0-9]/.test(text))) {
    ways.push({ kind: "code point", codePoint: characters[0].codePointAt(0) });
  }
  if (wanted("code point")) {
    const match = /^(?:u\+|0x|\\u\{?|&#x)([0-9a-f]{1,6})[};]?$/i.exec(text);
    if (match !== null) ways.push(asCodePoint(Number.parseInt(match[1], 16)));
  }
  if (wanted("pointer") && /^\d{1,7}$/.test(text)) ways.push({ kind: "pointer", pointer: Number(text) });
  if (wanted("bytes")) {
    const digits = text.replaceAll(/0x|\\x|[\s,%]/gi, "");
    if (digits !== "" && digits.length % 2 === 0 && !/[^0-9a-f]/i.test(digits)) {
      ways.push({ kind: "bytes", bytes: digits.match(/../g).map((byte) => Number.parseInt(byte, 16)) });
    }
  }
  if (wanted("code point")) {
    const match = /^(?:&#)?(\d{1,7});?$/.exec(text);
    if (match !== null) ways.push(asCodePoint(Number(match[1])));
    // Fewer digits are rather bytes, or a pointer.
    const isHex = kind === "any" ? /^[0-9a-f]{4,6}$/i : /^[0-9a-f]{1,6}$/i;
    if (isHex.test(text) && (kind === "any" || match === null)) ways.push(asCodePoint(Number.parseInt(text, 16)));
  }
  return ways.filter((way) => way !== null);
}

const asCodePoint = (codePoint) =>
  codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff) ? null : { kind: "code point", codePoint };

/**
 * Where an index has what was typed: `{ pointer, why }`, without a pointer twice.
 */
export function find(index, ways) {
  const found = new Map();
  const add = (pointer, why) => found.has(pointer) || found.set(pointer, { pointer, why });
  for (const way of ways) {
    switch (way.kind) {
      case "code point":
        for (const pointer of index.pointersOf(way.codePoint)) add(pointer, "code point");
        if (index.katakana && way.codePoint >= 0xff61 && way.codePoint <= 0xff9f) {
          add(way.codePoint - 0xff61, "half-width");
        }
        break;
      case "pointer":
        if (way.pointer < index.size && (!index.ranges || index.codePointOf(way.pointer) >= 0)) {
          add(way.pointer, "pointer");
        }
        break;
      case "bytes":
        for (const { pointer, encoding } of index.pointersOfBytes(way.bytes)) add(pointer, `bytes of ${encoding}`);
    }
  }
  return [...found.values()];
}
