// "Parse a MIME type" of the MIME Sniffing Standard, as far as the parameter `charset` needs it.

import { trimEnd } from "./scan.js";

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const START = new RegExp(`^${TOKEN}/${TOKEN}[\\t\\n\\r ]*(?=;|$)`);
const PARAMETER = /;[\t\n\r ]*([^;=]*)(?:=(?:"((?:\\[^]|[^"\\])*\\?)"?[^;]*|([^;]*)))?/y;

const HTTP_SPACES = "\t\n\r ";

/** Returns the value of the first valid parameter `charset`, or `undefined`. */
export function charsetOf(header) {
  const text = trimEnd(header.replace(/^[\t\n\r ]+/, ""), HTTP_SPACES);
  const start = START.exec(text);
  if (start === null) return undefined;
  PARAMETER.lastIndex = start[0].length;
  for (let match = PARAMETER.exec(text); match !== null; match = PARAMETER.exec(text)) {
    const [, name, quoted, plain] = match;
    const value = quoted?.replace(/\\([^])/g, "$1") ?? (plain && trimEnd(plain, HTTP_SPACES));
    if (value === undefined || (value === "" && quoted === undefined)) continue;
    if (name.toLowerCase() === "charset" && /^[\t -~\x80-\uffff]*$/.test(value)) return value;
  }
  return undefined;
}
