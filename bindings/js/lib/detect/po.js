// Declarations in PO files of gettext.

import { forName, found } from "./declaration.js";
import { linesOf } from "./lines.js";
import { trimEnd } from "./scan.js";

export function poDeclaration(text) {
  let isHeader = false;
  let hasStarted = false;
  for (const { start, line: whole } of linesOf(text)) {
    const line = trimEnd(whole);
    if (line.startsWith("msgstr") && hasStarted && !isHeader) {
      isHeader = true;
    } else if (/^msgid[\t\n\f\r ]*""$/.test(line) && !hasStarted) {
      hasStarted = true;
      continue;
    } else if (isHeader ? !line.startsWith('"') : line !== "" && !line.startsWith("#")) {
      return undefined;
    }
    const field = isHeader ? line.search(/content-type:/i) : -1;
    if (field < 0) continue;
    const label = /charset=([^\\"; ]*)/i.exec(line.slice(field))?.[1];
    return label === undefined ? undefined : found(forName(label), "po", label, start);
  }
  return undefined;
}
