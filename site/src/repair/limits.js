// Limits that the page and its worker share.

/** The maximum number of errors that are counted. */
export const MAX_ERRORS = 10000;
/** How many bytes of a file are decoded in every encoding. */
export const SAMPLE = 1 << 20;
