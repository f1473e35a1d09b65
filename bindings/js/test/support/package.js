// The built package: the main entry, or `slim` if the environment or the page's address requests it.

const settings = globalThis.location ? new URLSearchParams(location.search) : new URLSearchParams(process.env.TEXTCODEC_TEST);

/** The entry's name: "index" or "slim". */
export const entry = settings.get("entry") ?? "index";

/** How the engine's native classes were changed: see `natives/`. */
export const natives = settings.get("natives") ?? "own";

export const inNode = globalThis.process?.versions?.node !== undefined;

/** The module's memory, which the package does not export. */
export let memory;

// Intercepts the loading of the module to get its memory.
const { Instance, instantiate, instantiateStreaming } = WebAssembly;
const record = (instance) => {
  memory = instance.exports.memory;
  return instance;
};
WebAssembly.Instance = new Proxy(Instance, { construct: (target, args) => record(Reflect.construct(target, args)) });
const recording = (method) => async (...args) => {
  const result = await method(...args);
  record(result.instance ?? result);
  return result;
};
Object.assign(WebAssembly, { instantiate: recording(instantiate), instantiateStreaming: recording(instantiateStreaming) });

/** Reads a file of the package. */
export async function readFile(path) {
  const url = new URL(path, root);
  return new Uint8Array(await (inNode ? (await fs()).readFile(url) : (await fetch(url)).arrayBuffer()));
}

/** Reads a JSON file of the package, without using the code under test. */
export async function readJson(path) {
  const url = new URL(path, root);
  return inNode ? JSON.parse(await (await fs()).readFile(url, "utf8")) : (await fetch(url)).json();
}

const fs = () => import(/* not for a bundler */ ["node:fs/promises"][0]);

// In the browser, this code is bundled into a file in /test/, next to /dist/.
const root = new URL(inNode ? "../../" : "../", import.meta.url);
const url = new URL(`dist/${entry}.js`, root);
export const package_ = await import(/* not for a bundler */ url.href);

if (entry === "slim") {
  // A browser finds the module in the same folder as the entry.
  await package_.default(inNode ? await readFile("dist/textcodec.wasm") : undefined);
}
WebAssembly.Instance = Instance;
Object.assign(WebAssembly, { instantiate, instantiateStreaming });

export const {
  DecodeError,
  EncodeError,
  TextDecoder,
  TextDecoderStream,
  TextEncoder,
  TextEncoderStream,
  bomSniff,
  decode,
  decodeAndReport,
  encode,
  encodeOrFail,
  encodings,
  getEncoding,
  getOutputEncoding,
  install,
  percentEncodeAfterEncoding,
} = package_;
