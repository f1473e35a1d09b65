// The HTML Standard's "get an XML encoding".

import { PRESCAN, forLabel, found } from "./declaration.js";
import { isSpace } from "./scan.js";

const VALUE = /[\0- ]*=[\0- ]*(?:"([^"]*)"|'([^']*)')/y;

export function xmlDeclaration(text, offset = 0) {
  const end = text.indexOf(">"); // 3
  if (!text.startsWith("<?xml") || end < 0) return undefined; // 2
  const at = text.indexOf("encoding"); // 4
  if (at < 0) return undefined;
  VALUE.lastIndex = at + "encoding".length; // 5
  const match = VALUE.exec(text.slice(0, end)); // 6 to 13
  const label = match?.[1] ?? match?.[2]; // 14
  if (label === undefined || /[\0- ]/.test(label)) return undefined; // 15
  return found(forLabel(label), "xml", label, offset); // 16, 17
}

/** Finds an XML declaration after white space or comments. XML does not allow it there, but it says what the writer meant. */
export function misplacedXmlDeclaration(text) {
  const spaces = /[\t\n\f\r ]*/y;
  for (;;) {
    spaces.test(text);
    const at = spaces.lastIndex;
    if (!text.startsWith("<!--", at)) {
      const isDeclaration = text.startsWith("<?xml", at) && isSpace(text[at + 5] ?? "");
      return isDeclaration ? xmlDeclaration(text.slice(at, at + PRESCAN), at) : undefined;
    }
    const end = text.indexOf("-->", at);
    if (end < 0) return undefined;
    spaces.lastIndex = end + "-->".length;
  }
}
