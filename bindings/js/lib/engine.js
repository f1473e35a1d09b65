// The engine: conversions by the WebAssembly module. The entry in plain JavaScript has plain/engine.js in its place.

export { ChunkDecoder, decodeWhole } from "./engine/decode.js";
export { ChunkEncoder, encodeInto, encodeToParts, encodeWhole, percentEncode } from "./engine/encode.js";
export { checkStarted, discardAfter } from "./engine/module.js";
