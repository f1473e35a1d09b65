// The iconv-lite entry, compared with iconv-lite itself.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Readable, pipeline } from "node:stream";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import original from "iconv-lite";

// Imported by the package's name, as users do.
const { name: PACKAGE } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url)));
const named = await import(`${PACKAGE}/iconv-lite`);
const iconv = named.default;

const samples = fileURLToPath(new URL("../../../samples/", import.meta.url));
const sample = (name) => readFileSync(`${samples}${name}.utf-8.txt`, "utf8");

/** Encoding names that both support, and a sample for each. */
const COMMON = {
  "windows-1252": "cafe",
  win1252: "cafe",
  "windows-1251": "weather",
  cp1251: "weather",
  "1251": "weather",
  "koi8-r": "weather",
  "koi8-u": "orchard",
  "ISO-8859-5": "weather",
  cp866: "weather",
  "windows-1250": "forest",
  "iso-8859-2": "train",
  latin2: "train",
  "iso-8859-15": "menu",
  latin9: "menu",
  "windows-1253": "island",
  "windows-1254": "ferry",
  "windows-1255": "bakery",
  "windows-1256": "desert",
  "windows-1257": "amber",
  "windows-1258": "village",
  "windows-874": "river",
  Shift_JIS: "tea",
  SJIS: "tea",
  cp932: "tea",
  "euc-jp": "tea",
  "euc-kr": "market",
  cp949: "market",
  GBK: "library",
  cp936: "library",
  gb2312: "library",
  gb18030: "letter",
  Big5: "harbour",
  cp950: "harbour",
  "utf-8": "stars",
  UTF8: "stars",
  "utf-16le": "stars",
  ucs2: "stars",
  "UCS-2": "stars",
  "utf-16be": "stars",
  "utf-16": "stars",
};

for (const [encoding, name] of Object.entries(COMMON)) {
  test(`${encoding}: same bytes and same text`, () => {
    const text = sample(name);
    const bytes = original.encode(text, encoding);
    const expected = original.decode(bytes, encoding);
    assert.ok(iconv.encodingExists(encoding));
    assert.deepEqual(iconv.encode(text, encoding), bytes);
    assert.ok(Buffer.isBuffer(iconv.encode(text, encoding)));
    assert.equal(iconv.decode(bytes, encoding), expected);
    assert.equal(iconv.decode(new Uint8Array(bytes), encoding), expected);
  });

  test(`${encoding}: split at every offset`, () => {
    const text = sample(name).slice(0, 40) + "\u{1f600}";
    const bytes = original.encode(text.slice(0, 40), encoding);
    const expected = original.decode(bytes, encoding);
    for (let at = 0; at <= bytes.length; at++) {
      const decoder = iconv.getDecoder(encoding);
      const parts = [bytes.subarray(0, at), bytes.subarray(at)].map((part) => decoder.write(part));
      assert.equal(parts.join("") + (decoder.end() ?? ""), expected);
    }
    const whole = iconv.encode(text, encoding);
    for (let at = 0; at <= text.length; at++) {
      const encoder = iconv.getEncoder(encoding);
      const parts = [text.slice(0, at), text.slice(at)].map((part) => encoder.write(part));
      assert.deepEqual(Buffer.concat([...parts, encoder.end() ?? Buffer.alloc(0)]), whole);
    }
  });
}

test("names that both support decode the same text", () => {
  // Makes iconv-lite load its list of names.
  original.encodingExists("utf-8");
  const names = Object.keys(original.encodings).filter((name) => iconv.encodingExists(name) && name !== "utf16");
  assert.ok(names.length > 250, `${names.length}`);
  for (const name of names) {
    const bytes = original.encode("Az é ж ς ب א ü ก 日本 한 漢", name);
    assert.equal(iconv.decode(bytes, name), original.decode(bytes, name), name);
  }
});

test("unknown names", () => {
  for (const name of ["utf-7", "nonsense", "", "replacement", "iso-2022-kr", undefined]) {
    assert.equal(iconv.encodingExists(name), false, `${name}`);
    const message = { message: `Encoding not recognized: '${name}'` };
    assert.throws(() => iconv.decode(Buffer.alloc(1), name), message);
    assert.throws(() => iconv.encode("a", name), message);
    assert.throws(() => iconv.getDecoder(name), message);
    assert.throws(() => iconv.getEncoder(name), message);
  }
});

test("unmappable characters become a question mark, or the configured character", () => {
  for (const encoding of ["windows-1252", "shift_jis", "big5", "koi8-r", "euc-kr", "gbk"]) {
    assert.deepEqual(iconv.encode("a\u0e01b\ud800", encoding), original.encode("a\u0e01b\ud800", encoding), encoding);
  }
  assert.equal(iconv.encode("\u{1f600}", "windows-1252").toString(), "?");
  iconv.defaultCharSingleByte = "*";
  try {
    assert.equal(iconv.encode("a\u65e5", "windows-1252").toString(), "a*");
  } finally {
    iconv.defaultCharSingleByte = "?";
  }
});

