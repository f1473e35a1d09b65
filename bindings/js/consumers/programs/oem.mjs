// The entries that share the tables of code pages, from ES modules and from CommonJS.
import { createRequire } from "node:module";
import { encode, encodings } from "textcodec";
import iconv from "textcodec/iconv-lite";
import * as oem from "textcodec/oem";

const required = createRequire(import.meta.url)("textcodec/oem");
const bytes = encode("日本語", "shift_jis");
const hex = Array.from(bytes, (byte) => byte.toString(16)).join(" ");
const text = "naïve ──";
const found = [oem, required].map(({ Decoder, decode, encode, encodingForName }) => {
  const decoder = new Decoder("cp437");
  const same = Array.from(encode(text, "IBM437"), (byte) => decoder.write(Uint8Array.of(byte))).join("") + decoder.end();
  const isRight = same === text && iconv.decode(encode(text, "cp850"), "cp850") === text && encode("Hello", "IBM037")[0] === 0xc8;
  return isRight && encodingForName("ebcdic-cp-us").name === "IBM037" && decode(Uint8Array.of(0xe4), "mik");
});
console.log(oem.decode(bytes, "cp932"), hex, encodings.length, found.join() === "Σ,Σ" ? "ф" : found);
