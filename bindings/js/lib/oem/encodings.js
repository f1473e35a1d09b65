// The list of code pages, and their names.

import ALIASES from "../../generated/exact-aliases.js";
import { DUPLICATES, NAMES, OTHERS } from "../../generated/other-pages.js";
import { SHARED, unpack } from "../code-pages.js";
import { internal } from "../core.js";
import { CodePage, isPage } from "./page.js";

const { encodings: standard, normalizeLabel, numberOf, toDOMString } = internal;

const PACKED = { ...SHARED, ...OTHERS };

const words = (line) => (line === "" ? [] : line.split(" "));

/** @type {readonly CodePage[]} */
export const encodings = Object.freeze(
  NAMES.split("\n").map((line) => {
    const [name, codePages, aliases] = line.split("|");
    const load = () => ({ characters: unpack(PACKED, name), duplicates: DUPLICATES[name] });
    return new CodePage(name, { aliases: words(aliases), codePages: words(codePages).map(Number), load });
  }),
);

/** Returns a name in the form in which names are compared: without case, and with the same separator. */
const normalized = (name) => normalizeLabel(name).replace(/[_ ]/g, "-");

/**
 * The pages by their names, unchanged and in the form in which names are compared.
 * @type {Map<string, CodePage> | undefined}
 */
let byName;

function pagesByName() {
  const names = encodings.flatMap((page) => [page.name, ...page.aliases].map((name) => [name, page]));
  return (byName ??= new Map([...names, ...names.map(([name, page]) => [normalized(name), page])]));
}

export function encodingForName(name) {
  return (byName ?? pagesByName()).get(normalized(toDOMString(name))) ?? null;
}

export function encodingForCodePage(number) {
  return encodings.find(({ codePages }) => codePages.includes(number)) ?? null;
}

/** Labels with `-` in place of other separators, and other names of the standard's encodings, each with a label. */
let aliases;

function aliasOf(name) {
  aliases ??= new Map([
    ...standard.flatMap(({ labels }) => labels.map((label) => [normalized(label), label])),
    ...ALIASES.split("\n").map((line) => line.split(" ")),
  ]);
  return aliases.get(normalized(name));
}

/** Returns the page that an argument means, or a label if it means an encoding of the standard. */
export function toPageOrLabel(encoding) {
  if (isPage(encoding)) return encoding;
  const name = toDOMString(encoding);
  // Usual spellings first. No name of a page is a label.
  const page = (byName ?? pagesByName()).get(name);
  if (page !== undefined) return page;
  if (numberOf(name) !== undefined) return name;
  const found = aliasOf(name) ?? encodingForName(name);
  if (found === null) throw new RangeError(`"${name}" is not the name of an encoding.`);
  return found;
}
