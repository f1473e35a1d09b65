// The numbers of encodings that need special treatment: indexes into the standard's table.

export const UTF_8 = 0;
const ISO_8859_8_I = 9;
export const WINDOWS_1252 = 21;
export const GBK = 29;
export const GB18030 = 30;
export const BIG5 = 31;
export const EUC_JP = 32;
export const ISO_2022_JP = 33;
export const SHIFT_JIS = 34;
export const EUC_KR = 35;
export const REPLACEMENT = 36;
export const UTF_16BE = 37;
export const UTF_16LE = 38;
export const X_USER_DEFINED = 39;

/** Returns the row of a single-byte encoding in the table of section 9. ISO-8859-8-I has the index of ISO-8859-8. */
export const rowOf = (number) => number - (number < ISO_8859_8_I ? 1 : 2);

/** Returns whether an encoding has a byte order mark. */
export const hasBom = (number) => number === UTF_8 || number === UTF_16BE || number === UTF_16LE;

/** Returns whether ASCII characters are encoded as themselves. */
export const isAsciiCompatible = (number) =>
  number !== ISO_2022_JP && number !== REPLACEMENT && number !== UTF_16BE && number !== UTF_16LE;

/** Returns whether the encoding is one of section 9, or x-user-defined. */
export const isSingleByte = (number) => (number > UTF_8 && number < GBK) || number === X_USER_DEFINED;
