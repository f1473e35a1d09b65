// What the package's other entries need beside what is public.

export { ChunkEncoder, concat, encodeWhole } from "./engine.js";
export { encodings, numberOf } from "./labels.js";
export { REPLACEMENT, UTF_16BE, UTF_16LE, hasBom } from "./numbers.js";
