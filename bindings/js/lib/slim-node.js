// The slim entry for Node, which cannot fetch files: it reads the module. package.json selects it in "exports".

import { readFile } from "node:fs/promises";
import load from "./slim.js";

export * from "./slim.js";

export default function init(source = new URL("./textcodec.wasm", import.meta.url)) {
  return load(/^file:/.test(source) ? readFile(new URL(source)) : source);
}
