// Lines of text, with their line feeds.

/** Returns the end of the line that starts at an index. */
export function lineEnd(text, start) {
  const feed = text.indexOf("\n", start);
  return feed < 0 ? text.length : feed + 1;
}

/** Returns the lines, one by one. */
export function* linesOf(text) {
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    yield { start, line: text.slice(start, end) };
    start = end;
  }
}

/** Returns the lines without their ends, which are LF, CR or both; between both is an empty line. */
export function* shortLinesOf(text) {
  let start = 0;
  for (const line of text.split(/[\n\r]/)) {
    yield { start, line };
    start += line.length + 1;
  }
}
