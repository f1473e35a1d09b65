// Declarations in mail: the `charset` of a message, or of the parts of a multipart message (RFC 2045).

import { forName, found } from "./declaration.js";
import { lineEnd } from "./lines.js";
import { lowerAscii, trimAscii, trimEnd } from "./scan.js";

/** The start of each message in a file of the format mbox. */
const MBOX = "From ";

/** The maximum number of boundaries. Deeper parts are not searched. */
const MAX_BOUNDARIES = 16;

export function mailDeclarations(text) {
  const all = [];
  const isMbox = text.startsWith(MBOX);
  let header = new Header(text, isMbox ? lineEnd(text, 0) : 0);
  let boundaries = [];
  while (header.isValid) {
    const declaration = header.declaration();
    if (declaration !== undefined) all.push(declaration);
    const boundary = boundaries.length < MAX_BOUNDARIES ? header.boundary() : undefined;
    if (boundary !== undefined) boundaries.push(boundary);
    let at = header.end;
    for (let isAfterBlank = true; ; ) {
      if (at >= text.length) return all;
      const line = text.slice(at, lineEnd(text, at));
      at += line.length;
      const isMessage = isMbox && isAfterBlank && line.startsWith(MBOX);
      const isPart = line.startsWith("--") && boundaries.includes(trimEnd(line.slice(2)));
      if (isMessage) boundaries = [];
      isAfterBlank = trimAscii(line) === "";
      if (!isMessage && !isPart) continue;
      header = new Header(text, at);
      if (header.isValid) break;
      // Each line is parsed once, so that hostile text does not take long.
      at = header.end;
    }
  }
  return all;
}

/** The fields of a message or of a part. */
class Header {
  /** By name: the start and the end of the value. Of fields with the same name, the first counts. */
  #fields = new Map();
  #text;

  constructor(text, start) {
    this.#text = text;
    this.isValid = this.#parse(start);
  }

  /** Returns whether there is a header. `end` is its end, or that of what was parsed. */
  #parse(start) {
    let last;
    for (this.end = start; this.end < this.#text.length; ) {
      const at = this.end;
      const end = lineEnd(this.#text, at);
      const line = this.#text.slice(at, end);
      if (trimAscii(line) === "") {
        this.end = end;
        return true;
      }
      if (/^[ \t]/.test(line)) {
        if (last === undefined) return false;
        last.end = end; // The previous field continues.
      } else {
        const name = /^([!-9;-~]+):/.exec(line)?.[1];
        if (name === undefined) return false;
        last = { start: at + name.length + 1, end };
        const key = lowerAscii(name);
        if (!this.#fields.has(key)) this.#fields.set(key, last);
      }
      this.end = end;
    }
    return false;
  }

  #value(name) {
    const field = this.#fields.get(name);
    return field && this.#text.slice(field.start, field.end);
  }

  declaration() {
    const transferEncoding = lowerAscii(trimAscii(this.#value("content-transfer-encoding") ?? ""));
    if (transferEncoding === "base64" || transferEncoding === "quoted-printable") return undefined;
    const label = parameter(this.#value("content-type"), "charset");
    if (label === undefined) return undefined;
    const offset = this.#text.lastIndexOf("\n", this.#fields.get("content-type").start - 1) + 1;
    return found(forName(label), "mail", label, offset);
  }

  boundary() {
    const value = this.#value("content-type");
    return value !== undefined && /^multipart\//i.test(trimAscii(value)) ? parameter(value, "boundary") : undefined;
  }
}

/** Returns the value of a parameter of a field, if it has one. */
function parameter(value, name) {
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
