// Repairs garbled text with pairs of encodings, and ranks the results.

import { NAMES, rarity } from "../encodings.js";
import { isStructured, sorted } from "./decodings.js";
import { DOS } from "./dos.js";
import { measure } from "./measure.js";
import { notAscii, runsOf, undo } from "./undo.js";

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
  ...DOS,
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
const RIGHT = [...NAMES.filter((name) => !name.startsWith("UTF-16")), ...DOS];

/** How much of long text is tried with every pair, in code units. */
const TRIED = 4096;
/** The maximum length of pieces of long text that are tried, in code units. */
const PIECE = 512;
/** The maximum number of candidates for longer text: the whole text is repaired only for these. */
const maxWholeOf = (length) => (length <= 1 << 16 ? 20 : 6);
/** How many times text may have been garbled in the same way. */
const MAX_ROUNDS = 3;
/**
 * How much better a repair must be than the text itself, in points: less for UTF-8, which is rarely an accident. In other
 * encodings, one or two characters with neighbours that are likely tell nothing.
 */
function marginOf(pair, own) {
  if (pair.right === "UTF-8") return 5;
  return own.characters <= 2 && own.odd === 0 && own.bad === 0 ? Infinity : 25;
}

/**
 * Encodes text in wrong encodings and decodes it in right ones. Pairs that give the same text are one candidate.
 * @param {string} text
 * @returns the measure of the text itself, and the candidates that are ranked above it
 */
export function repairs(text) {
  const tried = sampleOf(text);
  const own = measure(tried, { errors: (tried.match(/\ufffd/g) ?? []).length });
  const byText = new Map();
  for (const wrong of WRONG) {
    const runs = runsOf(tried, wrong);
    for (const right of RIGHT) {
      if (wrong === right) continue;
      const result = repair(tried, wrong, right, { runs });
      if (result === null || result.text === tried) continue;
      const pair = { wrong, right, rounds: result.rounds };
      const same = byText.get(result.text);
      if (same === undefined) byText.set(result.text, { pairs: [pair], ...result });
      else same.pairs.push(pair);
    }
  }
  const isWhole = tried === text;
  const isBetter = ({ rank, pairs, text: repaired }) =>
    rank > own.rank + marginOf(pairs[0], own) ||
    (!isWhole && pairs[0].right === "UTF-8" && isBetterWhereChanged(tried, repaired));
  const better = sorted([...byText.values()].filter(isBetter));
  const candidates = [];
  for (const candidate of better) {
    if (!isWhole && candidates.length === maxWholeOf(text.length)) break;
    const [{ wrong, right, rounds }] = candidate.pairs;
    const whole = isWhole ? candidate : repair(text, wrong, right, { rounds });
    if (whole === null) continue;
    const { text: repaired, errors, kept, restored } = whole;
    const shown = { text: repaired, errors: errors.slice(0, 1000), errorCount: errors.length, kept, restored };
    candidates.push({ ...candidate, ...shown });
  }
  return { own, candidates };
}

/** Compares only lines that a repair changes. In long text, these can be few among many lines that are right. */
function isBetterWhereChanged(text, repaired) {
  const [before, after] = [text.split("\n"), repaired.split("\n")];
  if (before.length !== after.length) return false;
  const rankOf = (lines) => measure(lines.filter((_, n) => before[n] !== after[n]).join("\n"), { errors: 0 }).rank;
  return rankOf(after) > rankOf(before) + marginOf({ right: "UTF-8" });
}

/** Pieces of long text, without those that are only ASCII, which tell nothing, and without repetitions. */
function sampleOf(text) {
  if (text.length <= TRIED) return text;
  // A cut between words does not divide a character that was garbled.
  const all = text.match(new RegExp(`.{1,${PIECE}}(?:\\s|$)|.{1,${PIECE}}`, "gu"));
  const pieces = [...new Set(all)].filter((piece) => notAscii(piece) > 0);
  if (pieces.length === 0) return "";
  // One half looks the least like text: that is where little of the text is garbled. The other half is from everywhere.
  const half = Math.ceil((pieces.length * TRIED) / (2 * pieces.join("\n").length));
  const ranked = sorted(pieces.map((piece) => ({ piece, ...measure(piece, { errors: 0 }) })));
  const worst = ranked.slice(-half).map(({ piece }) => piece);
  const step = Math.max(1, pieces.length / half);
  const spread = pieces.filter((_, at) => Math.floor(at / step) > Math.floor((at - 1) / step));
  return [...new Set([...worst, ...spread])].join("\n");
}

/**
 * Repairs text, repeatedly if the result can be repaired in the same way. Returns `null` if this pair of encodings
 * cannot have produced the text.
 */
function repair(text, wrong, right, { rounds = right === "UTF-8" ? MAX_ROUNDS : 1, runs } = {}) {
  let result = null;
  for (let round = 1; round <= rounds; round++) {
    const before = result?.text ?? text;
    const next = undo(before, wrong, right, round === 1 ? runs : undefined);
    if (next.text === before || next.changed === 0) break;
    // With this many errors, the encoding is a different one.
    if (next.errors.length * 4 > next.text.length) break;
    const facts = {
      errors: next.errors.length,
      structure: isStructured(right) ? next.changed / (next.changed + next.kept) : 0,
      rarity: (rarity(right) + rarity(wrong)) / 2 + 3 * Math.min(next.restored, 4),
    };
    const measured = measure(next.text, facts);
    // A further round must be an improvement.
    if (result !== null && measured.rank < result.rank - 35) break;
    const restored = (result?.restored ?? 0) + next.restored;
    result = { ...next, restored, structured: facts.structure > 0, rounds: round, ...measured };
  }
  return result;
}
