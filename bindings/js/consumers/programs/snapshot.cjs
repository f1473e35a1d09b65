// For start-up snapshots of Node: loads all entries, and uses them when the snapshot is started.
const main = require("textcodec");
const iconv = require("textcodec/iconv-lite");
const js = require("textcodec/js");
const slim = require("textcodec/slim");
const { TextDecoder } = require("textcodec/whatwg");

require("node:v8").startupSnapshot.setDeserializeMainFunction(async () => {
  await slim.default();
  const hex = Array.from(main.encode("日本語", "sjis"), (byte) => byte.toString(16)).join(" ");
  const letter = iconv.decode(Uint8Array.of(0xf4), "cp1251");
  console.log(new TextDecoder("sjis").decode(js.encode("日本", "sjis")) + slim.decode(Uint8Array.of(0x8c, 0xea), "sjis"), hex, 40, letter);
});
