// Properties of code points: the block, and those that the browser's regular expressions know.

import { TABLE } from "./generated/blocks.js";

const NO_BLOCK = "No block";

/** Blocks in order and without gaps: `{ name, first, last }`. Ranges between blocks are entries, too. */
export const BLOCKS = [];
for (const line of TABLE.split("\n")) {
  const [first, last] = line.split(" ", 2).map((digits) => Number.parseInt(digits, 16));
  const end = (BLOCKS.at(-1)?.last ?? -1) + 1;
  if (first > end) BLOCKS.push({ name: NO_BLOCK, first: end, last: first - 1 });
  BLOCKS.push({ name: line.split(" ").slice(2).join(" "), first, last });
}

/** Returns the block of a code point. */
export const blockOf = (codePoint) => BLOCKS.findLast((block) => block.first <= codePoint);

const CATEGORIES = [
  ["Lu", "uppercase letter"],
  ["Ll", "lowercase letter"],
  ["Lt", "titlecase letter"],
  ["Lm", "modifier letter"],
  ["Lo", "letter"],
  ["Mn", "non-spacing mark"],
  ["Mc", "spacing mark"],
  ["Me", "enclosing mark"],
  ["Nd", "decimal digit"],
  ["Nl", "letter number"],
  ["No", "number"],
  ["Pc", "connecting punctuation"],
  ["Pd", "dash"],
  ["Ps", "opening bracket"],
  ["Pe", "closing bracket"],
  ["Pi", "opening quotation mark"],
  ["Pf", "closing quotation mark"],
  ["Po", "punctuation"],
  ["Sm", "mathematical symbol"],
  ["Sc", "currency symbol"],
  ["Sk", "modifier symbol"],
  ["So", "symbol"],
  ["Zs", "space"],
  ["Zl", "line separator"],
  ["Zp", "paragraph separator"],
  ["Cc", "control character"],
  ["Cf", "format character"],
  ["Co", "private use"],
  ["Cs", "surrogate"],
  ["Cn", "unassigned"],
].map(([category, meaning]) => ({ pattern: new RegExp(`\\p{${category}}`, "u"), category, meaning }));

const SCRIPTS = [
  "Latin",
  "Greek",
  "Cyrillic",
  "Armenian",
  "Hebrew",
  "Arabic",
  "Thai",
  "Han",
  "Hiragana",
  "Katakana",
  "Bopomofo",
  "Hangul",
  "Georgian",
  "Devanagari",
  "Mongolian",
  "Tibetan",
  "Yi",
].map((script) => ({ pattern: new RegExp(`\\p{Script=${script}}`, "u"), script }));

/** Describes a code point's category and script: `letter (Lo), Han`. */
export function describe(codePoint) {
  const text = String.fromCodePoint(codePoint);
  const { meaning, category } = CATEGORIES.find(({ pattern }) => pattern.test(text));
  const script = SCRIPTS.find(({ pattern }) => pattern.test(text))?.script;
  return `${meaning} (${category})${script === undefined ? "" : `, ${script}`}`;
}

const SHORT = {
  0xa0: "NBSP",
  0xad: "SHY",
  0x200c: "ZWNJ",
  0x200d: "ZWJ",
  0x200e: "LRM",
  0x200f: "RLM",
  0x3000: "space",
};

/** Returns the text to show for a character: `{ text, isShort }`. `isShort` says that it is a short name. */
export function glyph(codePoint) {
  if (codePoint in SHORT) return { text: SHORT[codePoint], isShort: true };
  const text = String.fromCodePoint(codePoint);
  if (/\p{Cc}/u.test(text)) return { text: "control", isShort: true };
  // Format characters change other text instead of being visible.
  if (/[\p{Cf}\p{Zl}\p{Zp}]/u.test(text))
    return { text: codePoint.toString(16).toUpperCase().padStart(4, "0"), isShort: true };
  if (/\p{Zs}/u.test(text)) return { text: "space", isShort: true };
  if (/\p{Co}/u.test(text)) return { text: "private", isShort: true };
  // Marks are shown on a dotted circle.
  return { text: /\p{M}/u.test(text) ? `\u25cc${text}` : text, isShort: false };
}
