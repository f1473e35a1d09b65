// The standard's indexes, computed without data files: the package's decoders decode the bytes of each pointer.

import { TextDecoder, encodeOrFail, encodings } from "textcodec";

const span = (first, last) => Array.from({ length: last - first + 1 }, (_, n) => first + n);
const hexByte = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");

const JIS = span(0xa1, 0xfe);
const SHIFT_JIS_LEAD = [...span(0x81, 0x9f), ...span(0xe0, 0xfc)];
const SHIFT_JIS_TRAIL = [...span(0x40, 0x7e), ...span(0x80, 0xfc)];
const DOUBLE_BYTE_LEAD = span(0x81, 0xfe);

// Those from IBM866 on have an index each, but ISO-8859-8-I has that of ISO-8859-8.
const NAMES = encodings.map(({ name }) => name);
const SINGLE_BYTE = NAMES.slice(NAMES.indexOf("IBM866"), NAMES.indexOf("x-mac-cyrillic") + 1).filter(
  (name) => name !== "ISO-8859-8-I",
);

/** The bytes of jis0208's pointers in each encoding that uses it. Rows from 95 on exist only in Shift_JIS. */
const JIS0208_FORMS = [
  {
    encoding: "Shift_JIS",
    bytes: (pointer) => [SHIFT_JIS_LEAD[Math.floor(pointer / 188)], SHIFT_JIS_TRAIL[pointer % 188]],
  },
  { encoding: "EUC-JP", bytes: (pointer) => (pointer < 8836 ? pair(pointer, 94, 0xa1) : null) },
  {
    encoding: "ISO-2022-JP",
    bytes: (pointer) => (pointer < 8836 ? pair(pointer, 94, 0x21) : null),
    before: [0x1b, 0x24, 0x42],
    after: [0x1b, 0x28, 0x42],
  },
];

const pair = (pointer, columns, first) => [first + Math.floor(pointer / columns), first + (pointer % columns)];

const jis0208 = {
  name: "jis0208",
  language: "ja",
  encodings: ["Shift_JIS", "EUC-JP", "ISO-2022-JP"],
  forms: JIS0208_FORMS,
  isOutside: (pointer) => pointer >= 8836 && pointer <= 10715,
};

/** The layout of an index that only one double-byte encoding and its variants use. */
function doubleByte(id, encodings, language, trail, note) {
  const bytes = (pointer) => [0x81 + Math.floor(pointer / trail.length), trail[pointer % trail.length]];
  return {
    id,
    name: id,
    title: encodings[0] === "gb18030" ? "gb18030" : encodings[0],
    group: "Two bytes",
    language,
    encodings,
    rows: DOUBLE_BYTE_LEAD.map(hexByte),
    columns: trail.map(hexByte),
    forms: encodings.map((encoding) => ({ encoding, bytes })),
    note,
  };
}

/**
 * The layouts of all indexes. `rows` and `columns` are the headers. A pointer is the row times the number of columns,
 * plus the column. `forms` are the encodings that use the index, and their bytes for a pointer. The first encoding's
 * decoder computes the cells.
 */
