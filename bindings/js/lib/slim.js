// The entry for those who serve the module as a file: everything is there after `await init()`.

import load from "../generated/module.js";
import { start } from "./engine.js";
import { loadLabels } from "./labels.js";

export * from "./api.js";

/** @type {Promise<void> | undefined} */
let loading;

/**
 * Loads the module, once: the same promise for all calls, unless it has failed.
 * @param {string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>} [source]
 *   where it is: by default, textcodec.wasm beside this file
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
  loadLabels();
}
