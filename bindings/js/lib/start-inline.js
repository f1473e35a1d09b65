// Instantiates the module, which is inlined as base64, when this file is loaded.

import { inflateSync } from "fflate";
import { base64, length } from "../generated/inline.js";
import { initSync } from "../generated/module.js";
import { start } from "./engine.js";

/** Node, Deno and Bun inflate in native code, which takes a millisecond instead of twenty. */
const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");

function inflateModule() {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let n = 0; n < binary.length; n++) bytes[n] = binary.charCodeAt(n);
  return zlib === undefined ? inflateSync(bytes, { out: new Uint8Array(length) }) : zlib.inflateRawSync(bytes);
}

start(initSync({ module: inflateModule() }));
