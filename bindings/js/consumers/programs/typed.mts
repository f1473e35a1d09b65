import iconv from "textcodec/iconv-lite";
import { TextDecoder, encode, encodings, type EncodingName } from "textcodec";

const name: EncodingName = "Shift_JIS";
const bytes: Uint8Array = encode("日本語", name);
const hex: string = Array.from(bytes, (byte: number) => byte.toString(16)).join(" ");
console.log(new TextDecoder(name).decode(bytes), hex, encodings.length, iconv.decode(Uint8Array.of(0xf4), "cp1251"));
