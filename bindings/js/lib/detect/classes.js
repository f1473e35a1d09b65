// How likely a UTF-16 code unit is in text.

/** Visible ASCII. */
export const ASCII = 0;
/** ASCII white space, and the few control characters that occur in text. */
export const SPACE = 1;
/** Chinese and Japanese punctuation and the ideographic space. */
export const CJK_PUNCTUATION = 2;
/** Other characters. */
export const ORDINARY = 3;
/** Characters from rarely used blocks, which are frequent in text decoded with a wrong encoding. */
export const RARE = 4;
/** The other ASCII control characters. */
export const CONTROL = 5;
/** C1 controls, private use, noncharacters and unassigned code points. */
export const UNLIKELY = 6;
/** Half of a surrogate pair. Decoders write only complete pairs. */
export const SURROGATE = 7;
/** U+FFFD. It is ignored, because malformed sequences are counted separately. */
export const REPLACEMENT = 8;
export const COUNT = 9;

/** The first pattern that fits decides. */
const PATTERNS = [
  [SURROGATE, /[\ud800-\udfff]/],
  [ASCII, /[!-~]/],
  [SPACE, /[ \b-\r\x1b]/],
  [CONTROL, /[\0-\x7f]/],
  [CJK_PUNCTUATION, /[\u3000-\u3002「」！（），．：；？]/],
  [REPLACEMENT, /\ufffd/],
  // Invisible characters that occur in text.
  [ORDINARY, /[\xa0\xad\u200b-\u200f\u2028-\u202f\u2060-\u2069]/],
  [RARE, /[\u2000-\u200a\u3400-\u4dbf\ua000-\uabff\ufeff]/],
  [ORDINARY, /[\u4e00-\u9fff\uac00-\ud7a3]/],
  [UNLIKELY, /[\p{C}\p{Z}]/u],
];

function classOf(unit) {
  const char = String.fromCharCode(unit);
  return PATTERNS.find(([, pattern]) => pattern.test(char))?.[0] ?? ORDINARY;
}

/** Pages of 256 classes, computed when they are first used: text uses few. */
const pages = [];

/** Returns the classes of the code units with the same upper eight bits. */
export function pageOf(unit) {
  const page = unit >> 8;
  return (pages[page] ??= Uint8Array.from({ length: 256 }, (_, low) => classOf((page << 8) | low)));
}
