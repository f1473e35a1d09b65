// Compiles the module, and explains why it cannot be loaded or compiled.

import { name } from "../../package.json";

/** Throws if the platform has no WebAssembly. */
export function checkWebAssembly() {
  if (globalThis.WebAssembly !== undefined) return;
  throw new Error(`This platform has no WebAssembly. Import "${name}/js" instead, which is the same in plain JavaScript.`);
}

/** The error for a platform that has WebAssembly, but does not compile the module. */
const cannotCompile = (cause) =>
  new Error(
    `The WebAssembly module cannot be compiled: ${cause.message}. It needs WebAssembly with SIMD, and a page's Content ` +
      `Security Policy must have script-src 'wasm-unsafe-eval'. Where this is impossible, import "${name}/js", which is the ` +
      `same in plain JavaScript, or "${name}/workers" on platforms that import WebAssembly modules.`,
    { cause },
  );

/** Compiles the module's bytes. */
export function compileNow(bytes) {
  try {
    return new WebAssembly.Module(bytes);
  } catch (error) {
    throw cannotCompile(error);
  }
}

/** Compiles the module's bytes asynchronously. */
export async function compile(bytes) {
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw cannotCompile(error);
  }
}

/** The error for a module that is not at its address. */
export const cannotLoad = (address, why, cause) =>
  new Error(
    `The WebAssembly module cannot be loaded from ${address}: ${why}. Copy the file dist/textcodec.wasm of the package ${name} ` +
      "there, or pass its address or its bytes to this function. The package's README has the set-up for each bundler.",
    { cause },
  );

/** Waits until a request or a file has been read. */
export async function reading(address, promise) {
  try {
    return await promise;
  } catch (error) {
    throw cannotLoad(address, error.message, error);
  }
}
