// The encodings of the standard in the iconv-lite entry: chunks, replacements, and characters that only iconv-lite
// writes.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  bytesOf,
  decodeChunks,
  encodeChunks,
  hex,
  iconv,
  original,
  splits,
  withFields,
  withoutBuffer,
} from "./support/iconv-lite.js";
import { natives } from "./support/package.js";

test("bytes are a Buffer if the platform has one", () => {
  assert.equal(withoutBuffer, natives === "none");
  for (const name of [
    "utf8",
    "utf-16be",
    "utf-32",
    "cesu8",
    "utf-7",
    "gbk",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "cp437",
    "latin1",
    "hex",
    "base64",
  ]) {
    const encoder = iconv.getEncoder(name);
    for (const bytes of [
      iconv.encode("ab\u00ca\u00e4", name),
      encoder.write("ab\u00e4"),
      encoder.end() ?? encoder.write(""),
    ]) {
      assert.equal(bytes.constructor, globalThis.Buffer ?? Uint8Array, name);
    }
  }
});

const TEXTS = {
  "utf-8": "a\u00e9\u20ac\u{1f600}\ufffdz",
  shift_jis: "a\u65e5\uff71\u672cz",
  "euc-jp": "a\u65e5\uff71\u672cz",
  "iso-2022-jp": "a\u65e5\u672cz",
  gbk: "a\u6c49\u4e02z",
  gb18030: "a\u6c49\u0080\u{1f600}\ufffdz",
  "euc-kr": "a\ud55c\uac02z",
  big5: "a\u6f22\u{20547}z",
  "windows-1251": "a\u0416z",
  "koi8-r": "a\u0416z",
};

for (const [name, text] of Object.entries(TEXTS)) {
  test(`${name}: chunks`, () => {
    const bytes = iconv.encode(text, name);
    assert.equal(iconv.decode(bytes, name), text);
    const decoder = iconv.getDecoder(name);
    for (const parts of splits(bytes)) {
      assert.equal(decodeChunks(decoder, parts), text);
      assert.equal(
        decodeChunks(
          decoder,
          [...bytes].map((byte) => Uint8Array.of(byte)),
        ),
        text,
      );
    }
    const encoder = iconv.getEncoder(name);
    for (const parts of splits(text)) assert.equal(encodeChunks(encoder, parts), hex(bytes));
    assert.equal(encoder.end(), undefined);
    assert.equal(decoder.end(), undefined);
  });

  test(`${name}: an incomplete character at the end`, () => {
    const lead = { "utf-8": "e2", gbk: "81", gb18030: "8130", "iso-2022-jp": "1b244246" }[name] ?? "a1";
    const expected = iconv.decode(bytesOf(lead), name);
    for (const parts of splits(bytesOf(lead))) assert.equal(decodeChunks(iconv.getDecoder(name), parts), expected);
  });
}

