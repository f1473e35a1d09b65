// Declarations in JSP: `<%@ page pageEncoding="…" contentType="…; charset=…" %>`.

import { SPACES, WORD, endOf, matchAt } from "./code.js";
import { foundIn } from "./declaration.js";
import { isPage } from "./html.js";
import { parameter } from "./mail.js";

const DIRECTIVE = new RegExp(`<%@${SPACES}page`, "y");
/** White space separates attributes. */
const ATTRIBUTE = new RegExp(`[\\t\\n\\f\\r ]${SPACES}(${WORD}+)${SPACES}=${SPACES}(?:"([^"]*)"|'([^']*)')`, "y");

/** Finds the directives of a page. `pageEncoding` takes precedence over `contentType`, wherever they are. */
export function jspDeclarations(text) {
  const all = { __proto__: null, pageEncoding: [], contentType: [] };
  if (!isPage(text)) return [];
  for (let at = text.indexOf("<%"); at >= 0; at = text.indexOf("<%", at)) {
    const start = at;
    at = text.startsWith("<%--", start) ? endOf(text, start + 4, "--%>") : endOf(text, start, "%>");
    const directive = matchAt(DIRECTIVE, text, start);
    if (directive === null || !text.startsWith("%>", at - 2)) continue;
    for (const { name, value } of attributes(text.slice(start, at), directive[0].length)) {
      const label = name === "contentType" ? parameter(value, "charset") : value;
      const declaration = all[name] === undefined || label === undefined ? undefined : foundIn("jsp", label, start);
      if (declaration !== undefined) all[name].push(declaration);
    }
  }
  return all.pageEncoding.length > 0 ? all.pageEncoding : all.contentType;
}

function* attributes(directive, at) {
  for (let match = matchAt(ATTRIBUTE, directive, at); match !== null; match = ATTRIBUTE.exec(directive)) {
    yield { name: match[1], value: match[2] ?? match[3] };
  }
}
