import { Readable } from "node:stream";
import { TextDecoderStream, TextEncoder } from "textcodec";
import { decodeStream } from "textcodec/iconv-lite";

let text = "";
const decoded = new Blob([new TextEncoder().encode("日本")]).stream().pipeThrough(new TextDecoderStream());
for await (const chunk of decoded) text += chunk;
const halves = Readable.from([Uint8Array.of(0x8c), Uint8Array.of(0xea)]);
for await (const chunk of halves.pipe(decodeStream("cp932"))) text += chunk;
console.log(text, "93 fa 96 7b 8c ea", 40, "ф");
