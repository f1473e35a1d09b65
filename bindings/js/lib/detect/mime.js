// "Parse a MIME type" of the MIME Sniffing Standard, as far as the parameter `charset` needs it.

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const START = new RegExp(`^${TOKEN}/${TOKEN}[\\t\\n\\r ]*(?=;|$)`);
const PARAMETER = /;[\t\n\r ]*([^;=]*)(?:=(?:"((?:\\[^]|[^"\\])*\\?)"?[^;]*|([^;]*)))?/y;

/** Returns the value of the first valid parameter `charset`, or `undefined`. */
export function charsetOf(header) {
  const text = header.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  const start = START.exec(text);
  if (start === null) return undefined;
  PARAMETER.lastIndex = start[0].length;
  for (let match = PARAMETER.exec(text); match !== null; match = PARAMETER.exec(text)) {
    const [, name, quoted, plain] = match;
    const value = quoted?.replace(/\\([^])/g, "$1") ?? plain?.replace(/[\t\n\r ]+$/, "");
    if (value === undefined || (value === "" && quoted === undefined)) continue;
    if (name.toLowerCase() === "charset" && /^[\t -~\x80-\uffff]*$/.test(value)) return value;
  }
  return undefined;
}
