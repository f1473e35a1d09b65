// Data that is inlined: deflated, and then encoded in base64.

import makeInflate from "../generated/inflate.js";

/** Returns the bytes. `length` is their number. */
export function inflate(base64, length) {
  // Node, Deno and Bun decode base64 and inflate in native code, which takes a millisecond instead of twenty.
  // `Buffer` without `globalThis` would make some bundlers add a replacement for it.
  const { Buffer } = globalThis;
  const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");
  if (zlib !== undefined && Buffer !== undefined) return zlib.inflateRawSync(Buffer.from(base64, "base64"));
  // `fromBase64` is native code, which older browsers lack.
  const bytes = Uint8Array.fromBase64?.(base64) ?? Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  return makeInflate()(bytes, { out: new Uint8Array(length) });
}
