// Encodings as numbers: places in the standard's table. Those that something here treats apart.

export const UTF_8 = 0;
export const ISO_2022_JP = 33;
export const REPLACEMENT = 36;
export const UTF_16BE = 37;
export const UTF_16LE = 38;

/** Whether an encoding has a byte order mark. */
export const hasBom = (number) => number === UTF_8 || number === UTF_16BE || number === UTF_16LE;

/** Whether ASCII bytes are ASCII characters, and the other way round. Replacement is neither encoded nor asked about. */
export const isAsciiCompatible = (number) => number !== ISO_2022_JP && number !== UTF_16BE && number !== UTF_16LE;
