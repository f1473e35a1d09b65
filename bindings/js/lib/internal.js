// What the package's other entries need beside what is public.

export { ChunkEncoder, concat, encodeWhole } from "./engine.js";
export { REPLACEMENT, UTF_16BE, UTF_16LE, UTF_8, encodings, numberOf } from "./labels.js";
