// Text with a byte order mark.

import { bomSniff } from "../core.js";
import { candidate, probabilityOf } from "./detection.js";
import { looksLikeUtf32 } from "./format.js";
import { Trials } from "./trials.js";
import { malformedSequences, rarelyOccurring } from "./words.js";

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
  let evidence = "bom";
  const { units, controls, unlikely } = tally;
  const utf32 = looksLikeUtf32(start);
  if (utf32 !== undefined) {
    reason = `looks like ${utf32}, which the Encoding Standard does not have`;
    confidence = evidence = "none";
  } else if (controls * 10 > units) {
    reason = `does not look like text, in spite of the ${reason}: ${controls} of ${units} characters are controls`;
    confidence = evidence = "none";
  } else if (tally.malformed > 0) {
    reason += `; but with ${malformedSequences(tally, length)}`;
    confidence = tally.malformed * 10 > units ? "low" : "medium";
  }
  // Text in another encoding that starts with the same bytes. In UTF-8, its bytes would be malformed.
  if (confidence !== "none" && confidence !== "low" && encoding !== "UTF-8" && unlikely * 10 > units) {
    reason += `; but ${rarelyOccurring(unlikely)}`;
    confidence = "low";
  }
  const probability = probabilityOf(confidence);
  const candidates = [candidate(encoding, tally, probability)];
  const others = { declarations: [], language: null, mixedWith: null, bytes: start.length, reason };
  return { encoding, confidence, probability, evidence, candidates, ...others };
}
