// Uses of the package from CommonJS, on any platform. Compiled, never run.

import textcodec = require("textcodec");
import iconv = require("textcodec/iconv-lite");
import oem = require("textcodec/oem");
import type { ModuleSource } from "textcodec/slim" with { "resolution-mode": "import" };

const text: string = new textcodec.TextDecoder("gbk").decode(textcodec.encode("a", "gbk"));
const bytes: iconv.Bytes = iconv.encode(text, "cp936");
const same: string = iconv.default.decode(bytes, "cp936");
iconv.defaultCharSingleByte = "*";
iconv.default.defaultCharUnicode = "?";
iconv.skipDecodeWarning = true;
iconv.encodings["mine"] = { type: "_sbcs", chars: "\u0410".repeat(128) };
iconv.encodings["other"] = "mine";
iconv._codecDataCache = {};
const options: iconv.DecodeOptions & iconv.EncodeOptions & iconv.Options = { stripBOM: false, addBOM: true };
const codec: iconv.Codec = iconv.getCodec("utf-7-imap");
const decoder: iconv.DecoderStream = new codec.decoder(options, codec);
const encoder: iconv.EncoderStream = iconv.getEncoder("utf-32", { defaultEncoding: "utf-32be" });
const whole: iconv.Iconv = iconv;
decoder.write(encoder.write("a"));
// @ts-expect-error: read-only
iconv.supportsStreams = true;
// @ts-expect-error: not a string
iconv.defaultCharSingleByte = 63;
const source: ModuleSource = new Uint8Array(1);
new textcodec.TextEncoderStream().readable.pipeThrough(new textcodec.TextDecoderStream("utf-8"));

const page: oem.OemEncoding = oem.encodings[0] ?? oem.singleByte("mine", "");
decoder.write(oem.encode("a", page));

export = { same, source, whole };
