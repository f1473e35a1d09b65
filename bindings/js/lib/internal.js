// Functions that are not public but that other entries of the package need.

export { toOptions } from "./arguments.js";
export { ChunkDecoder, ChunkEncoder, encodeToParts, encodeWhole } from "./engine.js";
export { inflate } from "./inflate.js";
export { isomorphicDecode, isomorphicEncode } from "./isomorphic.js";
export { encodings, numberOf } from "./labels.js";
export { nativeBuffer } from "./native.js";
export { REPLACEMENT } from "./numbers.js";
export { FAIL, IGNORE_BOM, REPORT, concat } from "./policies.js";
export { encodeUtf8 } from "./utf8.js";
export { toBytes } from "./webidl.js";