test("malformed bytes become U+FFFD, or the configured string", () => {
  assert.equal(iconv.decode(Buffer.from([0x61, 0xff, 0x62]), "utf-8"), "a\ufffdb");
  assert.equal(iconv.decode(Buffer.from([0x61, 0x81]), "shift_jis"), "a\ufffd");
  iconv.defaultCharUnicode = "$&";
  try {
    assert.equal(iconv.decode(Buffer.from([0x61, 0xff, 0xff]), "utf-8"), "a$&$&");
  } finally {
    iconv.defaultCharUnicode = "\ufffd";
  }
});

test("byte order marks", () => {
  for (const encoding of ["utf-8", "utf-16le", "utf-16be", "utf-16", "windows-1252"]) {
    for (const options of [undefined, { addBOM: true }, { addBOM: false }]) {
      const bytes = original.encode("aé", encoding, options && { ...options });
      assert.deepEqual(iconv.encode("aé", encoding, options), bytes, encoding);
      for (const stripBOM of [undefined, true, false]) {
        const expected = original.decode(bytes, encoding, { stripBOM });
        assert.equal(iconv.decode(bytes, encoding, { stripBOM }), expected, `${encoding} ${stripBOM}`);
        const decoder = iconv.getDecoder(encoding, { stripBOM });
        let text = "";
        for (const byte of bytes) text += decoder.write(Uint8Array.of(byte));
        assert.equal(text + (decoder.end() ?? ""), expected, `${encoding} ${stripBOM}`);
      }
    }
  }
  let calls = 0;
  const count = () => calls++;
  assert.equal(iconv.decode(Buffer.from("\ufeff\ufeffa"), "utf8", { stripBOM: count }), "\ufeffa");
  assert.equal(iconv.decode(Buffer.from("a\ufeff"), "utf8", { stripBOM: count }), "a\ufeff");
  assert.equal(calls, 1);
});

test("utf-16: the byte order is detected", () => {
  for (const text of ["plain text", "x", "日本語 text", "日本"]) {
    for (const encoding of ["utf-16le", "utf-16be"]) {
      const bytes = original.encode(text, encoding);
      for (const options of [undefined, { defaultEncoding: "utf-16be" }]) {
        const expected = original.decode(bytes, "utf-16", options);
        assert.equal(iconv.decode(bytes, "utf-16", options), expected);
        const decoder = iconv.getDecoder("utf16", options);
        const text = decoder.write(bytes.subarray(0, 3)) + decoder.write(bytes.subarray(3));
        assert.equal(text + (decoder.end() ?? ""), expected);
      }
    }
  }
});

test("decode accepts strings as bytes, encode converts values to strings", () => {
  assert.equal(iconv.decode("\x93\xfa", "shift_jis"), "日");
  assert.equal(iconv.encode(12, "shift_jis").toString(), "12");
  assert.equal(iconv.encode(undefined, "shift_jis").length, 0);
  assert.equal(iconv.encode(null, "utf-16be").length, 0);
});

const collected = (stream) =>
  new Promise((done, fail) => stream.collect((error, all) => (error ? fail(error) : done(all))));

test("streams", async () => {
  const text = sample("tea");
  const bytes = original.encode(text, "shift_jis");
  const ones = [...bytes].map((byte) => Buffer.of(byte));
  assert.equal(await collected(Readable.from(ones).pipe(iconv.decodeStream("shift_jis"))), text);
  assert.deepEqual(await collected(Readable.from([...text]).pipe(iconv.encodeStream("shift_jis"))), bytes);
  // Decoded and encoded again, then read with iconv-lite's `collect` and with `for await`.
  const there = Readable.from(ones).pipe(iconv.decodeStream("cp932")).pipe(iconv.encodeStream("utf16"));
  assert.deepEqual(await collected(there), original.encode(text, "utf16"));
  let chunks = "";
  const narrow = iconv.decodeStream("sjis", { highWaterMark: 10 });
  for await (const chunk of Readable.from([bytes]).pipe(narrow)) chunks += chunk;
  assert.equal(chunks, text);
  assert.ok(iconv.supportsStreams);
});

test("streams reject chunks of the wrong type", async () => {
  const failure = (source, stream) => new Promise((done) => pipeline(Readable.from([source]), stream, done));
  assert.ok((await failure(1, iconv.decodeStream("utf-8", { writableObjectMode: true }))) instanceof TypeError);
  assert.ok((await failure(Buffer.of(1), iconv.encodeStream("utf-8"))) instanceof TypeError);
});

test("an encoder can be reused after end, or abandoned", () => {
  const encoder = iconv.getEncoder("iso-2022-jp");
  for (let n = 0; n < 2; n++) {
    assert.equal(encoder.write("日").toString("latin1"), "\x1b$BF|");
    assert.equal(encoder.end().toString("latin1"), "\x1b(B");
  }
  for (let n = 0; n < 1000; n++) iconv.getEncoder("gbk").write("汉");
});

test("named exports and CommonJS", () => {
  for (const [name, value] of Object.entries(iconv)) {
    if (typeof value === "function") assert.equal(named[name], value, name);
  }
  const required = createRequire(import.meta.url)(`${PACKAGE}/iconv-lite`);
  assert.equal(required.decode(Buffer.from([0x93, 0xfa]), "cp932"), "日");
  assert.equal(required.default, required);
  required.defaultCharSingleByte = "!";
  assert.equal(required.encode("日", "latin1").toString(), "!");
});
