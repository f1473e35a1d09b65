// "Parse a MIME type" of the MIME Sniffing Standard, as far as the parameter `charset` needs it.

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const START = new RegExp(`^${TOKEN}/${TOKEN}[\\t\\n\\r ]*(?=;|$)`);
const PARAMETER = /;[\t\n\r ]*([^;=]*)(?:=(?:"((?:\\[^]|[^"\\])*\\?)"?[^;]*|([^;]*)))?/y;

/** Removes HTTP white space at the end. A regular expression would start again at each space of a long header. */
function trimEnd(text) {
  let end = text.length;
  while (end > 0 && "\t\n\r ".includes(text[end - 1])) end--;
  return text.slice(0, end);
}

/** Returns the value of the first valid parameter `charset`, or `undefined`. */
export function charsetOf(header) {
  const text = trimEnd(header.replace(/^[\t\n\r ]+/, ""));
  const start = START.exec(text);
  if (start === null) return undefined;
  PARAMETER.lastIndex = start[0].length;
  for (let match = PARAMETER.exec(text); match !== null; match = PARAMETER.exec(text)) {
    const [, name, quoted, plain] = match;
    const value = quoted?.replace(/\\([^])/g, "$1") ?? (plain && trimEnd(plain));
    if (value === undefined || (value === "" && quoted === undefined)) continue;
    if (name.toLowerCase() === "charset" && /^[\t -~\x80-\uffff]*$/.test(value)) return value;
  }
  return undefined;
}
