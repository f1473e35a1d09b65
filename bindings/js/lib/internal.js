// Functions that are not public but that other entries of the package need.

export { ChunkEncoder, FAIL, REPORT, concat, encodeWhole } from "./engine.js";
export { encodings, numberOf } from "./labels.js";
export { nativeBuffer } from "./native.js";
export { REPLACEMENT } from "./numbers.js";
