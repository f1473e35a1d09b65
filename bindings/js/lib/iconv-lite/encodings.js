// `encodings`: what each name means, in the form that users of iconv-lite know. A string is another name of an
// encoding, an object has the name of its `type` and options, and a function is the constructor of a codec.

import { SHARED, unpack } from "../code-pages.js";
import { internal } from "../core.js";
import { Base64Codec, BinaryCodec, HexCodec } from "./binary.js";
import { Cesu8Codec } from "./cesu8.js";
import { MULTI_BYTE, OTHERS, OTHER_PAGES, STANDARD_ONLY, STANDARD_PAGES } from "./names.js";
import { PAGES } from "./pages.js";
import { PageCodec, pageOf } from "./single-byte.js";
import { MultiByteCodec, StandardPageCodec, Utf8Codec, WindowsCodec } from "./standard.js";
import { Utf16AutoCodec, Utf16Codec } from "./utf16.js";
import { Utf32AutoCodec, Utf32Codec } from "./utf32.js";
import { Utf7Codec, Utf7ImapCodec } from "./utf7.js";

const { REPLACEMENT, encodings: standard } = internal;

const ALL_PAGES = { ...SHARED, ...PAGES };

/** Reduces a name to lower case, letters and digits, without a year at the end. */
export const canonical = (name) => `${name}`.toLowerCase().replace(/:\d{4}$|[^0-9a-z]/g, "");

/** Returns a constructor, as users call it: `new type(options, iconv)`. */
const type = (make) =>
  function (options, iconv) {
    return make(options, iconv);
  };

const INTERNAL = {
  utf8: (iconv) => new Utf8Codec(iconv),
  cesu8: (iconv) => new Cesu8Codec(iconv),
  ucs2: () => new Utf16Codec(true),
  binary: () => new BinaryCodec(),
  base64: () => new Base64Codec(),
  hex: () => new HexCodec(),
};

const TYPES = {
  _internal: type(({ encodingName }, iconv) => INTERNAL[encodingName](iconv)),
  _sbcs: type((options, iconv) => {
    const { label, page } = options;
    if (label?.startsWith("windows-")) return new WindowsCodec(label, iconv);
    if (label !== undefined) return new StandardPageCodec(label, iconv);
    return page === undefined ? pageOf(options, iconv) : new PageCodec(unpack(ALL_PAGES, page), iconv);
  }),
  _dbcs: type(({ label, hasExtras, encodingName }, iconv) => {
    if (label === undefined)
      throw new Error(`The encoding '${encodingName}' must have a 'label' of the Encoding Standard.`);
    return new MultiByteCodec(label, iconv, { hasExtras });
  }),
  _standard: type(({ label }, iconv) => new MultiByteCodec(label, iconv)),
  _utf32: type(({ isLE }, iconv) => new Utf32Codec(isLE, iconv)),
};

const OTHER = {
  utf16be: type(() => new Utf16Codec(false)),
  utf16: type((_, iconv) => new Utf16AutoCodec(iconv)),
  utf32le: { type: "_utf32", isLE: true },
  utf32be: { type: "_utf32", isLE: false },
  utf32: type((_, iconv) => new Utf32AutoCodec(iconv)),
  utf7: type((_, iconv) => new Utf7Codec(iconv)),
  utf7imap: type((_, iconv) => new Utf7ImapCodec(iconv)),
};

/** The encodings whose encoder writes more characters than that of the standard. */
const WITH_EXTRAS = ["big5hkscs", "eucjp"];

/** Returns a new table of all names. */
export function makeEncodings() {
  const encodings = { __proto__: null, ...TYPES };
  const define = (name, definition, aliases) => {
    encodings[name] = definition;
    for (const alias of aliases) addAlias(encodings, alias, name);
  };
  const each = (lines, add) =>
    lines
      .trim()
      .split("\n")
      .forEach((line) => add(...line.split(" ")));

  each(OTHERS, (name, ...aliases) => define(name, OTHER[name] ?? { type: "_internal" }, aliases));
  each(STANDARD_PAGES, (label, name, ...aliases) => define(name, { type: "_sbcs", label }, aliases));
  each(OTHER_PAGES, (name, ...aliases) => define(name, { type: "_sbcs", page: name }, aliases));
  each(MULTI_BYTE, (label, name, ...aliases) => {
    define(name, { type: "_dbcs", label, hasExtras: WITH_EXTRAS.includes(name) }, aliases);
  });
  each(STANDARD_ONLY, (type, label, name) => define(name, { type, label }, []));
  addLabels(encodings);
  return encodings;
}

/** Adds the labels of the standard that are not names in iconv-lite. They mean what the name of their encoding means. */
function addLabels(encodings) {
  standard.forEach(({ name, labels }, number) => {
    if (number === REPLACEMENT) return;
    for (const label of labels) addAlias(encodings, canonical(label), canonical(name));
  });
}

/**
 * Adds another name of an encoding, unless it is in the table. It leads to the definition of the encoding, which must be in the
 * table: so no name leads to itself.
 */
function addAlias(encodings, alias, name) {
  const definition = encodings[name];
  if (definition === undefined) throw new Error(`'${name}' must be defined before its other name '${alias}'.`);
  encodings[alias] ??= typeof definition === "string" ? definition : name;
}
