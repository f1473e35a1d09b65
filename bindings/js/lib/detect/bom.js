// Text with a byte order mark, and bytes that look like UTF-32, which the standard does not have.

import { bomSniff } from "../core.js";
import { candidate } from "./detection.js";
import { Trials } from "./trials.js";
import { malformedSequences } from "./words.js";

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");

/** Returns the result if the first block starts with a byte order mark. `isWhole` says that the text ends with the block. */
export function detectBom(start, isWhole) {
  const encoding = bomSniff(start);
  if (encoding === null) return undefined;
  const length = encoding === "UTF-8" ? 3 : 2;
  const trials = new Trials();
  trials.feed(start.subarray(length));
  if (isWhole) trials.finish();
  const tally = trials.tally(encoding);
  let reason = `byte order mark (${hex(start.subarray(0, length))})`;
  let confidence = "certain";
  if (encoding === "UTF-16LE" && start.length >= 4 && start[2] === 0 && start[3] === 0) {
    reason += "; but it may be that of UTF-32LE, which the Encoding Standard does not have";
    confidence = "low";
  } else if (tally.malformed > 0) {
    reason += `; but with ${malformedSequences(tally, length)}`;
    confidence = tally.malformed * 10 > tally.units ? "low" : "medium";
  }
  let evidence = "bom";
  if (confidence !== "low" && tally.controls * 10 > tally.units) {
    const counts = `${tally.controls} of ${tally.units} characters are controls`;
    reason = `does not look like text, in spite of the ${reason}: ${counts}`;
    confidence = evidence = "none";
  }
  const candidates = [candidate(encoding, tally)];
  return { encoding, confidence, evidence, candidates, declarations: [], language: null, bytes: start.length, reason };
}

/** Returns the kind of UTF-32 that the first bytes look like, if they do. */
export function looksLikeUtf32(start) {
  const count = start.length >> 2;
  const view = new DataView(start.buffer, start.byteOffset, start.length);
  const isText = (littleEndian) => {
    for (let n = 0; n < Math.min(count, 256); n++) {
      const unit = view.getUint32(4 * n, littleEndian);
      if (unit < 1 || unit > 0x10ffff) return false;
    }
    return count > 1;
  };
  if (isText(true)) return "UTF-32LE";
  const isMarked = start.length >= 4 && view.getUint32(0) === 0xfeff;
  return isMarked || isText(false) ? "UTF-32BE" : undefined;
}
