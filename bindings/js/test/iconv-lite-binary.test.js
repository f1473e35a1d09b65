// base64, hex and binary in the iconv-lite entry, compared with Node's Buffer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Buffer, decodeChunks, encodeChunks, hex, iconv, original, splits } from "./support/iconv-lite.js";
import { randomly } from "./support/tools.js";

const random = randomly(7);
const randomBytes = (length) => Uint8Array.from({ length }, () => random(256));

test("bytes to text", () => {
  for (let length = 0; length < 40; length++) {
    const bytes = randomBytes(length);
    for (const name of ["base64", "hex", "binary"]) {
      const expected = Buffer.from(bytes).toString(name);
      assert.equal(iconv.decode(bytes, name), expected);
      for (const parts of splits(bytes)) assert.equal(decodeChunks(iconv.getDecoder(name), parts), expected);
      assert.equal(hex(iconv.encode(expected, name)), hex(bytes));
    }
  }
});

test("text to bytes", () => {
  const alphabets = {
    base64: "ABYZabyz0189+/-_= \n*\u00e9",
    hex: "0189abcfABCF 0123456789g",
    binary: "a\u00ff\u0100\u65e5\ud83d\0",
  };
  for (const [name, alphabet] of Object.entries(alphabets)) {
    for (let n = 0; n < 3000; n++) {
      const text = Array.from({ length: random(12) }, () => alphabet[random(alphabet.length)]).join("");
      const expected = hex(Buffer.from(text, name));
      assert.equal(hex(iconv.encode(text, name)), expected, JSON.stringify(text));
      for (const parts of splits(text)) {
        assert.equal(encodeChunks(iconv.getEncoder(name), parts), expected, JSON.stringify(parts));
      }
    }
  }
});

test("characters above U+00FF are not digits, whatever their low byte is", () => {
  const wide = (digits) => digits.replace(/./g, (digit) => String.fromCharCode(0x100 + digit.charCodeAt(0)));
  for (const [name, text, expected] of [
    ["base64", `${wide("A=-")}YW${wide("QUJD=")}I=`, "6162"],
    ["hex", `6162${wide("63")}64`, "6162"],
    ["hex", `616${wide("2")}`, "61"],
  ]) {
    assert.equal(hex(iconv.encode(text, name)), expected, text);
    for (const parts of splits(text)) assert.equal(encodeChunks(iconv.getEncoder(name), parts), expected, text);
  }
});

test("encoders can be used again after end", () => {
  for (const [name, text] of [
    ["base64", "YQ=="],
    ["hex", "61x"],
  ]) {
    const encoder = iconv.getEncoder(name);
    for (let n = 0; n < 2; n++) assert.equal(encodeChunks(encoder, [text]), "61");
  }
});

test("strings and other inputs of decode", () => {
  for (const name of ["base64", "hex", "utf8", "cp437", "shift_jis", "latin1"]) {
    const inputs = [
      "ab\u00e9",
      Uint8Array.of(0x61),
      new Uint8Array(Uint8Array.of(1, 0x61, 2).buffer, 1, 1),
      Buffer.from("a"),
      [0x61],
    ];
    original.skipDecodeWarning = true;
    iconv.skipDecodeWarning = true;
    for (const input of inputs) assert.equal(iconv.decode(input, name), original.decode(input, name), name);
    assert.equal(iconv.decode(new Uint8Array([0x61]).buffer, name), iconv.decode(Uint8Array.of(0x61), name));
    for (const input of [undefined, null, 12, {}, true])
      assert.throws(() => iconv.decode(input, name), TypeError, `${name} ${input}`);
  }
});

test("decode warns of a string once", () => {
  const { error } = console;
  const lines = [];
  console.error = (line) => lines.push(line);
  try {
    iconv.skipDecodeWarning = false;
    for (let n = 0; n < 2; n++) assert.equal(iconv.decode("a", "latin1"), "a");
    assert.equal(iconv.skipDecodeWarning, true);
  } finally {
    console.error = error;
  }
  assert.equal(lines.length, 1);
  assert.match(lines[0], /decode\(\) was called with a string/);
});

test("encode converts values to strings", () => {
  for (const name of ["base64", "hex", "utf8", "cp437", "shift_jis"]) {
    for (const value of [undefined, null, 0, 12, {}, [1, 2], { valueOf: () => 5 }, Buffer.from("a")]) {
      // iconv-lite counts characters that are not digits of base64. Node's Buffer ignores them.
      const expected = name === "base64" ? Buffer.from(`${value || ""}`, name) : original.encode(value, name);
      if (value?.valueOf() === 5 && name === "base64") continue;
      assert.equal(hex(iconv.encode(value, name)), hex(expected), `${name} ${value}`);
    }
  }
});

test("bytes in shared and resizable buffers", () => {
  const options = { maxByteLength: 16 };
  const buffers = [new SharedArrayBuffer(4), new ArrayBuffer(4, options), new SharedArrayBuffer(4, options)];
  for (const name of ["utf8", "utf16le", "utf16", "utf32", "cesu8", "latin1", "win1251", "cp437", "shift_jis", "gbk", "hex"]) {
    for (const buffer of buffers) {
      const bytes = new Uint8Array(buffer);
      bytes.set([0x61, 0x00, 0x00, 0x00]);
      const expected = iconv.decode(Uint8Array.from(bytes), name);
      for (const view of [Buffer.from(buffer), bytes, new DataView(buffer), buffer]) {
        assert.equal(iconv.decode(view, name), expected, name);
        const decoder = iconv.getDecoder(name);
        assert.equal(decoder.write(view) + (decoder.end() ?? ""), expected, name);
      }
    }
  }
});
