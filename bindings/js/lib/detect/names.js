// Names of encodings that formats have, in addition to labels and to the names that are used everywhere outside the web.

import { forName } from "./declaration.js";
import { lowerAscii } from "./scan.js";

const POSTGRES =
  "unicode utf-8,win1250 windows-1250,win1251 windows-1251,win windows-1251,win1252 windows-1252,win1253 windows-1253," +
  "win1254 windows-1254,win1255 windows-1255,win1256 windows-1256,win1257 windows-1257,win1258 windows-1258,tcvn windows-1258," +
  "win866 ibm866,alt ibm866,win874 windows-874,koi8r koi8-r,koi8u koi8-u";

/** The names in lower case, and their labels. */
const NAMES = {
  latex: "lutf8 utf-8,ansinew windows-1252,applemac macintosh,maccyr x-mac-cyrillic",
  gedcom: "ansi windows-1252,ibm windows windows-1252",
  // MySQL and PostgreSQL share `SET NAMES`.
  sql: `hebrew iso-8859-8-i,eucjpms euc-jp,${POSTGRES}`,
  postgres: POSTGRES,
};

const split = (entry) => [entry.slice(0, entry.lastIndexOf(" ")), entry.slice(entry.lastIndexOf(" ") + 1)];
const maps = Object.fromEntries(Object.entries(NAMES).map(([form, names]) => [form, new Map(names.split(",").map(split))]));

/** Returns the encoding of a name in a format, or `undefined`. */
export const forNameIn = (form, name) => forName(maps[form]?.get(lowerAscii(name)) ?? name);
