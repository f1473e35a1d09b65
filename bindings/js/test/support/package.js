// The package as it is built: the main entry, or `slim` where the environment or the page's address says so.

const settings = globalThis.location ? new URLSearchParams(location.search) : new URLSearchParams(process.env.TEXTCODEC_TEST);

/** The entry's name: "index" or "slim". */
export const entry = settings.get("entry") ?? "index";

/** What has been done to the engine's own classes: see `natives/`. */
export const natives = settings.get("natives") ?? "own";

export const inNode = globalThis.process?.versions?.node !== undefined;

/** The module's memory, which the package keeps for itself. */
export let memory;

// Loading a module tells its memory.
const { Instance, instantiate, instantiateStreaming } = WebAssembly;
const noted = (instance) => {
  memory = instance.exports.memory;
  return instance;
};
WebAssembly.Instance = new Proxy(Instance, { construct: (target, args) => noted(Reflect.construct(target, args)) });
const noting = (method) => async (...args) => {
  const result = await method(...args);
  noted(result.instance ?? result);
  return result;
};
Object.assign(WebAssembly, { instantiate: noting(instantiate), instantiateStreaming: noting(instantiateStreaming) });

/** A file of the package: its bytes. */
export async function readFile(path) {
  const url = new URL(path, root);
  return new Uint8Array(await (inNode ? (await fs()).readFile(url) : (await fetch(url)).arrayBuffer()));
}

/** A file of the package: what its JSON says. Nothing that is tested takes part. */
export async function readJson(path) {
  const url = new URL(path, root);
  return inNode ? JSON.parse(await (await fs()).readFile(url, "utf8")) : (await fetch(url)).json();
}

const fs = () => import(/* not for a bundler */ ["node:fs/promises"][0]);

// In the browser this is part of a file beside the folder `dist`.
const root = new URL(inNode ? "../../" : "../", import.meta.url);
const url = new URL(`dist/${entry}.js`, root);
export const package_ = await import(/* not for a bundler */ url.href);

if (entry === "slim") {
  // Where the module is beside the entry, a browser needs no more to be told.
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
