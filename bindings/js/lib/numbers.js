// The numbers of encodings that need special treatment: indexes into the standard's table.

export const UTF_8 = 0;
export const ISO_2022_JP = 33;
export const REPLACEMENT = 36;
export const UTF_16BE = 37;
export const UTF_16LE = 38;

/** Returns whether an encoding has a byte order mark. */
export const hasBom = (number) => number === UTF_8 || number === UTF_16BE || number === UTF_16LE;

/** Returns whether ASCII characters are encoded as themselves. Not meaningful for `replacement`. */
export const isAsciiCompatible = (number) => number !== ISO_2022_JP && number !== UTF_16BE && number !== UTF_16LE;
