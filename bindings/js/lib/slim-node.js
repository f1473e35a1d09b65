// The slim entry where the module is read as a file, since Node fetches none: package.json, "exports".

import { readFile } from "node:fs/promises";
import load from "./slim.js";

export * from "./slim.js";

export default function init(source = new URL("./textcodec.wasm", import.meta.url)) {
  return load(source instanceof URL && source.protocol === "file:" ? readFile(source) : source);
}
