// The list of encodings, and their names.

import ALIASES from "../../generated/exact-aliases.js";
import { CODED, DUPLICATES, NAMES, OTHERS } from "../../generated/other-pages.js";
import { SHARED, unpack } from "../code-pages.js";
import { internal } from "../core.js";
import { CodedEncoding, isCoded } from "./coded.js";
import { CODECS } from "./codecs.js";
import { CodePage, isPage } from "./page.js";

const { encodings: standard, normalizeLabel, numberOf, toDOMString } = internal;

const PACKED = { ...SHARED, ...OTHERS };

const words = (line) => (line === "" ? [] : line.split(" "));

/** Makes the encodings of a list. Its lines are a name, code pages, and other names. */
const encodingsIn = (list, make) =>
  list.split("\n").map((line) => {
    const [name, codePages, aliases] = line.split("|");
    return make(name, { aliases: words(aliases), codePages: words(codePages).map(Number) });
  });

/** @type {readonly (CodedEncoding | CodePage)[]} */
export const encodings = Object.freeze([
  ...encodingsIn(CODED, (name, names) => new CodedEncoding(name, { ...names, codec: CODECS[name] })),
  ...encodingsIn(NAMES, (name, names) => {
    const load = () => ({ characters: unpack(PACKED, name), duplicates: DUPLICATES[name] });
    return new CodePage(name, { ...names, load });
  }),
]);

/** Returns a name in the form in which names are compared: without case, and with the same separator. */
const normalized = (name) => normalizeLabel(name).replace(/[_ ]/g, "-");

/**
 * The encodings by their names, unchanged and in the form in which names are compared.
 * @type {Map<string, CodedEncoding | CodePage> | undefined}
 */
let byName;

function encodingsByName() {
  const names = encodings.flatMap((encoding) => [encoding.name, ...encoding.aliases].map((name) => [name, encoding]));
  return (byName ??= new Map([...names, ...names.map(([name, encoding]) => [normalized(name), encoding])]));
}

export function encodingForName(name) {
  return (byName ?? encodingsByName()).get(normalized(toDOMString(name))) ?? null;
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

/** Returns the encoding that an argument means, or a label if it means one of the standard. */
export function toEncodingOrLabel(encoding) {
  if (isPage(encoding) || isCoded(encoding)) return encoding;
  const name = toDOMString(encoding);
  // Usual spellings first. None of these names is a label.
  const named = (byName ?? encodingsByName()).get(name);
  if (named !== undefined) return named;
  if (numberOf(name) !== undefined) return name;
  const found = aliasOf(name) ?? encodingForName(name);
  if (found === null) throw new RangeError(`"${name}" is not the name of an encoding.`);
  return found;
}
