// The built package: the main entry, or `slim` if the environment or the page's address requests it.

const settings = globalThis.location ? new URLSearchParams(location.search) : new URLSearchParams(process.env.TEXTCODEC_TEST);

/** The entry's name: "index", "slim" or "js". */
export const entry = settings.get("entry") ?? "index";

/** How the engine's native classes were changed: see `natives/`. */
export const natives = settings.get("natives") ?? "own";

export const inNode = globalThis.process?.versions?.node !== undefined;

/**
 * The module's last instance: its `memory`, which the package does not export, and the number of `instances` so far. Tests may
 * set `intercept`, which is called with the name and arguments of each call, and a function that makes the call.
 */
export const module = { memory: undefined, instances: 0, intercept: undefined };

if (globalThis.WebAssembly !== undefined) {
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, args) {
      const { exports } = Reflect.construct(target, args);
      module.instances++;
      module.memory = exports.memory;
      const functions = Object.entries(exports).filter(([, value]) => typeof value === "function");
      const calls = functions.map(([name, call]) => {
        const intercepted = (...args) => (module.intercept ? module.intercept(name, () => call(...args)) : call(...args));
        return [name, intercepted];
      });
      return { exports: { memory: exports.memory, ...Object.fromEntries(calls) } };
    },
  });
}

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

/** Imports another entry, such as "detect". */
export const importEntry = (name) => import(/* not for a bundler */ new URL(`dist/${name}.js`, root).href);

if (entry === "slim") {
  // A browser finds the module in the same folder as the entry.
  await package_.default(inNode ? await readFile("dist/textcodec.wasm") : undefined);
}

export const {
  DecodeError,
  Decoder,
  DecoderStream,
  EncodeError,
  Encoder,
  EncoderStream,
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
