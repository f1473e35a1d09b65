// The entry for applications that serve the module as a file. It is ready after `await init()`.

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
  loading ??= compile(source).then(provide, (error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Returns the compiled module. */
async function compile(source) {
  const module = await source;
  if (module instanceof WebAssembly.Module) return module;
  const isAddress = typeof module === "string" || module instanceof URL || module instanceof globalThis.Request;
  const response = isAddress ? await fetch(module) : module;
  if (!(response instanceof globalThis.Response)) return WebAssembly.compile(response);
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || type.startsWith("text/html")) {
    throw new Error(
      `The module cannot be loaded: ${response.url} has status ${response.status}${type && ` and type ${type}`}. ` +
        "The file textcodec.wasm of the package must be served there. Some bundlers have to be told to copy it; or pass " +
        "its address to this function.",
    );
  }
  return WebAssembly.compile(await response.arrayBuffer());
}
