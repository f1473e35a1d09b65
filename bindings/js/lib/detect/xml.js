// The HTML Standard's "get an XML encoding".

import { forLabel, found } from "./declaration.js";

const VALUE = /[\0- ]*=[\0- ]*(?:"([^"]*)"|'([^']*)')/y;

export function xmlDeclaration(text) {
  const end = text.indexOf(">"); // 3
  if (!text.startsWith("<?xml") || end < 0) return undefined; // 2
  const at = text.indexOf("encoding"); // 4
  if (at < 0) return undefined;
  VALUE.lastIndex = at + "encoding".length; // 5
  const match = VALUE.exec(text.slice(0, end)); // 6 to 13
  const label = match?.[1] ?? match?.[2]; // 14
  if (label === undefined || /[\0- ]/.test(label)) return undefined; // 15
  return found(forLabel(label), "xml", label, 0); // 16, 17
}
