// Formats whose declaration is a line, or a part of one: GEDCOM, desktop entries, vCard, iCalendar and scripts of Vim.

import { found, foundIn } from "./declaration.js";
import { isUnmistakable } from "./label.js";
import { shortLinesOf } from "./lines.js";
import { forNameIn } from "./names.js";
import { trimAscii, trimEnd } from "./scan.js";

/** Finds the declaration of the format that the text starts like. */
export function lineDeclarations(text) {
  const lines = [...shortLinesOf(text)].filter(({ line }) => trimAscii(line) !== "");
  for (const header of HEADERS) {
    const declaration = inHeader(header, lines);
    if (declaration !== undefined) return [declaration];
  }
  const script = scriptOfVim(lines);
  return script === undefined ? cards(lines) : [script];
}

/** Formats with a header: what the first line can be, the line with the label, and the start of the line after the header. */
const HEADERS = [
  { form: "gedcom", first: /^0 HEAD$/, label: /^[\t\f ]*1 CHAR[ \t]+([^]*)/, end: "0 " },
  { form: "desktop", first: /^\[(?:KDE )?Desktop Entry\]$/, label: /^[\t\f ]*Encoding[ \t]*=([^]*)/, end: "[", comment: "#" },
];

function inHeader({ form, first, label, end, comment }, lines) {
  const [{ line: title = "" } = {}, ...rest] = lines.filter(({ line }) => line[0] !== comment);
  if (!first.test(trimEnd(title))) return undefined;
  for (const { start, line } of rest) {
    if (line.startsWith(end)) return undefined;
    const match = label.exec(line);
    const declaration = match === null ? undefined : foundIn(form, trimAscii(match[1]), start);
    if (declaration !== undefined) return declaration;
  }
  return undefined;
}

/** Finds the parameters `CHARSET` of properties in vCard 2.1, iCalendar and vCalendar. */
function cards(lines) {
  if (lines.length === 0 || !/^BEGIN:(?:VCARD|VCALENDAR)$/i.test(trimEnd(lines[0].line))) return [];
  return lines.slice(1).map(property).filter((declaration) => declaration !== undefined);
}

function property({ start, line }) {
  const parameters = /^[a-z\d./-]+((?:;(?:[^";:]|"[^"]*")*)*):/i.exec(line)?.[1];
  let label;
  for (const [, parameter] of parameters?.matchAll(/;((?:[^";]|"[^"]*")*)/g) ?? []) {
    // A value in base64 or quoted-printable is ASCII, and its charset is that of the decoded bytes.
    if (/^(?:encoding=)?(?:quoted-printable|base64|b)$/i.test(parameter)) return undefined;
    const value = /^charset=([^]*)/i.exec(parameter)?.[1];
    if (value !== undefined) label = value.startsWith('"') ? value.slice(1, -1) : value;
  }
  return label === undefined ? undefined : foundIn("card", label, start);
}

/** The number of lines in which `scriptencoding` is searched. */
const MAX_LINES = 100;

/** Commands of Vim that are usual at the start of a script. */
const COMMANDS =
  "augroup autocmd call catch colorscheme command const def echo else elseif endfunction endif endtry execute export filetype finish " +
  "function highlight if import let map nmap nnoremap noremap packadd return runtime set setlocal source syntax try unlet vim9script";
const commands = COMMANDS.split(" ");

/** Finds `scriptencoding` in a script of Vim. Only comments and commands are before it. */
function scriptOfVim(lines) {
  let isVim9 = false;
  for (const { start, line } of lines.slice(0, MAX_LINES)) {
    const code = trimAscii(line);
    const [word] = /^[a-z\d]*/i.exec(code);
    isVim9 ||= word === "vim9script";
    // Its short forms are `scripte`, `scripten` and so on.
    if (word.length >= 7 && "scriptencoding".startsWith(word)) {
      const label = /^[\t\f ]+([^\t\f ]+)(?![^\t\f ])[\t\f ]*(?:$|["#|])/.exec(code.slice(word.length))?.[1];
      if (label === undefined) return undefined;
      const encoding = forNameIn("vim", label);
      return encoding !== undefined || isUnmistakable(label) ? found(encoding, "vim", label, start) : undefined;
    }
    // A backslash continues a command.
    if (!/^["\\]/.test(code) && !(isVim9 && code.startsWith("#")) && !commands.includes(word)) return undefined;
  }
  return undefined;
}
