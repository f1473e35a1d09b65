// The entry for applications that serve the module as a file. It is ready after `await init()`.

import { cannotLoad, checkWebAssembly, compile, reading } from "./engine/compile.js";
import { provide } from "./engine/module.js";

export * from "./api.js";

/** @type {Promise<void> | undefined} */
let loading;

/**
 * Loads the module once. All calls return the same promise, unless loading has failed.
 * @param {string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>} [source]
 *   the module or its address: by default, textcodec.wasm in the same folder as this file
 * @returns {Promise<void>}
 */
export default function init(source = new URL("./textcodec.wasm", import.meta.url)) {
  loading ??= load(source).then(provide, (error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Returns the compiled module. */
async function load(source) {
  checkWebAssembly();
  const module = await source;
  if (module instanceof WebAssembly.Module) return module;
  const isAddress = typeof module === "string" || module instanceof URL || module instanceof globalThis.Request;
  if (isAddress) return load(await reading(module.url ?? module, fetch(module)));
  if (!(module instanceof globalThis.Response)) return compile(module);
  const address = module.url || "a response";
  const type = module.headers.get("content-type") ?? "";
  if (!module.ok || type.startsWith("text/html")) {
    throw cannotLoad(address, `it has status ${module.status}${type && ` and type ${type}`}`);
  }
  return compile(await reading(address, module.arrayBuffer()));
}
