import { TextDecoder, encode, encodings } from "textcodec/js";

const bytes = encode("日本語", "shift_jis");
const hex = Array.from(bytes, (byte) => byte.toString(16)).join(" ");
const letter = new TextDecoder("cp1251").decode(Uint8Array.of(0xf4));
(globalThis.console?.log ?? print)([new TextDecoder("sjis").decode(bytes), hex, encodings.length, letter].join(" "));
