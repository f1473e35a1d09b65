import iconv from "textcodec/iconv-lite";
import { TextDecoder, encode, encodings } from "textcodec";

const bytes = encode("日本語", "shift_jis");
const hex = Array.from(bytes, (byte) => byte.toString(16)).join(" ");
console.log(new TextDecoder("sjis").decode(bytes), hex, encodings.length, iconv.decode(Uint8Array.of(0xf4), "cp1251"));
