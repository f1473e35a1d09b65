// Declarations in LaTeX: `\usepackage[latin1]{inputenc}` and `\inputencoding{latin1}`.

import { foundIn } from "./declaration.js";
import { shortLinesOf } from "./lines.js";
import { trimAscii, trimEnd } from "./scan.js";

/** Arguments, which may follow white space and are short. */
const ARGUMENT = /\\inputencoding[\t\n\f\r ]*\{([^}]{0,199})\}/y;
const PACKAGE = /\\(?:usepackage|RequirePackage)[\t\n\f\r ]*\[([^\]]{0,199})\][\t\n\f\r ]*\{([^}]{0,199})\}/y;

/** Environments that show their text, or write it to a file. */
const RAW = "(?:verbatim|Verbatim|lstlisting|minted|filecontents|comment)";
const BEGIN_RAW = new RegExp(`^\\\\begin\\{${RAW}`);
const END_RAW = new RegExp(`^\\\\end\\{${RAW}`);

/**
 * Finds the commands of the package inputenc, outside of comments, of arguments and of text that is shown as it is. After
 * `\begin{document}`, only `\inputencoding` counts. The first line that is neither blank nor a comment has to start with a command.
 */
export function latexDeclarations(text) {
  const all = [];
  let hasStarted = false;
  let isBody = false;
  let isRaw = false;
  for (const { start, line } of shortLinesOf(text)) {
    const [code] = /^(?:[^\\%]|\\[^]?)*/.exec(line); // without a comment
    const trimmed = code.replace(/^[\t\f ]+/, "");
    if (trimmed === "") continue;
    if (!hasStarted && !/^\\[a-z]/i.test(trimmed)) break;
    hasStarted = true;
    if (END_RAW.test(trimmed)) isRaw = false;
    if (BEGIN_RAW.test(trimmed)) isRaw = true;
    isBody ||= trimmed.startsWith("\\begin{document}");
    if (isRaw) continue;
    if (trimmed.startsWith("\\end{document}")) break;
    for (let at = code.indexOf("\\"); at >= 0; at = code.indexOf("\\", at + 1)) {
      // Not in an argument of another command, and not after `\verb|`.
      const before = trimEnd(code.slice(0, at));
      if (before !== "" && !before.endsWith("}")) continue;
      const label = labelAt(text, start + at, isBody);
      const declaration = label === undefined ? undefined : foundIn("latex", trimAscii(label), start + at);
      if (declaration !== undefined) all.push(declaration);
    }
  }
  return all;
}

function labelAt(text, at, isBody) {
  ARGUMENT.lastIndex = PACKAGE.lastIndex = at;
  const label = ARGUMENT.exec(text)?.[1];
  if (label !== undefined || isBody) return label;
  const [, options, packages = ""] = PACKAGE.exec(text) ?? [];
  const isInputenc = packages.split(",").some((name) => /^inputen[cx]$/.test(trimAscii(name)));
  // The last option is the one that counts.
  return isInputenc ? options.slice(options.lastIndexOf(",") + 1) : undefined;
}
