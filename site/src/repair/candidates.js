// Decodes bytes in every encoding, repairs garbled text with every pair of encodings, and ranks the results.

import { bomSniff, decodeAndReport, encodeOrFail } from "textcodec";
import { NAMES, rarity } from "../encodings.js";
import { MAX_ERRORS } from "./limits.js";
import { measure } from "./measure.js";

const isStructured = (name) => name === "UTF-8" || name === "ISO-2022-JP";

/** The maximum length of the text that the page can show of each candidate, in code units. */
const PREVIEW = 1 << 17;

/**
 * Decodes bytes in every encoding. Encodings that give the same text are one candidate.
 * @param {Uint8Array} bytes
 * @param {boolean} isCut whether more bytes follow, so that the last character may be incomplete
 */
export function decodings(bytes, isCut) {
  const mark = bomSniff(bytes);
  const byText = new Map();
  for (const name of NAMES) {
    const report = decodeAndReport(bytes, name, { bom: "own", limit: MAX_ERRORS });
    let { text, errors } = report;
    // An error at the cut is not an error of the file.
    if (isCut && errors.at(-1)?.end === bytes.length) {
      text = text.slice(0, errors.at(-1).index);
      errors = errors.slice(0, -1);
    }
    const same = byText.get(text);
    if (same !== undefined) {
      same.encodings.push(name);
      continue;
    }
    const facts = { errors: errors.length, bom: mark === name, structured: isStructured(name), rarity: rarity(name) };
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

/** Encodings that text is often decoded in by mistake, the most likely first. */
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

/** The length of the prefix that is tried with every pair, in code units. */
const PREFIX = 4096;
/** The maximum number of candidates for longer text. The whole text is repaired only for these. */
const MAX_WHOLE = 20;
/** How many times text may have been garbled in the same way. */
const MAX_ROUNDS = 3;

/**
 * Encodes text in wrong encodings and decodes it in right ones. Pairs that give the same text are one candidate.
 * @param {string} text
 * @returns the measure of the text itself, and the candidates that are ranked above it
 */
export function repairs(text) {
  const tried = wholeCharacters(text.slice(0, PREFIX));
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
    if (!isWhole && candidates.length === MAX_WHOLE) break;
    const [{ wrong, right, rounds }] = candidate.pairs;
    const whole = isWhole ? candidate : undo(text, wrong, right, rounds);
    if (whole === null) continue;
    const { text: repaired, errors } = whole;
    candidates.push({ ...candidate, text: repaired, errors: errors.slice(0, 1000), errorCount: errors.length });
  }
  return { own, candidates };
}

/**
 * Repairs text, repeatedly if the result can be repaired in the same way. Returns `null` if this pair of encodings
 * cannot have produced the text.
 */
function undo(text, wrong, right, rounds = right === "UTF-8" ? MAX_ROUNDS : 1) {
  let result = null;
  for (let round = 1; round <= rounds; round++) {
    let bytes;
    try {
      bytes = encodeOrFail(result?.text ?? text, wrong);
    } catch {
      break;
    }
    const { text: next, errors } = decodeAndReport(bytes, right, { bom: "own", limit: MAX_ERRORS });
    if (next === (result?.text ?? text) || (round > 1 && errors.length > 0)) break;
    // With this many errors, the encoding is a different one.
    if (errors.length * 4 > next.length) break;
    const facts = { errors: errors.length, structured: isStructured(right), rarity: (rarity(right) + rarity(wrong)) / 2 };
    result = { text: next, errors, rounds: round, ...measure(next, facts) };
  }
  return result;
}

const wholeCharacters = (text) => text.replace(/[\ud800-\udbff]$/, "");

const sorted = (candidates) => candidates.sort((a, b) => b.rank - a.rank);
