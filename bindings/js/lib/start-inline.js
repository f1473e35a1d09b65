// Provides the module, which is inlined as base64. It is compiled when it is first used.

import { inflateSync } from "fflate";
import { base64, length } from "../generated/inline.js";
import { provide } from "./engine/module.js";

/** Node, Deno and Bun inflate in native code, which takes a millisecond instead of twenty. */
const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");

function inflateModule() {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let n = 0; n < binary.length; n++) bytes[n] = binary.charCodeAt(n);
  return zlib === undefined ? inflateSync(bytes, { out: new Uint8Array(length) }) : zlib.inflateRawSync(bytes);
}

provide(() => new WebAssembly.Module(inflateModule()));
