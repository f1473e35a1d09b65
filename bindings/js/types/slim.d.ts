export * from "./api.js";

/** The module: its URL, its bytes, a response, or compiled. */
export type ModuleSource =
  | string
  | ArrayBuffer
  | ArrayBufferView
  // @ts-ignore: `any` if the platform does not have the type.
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
 * Loads the module once. The other exports work only after that. By default the module is `textcodec.wasm` in the same
 * folder as this file. Pass `source` if the application is bundled for Node or the file has been moved.
 */
export default function init(source?: ModuleSource): Promise<void>;
