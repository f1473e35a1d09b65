// Decoding of what may be well-formed.

import { internal } from "../core.js";
import { FATAL } from "../policies.js";

const { ChunkDecoder, IGNORE_BOM } = internal;

/**
 * Returns the text of bytes in an encoding. If they are malformed, returns `null`, or what a function returns for the offset. Unless
 * they are whole, an incomplete character at the end is not malformed.
 */
export const decodeStrict = (number, bytes, isWhole, fail = undefined) =>
  new ChunkDecoder(number, FATAL | IGNORE_BOM).decode(bytes, !isWhole, { fail });
