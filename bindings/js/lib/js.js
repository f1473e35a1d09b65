// The entry in plain JavaScript, for platforms without WebAssembly. It is built with plain/engine.js in place of engine.js.

export * from "./api.js";
