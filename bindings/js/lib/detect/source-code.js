// Declarations in source code: PEP 263 of Python, which Ruby and Emacs share.

import { forName, found } from "./declaration.js";
import { isUnmistakable, leavesOpen } from "./label.js";
import { linesOf } from "./lines.js";
import { trimAscii, trimEnd } from "./scan.js";

export function sourceCodeDeclaration(text) {
  let count = 0;
  let unknown;
  for (const { start, line } of linesOf(text)) {
    const code = trimEnd(line.replace(/^[ \t\f]+/, ""));
    const isComment = code.startsWith("#");
    const label = isComment ? /coding[:=][ \t]*([\w.-]+)/.exec(code) : null;
    if (label !== null) {
      const declaration = found(pythonCodec(label[1]), "comment", label[1], start + /^[ \t\f]*/.exec(line)[0].length);
      if (declaration?.encoding !== undefined) return declaration;
      if (declaresUnknown(code, label[1], label.index + label[0].length)) unknown ??= declaration;
    }
    // The second line counts only if the first is empty or a comment.
    if (++count === 2 || (code !== "" && !isComment)) break;
  }
  return unknown;
}

/** Returns whether a comment with an unknown label declares an encoding. `# Encoding: base64` may be about something else. */
function declaresUnknown(comment, label, end) {
  const before = comment.slice(0, end - label.length);
  const isModeLine = /-\*-|vim:|vi:/.test(before);
  // One word, as in `# coding: cp849`.
  const isAlone = !trimAscii(before.replace(/^#+/, "")).includes(" ") && end === comment.length;
  return !leavesOpen(label) && (isModeLine || (isAlone && isUnmistakable(label)));
}

/** Returns the encoding of a name that Python, Ruby or Emacs knows. */
function pythonCodec(label) {
  const name = label.replace(/-(unix|dos|mac)$/, "");
  const hyphenated = name.replaceAll("_", "-");
  return forName(name) ?? forName(hyphenated) ?? forName(hyphenated.replaceAll("-", ""));
}
