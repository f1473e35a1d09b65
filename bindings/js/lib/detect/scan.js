// A position in text, for the algorithms of the HTML Standard. Text is a string with a character for each byte.

/** Thrown at the end of the text, which ends a whole prescan. */
export const END = Symbol("the end of the text");

export const isSpace = (char) => char !== "" && "\t\n\f\r ".includes(char);

/** Removes white space at the end, of ASCII by default. A regular expression would start again at each space of a long line. */
export function trimEnd(text, spaces = "\t\n\f\r ") {
  let end = text.length;
  while (end > 0 && spaces.includes(text[end - 1])) end--;
  return text.slice(0, end);
}

/** Removes ASCII white space at both ends. `trim` would remove more. */
export const trimAscii = (text) => trimEnd(text.replace(/^[\t\n\f\r ]+/, ""));

/** Converts ASCII letters. `toLowerCase` would convert more. */
export const lowerAscii = (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

export class Scan {
  constructor(text, at = 0) {
    this.text = text;
    this.at = at;
  }

  peek() {
    if (this.at >= this.text.length) throw END;
    return this.text[this.at];
  }

  take() {
    const char = this.peek();
    this.at++;
    return char;
  }

  skip(isUnwanted) {
    while (isUnwanted(this.peek())) this.at++;
  }

  find(needle) {
    const at = this.text.indexOf(needle, this.at);
    if (at < 0) throw END;
    return at;
  }
}

/** Runs a function, and returns `undefined` if the text ends in it. */
export function untilEnd(act) {
  try {
    return act();
  } catch (error) {
    if (error === END) return undefined;
    throw error;
  }
}