export const INDEXES = [
  doubleByte(
    "big5",
    ["Big5"],
    "zh-Hant",
    [...span(0x40, 0x7e), ...span(0xa1, 0xfe)],
    "Traditional Chinese: Big5 with the characters added for Hong Kong. The encoder does not use rows 81 to A0.",
  ),
  doubleByte(
    "euc-kr",
    ["EUC-KR"],
    "ko",
    span(0x41, 0xfe),
    "Korean: the Hangul syllables of KS X 1001 are in rows from B0 and columns from A1 on, and the other syllables " +
      "are in the cells around them. Together these are all 11,172.",
  ),
  doubleByte(
    "gb18030",
    ["gb18030", "GBK"],
    "zh-Hans",
    [...span(0x40, 0x7e), ...span(0x80, 0xfe)],
    "Simplified Chinese: the characters that gb18030 and GBK encode in two bytes. " +
      "gb18030 encodes the rest of Unicode in four bytes: see gb18030 ranges.",
  ),
  {
    ...jis0208,
    id: "jis0208",
    title: "jis0208",
    group: "Two bytes",
    rows: span(0, 119).map((row) => (row < 94 ? hexByte(0xa1 + row) : "–")),
    columns: JIS.map(hexByte),
    note:
      "Japanese: JIS X 0208 with the additions of NEC and IBM, in the rows of EUC-JP. " +
      "Rows from 95 on exist only in Shift_JIS.",
  },
  {
    ...jis0208,
    id: "shift_jis",
    title: "jis0208, by the bytes of Shift_JIS",
    group: "Two bytes",
    rows: SHIFT_JIS_LEAD.map(hexByte),
    columns: SHIFT_JIS_TRAIL.map(hexByte),
    note:
      "Japanese: the same index as jis0208, in the rows of Shift_JIS. Rows F0 to F9 are not in the index, but the " +
      "decoder maps them to private-use characters. The encoder does not use pointers 8272 to 8835 in rows ED and EE.",
  },
  {
    id: "jis0212",
    name: "jis0212",
    title: "jis0212",
    group: "Two bytes",
    language: "ja",
    encodings: ["EUC-JP"],
    rows: JIS.map((byte) => `8F ${hexByte(byte)}`),
    columns: JIS.map(hexByte),
    forms: [{ encoding: "EUC-JP", bytes: (pointer) => [0x8f, ...pair(pointer, 94, 0xa1)] }],
    note: "Japanese: the additional characters of JIS X 0212. EUC-JP decodes them after a byte 8F but never encodes any.",
  },
  {
    id: "gb18030-ranges",
    name: "gb18030-ranges",
    title: "gb18030 ranges",
    group: "Others",
    language: "zh-Hans",
    encodings: ["gb18030", "GBK"],
    ranges: true,
    note:
      "The characters that gb18030 encodes in four bytes. Each entry is the start of a range in which consecutive " +
      "pointers have consecutive code points.",
  },
  {
    id: "iso-2022-jp-katakana",
    name: "iso-2022-jp-katakana",
    title: "ISO-2022-JP katakana",
    group: "Others",
    language: "ja",
    encodings: ["ISO-2022-JP"],
    rows: ["FF61", "FF71", "FF81", "FF91"],
    columns: span(0, 15).map((column) => `+${column.toString(16).toUpperCase()}`),
    katakana: true,
    note:
      "Japanese: the full-width katakana that the ISO-2022-JP encoder writes in place of half-width katakana, " +
      "U+FF61 to U+FF9F.",
  },
  ...SINGLE_BYTE.map((name) => ({
    id: name.toLowerCase(),
    name: name.toLowerCase(),
    title: name,
    group: "One byte",
    language: undefined,
    encodings: name === "ISO-8859-8" ? [name, "ISO-8859-8-I"] : [name],
    rows: span(8, 15).map((half) => `${half.toString(16).toUpperCase()}_`),
    columns: span(0, 15).map((half) => `_${half.toString(16).toUpperCase()}`),
    forms: (name === "ISO-8859-8" ? [name, "ISO-8859-8-I"] : [name]).map((encoding) => ({
      encoding,
      bytes: (pointer) => [0x80 + pointer],
    })),
    note: "A byte is its pointer plus 80 (hexadecimal). Bytes below 80 are ASCII and not in the index.",
  })),
];

/** @type {Map<string, Index>} */
const cache = new Map();

/** Returns the index with an id, or `undefined`. */
export function readIndex(id) {
  if (!cache.has(id)) {
    const layout = INDEXES.find((index) => index.id === id);
    if (layout === undefined) return undefined;
    cache.set(id, new Index(layout));
  }
  return cache.get(id);
}

/** An index: pointers and their code points. */
export class Index {
  /** Code points by pointer; -1 for unmapped pointers. */
  codePoints;
  /** The text that decoders return for pointers that are not in the index. */
  outside = new Map();
  /** Pointers by code point. Only the views of a whole index need them. */
  #pointers;

  /** The entries of ranges. */
  #entries;

  constructor(layout) {
    Object.assign(this, layout);
    if (layout.ranges) return;
    const size = layout.rows.length * layout.columns.length;
    const lines = layout.katakana ? decodeKatakana() : decodeLines(layout.encodings[0], size, layout.forms[0].bytes);
    this.codePoints = new Int32Array(size).fill(-1);
    eachLine(lines, (pointer, start, end) => {
      if (start === end) return;
      const codePoint = lines.codePointAt(start);
      const isOne = end - start === (codePoint > 0xffff ? 2 : 1);
      if (isOne && codePoint !== 0xfffd && !layout.isOutside?.(pointer)) {
        this.codePoints[pointer] = codePoint;
        return;
      }
      const text = lines.slice(start, end);
      if (!text.includes("\ufffd")) this.outside.set(pointer, text);
    });
  }

  get size() {
    return this.ranges ? 1237576 : this.codePoints.length;
  }

  /** Returns the code point of a pointer, or -1. */
  codePointOf(pointer) {
    if (!this.ranges) return this.codePoints[pointer] ?? -1;
    if ((pointer > 39419 && pointer < 189000) || pointer < 0 || pointer > 1237575) return -1;
    if (pointer === 7457) return 0xe7c7;
    const entry = this.entries.findLast((entry) => entry.pointer <= pointer);
    return entry.codePoint + pointer - entry.pointer;
  }

  /** Returns all pointers of a code point, in ascending order. */
  pointersOf(codePoint) {
    if (!this.ranges) return this.entriesByCodePoint().get(codePoint) ?? [];
    const bytes = encoded(String.fromCodePoint(codePoint), "gb18030");
    return bytes?.length === 4 ? [fourBytePointer(bytes)] : [];
  }

