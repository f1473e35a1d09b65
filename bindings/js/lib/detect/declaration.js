// Encoding declarations within text. A text is a string with a character for each byte.

import ALIASES from "../../generated/aliases.js";
import { decodeAndReport, encodings, getEncoding, internal } from "../core.js";
import { isUtf16 } from "./encodings.js";
import { cssDeclaration } from "./css.js";
import { htmlDeclarations } from "./html.js";
import { jspDeclarations } from "./jsp.js";
import { isVariantOfUtf8, leavesOpen, looksLikeLabel } from "./label.js";
import { latexDeclarations } from "./latex.js";
import { lineDeclarations } from "./line-formats.js";
import { mailDeclarations } from "./mail.js";
import { forNameIn } from "./names.js";
import { phpDeclarations } from "./php.js";
import { poDeclaration } from "./po.js";
import { lowerAscii, trimAscii } from "./scan.js";
import { sourceCodeDeclaration } from "./source-code.js";
import { sqlDeclarations } from "./sql.js";
import { misplacedXmlDeclaration, xmlDeclaration } from "./xml.js";

const { isomorphicEncode } = internal;

/** The number of bytes in which browsers look for a declaration. */
export const PRESCAN = 1024;

const MAX_SHOWN = 40;

export class Declaration {
  /** @param named the encoding that the label names, or `undefined` if it is unknown */
  constructor(named, form, label, offset) {
    this.named = named;
    this.form = form;
    this.label = label.length > MAX_SHOWN ? `${escape(label.slice(0, MAX_SHOWN))}…` : escape(label);
    this.offset = offset;
    this.encoding = meaning(named, form);
  }

  /** Whether it cannot be followed: the label is unknown, or its encoding is never decoded. */
  get isUnserved() {
    return this.encoding === undefined || this.encoding === "replacement";
  }

  /** The encoding that the label means outside the web, if browsers do not know it. */
  get mayBe() {
    const encoding = WEB_FORMS.includes(this.form) ? forName(this.label) : undefined;
    return encoding === "replacement" ? undefined : encoding;
  }

  /** Returns whether a declaration that cannot be followed is right for an encoding. */
  isRightFor(encoding) {
    if (this.encoding !== undefined) return false;
    return encoding === "UTF-8" ? isVariantOfUtf8(this.label) : forName(this.label) === encoding;
  }

  toString() {
    const { form, label, offset, encoding, named } = this;
    if (form === "transport") return `the transport layer (charset=${label})`;
    const means = encoding === named ? "" : `, which means ${encoding} here`;
    const where = form === "xml" && offset > 0 ? ", where XML does not allow it" : "";
    return `${SHOWN[form](label, encoding)} at byte ${offset}${where}${means}`;
  }
}

/** What is written in the text. */
const SHOWN = {
  meta: (label) => `<meta charset="${label}">`,
  pragma: (label) => `<meta http-equiv="content-type"> with charset=${label}`,
  xml: (label) => `<?xml encoding="${label}"?>`,
  "wide-xml": (label, encoding) => `an XML declaration in ${encoding}`,
  css: (label) => `@charset "${label}"`,
  comment: (label) => `a comment with coding: ${label}`,
  po: (label) => `the PO header with charset=${label}`,
  mail: (label) => `the mail header with charset=${label}`,
  latex: (label) => `inputenc with ${label}`,
  jsp: (label) => `a JSP directive with ${label}`,
  php: (label) => `PHP code with ${label}`,
  card: (label) => `a property with CHARSET=${label}`,
  gedcom: (label) => `the line 1 CHAR ${label}`,
  desktop: (label) => `the line Encoding=${label}`,
  vim: (label) => `scriptencoding ${label}`,
  sql: (label) => `SET NAMES ${label}`,
  postgres: (label) => `client_encoding ${label}`,
};

const WEB_FORMS = ["meta", "pragma", "xml", "css"];

/** Returns the declaration of a label, or `undefined` if this is neither a known label nor looks like one. */
export const found = (named, form, label, offset) =>
  named === undefined && !looksLikeLabel(label) ? undefined : new Declaration(named, form, label, offset);

/** The same for a name of a format that has its own names. */
export const foundIn = (form, name, offset) => found(forNameIn(form, name), form, name, offset);

/** Returns the encoding that a declaration demands: text that has been read as ASCII is not in UTF-16. */
function meaning(named, form) {
  if (named === undefined || form === "wide-xml" || form === "transport") return named;
  if ((form === "meta" || form === "pragma") && named === "x-user-defined") return "windows-1252";
  return isUtf16(named) ? "UTF-8" : named;
}

const ESCAPES = { "\t": "\\t", "\r": "\\r", "\n": "\\n", "'": "\\'", '"': '\\"', "\\": "\\\\" };

function escape(label) {
  const hex = (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`;
  return label.replace(/[^ -~]|['"\\]/g, (char) => ESCAPES[char] ?? hex(char));
}

/** Returns the encoding of a label of the standard, or `undefined`. */
export const forLabel = (label) => getEncoding(label) ?? undefined;

const normalized = (name) => lowerAscii(name).replace(/[_ ]/g, "-");

/** Names from outside the standard, and labels with hyphens in place of `_`, by which they are compared. */
const aliases = new Map([
  ...encodings.flatMap(({ name, labels }) => labels.map((label) => [normalized(label), name])),
  ...ALIASES.split("\n").map((line) => line.split(" ")),
]);

/** Returns the encoding of a label, or of another name that mail, PO files and source code have, or `undefined`. */
export const forName = (name) =>
  forLabel(name) ?? aliases.get(normalized(trimAscii(name))) ?? (isVariantOfUtf8(name) && isUtf8(name) ? "UTF-8" : undefined);

/** Returns whether the bytes of a name are UTF-8. */
const isUtf8 = (name) => decodeAndReport(isomorphicEncode(name), "utf-8", { bom: "keep" }).errors.length === 0;

/** Finds the declarations of known encodings, in order of precedence, and those that cannot be followed. */
export function findDeclarations(text) {
  const isListed = ({ isUnserved, label, mayBe = "" }) => isUnserved && !leavesOpen(label) && !isUtf16(mayBe);
  let unserved;
  for (const group of groups(text)) {
    unserved ??= group.filter(isListed);
    const known = group.filter(({ encoding }) => encoding !== undefined);
    if (known.length > 0) return { declarations: known.filter((declaration) => !declaration.isUnserved), unserved };
  }
  return { declarations: [], unserved: unserved ?? [] };
}

/** The declarations by groups of formats, in order of precedence. One group counts. */
function* groups(text) {
  const start = text.slice(0, PRESCAN);
  // They may contain HTML, but not the other way round.
  const notMarkup = [
    () => mailDeclarations(text),
    () => [cssDeclaration(start)],
    () => [poDeclaration(text)],
    () => [sourceCodeDeclaration(text)],
    () => lineDeclarations(text),
    () => latexDeclarations(text),
    () => sqlDeclarations(text),
  ];
  // The HTML Standard considers an XML declaration last. Here it comes first, because XML parsers read such files, too, and
  // because a feed may contain an HTML page in its text.
  const xml = () => xmlDeclaration(start) ?? misplacedXmlDeclaration(text);
  const markup = () => [xml(), ...jspDeclarations(text), ...phpDeclarations(text), ...htmlDeclarations(text)];
  for (const find of [...notMarkup, markup]) {
    const group = find().filter((declaration) => declaration !== undefined);
    if (group.length > 0) yield group;
  }
}
