// Declarations in source code: PEP 263 of Python, which Ruby and Emacs share.

import { forName, found } from "./declaration.js";
import { linesOf } from "./lines.js";
import { trimEnd } from "./scan.js";

export function sourceCodeDeclaration(text) {
  let count = 0;
  for (const { start, line } of linesOf(text)) {
    const code = trimEnd(line.replace(/^[ \t\f]+/, ""));
    const isComment = code.startsWith("#");
    const label = isComment ? /coding[:=][ \t]*([\w.-]+)/.exec(code)?.[1] : undefined;
    const named = label === undefined ? undefined : pythonCodec(label);
    if (named !== undefined) return found(named, "comment", label, start + /^[ \t\f]*/.exec(line)[0].length);
    // The second line counts only if the first is empty or a comment.
    if (++count === 2 || (code !== "" && !isComment)) break;
  }
  return undefined;
}

/** Returns the encoding of a name that Python, Ruby or Emacs knows. */
function pythonCodec(label) {
  const name = label.replace(/-(unix|dos|mac)$/, "");
  const hyphenated = name.replaceAll("_", "-");
  return forName(name) ?? forName(hyphenated) ?? forName(hyphenated.replaceAll("-", ""));
}