  /** Returns the pointers of each code point in the index. */
  entriesByCodePoint() {
    if (this.#pointers === undefined) {
      this.#pointers = new Map();
      this.codePoints.forEach((codePoint, pointer) => {
        if (codePoint < 0) return;
        const others = this.#pointers.get(codePoint);
        if (others === undefined) this.#pointers.set(codePoint, [pointer]);
        else others.push(pointer);
      });
    }
    return this.#pointers;
  }

  /** Returns the same as `pointersOf`, without preparing the index for many questions. */
  findPointers(codePoint) {
    if (this.ranges) return this.pointersOf(codePoint);
    const found = [];
    let at = -1;
    while ((at = this.codePoints.indexOf(codePoint, at + 1)) >= 0) found.push(at);
    return found;
  }

  /**
   * Returns the bytes of a pointer in each encoding: `{ encoding, bytes, before, after }`, where `before` and `after`
   * are escape sequences, if any.
   */
  formsOf(pointer) {
    if (this.ranges) {
      return this.encodings.map((encoding) => ({ encoding, bytes: fourBytes(pointer), before: [], after: [] }));
    }
    if (this.katakana) {
      if (this.codePoints[pointer] < 0) return [];
      const bytes = encoded(String.fromCharCode(0xff61 + pointer), "ISO-2022-JP");
      const form = { encoding: "ISO-2022-JP", before: [...bytes.slice(0, 3)], after: [...bytes.slice(-3)] };
      return [{ ...form, bytes: [...bytes.slice(3, -3)] }];
    }
    return this.forms
      .map(({ encoding, bytes, before = [], after = [] }) => ({ encoding, bytes: bytes(pointer), before, after }))
      .filter(({ bytes }) => bytes !== null);
  }

  /** Returns the pointers with these bytes: `{ pointer, encoding }`. */
  pointersOfBytes(wanted) {
    const found = [];
    const isWanted = (bytes) => bytes.length === wanted.length && bytes.every((byte, n) => byte === wanted[n]);
    if (this.ranges) {
      const pointer = wanted.length === 4 ? fourBytePointer(wanted) : -1;
      return this.codePointOf(pointer) >= 0 && isWanted(fourBytes(pointer)) ? [{ pointer, encoding: "gb18030" }] : [];
    }
    for (let pointer = 0; pointer < this.size; pointer++) {
      for (const { encoding, before, bytes, after } of this.formsOf(pointer)) {
        if (isWanted(bytes) || (before.length > 0 && isWanted([...before, ...bytes, ...after]))) {
          found.push({ pointer, encoding });
        }
      }
    }
    return found;
  }

  /**
   * The ranges of gb18030's four bytes: `{ pointer, codePoint }`. One starts where a code point is not the one before
   * plus one. They are found when they are first needed.
   */
  get entries() {
    if (this.#entries !== undefined) return this.#entries;
    const pointers = [...span(0, 39419).filter((pointer) => pointer !== 7457), 189000];
    const lines = decodeLines("gb18030", pointers.length, (n) => fourBytes(pointers[n]));
    this.#entries = [];
    eachLine(lines, (n, start) => {
      const codePoint = lines.codePointAt(start);
      const last = this.#entries.at(-1);
      if (last === undefined || codePoint - last.codePoint !== pointers[n] - last.pointer) {
        this.#entries.push({ pointer: pointers[n], codePoint });
      }
    });
    return this.#entries;
  }
}

/**
 * Decodes sequences that have the same length in a single call. Each is followed by a line feed, which ends even an
 * incomplete one. The result has a line for each, and no strings for single lines, of which there would be thousands.
 */
function decodeLines(encoding, count, bytesOf) {
  const width = bytesOf(0).length + 1;
  const bytes = new Uint8Array(count * width).fill(0x0a);
  for (let n = 0; n < count; n++) bytes.set(bytesOf(n), n * width);
  return new TextDecoder(encoding).decode(bytes);
}

/** Calls a function with the number of each line, and where it starts and ends. */
function eachLine(lines, visit) {
  let start = 0;
  for (let n = 0; start < lines.length; n++) {
    const end = lines.indexOf("\n", start);
    visit(n, start, end);
    start = end + 1;
  }
}

function decodeKatakana() {
  const lines = span(0xff61, 0xff9f).map((codePoint) => {
    const bytes = encodeOrFail(String.fromCharCode(codePoint), "ISO-2022-JP");
    return `${new TextDecoder("ISO-2022-JP").decode(bytes)}\n`;
  });
  return lines.join("");
}

/** Encodes text. Returns `null` if the encoding cannot represent it. */
export function encoded(text, encoding) {
  try {
    return encodeOrFail(text, encoding);
  } catch {
    return null;
  }
}

function fourBytes(pointer) {
  const second = Math.floor(pointer / 1260);
  return [
    0x81 + Math.floor(second / 10),
    0x30 + (second % 10),
    0x81 + (Math.floor(pointer / 10) % 126),
    0x30 + (pointer % 10),
  ];
}

function fourBytePointer([first, second, third, fourth]) {
  return (((first - 0x81) * 10 + second - 0x30) * 126 + third - 0x81) * 10 + fourth - 0x30;
}
