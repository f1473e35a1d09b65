// Limits that the page and the runner share.

/** The maximum number of lines of output. */
export const LINE_LIMIT = 1000;
/** The maximum length of a line of output, in code units. */
export const LENGTH_LIMIT = 20_000;
/** The maximum running time in milliseconds. */
export const TIME_LIMIT = 10_000;
