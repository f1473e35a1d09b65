// Declarations in mail: the `charset` of a message, or of the parts of a multipart message (RFC 2045). Damaged mail is read as mail programs
// do: a header without an empty line ends before the first line that is not a field.

import { forName, found } from "./declaration.js";
import { linesOf } from "./lines.js";
import { lowerAscii, trimAscii, trimEnd } from "./scan.js";

/** The start of the line before each message in a file of the format mbox. */
const MBOX = "From ";

/** The maximum number of levels of parts. Deeper parts are not searched. */
const MAX_LEVELS = 32;

/** The transfer encodings that are ASCII. The charset of such a part is that of the decoded bytes. */
const ENCODED = ["base64", "quoted-printable", "x-uuencode", "uuencode", "x-uue"];

export function mailDeclarations(text) {
  const scanner = new Scanner(text);
  for (const line of linesOf(text)) scanner.add(line);
  return scanner.declarations.sort((a, b) => a.offset - b.offset);
}

/** Finds the headers of messages and of their parts, line by line. */
class Scanner {
  declarations = [];
  #text;
  #isMailbox;
  #isNoMail = false;
  #isAfterBlank = true;
  #messages = 0;
  /** The multipart parts that are open. */
  #levels = [];
  /** The header that is being read, or `undefined` in a body. */
  #header;

  constructor(text) {
    this.#text = text;
    this.#isMailbox = text.startsWith(MBOX);
    if (!this.#isMailbox) this.#open("first", 0);
  }

  /** Starts a header. `isDigest` says that a part is a message if it does not say what it is. */
  #open(kind, start, isDigest = false) {
    this.#header = { kind, start, end: start, isDigest, isAfterBlank: this.#isAfterBlank };
  }

  add({ start, line }) {
    if (this.#isNoMail) return;
    const end = start + line.length;
    if (this.#header === undefined || !this.#addToHeader(line, end)) this.#addToBody(line, end);
    this.#isAfterBlank = trimAscii(line) === "";
  }

  /** Adds a line to the header. Returns whether it belongs to it. If not, the header has ended. */
  #addToHeader(line, end) {
    const header = this.#header;
    const isEnd = line === "\n" || line === "\r\n";
    const isFirst = header.start === header.end;
    if (isEnd ? header.kind === "part" || !isFirst : isFieldLine(line, isFirst)) {
      header.end = end;
      if (isEnd) this.#begin(header, true);
      return true;
    }
    this.#header = undefined;
    if (header.kind === "part") this.#begin(header, false);
    else this.#isNoMail = header.kind === "first" || this.#messages === 0;
    return false;
  }

  #addToBody(line, end) {
    if (this.#isNoMail) return;
    if (this.#isMailbox && line.startsWith(MBOX)) {
      // If no header follows, this is text of the part before it.
      this.#open("message", end);
      return;
    }
    const delimiter = line.startsWith("--") ? trimEnd(line.slice(2)) : undefined;
    const isOf = ({ boundary }) => delimiter === boundary || delimiter === `${boundary}--`;
    const level = this.#levels.map(isOf).lastIndexOf(true);
    if (level < 0) return;
    const { boundary, isDigest } = this.#levels[level];
    const isLast = delimiter !== boundary;
    this.#levels.length = isLast ? level : level + 1;
    if (!isLast) this.#open("part", end, isDigest);
  }

  /** Ends a header, and starts the body. */
  #begin({ kind, start, end, isDigest, isAfterBlank }, isComplete) {
    const header = new Header(this.#text.slice(start, end));
    this.#header = undefined;
    if (kind !== "part") {
      if (!header.hasFields || (!isAfterBlank && !header.isOfMessage)) return;
      this.#levels = [];
      this.#messages++;
    }
    const mediaType = header.value("content-type");
    const isEncoded = ENCODED.includes(header.value("content-transfer-encoding"));
    const boundary = /^multipart\//.test(mediaType) ? header.parameter("boundary") : undefined;
    if (boundary !== undefined && this.#levels.length < MAX_LEVELS) {
      this.#levels.push({ boundary: trimEnd(boundary), isDigest: mediaType === "multipart/digest" });
    }
    if (!isComplete || isEncoded) return;
    const label = header.parameter("charset");
    const declaration = label === undefined ? undefined : found(forName(label), "mail", label, start + header.fields.get("content-type").line);
    if (declaration !== undefined) this.declarations.push(declaration);
    const isMessage = /^message\/(?:rfc822|global|news)$/.test(mediaType) || (isDigest && mediaType === "");
    if (isMessage) this.#open("part", end);
  }
}

const isFolded = (line) => /^[ \t]/.test(line);

/** Returns the name of the field that begins with a line, and where its value starts. */
function fieldOf(line) {
  const match = /^([!-9;-~]+)[\t\n\f\r ]*:/.exec(line);
  return match === null ? undefined : { name: lowerAscii(match[1]), start: match[0].length };
}

/** Returns whether a line can be in a header. Some programs have quoted the first line of a mailbox. */
const isFieldLine = (line, isFirst) => (isFirst ? line.startsWith(`>${MBOX}`) : isFolded(line)) || fieldOf(line) !== undefined;

const OF_MESSAGE = ["from", "date", "received", "return-path", "message-id"];

/** The fields of a message or of a part. */
class Header {
  /** By name: the offset of the line, and the value. Of fields with the same name, the first counts. */
  fields = new Map();

  constructor(text) {
    let last;
    for (const { start, line } of linesOf(text)) {
      const field = fieldOf(line);
      if (isFolded(line)) {
        if (last !== undefined) last.value += line; // The previous field continues.
      } else if (field !== undefined) {
        last = { line: start, value: line.slice(field.start) };
        if (!this.fields.has(field.name)) this.fields.set(field.name, last);
      }
    }
  }

  get hasFields() {
    return this.fields.size > 0;
  }

  /** Whether this is the header of a message, even where it may be text. */
  get isOfMessage() {
    return OF_MESSAGE.some((name) => this.fields.has(name));
  }

  /** Returns a field without its parameters, in lower case. */
  value(name) {
    return lowerAscii(trimAscii(/^[^;(]*/.exec(this.fields.get(name)?.value ?? "")[0]));
  }

  /** Returns the value of a parameter of the field `Content-Type`, if it has one. */
  parameter(name) {
    return parameter(this.fields.get("content-type")?.value, name);
  }
}

/** Returns the value of a parameter of a field, if it has one. */
export function parameter(value, name) {
  if (value === undefined) return undefined;
  const pattern = new RegExp(`;[\\t\\n\\f\\r ]*${name}[\\t\\n\\f\\r ]*=[\\t\\n\\f\\r ]*(?:"([^"]*)("?)|([^\\t\\n\\f\\r ;(]*))`, "iy");
  // What is in quotes has no parameters.
  for (const { 0: part, index } of value.matchAll(/"(?:\\[^]|[^"\\])*"?|;/g)) {
    pattern.lastIndex = index;
    const match = part === ";" ? pattern.exec(value) : null;
    if (match !== null) return match[1] !== undefined && match[2] === "" ? undefined : (match[1] ?? match[3]);
  }
  return undefined;
}
