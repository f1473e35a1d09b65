export * from "./api.js";

/** Loads the module, once; everything else is there afterwards. By default it is `textcodec.wasm` beside this file. */
export default function init(
  source?: string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>,
): Promise<void>;
