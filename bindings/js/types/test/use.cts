// Uses of the package from CommonJS, on any platform. Compiled, never run.

import textcodec = require("textcodec");
import iconv = require("textcodec/iconv-lite");
import type { ModuleSource } from "textcodec/slim" with { "resolution-mode": "import" };

const text: string = new textcodec.TextDecoder("gbk").decode(textcodec.encode("a", "gbk"));
const bytes: iconv.Bytes = iconv.encode(text, "cp936");
const same: string = iconv.default.decode(bytes, "cp936");
const source: ModuleSource = new Uint8Array(1);
new textcodec.TextEncoderStream().readable.pipeThrough(new textcodec.TextDecoderStream("utf-8"));

export = { same, source };
