// The data of the model: the file of the crate textcodec-language, whose data.rs describes the format.

import { base64, length } from "../../generated/language.js";
import { internal } from "../core.js";
import { UPPER, WIDE, isOfLetters, withoutCase } from "./chars.js";

const UNITS = 0x1_0000;

/** The code unit that represents all characters beyond the basic plane, and the surrogates, which it represents. */
const SUPPLEMENTARY = 0xd83d;
const FIRST_SURROGATE = 0xd800;
const END_OF_SURROGATES = 0xe000;

/** Reads the file. */
class Reader {
  #bytes;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  take(length) {
    return this.#bytes.subarray(this.#at, (this.#at += length));
  }

  byte() {
    return this.#bytes[this.#at++];
  }

  number() {
    return this.byte() | (this.byte() << 8);
  }

  units(count) {
    const units = new Uint16Array(count);
    for (let n = 0; n < count; n++) units[n] = this.number();
    return units;
  }
}

class Data {
  /** The group and the script of each code unit, and the cost of each in its group. */
  groups = new Uint8Array(UNITS);
  scripts = new Uint8Array(UNITS);
  universal = new Uint8Array(UNITS);
  /** The number of each letter without case, or 0 if no alphabet has it. Ideographs, kana and Hangul syllables share the last number. */
  letters = new Uint16Array(UNITS);
  /** The cost of each group after each group, and the number of groups. */
  transitions;
  groupCount;
  /** The languages with letter pairs, then those of East Asia with the cost of each character, or 0. */
  languages;
  wide;
  /** The pages outside of the standard: their names, and the characters of the bytes 80 to FF. */
  pages;

  constructor(file) {
    const ranges = this.#readClasses(file);
    const levels = file.take(16);
    const raw = Array.from({ length: file.number() }, () => {
      const own = file.units(file.byte());
      return { own, halves: file.take(((own.length + 2) ** 2 + 1) >> 1) };
    });
    const count = this.#numberLetters(raw, ranges);
    this.languages = raw.map(({ own, halves }) => this.#lettersOf(own, halves, levels, count));
    this.wide = Array.from({ length: file.number() }, () => wideCosts(file));
    this.pages = Array.from({ length: file.number() }, () => {
      const name = String.fromCharCode(...file.take(file.byte()));
      return { name, units: file.units(128) };
    });
  }

  /** Returns ranges of characters of the same class, with their group. */
  #readClasses(file) {
    const { groups, scripts, universal } = this;
    const classes = file.take(2 * file.number());
    const count = file.number();
    const ranges = Array.from({ length: count }, () => ({ start: file.number(), class: file.byte(), end: UNITS, group: 0 }));
    this.groupCount = file.number();
    this.transitions = file.take(this.groupCount ** 2);
    const ofGroups = file.take(this.groupCount);
    ranges.forEach((range, n) => {
      const end = (range.end = ranges[n + 1]?.start ?? UNITS);
      const group = (range.group = classes[2 * range.class]);
      groups.fill(group, range.start, end);
      scripts.fill(classes[2 * range.class + 1], range.start, end);
      universal.fill(ofGroups[group], range.start, end);
    });
    for (let left = file.number(); left > 0; left--) universal[file.number()] = file.byte();
    for (let set = 0; set < 3; set++) {
      const [first, length, cost] = [file.number(), file.number(), file.byte()];
      file.take(length).forEach((byte, n) => {
        for (let bit = 0; bit < 8; bit++) if ((byte >> bit) & 1) universal[first + 8 * n + bit] = cost;
      });
    }
    for (const table of [groups, scripts, universal]) table.fill(table[SUPPLEMENTARY], FIRST_SURROGATE, END_OF_SURROGATES);
    return ranges;
  }

  /** Numbers the letters of all languages, in the order of Unicode. Returns how many there are. */
  #numberLetters(raw, ranges) {
    const all = [...new Set(raw.flatMap(({ own }) => [...own]))].sort((a, b) => a - b);
    all.forEach((unit, n) => (this.letters[unit] = n + 1));
    for (const { start, end, group } of ranges) {
      if (group === WIDE) this.letters.fill(all.length + 1, start, end);
      if (group !== UPPER) continue;
      for (let unit = start; unit < end; unit++) this.letters[unit] = this.letters[withoutCase(unit)];
    }
    return all.length;
  }

  /**
   * Returns the letters of a language: their numbers, the symbol of each number, and the costs of pairs of symbols, of which there are
   * `size`. Symbol 0 is everything between words, the last one is a letter of no language.
   */
  #lettersOf(own, halves, levels, count) {
    const size = own.length + 2;
    const symbols = new Uint8Array(count + 2).fill(size - 1);
    symbols[0] = 0;
    own.forEach((unit, n) => (symbols[this.letters[unit]] = n + 1));
    const costs = new Uint8Array(size ** 2);
    for (let n = 0; n < costs.length; n++) costs[n] = levels[(halves[n >> 1] >> (4 * (n & 1))) & 15];
    const numbers = Uint16Array.from(own, (unit) => this.letters[unit]);
    return { numbers, symbols, size, costs, script: this.scripts[own.at(-1)] };
  }
}

/** Reads the bands of a language: their number, then the cost and the number of characters of each, then the characters. */
function wideCosts(file) {
  const bands = Array.from({ length: file.number() }, () => ({ cost: file.byte(), count: file.number() }));
  const costs = new Uint8Array(UNITS);
  for (const { cost, count } of bands) for (const unit of file.units(count)) costs[unit] = cost;
  return costs;
}

let data;

/** Returns the data. It is read when it is needed for the first time. */
export const getData = () => (data ??= new Data(new Reader(internal.inflate(base64, length))));

/** Returns the group of a character. */
export const groupOf = (unit) => getData().groups[unit];

/** Returns whether a character is a letter, an ideograph, or a mark on one. */
export const isLetter = (unit) => isOfLetters(groupOf(unit));
