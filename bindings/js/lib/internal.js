// Functions that are not public but that other entries of the package need.

export { ChunkEncoder, encodeWhole } from "./engine.js";
export { encodings, numberOf } from "./labels.js";
export { concat } from "./policies.js";
export { REPLACEMENT, UTF_16BE, UTF_16LE, hasBom } from "./numbers.js";
export { isomorphicDecode, isomorphicEncode } from "./isomorphic.js";