describe("defaultCharUnicode", () => {
  const decode = (bytes, name) =>
    withFields(iconv, { defaultCharUnicode: "<$&>" }, () => {
      const whole = iconv.decode(bytesOf(bytes), name);
      for (const parts of splits(bytesOf(bytes))) {
        assert.equal(decodeChunks(iconv.getDecoder(name), parts), whole, `${name} ${bytes} ${parts[0].length}`);
      }
      const bytewise = [...bytesOf(bytes)].map((byte) => Uint8Array.of(byte));
      assert.equal(decodeChunks(iconv.getDecoder(name), bytewise), whole, `${name} ${bytes}`);
      return whole;
    });

  test("replaces malformed bytes", () => {
    for (const [name, bytes, text] of [
      ["utf-8", "61ff62", "a<$&>b"],
      ["utf-8", "61e282", "a<$&>"],
      ["shift_jis", "6181", "a<$&>"],
      ["windows-1253", "ff", "<$&>"],
      ["gb18030", "fe31e730ff", "<$&><$&>"],
      ["euc-kr", "61c9", "a<$&>"],
      ["iso-2022-jp", "611b", "a<$&>"],
    ]) {
      assert.equal(decode(bytes, name), text, name);
    }
  });

  test("does not replace U+FFFD in the input", () => {
    for (const [name, bytes, text] of [
      ["utf-8", "efbfbd", "\ufffd"],
      ["utf-8", "efbfbdffefbfbdefbf", "\ufffd<$&>\ufffd<$&>"],
      ["utf-8", "efefbfbdbd", "<$&>\ufffd<$&>"],
      ["utf-8", "f0efbfbdefbf61", "<$&>\ufffd<$&>a"],
      ["gb18030", "8431a437", "\ufffd"],
      ["gbk", "8431a43780ff", "\ufffd\u20ac<$&>"],
      // The first two bytes are a character, so what follows is not U+FFFD.
      ["gb18030", "818431a43761", "\u4e84" + "1<$&>7a"],
      ["gb18030", "fe31e7308431a437", "<$&>\ufffd"],
      ["utf-16le", "fdff00d8", "\ufffd\ud800"],
      ["utf-16be", "fffd", "\ufffd"],
    ]) {
      const expected = iconv.decode(bytesOf(bytes), name).length;
      assert.equal(text.replaceAll("<$&>", "?").length, expected, `${name} ${bytes}`);
      if (!text.startsWith("\u4e84")) assert.equal(decode(bytes, name), text, `${name} ${bytes}`);
      else assert.equal(decode(bytes, name).slice(1), text.slice(1));
    }
  });

  test("applies from the next chunk on", () => {
    const decoder = iconv.getDecoder("utf-8");
    assert.equal(decoder.write(bytesOf("ff")), "\ufffd");
    assert.equal(
      withFields(iconv, { defaultCharUnicode: "?" }, () => decoder.write(bytesOf("ffefbfbd61"))),
      "?\ufffda",
    );
    assert.equal(decoder.write(bytesOf("ff61")), "\ufffda");
  });
});

describe("defaultCharSingleByte", () => {
  test("replaces unmappable characters", () => {
    for (const name of ["windows-1252", "shift_jis", "big5", "koi8-r", "euc-kr", "gbk", "euc-jp", "iso-2022-jp"]) {
      const encode = (text, char) =>
        withFields(iconv, { defaultCharSingleByte: char }, () => hex(iconv.encode(text, name)));
      assert.equal(encode("a\u{1f600}b\ud800c", "?"), "613f623f63", name);
      assert.equal(encode("a\u{1f600}\udc00", "*"), "612a2a", name);
      assert.equal(encode("a\u{1f600}", "\u{1f600}"), "613f", name);
      assert.equal(encode("a\u{1f600}", ""), "613f", name);
      for (const parts of splits("a\u{1f600}\ud83d"))
        assert.equal(encodeChunks(iconv.getEncoder(name), parts), "613f3f", name);
    }
  });

  test("can be a character of several bytes", () => {
    const encode = (name) =>
      withFields(iconv, { defaultCharSingleByte: "\u3013" }, () => hex(iconv.encode("\u{1f600}", name)));
    assert.equal(encode("shift_jis"), "81ac");
    assert.equal(encode("euc-jp"), "a2ae");
    assert.equal(encode("gbk"), "a1fe");
    assert.equal(encode("iso-2022-jp"), "1b2442222e1b2842");
  });
});

