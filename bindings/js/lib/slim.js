// The entry for applications that serve the module as a file. It is ready after `await init()`.

import load from "../generated/module.js";
import { start } from "./engine.js";

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
  loading ??= loadFrom(source).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function loadFrom(source) {
  start(await load({ module_or_path: source }));
}
