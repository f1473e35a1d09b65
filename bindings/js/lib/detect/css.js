// Style sheets: "determine the fallback encoding" of CSS Syntax.

import { forLabel, found } from "./declaration.js";

export function cssDeclaration(text) {
  const label = /^@charset "([\0-!#-\x7f]*)";/.exec(text)?.[1];
  return label === undefined ? undefined : found(forLabel(label), "css", label, 0);
}
