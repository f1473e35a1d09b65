// Repairs garbled text with pairs of encodings, and ranks the results.

import { NAMES, rarity } from "../encodings.js";
import { isStructured, sorted } from "./decodings.js";
import { DOS } from "./dos.js";
import { measure } from "./measure.js";
import { runsOf, undo } from "./undo.js";

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
/** The maximum number of candidates for longer text. The whole text is repaired only for these. */
const MAX_WHOLE = 20;
/** How many times text may have been garbled in the same way. */
const MAX_ROUNDS = 3;
/** How much better a repair must be than the text itself, in points: less for UTF-8, which is rarely an accident. */
const marginOf = (pair) => (pair.right === "UTF-8" ? 5 : 25);

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
  const better = sorted([...byText.values()].filter(({ rank, pairs }) => rank > own.rank + marginOf(pairs[0])));
  const isWhole = tried === text;
  const candidates = [];
  for (const candidate of better) {
    if (!isWhole && candidates.length === MAX_WHOLE) break;
    const [{ wrong, right, rounds }] = candidate.pairs;
    const whole = isWhole ? candidate : repair(text, wrong, right, { rounds });
    if (whole === null) continue;
    const { text: repaired, errors, kept, restored } = whole;
    const shown = { text: repaired, errors: errors.slice(0, 1000), errorCount: errors.length, kept, restored };
    candidates.push({ ...candidate, ...shown });
  }
  return { own, candidates };
}

/** The lines of long text that have more than ASCII, because the others tell nothing. */
function sampleOf(text) {
  if (text.length <= TRIED) return text;
  const telling = text.match(/^.*[^\x00-\x7f].*$/gm)?.join("\n") ?? "";
  return telling.slice(0, TRIED).replace(/[\ud800-\udbff]$/, "");
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
