// Bytes by every encoding, and mojibake by every pair of them, ranked.

import { bomSniff, decodeAndReport, encodeOrFail, encodings } from "textcodec";
import { MOST_ERRORS } from "./limits.js";
import { measure } from "./measure.js";

/** The encodings that text can be in; where scores are equal, the earlier one comes first. */
const ORDER = [
  "UTF-8",
  "windows-1252",
  "Shift_JIS",
  "GBK",
  "Big5",
  "EUC-KR",
  "EUC-JP",
  "windows-1251",
  "windows-1250",
  "KOI8-R",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-874",
  "ISO-2022-JP",
  "UTF-16LE",
  "UTF-16BE",
];
const NAMES = [
  ...ORDER,
  ...encodings.map(({ name }) => name).filter((name) => name !== "replacement" && !ORDER.includes(name)),
];

const isStructured = (name) => name === "UTF-8" || name === "ISO-2022-JP";

/** Text that the page can show of each candidate, in code units. */
const PREVIEW = 1 << 17;

/**
 * Decodes bytes by every encoding. Encodings that give the same text are one candidate.
 * @param {Uint8Array} bytes
 * @param {boolean} isCut whether more bytes follow, so that the last character may be incomplete
 */
export function decodings(bytes, isCut) {
  const mark = bomSniff(bytes);
  const byText = new Map();
  for (const name of NAMES) {
    const report = decodeAndReport(bytes, name, { bom: "own", limit: MOST_ERRORS });
    let { text, errors } = report;
    // What a cut has made.
    if (isCut && errors.at(-1)?.end === bytes.length) {
      text = text.slice(0, errors.at(-1).index);
      errors = errors.slice(0, -1);
    }
    const same = byText.get(text);
    if (same !== undefined) {
      same.encodings.push(name);
      continue;
    }
    const facts = { errors: errors.length, bom: mark === name, structured: isStructured(name) };
    byText.set(text, { encodings: [name], text, errors, bom: mark === name, ...measure(text, facts) });
  }
  return sorted([...byText.values()]).map((candidate) => ({
    ...candidate,
    length: candidate.text.length,
    text: candidate.text.slice(0, PREVIEW),
    errors: candidate.errors.slice(0, 1000),
    errorCount: candidate.errors.length,
  }));
}

/** Wrong encodings that mojibake is made with, the likeliest first. */
const WRONG = [
  "windows-1252",
  "Shift_JIS",
  "GBK",
  "windows-1251",
  "Big5",
  "EUC-KR",
  "EUC-JP",
  "windows-1250",
  "macintosh",
  "KOI8-R",
  "IBM866",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-874",
  "ISO-8859-2",
  "ISO-8859-5",
  "ISO-8859-7",
  "ISO-8859-15",
];

/** As many characters as are tried with every pair. */
const TRIED = 4096;
/** Of longer text, so many of the best candidates are made whole; the others are left out. */
const WHOLE = 20;
/** How often text may have been spoilt in the same way. */
const ROUNDS = 3;

/**
 * Encodes text by wrong encodings and decodes it by right ones. Pairs that give the same text are one candidate.
 * @param {string} text
 * @returns what seems to be better than the text itself, and the text's own measure
 */
export function repairs(text) {
  const tried = wholeCharacters(text.slice(0, TRIED));
  const own = measure(tried, { errors: (tried.match(/\ufffd/g) ?? []).length });
  const byText = new Map();
  for (const wrong of WRONG) {
    for (const right of NAMES) {
      if (wrong === right || right.startsWith("UTF-16")) continue;
      const result = undo(tried, wrong, right);
      if (result === null || result.text === tried) continue;
      const pair = { wrong, right, rounds: result.rounds };
      const same = byText.get(result.text);
      if (same === undefined) byText.set(result.text, { pairs: [pair], ...result });
      else same.pairs.push(pair);
    }
  }
  const better = sorted([...byText.values()].filter(({ rank }) => rank > own.rank));
  const isWhole = tried === text;
  const candidates = [];
  for (const candidate of better) {
    if (!isWhole && candidates.length === WHOLE) break;
    const [{ wrong, right, rounds }] = candidate.pairs;
    const whole = isWhole ? candidate : undo(text, wrong, right, rounds);
    if (whole === null) continue;
    const { text: repaired, errors } = whole;
    candidates.push({ ...candidate, text: repaired, errors: errors.slice(0, 1000), errorCount: errors.length });
  }
  return { own, candidates };
}

/**
 * One repair, again where the result can be repaired in the same way. `null` where the text cannot have come about so.
 */
function undo(text, wrong, right, rounds = right === "UTF-8" ? ROUNDS : 1) {
  let result = null;
  for (let round = 1; round <= rounds; round++) {
    let bytes;
    try {
      bytes = encodeOrFail(result?.text ?? text, wrong);
    } catch {
      break;
    }
    const { text: next, errors } = decodeAndReport(bytes, right, { bom: "own", limit: MOST_ERRORS });
    if (next === (result?.text ?? text) || (round > 1 && errors.length > 0)) break;
    // Where as much is malformed as not, it is another encoding.
    if (errors.length * 4 > next.length) break;
    const facts = { errors: errors.length, structured: isStructured(right) };
    result = { text: next, errors, rounds: round, ...measure(next, facts) };
  }
  return result;
}

const wholeCharacters = (text) => text.replace(/[\ud800-\udbff]$/, "");

const sorted = (candidates) => candidates.sort((a, b) => b.rank - a.rank);
