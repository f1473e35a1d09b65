// The iconv-lite entry with Node's streams. package.json selects it in "exports".

import stream from "node:stream";
import { enableStreamingAPI } from "./iconv-lite.js";

export * from "./iconv-lite.js";
export { default } from "./iconv-lite.js";

enableStreamingAPI(stream);
