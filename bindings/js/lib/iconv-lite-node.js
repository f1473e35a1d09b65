// The entry in iconv-lite's manner where there are Node's streams: package.json, "exports".

import stream from "node:stream";
import { enableStreamingAPI } from "./iconv-lite.js";

export * from "./iconv-lite.js";
export { default } from "./iconv-lite.js";

enableStreamingAPI(stream);
