// The single-byte encodings that a text may have: those of the standard, and pages outside of it.

import { getData, getModels } from "../../language.js";
import { LATIN } from "../../language/chars.js";
import { charactersOf } from "../trials.js";

/** The cost for each letter of a language that its encoding lacks, and for all together at most. */
const MISSING = 10;
const MAX_MISSING = 64;

/** The encodings of the standard, and how rare they are: negative logarithms, times 16. */
const OF_STANDARD = {
  "windows-1252": 0,
  "windows-1250": 8,
  "windows-1251": 8,
  "ISO-8859-2": 20,
  "windows-1253": 16,
  "windows-1254": 16,
  "windows-1255": 16,
  "windows-1256": 16,
  "windows-1257": 16,
  "windows-1258": 24,
  "windows-874": 16,
  "KOI8-R": 24,
  "KOI8-U": 28,
  "ISO-8859-15": 24,
  "ISO-8859-7": 24,
  "ISO-8859-5": 32,
  "ISO-8859-6": 32,
  "ISO-8859-8-I": 32,
  "ISO-8859-13": 40,
  "ISO-8859-4": 48,
  "ISO-8859-3": 48,
  "ISO-8859-10": 64,
  "ISO-8859-14": 56,
  "ISO-8859-16": 48,
  IBM866: 32,
  macintosh: 40,
  "x-mac-cyrillic": 64,
  "ISO-8859-8": 64,
};

/** Pages outside of the standard that are less rare than others. */
const RARITIES = { IBM437: 36, IBM850: 32, IBM852: 36, IBM857: 44, IBM737: 44, IBM775: 48, VISCII: 128, PTCP154: 112, "KZ-1048": 128 };
const OTHER_RARITY = 80;

/** The cost of a language with Latin letters for which the encoding was not made. */
const FOREIGN = 5 * 16;

/** The languages for which encodings were made. Those that are not here were made for Western Europe, or for other scripts. */
const LANGUAGES = [
  ["windows-1250 ISO-8859-2 IBM852 x-mac-ce", "cs sk pl hu sl hr ro sq"],
  ["windows-1254 IBM857 x-mac-turkish", "tr az"],
  ["windows-1257 ISO-8859-13 ISO-8859-4 IBM775", "lt lv et"],
  ["windows-1258 VISCII", "vi"],
  ["ISO-8859-3", "mt eo tr"],
  ["ISO-8859-10", "is nb sv da fi et lt lv"],
  ["ISO-8859-14", "ga gd cy br"],
  ["ISO-8859-16", "ro hu pl hr sl sq"],
  ["IBM860", "pt gl"],
  ["IBM861 x-mac-icelandic", "is"],
  ["IBM863", "fr"],
  ["IBM865", "nb da"],
  ["x-mac-croatian", "hr sl"],
  ["x-mac-romanian", "ro"],
].map((words) => words.map((words) => words.split(" ")));

/** A single-byte encoding. */
class Page {
  #missing;

  /**
   * @param encoding `undefined` if it is not in the standard
   * @param characters those of all bytes, of which digits become equal
   */
  constructor(name, encoding, rarity, characters) {
    this.name = name;
    this.encoding = encoding;
    this.rarity = rarity;
    this.characters = characters.fill(0x30, 0x30, 0x3a);
  }

  /** What each model costs because the encoding lacks letters of its language, or is one of other languages. */
  get missing() {
    return (this.#missing ??= this.#countMissing());
  }

  #countMissing() {
    const { letters } = getData();
    const has = [];
    for (const unit of this.characters) has[letters[unit]] = true;
    const count = ({ numbers }) => numbers.reduce((sum, letter) => (has[letter] ? sum : sum + 1), 0);
    const tags = LANGUAGES.find(([names]) => names.includes(this.name))?.[1];
    const isForeign = ({ language, script }) => script === LATIN && tags !== undefined && !tags.includes(language.tag);
    const cost = (model) => Math.min(count(model) * MISSING, MAX_MISSING) + (isForeign(model) ? FOREIGN : 0);
    return getModels().models.map(cost);
  }

  /** Returns whether the bytes are the same characters in both encodings. */
  isSame(other, bytes) {
    return bytes.every((byte) => this.characters[byte] === other.characters[byte]);
  }
}

let all;

/** Returns the single-byte encodings. */
export const getPages = () => (all ??= load());

function load() {
  const ofStandard = Object.entries(OF_STANDARD).map(([encoding, rarity]) => {
    const text = charactersOf(encoding);
    return new Page(encoding, encoding, rarity, forEachByte((byte) => text.charCodeAt(byte)));
  });
  const others = getData().pages.map(({ name, units }) => {
    const characters = forEachByte((byte) => (byte < 0x80 ? byte : units[byte - 0x80]));
    return new Page(name, undefined, RARITIES[name] ?? OTHER_RARITY, characters);
  });
  return [...ofStandard, ...others];
}

function forEachByte(characterOf) {
  const characters = new Uint16Array(256);
  for (let byte = 0; byte < 256; byte++) characters[byte] = characterOf(byte);
  return characters;
}
