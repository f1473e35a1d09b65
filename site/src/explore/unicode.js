// Properties of code points: the block, from the table below, and those that the browser's regular expressions know.

/**
 * First code points of blocks, and their names. The blocks of the first plane no longer change. Of the other planes,
 * the table has the blocks of ideographs.
 */
const TABLE = `
0 Basic Latin;80 Latin-1 Supplement;100 Latin Extended-A;180 Latin Extended-B;250 IPA Extensions;
2B0 Spacing Modifier Letters;300 Combining Diacritical Marks;370 Greek and Coptic;400 Cyrillic;
500 Cyrillic Supplement;530 Armenian;590 Hebrew;600 Arabic;700 Syriac;750 Arabic Supplement;780 Thaana;
7C0 NKo;800 Samaritan;840 Mandaic;860 Syriac Supplement;870 Arabic Extended-B;8A0 Arabic Extended-A;
900 Devanagari;980 Bengali;A00 Gurmukhi;A80 Gujarati;B00 Oriya;B80 Tamil;C00 Telugu;C80 Kannada;D00 Malayalam;
D80 Sinhala;E00 Thai;E80 Lao;F00 Tibetan;1000 Myanmar;10A0 Georgian;1100 Hangul Jamo;1200 Ethiopic;
1380 Ethiopic Supplement;13A0 Cherokee;1400 Unified Canadian Aboriginal Syllabics;1680 Ogham;16A0 Runic;
1700 Tagalog;1720 Hanunoo;1740 Buhid;1760 Tagbanwa;1780 Khmer;1800 Mongolian;
18B0 Unified Canadian Aboriginal Syllabics Extended;1900 Limbu;1950 Tai Le;1980 New Tai Lue;
19E0 Khmer Symbols;1A00 Buginese;1A20 Tai Tham;1AB0 Combining Diacritical Marks Extended;1B00 Balinese;
1B80 Sundanese;1BC0 Batak;1C00 Lepcha;1C50 Ol Chiki;1C80 Cyrillic Extended-C;1C90 Georgian Extended;
1CC0 Sundanese Supplement;1CD0 Vedic Extensions;1D00 Phonetic Extensions;1D80 Phonetic Extensions Supplement;
1DC0 Combining Diacritical Marks Supplement;1E00 Latin Extended Additional;1F00 Greek Extended;
2000 General Punctuation;2070 Superscripts and Subscripts;20A0 Currency Symbols;
20D0 Combining Diacritical Marks for Symbols;2100 Letterlike Symbols;2150 Number Forms;2190 Arrows;
2200 Mathematical Operators;2300 Miscellaneous Technical;2400 Control Pictures;
2440 Optical Character Recognition;2460 Enclosed Alphanumerics;2500 Box Drawing;2580 Block Elements;
25A0 Geometric Shapes;2600 Miscellaneous Symbols;2700 Dingbats;27C0 Miscellaneous Mathematical Symbols-A;
27F0 Supplemental Arrows-A;2800 Braille Patterns;2900 Supplemental Arrows-B;
2980 Miscellaneous Mathematical Symbols-B;2A00 Supplemental Mathematical Operators;
2B00 Miscellaneous Symbols and Arrows;2C00 Glagolitic;2C60 Latin Extended-C;2C80 Coptic;
2D00 Georgian Supplement;2D30 Tifinagh;2D80 Ethiopic Extended;2DE0 Cyrillic Extended-A;
2E00 Supplemental Punctuation;2E80 CJK Radicals Supplement;2F00 Kangxi Radicals;2FE0 No block;
2FF0 Ideographic Description Characters;3000 CJK Symbols and Punctuation;3040 Hiragana;30A0 Katakana;
3100 Bopomofo;3130 Hangul Compatibility Jamo;3190 Kanbun;31A0 Bopomofo Extended;31C0 CJK Strokes;
31F0 Katakana Phonetic Extensions;3200 Enclosed CJK Letters and Months;3300 CJK Compatibility;
3400 CJK Unified Ideographs Extension A;4DC0 Yijing Hexagram Symbols;4E00 CJK Unified Ideographs;
A000 Yi Syllables;A490 Yi Radicals;A4D0 Lisu;A500 Vai;A640 Cyrillic Extended-B;A6A0 Bamum;
A700 Modifier Tone Letters;A720 Latin Extended-D;A800 Syloti Nagri;A830 Common Indic Number Forms;
A840 Phags-pa;A880 Saurashtra;A8E0 Devanagari Extended;A900 Kayah Li;A930 Rejang;A960 Hangul Jamo Extended-A;
A980 Javanese;A9E0 Myanmar Extended-B;AA00 Cham;AA60 Myanmar Extended-A;AA80 Tai Viet;
AAE0 Meetei Mayek Extensions;AB00 Ethiopic Extended-A;AB30 Latin Extended-E;AB70 Cherokee Supplement;
ABC0 Meetei Mayek;AC00 Hangul Syllables;D7B0 Hangul Jamo Extended-B;D800 High Surrogates;
DB80 High Private Use Surrogates;DC00 Low Surrogates;E000 Private Use Area;F900 CJK Compatibility Ideographs;
FB00 Alphabetic Presentation Forms;FB50 Arabic Presentation Forms-A;FE00 Variation Selectors;
FE10 Vertical Forms;FE20 Combining Half Marks;FE30 CJK Compatibility Forms;FE50 Small Form Variants;
FE70 Arabic Presentation Forms-B;FF00 Halfwidth and Fullwidth Forms;FFF0 Specials;
10000 Supplementary Multilingual Plane;20000 CJK Unified Ideographs Extension B;2A6E0 No block;
2A700 CJK Unified Ideographs Extension C;2B740 CJK Unified Ideographs Extension D;
2B820 CJK Unified Ideographs Extension E;2CEB0 CJK Unified Ideographs Extension F;
2EBF0 CJK Unified Ideographs Extension I;2EE60 No block;2F800 CJK Compatibility Ideographs Supplement;
2FA20 No block;30000 CJK Unified Ideographs Extension G;31350 CJK Unified Ideographs Extension H;
323B0 No block;E0000 Supplementary Special-purpose Plane;F0000 Supplementary Private Use Area-A;
100000 Supplementary Private Use Area-B`;

/** Blocks in order and without gaps: `{ name, first, last }`. */
export const BLOCKS = TABLE.replaceAll("\n", "")
  .split(";")
  .map((entry) => {
    const space = entry.indexOf(" ");
    return { name: entry.slice(space + 1), first: Number.parseInt(entry, 16), last: 0x10ffff };
  });
BLOCKS.forEach((block, n) => {
  if (n > 0) BLOCKS[n - 1].last = block.first - 1;
});

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
  if (/\p{Co}/u.test(text)) return { text: "private", isShort: true };
  // Marks are shown on a dotted circle.
  return { text: /\p{M}/u.test(text) ? `\u25cc${text}` : text, isShort: false };
}
