// The codecs by the names of their encodings.

import { GSM_03_38 } from "./gsm-0338.js";
import { JOHAB } from "./johab.js";
import { HZ, ISO_2022_KR } from "./shifts.js";
import { CESU_8, Ucs2, Utf32 } from "./unicode.js";
import { Utf7 } from "./utf-7.js";

/** @type {Record<string, import("./coded.js").Codec>} */
export const CODECS = {
  "UTF-7": new Utf7(false),
  "UTF-7-IMAP": new Utf7(true),
  "UTF-32": new Utf32(undefined),
  "UTF-32BE": new Utf32(true),
  "UTF-32LE": new Utf32(false),
  "true-ucs-2be": new Ucs2(true),
  "true-ucs-2le": new Ucs2(false),
  "CESU-8": CESU_8,
  "true-hz": HZ,
  "true-iso-2022-kr": ISO_2022_KR,
  JOHAB,
  "GSM-03.38": GSM_03_38,
};
