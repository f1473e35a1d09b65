// Functions that are not public but that other entries of the package need.

export { ChunkEncoder, encodeToParts, encodeWhole } from "./engine.js";
export { isomorphicDecode, isomorphicEncode } from "./isomorphic.js";
export { encodings, numberOf } from "./labels.js";
export { nativeBuffer } from "./native.js";
export { REPLACEMENT } from "./numbers.js";
export { FAIL, REPORT, concat } from "./policies.js";
