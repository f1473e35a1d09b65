// Every entry of the package that needs no set-up in a bundler.
import * as main from "textcodec";
import iconv from "textcodec/iconv-lite";
import * as js from "textcodec/js";
import * as oem from "textcodec/oem";
import init, * as slim from "textcodec/slim";
import * as whatwg from "textcodec/whatwg";

await init();
const text = new whatwg.TextDecoder("sjis").decode(main.encode("日本語", "shift_jis"));
const hex = Array.from(slim.encode(oem.decode(oem.encode(text, "cp932"), "sjis"), "sjis"), (byte) => byte.toString(16)).join(" ");
console.log(text, hex, js.encodings.length, iconv.decode(Uint8Array.of(0xf4), "cp1251"));
