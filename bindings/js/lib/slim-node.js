// The slim entry where the module is read as a file, since Node fetches none: package.json, "exports".

import { readFile } from "node:fs/promises";
import load from "./slim.js";

export * from "./slim.js";

export default function init(source = new URL("./textcodec.wasm", import.meta.url)) {
  return load(/^file:/.test(source) ? readFile(new URL(source)) : source);
}
