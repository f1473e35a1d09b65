import address from "textcodec/textcodec.wasm";
import init, { TextDecoder, encode, encodings } from "textcodec/slim";

await init(new URL(address, import.meta.url));
const bytes = encode("日本語", "shift_jis");
const hex = Array.from(bytes, (byte) => byte.toString(16)).join(" ");
const letter = new TextDecoder("cp1251").decode(Uint8Array.of(0xf4));
console.log(new TextDecoder("sjis").decode(bytes), hex, encodings.length, letter);
