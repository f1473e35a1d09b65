// Declarations in PHP: `header('Content-Type: text/html; charset=…')` and `declare(encoding='…')`.

import { SPACES, WORD, afterSpace, endOf, matchAt, skipped, wordAt } from "./code.js";
import { foundIn } from "./declaration.js";
import { isPage } from "./html.js";
import { parameter } from "./mail.js";
import { isSpace } from "./scan.js";

const SKIPPED = skipped("//|#", "");
const OPENING = /<\?(?:php|[=\t\n\f\r ])/gi;
const HEREDOC = new RegExp(`<<<${SPACES}["']?(${WORD}+)`, "y");
const STRING = "(?:\"([^\"]*)\"|'([^']*)')";
const HEADER = new RegExp(`header${SPACES}\\(${SPACES}${STRING}`, "iy");
const DECLARE = new RegExp(`declare${SPACES}\\(${SPACES}encoding${SPACES}=${SPACES}${STRING}`, "iy");

/** Finds the calls in the code of a page. The page has to start with a tag, or with `#!`. */
export function phpDeclarations(text) {
  const all = [];
  if (!isPage(text) && !text.startsWith("#!")) return all;
  for (let at = codeAfter(text, 0); at !== undefined; at = codeAfter(text, at)) {
    // The last character that is not white space.
    let before = ";";
    while (at < text.length && !text.startsWith("?>", at)) {
      const end = endOfSkipped(text, at);
      const word = wordAt(text, at);
      if (end !== undefined) {
        at = end;
      } else if (word !== "") {
        // Not a method, a variable or another name.
        const label = "$>:".includes(before) ? undefined : labelOfCall(text, at, word);
        const declaration = label === undefined ? undefined : foundIn("php", label, at);
        if (declaration !== undefined) all.push(declaration);
        at += word.length;
        before = "a";
      } else {
        if (!isSpace(text[at])) before = text[at];
        at++;
      }
    }
  }
  return all;
}

/** Returns the position after the next opening tag. */
function codeAfter(text, at) {
  OPENING.lastIndex = at;
  return OPENING.test(text) ? OPENING.lastIndex : undefined;
}

/** Returns the end of the string or comment at a position, or `undefined`. */
function endOfSkipped(text, at) {
  const match = matchAt(SKIPPED, text, at);
  if (match !== null) return at + match[0].length;
  const heredoc = matchAt(HEREDOC, text, at);
  if (heredoc === null) return undefined;
  const [start, name] = heredoc;
  let line = at + start.length;
  do line = afterSpace(text, endOf(text, line, "\n"));
  while (line < text.length && wordAt(text, line) !== name);
  return line;
}

/** Returns the label in a call of `header` or `declare`. */
function labelOfCall(text, at, word) {
  const isHeader = /^header$/i.test(word);
  if (!isHeader && !/^declare$/i.test(word)) return undefined;
  const [, one, other] = matchAt(isHeader ? HEADER : DECLARE, text, at) ?? [];
  const value = one ?? other;
  if (!isHeader || value === undefined) return value;
  return /^content-type[\t\n\f\r ]*:/i.test(value) ? parameter(value, "charset") : undefined;
}
