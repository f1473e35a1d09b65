// Provides the module, which is inlined as base64. It is compiled when it is first used.

import makeInflate from "../generated/inflate.js";
import { base64, length } from "../generated/inline.js";
import { compileNow } from "./engine/compile.js";
import { provide } from "./engine/module.js";

function inflateModule() {
  // Node, Deno and Bun decode base64 and inflate in native code, which takes a millisecond instead of twenty.
  // `Buffer` without `globalThis` would make some bundlers add a replacement for it.
  const { Buffer } = globalThis;
  const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");
  if (zlib !== undefined && Buffer !== undefined) return zlib.inflateRawSync(Buffer.from(base64, "base64"));
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  return makeInflate()(bytes, { out: new Uint8Array(length) });
}

export function startInline() {
  provide(() => compileNow(inflateModule()));
}
