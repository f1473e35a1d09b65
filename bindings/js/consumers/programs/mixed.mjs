// The entry for mixed encodings, from ES modules and from CommonJS.
import { createRequire } from "node:module";
import { encode, encodings } from "textcodec";
import { Mixed, decodeMixed } from "textcodec/mixed";

const required = createRequire(import.meta.url)("textcodec/mixed");
const bytes = encode("日本語", "shift_jis");
const hex = Array.from(bytes, (byte) => byte.toString(16)).join(" ");
const input = [...encode("ф\n"), ...bytes, 10, ...encode("ф\n", "utf-16le")];
const found = [Mixed, required.Mixed].map((Mixed) => {
  const mixed = new Mixed(["utf-8", "shift_jis", "utf-16le"]);
  return input.map((byte) => mixed.write(Uint8Array.of(byte))).join("") + mixed.end();
});
const { text, summary } = decodeMixed(Uint8Array.from(input), ["utf-8", "shift_jis", "utf-16le"]);
const [first, second, third] = text.split("\n");
const isRight = found.every((other) => other === text) && summary.isMixed && first === third;
console.log(second, hex, encodings.length, isRight ? first : found);
