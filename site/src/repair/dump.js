// Reads dumps of files: the output of hexdump, xxd and od, in all bases.

/** How many bytes lines `*`, which can stand for any number of lines, may add. */
const MAX_REPEATED = 1 << 22;

const BITS = { cells: /^\s*[01]{8}(?:\s+[01]{8})*$/, base: 2, size: 1 };
/** Numbers of two bytes, which `od` writes without options. */
const OCTAL_PAIRS = { cells: /^\s*[01][0-7]{5}(?:\s+[01][0-7]{5})*$/, base: 8, size: 2 };
const OCTAL = { cells: /^\s*[0-3][0-7]{2}(?:\s+[0-3][0-7]{2})*$/, base: 8, size: 1 };
/** Each number is at the right of four columns. Other lists of numbers are rarely so. */
const DECIMAL = { cells: /^ *\d{1,3}(?: {3}\d| {2}[1-9]\d| [12]\d\d)*$/, base: 10, size: 1 };
const HEX = { cells: /^\s*(?:[0-9a-f]{2}){1,8}(?:\s+(?:[0-9a-f]{2}){1,8})*$/i, base: 16 };

/** Returns the bytes of a dump, or `null`. */
export function fromDump(text) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return isDump(lines[0] ?? "") ? fromLines(lines.map(withOffset)) : fromLists(lines);
}

/** Says whether a line is the first of a dump with offsets. An excerpt needs the column of characters. */
const isDump = (line) =>
  /^\s*0{6,16}:?\s/.test(line) || /^\s*[0-9a-f]{7,15}0(?::\s.*\S {2,}\S|\s.*\|$)/i.test(line);

/** Divides a line into its offset, its numbers without the column of characters, and whether that is between bars. */
function withOffset(line) {
  if (line.trim() === "*") return { isRepeated: true };
  const match = /^\s*([0-9a-f]{6,16})(:?)(?!\S)(.*)$/i.exec(line);
  if (match === null) return null;
  const [, offset, colon, rest] = match;
  const isXxd = colon !== "";
  const numbers = isXxd ? rest.trim().split(/ {2}/, 1)[0] : rest.replace(/\s*(?:\|.*\|?|>.*<)$/, "");
  return { offset, isXxd, numbers: numbers.trimEnd(), hasBars: /\|$/.test(rest) };
}

function fromLines(lines) {
  if (lines.includes(null)) return null;
  const withBytes = lines.filter(({ numbers = "" }) => numbers !== "");
  const formats = [BITS, OCTAL_PAIRS, OCTAL, DECIMAL, HEX].filter(
    (format) =>
      withBytes.length > 0 &&
      withBytes.every(
        ({ numbers, isXxd, hasBars }) =>
          format.cells.test(numbers) &&
          (format === HEX || (!hasBars && (!isXxd || format === BITS))) &&
          (format !== DECIMAL || numbers.length % 4 === 0),
      ),
  );
  const readings = formats.map((format) => withOffsets(lines, format)).filter((bytes) => bytes !== null);
  return likeliest(readings.slice(0, formats[0] === OCTAL ? 2 : 1));
}

/** Reads the lines of a dump. Offsets that have a meaning in no base are ignored. */
function withOffsets(lines, format) {
  const read = lines.map(({ numbers, isXxd, ...line }) => ({
    ...line,
    bytes: numbers ? bytesOf(numbers, format, !isXxd) : [],
  }));
  if (read.some(({ bytes }) => bytes === null)) return null;
  // The offsets of `od` are octal, and those of the others hexadecimal. Both can have seven digits.
  const isOd = /^0{7}$/.test(lines[0].offset) && !/^\s*[0-9a-f]{4}(?:\s|$)/i.test(lines[0].numbers);
  for (const base of isOd ? [8, 16, 10] : [16, 8, 10]) {
    const bytes = atOffsets(read, base);
    if (bytes !== null) return bytes;
  }
  return lines.some(({ isRepeated }) => isRepeated) ? null : Uint8Array.from(read.flatMap(({ bytes }) => bytes));
}

/** Joins the bytes of lines, or returns `null` if the offsets are not as they would be in that base. */
function atOffsets(lines, base) {
  const all = [];
  const add = (bytes) => bytes.forEach((byte) => all.push(byte));
  let first = null;
  let last = [];
  let isRepeated = false;
  for (const line of lines) {
    if (line.isRepeated) {
      isRepeated = true;
      continue;
    }
    first ??= Number.parseInt(line.offset, base);
    const offset = Number.parseInt(line.offset, base) - first;
    if (isRepeated && last.length > 0) {
      if (offset - all.length > MAX_REPEATED) return null;
      while (all.length < offset) add(last);
    }
    isRepeated = false;
    // The last number of several bytes can have some that are not in the file.
    const surplus = all.length - offset;
    if (line.bytes.length === 0 && surplus > 0 && surplus < Math.min(8, last.length)) all.length = offset;
    if (offset !== all.length) return null;
    add(line.bytes);
    last = line.bytes;
  }
  return Uint8Array.from(all);
}

/** Returns the bytes of numbers, or `null`. The low byte of a number comes first, but not in the output of xxd. */
function bytesOf(numbers, { base, size }, isReversed) {
  const bytes = [];
  for (const digits of numbers.trim().split(/\s+/)) {
    const value = Number.parseInt(digits, base);
    if (size === 1 && value > 0xff) return null;
    let number = [value];
    if (size === 2) number = [value >> 8, value & 0xff];
    else if (size === undefined) number = digits.match(/../g).map((two) => Number.parseInt(two, 16));
    bytes.push(...(isReversed ? number.reverse() : number));
  }
  return bytes;
}

/** Reads numbers without offsets, as from `od -An`, if their bytes can be text. Other numbers are not bytes. */
function fromLists(lines) {
  const readings = [BITS, OCTAL_PAIRS, OCTAL, DECIMAL]
    .filter((format) => lines.length > 0 && lines.every((line) => format.cells.test(line)))
    .map((format) => lines.map((line) => bytesOf(line, format, true)))
    .filter((read) => !read.includes(null))
    .map((read) => Uint8Array.from(read.flat()));
  return likeliest(readings.filter((bytes) => bytes.length >= 5 && isLikeText(bytes)));
}

/** Says whether bytes have no controls, and whether at least half of them, without spaces, are letters or not ASCII. */
export function isLikeText(bytes) {
  const visible = bytes.filter((byte) => byte !== 0x20 && !isSpace(byte));
  const letters = visible.filter((byte) => byte >= 0x80 || /[a-z]/i.test(String.fromCharCode(byte))).length;
  return letters > 0 && letters * 2 >= visible.length && visible.every((byte) => byte > 0x20 && byte !== 0x7f);
}
const isSpace = (byte) => byte === 0x09 || byte === 0x0a || byte === 0x0d;

/** Of several readings, the one with the most ASCII, of which most text has some. */
function likeliest(readings) {
  const ascii = (bytes) => bytes.filter((byte) => (byte >= 0x20 && byte < 0x7f) || isSpace(byte)).length / bytes.length;
  return readings.sort((a, b) => ascii(b) - ascii(a))[0] ?? null;
}
