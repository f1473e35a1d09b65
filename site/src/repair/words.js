// Explains the score of a result in words.

import { count, h } from "../dom.js";
import { MAX_ERRORS } from "./limits.js";

/** Returns the score in words. */
export function verdict(score) {
  if (score >= 85) return "Very likely";
  if (score >= 65) return "Likely";
  return score >= 40 ? "Possible" : "Unlikely";
}

/**
 * Explains a score: a sentence for each reason, the most important first.
 * @param {object} candidate
 * @returns {string[]}
 */
export function reasons({ bom, characters, common, bad, odd, errorCount, structured, kept, restored }) {
  const reasons = [];
  if (bom) reasons.push("The file starts with the byte order mark of this encoding.");
  if (errorCount > 0) reasons.push(`${errorsOf(errorCount)} malformed.`);
  if (characters === 0) return [...reasons, "All characters are ASCII, which most encodings read in the same way."];
  if (structured && errorCount === 0) reasons.push("Other bytes are rarely well-formed in this encoding by chance.");
  reasons.push(`${share(common)} characters are frequent in a language.`);
  if (odd > 0.02)
    reasons.push(`${odd > 0.3 ? "Many" : odd > 0.1 ? "Some" : "A few"} stand next to unlikely neighbours.`);
  if (bad > 0) reasons.push("It has control, private-use or unassigned characters.");
  if (kept > 0) reasons.push(`${count(kept, "character")} ${kept === 1 ? "was" : "were"} right and stayed.`);
  if (restored > 0) {
    reasons.push(
      `${count(restored, "lost byte")} ${restored === 1 ? "was" : "were"} restored, which programs replace by a space or remove.`,
    );
  }
  return reasons;
}

const errorsOf = (errors) =>
  errors >= MAX_ERRORS
    ? `At least ${count(errors, "sequence")} of bytes are`
    : `${count(errors, "sequence")} of bytes ${errors === 1 ? "is" : "are"}`;

function share(common) {
  if (common > 0.75) return "Nearly all";
  if (common > 0.5) return "Most";
  return common > 0.2 ? "Some" : "Few";
}

/** How results are ranked, for all candidates. */
export function explanation() {
  const terms = [
    ["Byte order mark", "Some files start with bytes that identify the encoding. That encoding is ranked first."],
    ["Malformed bytes", "Bytes that have no meaning in the encoding count against it. The text shows \ufffd for them."],
    [
      "Frequent characters",
      "Each language uses a few letters, syllables or ideographs much more than others. In a wrong encoding, rare " +
        "characters are as frequent as these.",
    ],
    [
      "Unlikely neighbours",
      "Signs within words, two scripts in a word, capitals after small letters, letters that no language has together, " +
        "words without vowels, and letters in a place where their alphabet has another form.",
    ],
    ["Other characters", "Real text rarely contains control, private-use and unassigned characters."],
    ["Structure", "Few sequences of bytes are well-formed UTF-8 or ISO-2022-JP. If these are, it is hardly by chance."],
    [
      "Rare encodings",
      "Text in the encodings of DOS, old Macintosh computers and some others is rarer than in others.",
    ],
  ];
  return h(
    "details",
    { class: "how" },
    h("summary", {}, "How results are ranked"),
    h(
      "p",
      {},
      "The bar and its words say how much a result looks like real text. That depends on the characters that are not ASCII, ",
      "as the sentences of each result explain. It is an estimate, so check the text yourself: short text can be right in ",
      "several encodings.",
    ),
    h("dl", {}, ...terms.flatMap(([term, meaning]) => [h("dt", {}, term), h("dd", {}, meaning)])),
  );
}
