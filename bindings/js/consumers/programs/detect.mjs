import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { encode, encodings } from "textcodec";
import { Detector, detect } from "textcodec/detect";
import { DecoderStream, EncoderStream } from "textcodec/node";

const require = createRequire(import.meta.url);
const hello = encode("Привет, мир! Сегодня хорошая погода.", "windows-1251");
const detector = new Detector();
for (const byte of hello) detector.write(Uint8Array.of(byte));
const found = [detector.end(), detect(hello), require("textcodec/detect").detect(hello)].map(({ encoding }) => encoding);
const isFound = found.join() === Array(3).fill("windows-1251").join();

const errors = [];
const bytes = Uint8Array.of(0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea);
const decoder = new DecoderStream("shift_jis").on("malformed", ({ start }) => errors.push(start));
let text = "";
for await (const chunk of Readable.from([bytes.subarray(0, 3), bytes.subarray(3), Uint8Array.of(0xff)]).pipe(decoder)) text += chunk;
let hex = "";
const encoder = new (require("textcodec/node").EncoderStream)("shift_jis");
for await (const chunk of Readable.from([text.slice(0, errors[0] / 2)]).pipe(encoder)) hex += ` ${chunk.toString("hex").match(/../g).join(" ")}`;
const isWhole = encoder instanceof EncoderStream || EncoderStream.name === encoder.constructor.name;
console.log(`${text.replace("\ufffd", "")}${hex}`, encodings.length, isFound && isWhole ? "ф" : found);
