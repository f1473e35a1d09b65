// Limits that the page and the runner share.

/** The maximum number of lines of output. */
export const LINE_LIMIT = 1000;
/** The maximum running time in milliseconds. */
export const TIME_LIMIT = 10_000;
