// Undoes one mistake: text that was written in one encoding and read in another.

import { decodeAndReport, encodeOrFail } from "textcodec";
import { DOS, decodeDos, dosByte } from "./dos.js";
import { MAX_ERRORS } from "./limits.js";

/** The bytes of characters, by encoding. `null` means that the encoding cannot represent the character. */
const encoders = new Map();

function bytesOf(character, encoding) {
  let known = encoders.get(encoding);
  if (known === undefined) encoders.set(encoding, (known = new Map()));
  let bytes = known.get(character);
  if (bytes === undefined) known.set(character, (bytes = encodeCharacter(character, encoding)));
  return bytes;
}

function encodeCharacter(character, encoding) {
  if (DOS.includes(encoding)) return dosByte(character, encoding);
  try {
    return encodeOrFail(character, encoding);
  } catch {
    return null;
  }
}

/**
 * Splits text into runs that an encoding can represent, and the characters between them.
 * @returns {{ text: string, bytes: number[] | null, ends: number[] }[]} `ends` are the ends of the characters in `bytes`
 */
export function runsOf(text, encoding) {
  const runs = [];
  for (const character of text) {
    const bytes = bytesOf(character, encoding);
    let run = runs.at(-1);
    if (run === undefined || (run.bytes === null) !== (bytes === null)) {
      runs.push((run = { text: "", bytes: bytes === null ? null : [], ends: [] }));
    }
    run.text += character;
    if (bytes === null) continue;
    run.bytes.push(...bytes);
    run.ends.push(run.bytes.length);
  }
  return runs;
}

/**
 * Encodes the runs of text in the wrong encoding and decodes them in the right one. What cannot be a mistake stays:
 * characters that the wrong encoding does not have and, for UTF-8, those whose bytes are malformed.
 * @returns {{ text: string, errors: object[], kept: number, restored: number, changed: number }} the numbers of
 *   characters that were kept, of lost bytes that were restored, and of characters from changed bytes
 */
export function undo(text, wrong, right, runs = runsOf(text, wrong)) {
  const result = { text: "", errors: [], kept: 0, restored: 0, changed: 0 };
  const lost = right === "UTF-8" ? bytesOf("\u00a0", wrong) : null;
  for (const run of runs) {
    if (run.bytes === null) {
      result.text += run.text;
      result.kept += [...run.text].filter((character) => character !== "\ufffd").length;
    } else if (right === "UTF-8") {
      undoUtf8(lost?.length === 1 ? withLostBytes(run, wrong, lost[0], result) : run, result);
    } else {
      undoWhole(run, right, result);
    }
  }
  return result;
}

function undoWhole({ bytes }, right, result) {
  const at = result.text.length;
  let added;
  if (DOS.includes(right)) {
    added = decodeDos(bytes, right);
  } else {
    const { text, errors } = decodeAndReport(Uint8Array.from(bytes), right, { bom: "keep", limit: MAX_ERRORS });
    added = text;
    for (const error of errors) result.errors.push({ ...error, index: error.index + at });
  }
  result.text += added;
  result.changed += notAscii(added);
}

function undoUtf8({ text, bytes, ends }, result) {
  // Each error is a character that is kept, so all are needed.
  const decoded = decodeAndReport(Uint8Array.from(bytes), "UTF-8", { bom: "keep", limit: Infinity });
  const characters = Array.from(text);
  let from = 0;
  let n = 0;
  for (const { start, end, index } of decoded.errors) {
    const good = decoded.text.slice(from, index);
    result.text += good;
    result.changed += notAscii(good);
    from = index + 1;
    while (n < ends.length && ends[n] <= start) n++;
    // Adjacent errors can be parts of one character: the one that ends here is kept.
    for (; n < ends.length && ends[n] <= end; n++) {
      result.text += characters[n];
      result.kept++;
    }
  }
  const rest = decoded.text.slice(from);
  result.text += rest;
  result.changed += notAscii(rest);
}

/** Returns the number of characters other than ASCII. */
export const notAscii = (text) => text.match(/[^\x00-\x7f]/gu)?.length ?? 0;

/** Lead bytes and continuation bytes whose last byte, or one of them, is a space. */
const BROKEN = /(?:[\xc3-\xdf]|[\xe0-\xef][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2}) |[\xe0-\xef] [\x80-\xbf]/g;

/** A closing quotation mark without its last byte, which windows-1252 does not assign, so programs removed it. */
const BROKEN_QUOTE = /\xe2\x80(?![\x80-\xbf])/g;

/**
 * Restores bytes that were lost: programs replace no-break spaces by spaces, and the byte of the no-break space is part
 * of many characters of UTF-8. If there was only one space before a word, it may be both.
 */
function withLostBytes({ text, bytes, ends }, wrong, lost, result) {
  if (ends.length !== bytes.length) return { text, bytes, ends };
  const string = bytes.map((byte) => String.fromCharCode(byte)).join("");
  const quoted = string.replaceAll(BROKEN_QUOTE, (quote) => {
    if (wrong !== "windows-1252") return quote;
    result.restored++;
    return `${quote}\x9d`;
  });
  if (quoted === string && string.search(BROKEN) < 0) return { text, bytes, ends };
  const restored = quoted.replaceAll(BROKEN, (broken, at) => {
    // "IRMÃ MARIA" is right.
    if (/^[A-Z]{2}$/.test(quoted.slice(Math.max(0, at - 2), at))) return broken;
    // "2 × 3" is right, too. In garbled Hebrew, the sign is before and after other garbled letters.
    if (broken[0] === "\xd7" && !/[\x80-\xff]/.test(quoted[at - 1] + quoted[at + broken.length])) return broken;
    result.restored++;
    const isEnd = broken.endsWith(" ") && /[A-Za-z]/.test(quoted[at + broken.length] ?? "");
    return broken.replace(" ", String.fromCharCode(lost)) + (isEnd ? " " : "");
  });
  const all = Array.from(restored, (byte) => byte.charCodeAt(0));
  const characters = new Map([
    [lost, "\u00a0"],
    [0x9d, "\u009d"],
  ]);
  Array.from(text).forEach((character, n) => characters.set(bytes[n], character));
  return { text: all.map((byte) => characters.get(byte)).join(""), bytes: all, ends: all.map((_, n) => n + 1) };
}
