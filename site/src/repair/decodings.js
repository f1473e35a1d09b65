// Decodes bytes in every encoding, and ranks the results.

import { bomSniff, decodeAndReport } from "textcodec";
import { NAMES, rarity } from "../encodings.js";
import { MAX_ERRORS } from "./limits.js";
import { measure } from "./measure.js";

export const isStructured = (name) => name === "UTF-8" || name === "ISO-2022-JP";

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
    const bom = mark === name;
    const facts = { errors: errors.length, bom, structure: Number(isStructured(name)), rarity: rarity(name) };
    byText.set(text, { encodings: [name], text, errors, bom, structured: isStructured(name), ...measure(text, facts) });
  }
  return sorted([...byText.values()]).map((candidate) => ({
    ...candidate,
    length: candidate.text.length,
    text: candidate.text.slice(0, PREVIEW),
    errors: candidate.errors.slice(0, 1000),
    errorCount: candidate.errors.length,
  }));
}

export const sorted = (candidates) => candidates.sort((a, b) => b.rank - a.rank);
