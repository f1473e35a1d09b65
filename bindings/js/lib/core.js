// What the main entry and the others that stand on it share: one file in dist/, so that the module is there once. It is
// no entry.

import "./start-inline.js";

export * from "./api.js";
export * as internal from "./internal.js";
