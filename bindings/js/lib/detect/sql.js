// Declarations in SQL: `SET NAMES`, `SET CHARACTER SET`, `SET client_encoding`, and `\encoding` of psql.

import { SPACES, WORD, afterSpace, endOf, matchAt, skipped, wordAt } from "./code.js";
import { foundIn } from "./declaration.js";
import { isSpace, lowerAscii, trimAscii } from "./scan.js";

/** `/*!` is code in MySQL, and the number after it is a version. */
const SKIPPED = skipped("--|#", "(?!!)");
const CODE = /\/\*!\d*|\*\//y;
const DOLLAR_QUOTE = new RegExp(`\\$${WORD}*\\$`, "y");

/** The words that SQL can start with. */
const WORDS =
  "alter begin comment commit connect copy create delete delimiter drop grant insert lock pragma replace select set start truncate " +
  "update use with";
const words = WORDS.split(" ");

/**
 * Finds statements that name the encoding of the following ones. Each is at the start of a line, and not in a string or a comment,
 * except for comments of MySQL that are code: `/*!40101 SET NAMES latin1 *\/`. The text has to start with a comment or a word of SQL.
 */
export function sqlDeclarations(text) {
  const all = [];
  let at = afterSpace(text, 0);
  if (!/^(?:--|#|\/\*|\\)/.test(text.slice(at, at + 2)) && !words.includes(lowerAscii(wordAt(text, at)))) return all;
  // Whether a statement can start here, and whether only white space is before it in its line.
  let [starts, isFirst] = [true, true];
  let statement = at;
  while (at < text.length) {
    const end = endOfSkipped(text, at);
    const code = matchAt(CODE, text, at);
    const char = text[at];
    if (end !== undefined) {
      starts &&= !"'\"`$".includes(char);
      isFirst = false;
      at = end;
    } else if (code !== null) {
      at += code[0].length;
    } else if (char === ";") {
      at = !starts && isCopy(text.slice(statement, at)) ? endOf(text, at, "\n\\.") : at + 1;
      starts = true;
    } else if (isSpace(char)) {
      isFirst ||= char === "\n" || char === "\r";
      at++;
    } else {
      const declaration = starts && isFirst ? statementAt(text, at) : undefined;
      if (declaration !== undefined) all.push(declaration);
      isFirst = false;
      if (starts && char === "\\") {
        // A command of psql ends with its line.
        at += /^[^\n\r]*/.exec(text.slice(at))[0].length;
        continue;
      }
      if (starts) [starts, statement] = [false, at];
      at += wordAt(text, at).length || 1;
    }
  }
  return all;
}

/** Returns the end of the string or comment at a position, or `undefined`. */
function endOfSkipped(text, at) {
  const match = matchAt(SKIPPED, text, at);
  if (match !== null) return at + match[0].length;
  const quote = matchAt(DOLLAR_QUOTE, text, at)?.[0];
  return quote && endOf(text, at + quote.length, quote);
}

/** Returns whether lines of data follow a statement. */
const isCopy = (statement) => /^copy /i.test(trimAscii(statement)) && / stdin$/i.test(trimAscii(statement));

/** The end of a word, and white space. */
const END = `(?!${WORD})${SPACES}`;
const STATEMENT = new RegExp(
  `(?:\\\\(encoding)${END}` +
    `|set${END}(?:(?:session|local)${END})?(?:(?:names|charset|character${END}set)${END}|(client_encoding)${END}(?:to${END}|=${SPACES})))` +
    `(?:(["'])([\\w-]*)\\3|([\\w-]*))`,
  "iy",
);
/** What can be in a line after a statement. */
const REST = /[\t\f ]*(?:$|[\n\r;#]|\*\/|--|\/\*|collate )/iy;

/** Returns the declaration that a statement is. */
function statementAt(text, at) {
  const match = matchAt(STATEMENT, text, at);
  if (match === null || !matchAt(REST, text, STATEMENT.lastIndex)) return undefined;
  const [, isPsql, isPostgres, , quoted, plain] = match;
  return foundIn(isPsql || isPostgres ? "postgres" : "sql", quoted ?? plain, at);
}
