export * from "./api.js";

/** Where the module can be: at a URL, or loaded already, or compiled. */
export type ModuleSource =
  | string
  | ArrayBuffer
  | ArrayBufferView
  // @ts-ignore: where the platform has no such types, they are `any`.
  | URL
  // @ts-ignore
  | Request
  // @ts-ignore
  | Response
  // @ts-ignore
  | Promise<Response>
  // @ts-ignore
  | WebAssembly.Module;

/**
 * Loads the module, once; everything else is there afterwards. By default it is `textcodec.wasm` beside this file.
 * Those who bundle for Node, or move the file, say where it is.
 */
export default function init(source?: ModuleSource): Promise<void>;
