// What the page and its worker agree on.

/** So many errors are counted. */
export const MOST_ERRORS = 10000;
/** So many bytes of a file are decoded by every encoding. */
export const SAMPLE = 1 << 20;
