// Functions that are not public but that other entries of the package need.

export { checkBom, toFunction, toOptions } from "./arguments.js";
export { MAX_ERRORS, mayBecomeBom } from "./decode.js";
export { checkWellFormed, readOptions } from "./encode.js";
export { ChunkDecoder, ChunkEncoder, encodeToParts, encodeWhole } from "./engine.js";
export { encodeSingle } from "./engine/encode-table.js";
export { inflate } from "./inflate.js";
export { isomorphicDecode, isomorphicEncode } from "./isomorphic.js";
export { encodings, normalizeLabel, numberOf } from "./labels.js";
export { nativeBuffer, nativeUtf16 } from "./native.js";
export { REPLACEMENT } from "./numbers.js";
export { FAIL, IGNORE_BOM, REPORT, concat } from "./policies.js";
export { CoderStream } from "./streams.js";
export { allocate, asciiBytesToString, asciiStringToBytes } from "./strings.js";
export { isHighSurrogate } from "./surrogates.js";
export { encodeUtf8 } from "./utf8.js";
export { byteLengthOf, partOf, toBytes, toDOMString } from "./webidl.js";
