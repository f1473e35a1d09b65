// The entry for those who serve the module as a file: everything is there after `await init()`.

import load from "../generated/module.js";
import { isStarted, start } from "./engine.js";
import { loadLabels } from "./labels.js";

export * from "./api.js";

/**
 * Loads the module, once.
 * @param {string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>} [source]
 *   where it is: by default, textcodec.wasm beside this file
 */
export default async function init(source = new URL("./textcodec.wasm", import.meta.url)) {
  if (isStarted()) return;
  start(await load({ module_or_path: source }));
  loadLabels();
}
