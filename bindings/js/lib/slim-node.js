// The slim entry for Node, which cannot fetch files: it reads the module. package.json selects it in "exports".

import { readFile } from "node:fs/promises";
import { reading } from "./engine/compile.js";
import load from "./slim.js";

export * from "./slim.js";

export default function init(source = new URL("./textcodec.wasm", import.meta.url)) {
  if (!/^file:/.test(source)) return load(source);
  const bytes = reading(source, readFile(new URL(source)));
  bytes.catch(() => {}); // `load` reports it, unless something else fails first.
  return load(bytes);
}
