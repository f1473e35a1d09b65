// The entry for Cloudflare Workers and others that import WebAssembly modules, because they do not compile them.

import module from "./textcodec.wasm";
import { provide } from "./engine/module.js";

export * from "./api.js";

provide(module);