test("a replacement that is not a string is an error that names the field", () => {
  const encoders = ["windows-1252", "koi8-r", "cp437", "latin1", "shift_jis", "gbk", "euc-jp", "big5", "euc-kr", "iso-2022-jp"];
  const decoders = {
    "utf-8": "ff61",
    shift_jis: "a061",
    "windows-1253": "ff",
    gb18030: "ff",
    "iso-2022-jp": "ff",
    cesu8: "ff",
    "utf-32le": "61",
    "utf-7": "ff",
  };
  for (const wrong of [Symbol("?"), 63, null, undefined, {}, true]) {
    const error = (field) => ({
      name: "TypeError",
      message: `iconv.${field} must be a string, not ${wrong === null ? "null" : typeof wrong}`,
    });
    const encoded = encoders.map((name) => [name, iconv.getEncoder(name)]);
    withFields(iconv, { defaultCharSingleByte: wrong }, () => {
      const expected = error("defaultCharSingleByte");
      for (const [name, encoder] of encoded) {
        assert.throws(() => iconv.encode("a\u{1f600}", name), expected, name);
        assert.throws(() => encoder.write("a\u{1f600}"), expected, name);
      }
      assert.equal(hex(iconv.encode("a\u{1f600}", "utf-8")), "61f09f9880");
    });
    const decoded = Object.entries(decoders).map(([name, bytes]) => [name, bytesOf(bytes), iconv.getDecoder(name)]);
    withFields(iconv, { defaultCharUnicode: wrong }, () => {
      const expected = error("defaultCharUnicode");
      for (const [name, bytes, decoder] of decoded) {
        assert.throws(() => iconv.decode(bytes, name), expected, name);
        assert.throws(() => decoder.write(bytes) + decoder.end(), expected, name);
      }
      const cut = iconv.getDecoder("cesu8");
      cut.write(bytesOf("e2"));
      assert.throws(() => cut.end(), expected);
      assert.equal(iconv.decode(bytesOf("6100"), "utf-16le"), "a");
    });
    // The next calls work again.
    for (const name of encoders) assert.equal(hex(iconv.encode("a\u{1f600}", name)), "613f", name);
    for (const [name, bytes] of Object.entries(decoders)) assert.match(iconv.decode(bytesOf(bytes), name), /\ufffd/, name);
  }
});

describe("characters that the standard's encoder does not write", () => {
  test("Big5: Hong Kong characters, and pairs", () => {
    const texts = [
      "\u00ca\u0304",
      "\u00ea\u030c",
      "\u00ca",
      "\u00ca\u00ca",
      "\u00ca\u00ca\u030c",
      "\u0304",
      "\u00ca\ud841\udd47",
      "\u00ca\ud800",
      "a\u00eab",
      "\u{2f9d4}\u00c0\u{1f600}\u6f22",
    ];
    for (const text of texts) {
      const expected = hex(original.encode(text, "big5"));
      const mine = hex(iconv.encode(text, "big5"));
      assert.equal(mine, expected, JSON.stringify(text));
      for (const parts of splits(text))
        assert.equal(encodeChunks(iconv.getEncoder("big5"), parts), mine, JSON.stringify(parts));
      if (!mine.includes("3f")) assert.equal(iconv.decode(bytesOf(mine), "big5"), text);
    }
    // code page 950 has none of them
    assert.equal(hex(iconv.encode("\u00ca\u0304", "cp950")), "3f3f");
  });

  test("EUC-JP: JIS X 0212", () => {
    const text = "\u4e02\u00c0\u65e5\u{1f600}\u9fa5";
    assert.equal(hex(iconv.encode(text, "euc-jp")), hex(original.encode(text, "euc-jp")));
    assert.equal(hex(iconv.encode("\u4e02", "euc-jp")), "8fb0a1");
    assert.equal(iconv.decode(bytesOf("8fb0a1"), "euc-jp"), "\u4e02");
    const long = "\u65e5".repeat(5000) + "\u4e02\u{1f600}".repeat(5000);
    assert.equal(hex(iconv.encode(long, "euc-jp")), hex(original.encode(long, "euc-jp")));
  });

  test("the bytes belong to the caller", () => {
    for (const name of ["big5", "euc-jp"]) {
      const bytes = iconv.encode("\u00c0", name);
      const before = hex(bytes);
      bytes.fill(0);
      assert.equal(hex(iconv.encode("\u00c0", name)), before);
    }
  });
});
