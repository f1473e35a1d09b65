// The languages with letter pairs, and the single-byte encodings in which their text is found, the most frequent first. The
// order is that of letter_pairs.bin.

const WESTERN = ["windows-1252", "ISO-8859-15", "macintosh"];
const CENTRAL = ["windows-1250", "ISO-8859-2"];
const BALTIC = ["windows-1257", "ISO-8859-13", "ISO-8859-4"];
const CYRILLIC = ["windows-1251", "ISO-8859-5", "x-mac-cyrillic"];
const UKRAINIAN = ["windows-1251", "KOI8-U", "ISO-8859-5", "x-mac-cyrillic"];

const FAMILIES = [
  [
    "English German French Spanish Portuguese Italian Dutch Danish Norwegian Swedish Finnish Icelandic Catalan Galician Basque Albanian",
    WESTERN,
  ],
  ["Polish Czech Slovak Hungarian Slovenian Croatian Romanian", CENTRAL],
  ["Estonian", ["windows-1257", "ISO-8859-13", "ISO-8859-15", "windows-1252"]],
  ["Lithuanian Latvian", BALTIC],
  ["Turkish", ["windows-1254"]],
  ["Greek", ["windows-1253", "ISO-8859-7"]],
  ["Russian", ["windows-1251", "KOI8-R", "IBM866", "ISO-8859-5", "x-mac-cyrillic"]],
  ["Ukrainian Belarusian", UKRAINIAN],
  ["Bulgarian", ["windows-1251", "ISO-8859-5", "IBM866", "x-mac-cyrillic"]],
  ["Serbian Macedonian", CYRILLIC],
  ["Hebrew", ["windows-1255", "ISO-8859-8-I"]],
  ["Arabic", ["windows-1256", "ISO-8859-6"]],
  ["Thai", ["windows-874"]],
  ["Vietnamese", ["windows-1258"]],
];

/** In the order of the letter pairs. */
export const LANGUAGES = FAMILIES.flatMap(([names, encodings]) => names.split(" ").map((name) => ({ name, encodings })));

/** The single-byte encodings of the languages, each once. */
export const SINGLE_BYTE = [...new Set(LANGUAGES.flatMap(({ encodings }) => encodings))];

/** The encodings whose characters are pairs of bytes from A1 on, in rows of 94, and their languages. */
export const ROWS = [
  { encoding: "EUC-JP", language: "Japanese" },
  { encoding: "EUC-KR", language: "Korean" },
  { encoding: "GBK", language: "Simplified Chinese" },
];
