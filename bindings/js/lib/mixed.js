// The entry for text in which several known encodings are mixed. docs/design/mixed.md describes how.

export { Mixed, decodeMixed } from "./mixed/mixed.js";
export { MixedError } from "./mixed/summary.js";
