// A single-byte encoding, and its tables.

import { internal } from "../core.js";

const { toDOMString } = internal;

const UNASSIGNED = "\ufffd";
const ASCII = String.fromCharCode(...Array(128).keys());

/** What the table of an encoder has for an unmappable code unit: larger than a byte. */
export const UNMAPPABLE = 0xffff;

class Tables {
  /** The code unit of each byte. */
  units;
  /** Whether the bytes below 0x80 are ASCII. */
  isAscii;
  /** Whether all characters are in Latin-1, so that code units fit into bytes. */
  isLatin1;
  /** Whether all bytes have a character. */
  isTotal;
  #duplicates;
  #bytes;

  constructor(characters, duplicates) {
    this.isAscii = characters.startsWith(ASCII);
    this.isLatin1 = !/[^\0-\xff]/.test(characters);
    this.isTotal = !characters.includes(UNASSIGNED);
    const units = Array.from({ length: 256 }, (_, byte) => characters.charCodeAt(byte));
    this.units = this.isLatin1 ? Uint8Array.from(units) : Uint16Array.from(units);
    this.#duplicates = duplicates;
  }

  /** The byte of each code unit. */
  get bytes() {
    return (this.#bytes ??= this.#inverse());
  }

  #inverse() {
    const bytes = new Uint16Array(0x10000).fill(UNMAPPABLE);
    // In reverse, so that the first byte of a character remains.
    for (let byte = 255; byte >= 0; byte--) if (!this.#duplicates.includes(byte)) bytes[this.units[byte]] = byte;
    bytes[UNASSIGNED.charCodeAt(0)] = UNMAPPABLE;
    return bytes;
  }
}

/**
 * What a page does not show: `load`, which returns its characters and the bytes that encoders do not write, or `undefined` for an
 * application's own table; and what has been made at the first use.
 * @type {WeakMap<CodePage, { load?: () => { characters: string, duplicates?: number[] }, characters?: string, tables?: Tables }>}
 */
const internals = new WeakMap();

/** Returns whether a value is a page. */
export const isPage = (value) => internals.has(value);

/** Returns the tables of a page. */
export function tablesOf(page) {
  const own = internals.get(page);
  return (own.tables ??= new Tables(page.characters, own.load?.().duplicates ?? []));
}

/** Returns whether a byte order mark overrides the page: not if it is text in the page, as in EBCDIC. */
export const isOverridden = (page) => internals.get(page).load !== undefined && tablesOf(page).isAscii;

export class CodePage {
  constructor(name, { aliases = [], codePages = [], ...own }) {
    this.name = name;
    this.aliases = Object.freeze(aliases);
    this.codePages = Object.freeze(codePages);
    internals.set(Object.freeze(this), own);
  }

  get characters() {
    const own = internals.get(this);
    return (own.characters ??= own.load().characters);
  }

  get isAsciiCompatible() {
    return tablesOf(this).isAscii;
  }
}

export function singleByte(name, characters) {
  const table = toDOMString(characters);
  if (table.length !== 128 && table.length !== 256) {
    throw new RangeError(`The table must have 256 characters, or 128 for the bytes from 0x80 on. It has ${table.length}.`);
  }
  const all = table.length === 128 ? ASCII + table : table;
  const byte = all.search(/[\ud800-\udfff\uffff]/);
  if (byte >= 0) {
    throw new RangeError(`The table has a surrogate or U+FFFF for the byte 0x${byte.toString(16).toUpperCase().padStart(2, "0")}.`);
  }
  return new CodePage(toDOMString(name), { characters: all });
}
