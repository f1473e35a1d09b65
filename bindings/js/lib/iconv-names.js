// Encoding names that iconv-lite accepts, reduced to letters and digits in lower case.

import { internal } from "./core.js";

const { REPLACEMENT, encodings, numberOf } = internal;

/** Names that are not labels in the standard, by label. */
const NAMES = {
  "windows-874": "874 cp874 ibm874 win874 thai thai8 tis6200 tis62025291 tis62025330 isoir166 28601 cp28601",
  "windows-1250": "msee",
  "windows-1251": "mscyrl",
  "windows-1252": "msansi cp367 ibm367 ascii8bit ansix34 ansix341986 csascii isoir6 iso646us iso646irv us 28591",
  "windows-1253": "msgreek",
  "windows-1254": "msturk turkish turkish8 28599 cp28599",
  "windows-1255": "mshebr",
  "windows-1256": "msarab",
  "windows-1257": "winbaltrim",
  "iso-8859-2": "28592 cp28592",
  "iso-8859-3": "28593 cp28593",
  "iso-8859-4": "28594 cp28594",
  "iso-8859-5": "28595 cp28595",
  "iso-8859-6": "28596 cp28596 arabic8",
  "iso-8859-7": "28597 cp28597",
  "iso-8859-8": "28598 cp28598 hebrew8",
  "iso-8859-10": "28600 cp28600",
  "iso-8859-13": "28603 cp28603 latin7 l7 isoir179",
  "iso-8859-14": "28604 cp28604 latin8 l8 isoir199 celtic celtic8 isoceltic",
  "iso-8859-15": "28605 cp28605 latin9 isoir203",
  "iso-8859-16": "28606 cp28606 latin10 l10 isoir226",
  "koi8-r": "20866 cp20866 ibm878",
  "koi8-u": "21866 cp21866 ibm1168",
  macintosh: "10000 macroman",
  "x-mac-cyrillic": "10007 maccyrillic macukraine",
  shift_jis: "932 cp932 windows932",
  gbk: "936 cp936 ms936 windows936 euccn gb23121980",
  "euc-kr": "949 cp949 ms949",
  big5: "950 cp950 ms950 windows950",
};

/** @type {Map<string, number>} */
const numbers = new Map();

/** Converts a name to lower case and removes a year at the end, and all but letters and digits. */
export const canonical = (name) => `${name}`.toLowerCase().replace(/:\d{4}$|[^0-9a-z]/g, "");

function fill() {
  encodings.forEach(({ labels }, number) => {
    if (number !== REPLACEMENT) labels.forEach((label) => numbers.set(canonical(label), number));
  });
  for (const [label, names] of Object.entries(NAMES)) {
    for (const name of names.split(" ")) numbers.set(name, numberOf(label));
  }
  numbers.set("cp28591", numberOf("latin1"));
  for (let page = 1250; page <= 1258; page++) {
    for (const name of [page, `win${page}`]) numbers.set(`${name}`, numberOf(`windows-${page}`));
  }
}

/** Returns the number of the encoding with this name, or `undefined`. */
export function numberOfName(name) {
  if (numbers.size === 0) fill();
  return numbers.get(canonical(name));
}
