// The names of the encodings, the most frequent first.

import { encodings } from "textcodec";

const FREQUENT = [
  "UTF-8",
  "windows-1252",
  "Shift_JIS",
  "GBK",
  "Big5",
  "EUC-KR",
  "EUC-JP",
  "windows-1251",
  "windows-1250",
  "KOI8-R",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-874",
  "ISO-2022-JP",
  "UTF-16LE",
  "UTF-16BE",
];

/** All encodings that decode text: `replacement` has only errors. */
export const NAMES = [
  ...FREQUENT,
  ...encodings.map(({ name }) => name).filter((name) => name !== "replacement" && !FREQUENT.includes(name)),
];

/** Returns how rare text in an encoding is, in points of the ranking. */
export function rarity(name) {
  if (FREQUENT.includes(name)) return name === "KOI8-R" ? 4 : 0;
  return /mac|user-defined/.test(name) ? 12 : /cp/.test(name) ? 8 : 6;
}
