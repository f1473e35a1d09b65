// Words, strings and comments of languages. Text is a string with a character for each byte.

/** A letter, a digit, `_`, or a byte that is not ASCII. */
export const WORD = "[\\w\\x80-\\xff]";
export const SPACES = "[\\t\\n\\f\\r ]*";

/**
 * Returns a sticky pattern of strings and comments, in which nothing is a declaration.
 * @param lineComments a pattern of the starts of comments that end with the line
 * @param noComment what is code after the start of a comment
 */
export const skipped = (lineComments, noComment) =>
  new RegExp(`(?:${lineComments})[^\\n\\r]*|/\\*${noComment}[^]*?(?:\\*/|$)|(["'\`])(?:\\\\[^]?|(?!\\1)[^\\\\])*\\1?`, "y");

/** Matches a sticky pattern at a position. */
export function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns the position after the next occurrence of a string, or the end of the text. */
export function endOf(text, at, needle) {
  const start = text.indexOf(needle, at);
  return start < 0 ? text.length : start + needle.length;
}

const word = new RegExp(`${WORD}*`, "y");

/** Returns the word at a position, or "". */
export const wordAt = (text, at) => matchAt(word, text, at)[0];

const spaces = new RegExp(SPACES, "y");

/** Returns the position of the next character that is not white space. */
export const afterSpace = (text, at) => at + matchAt(spaces, text, at)[0].length;
