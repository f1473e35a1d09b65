// The iconv-lite entry, compared with iconv-lite itself.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Readable, Transform, pipeline } from "node:stream";
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

test("names mean the same", () => {
  // Makes iconv-lite load its list of names.
  original.encodingExists("utf-8");
  const names = Object.keys(original.encodings).filter((name) => !name.startsWith("_"));
  assert.ok(names.length > 400, `${names.length}`);
  for (const name of names) {
    const bytes = original.encode("Az é ж ς ב ا ü ก 日本 한 漢", name);
    assert.equal(iconv.decode(bytes, name), original.decode(bytes, name), name);
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
  assert.ok(iconv.decodeStream("gbk") instanceof iconv.IconvLiteDecoderStream);
  assert.ok(new iconv.IconvLiteEncoderStream(iconv.getEncoder("gbk"), {}) instanceof Transform);
});

test("streams strip and add byte order marks, and keep their options unchanged", async () => {
  const options = Object.freeze({ addBOM: true, stripBOM: false, highWaterMark: 3 });
  const bytes = await collected(Readable.from(["a", "b"]).pipe(iconv.encodeStream("utf-8", options)));
  assert.deepEqual([...bytes], [0xef, 0xbb, 0xbf, 0x61, 0x62]);
  assert.equal(await collected(Readable.from([bytes]).pipe(iconv.decodeStream("utf-8"))), "ab");
  assert.equal(await collected(Readable.from([bytes]).pipe(iconv.decodeStream("utf-8", options))), "\ufeffab");
});

test("a decoder stream does not split surrogate pairs", async () => {
  for (const [name, chunks] of [["utf-8", [[0xf0], [0x9f, 0x98], [0xbb]]], ["ucs2", [[0x3d], [0xd8, 0x3b], [0xde]]]]) {
    const read = [];
    const source = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
    for await (const text of source.pipe(iconv.decodeStream(name))) read.push(text);
    assert.deepEqual(read, ["\u{1f63b}"], name);
  }
});

test("streams reject chunks of the wrong type, with the messages of iconv-lite", async () => {
  const failure = (source, stream) => new Promise((done) => pipeline(Readable.from([source]), stream, done));
  const encoding = await failure(Buffer.of(1), iconv.encodeStream("utf-8"));
  assert.match(encoding.message, /^Iconv encoding stream needs strings as its input/);
  const decoding = await failure("a", iconv.decodeStream("utf-8", { decodeStrings: false }));
  assert.match(decoding.message, /^Iconv decoding stream needs buffers as its input/);
  assert.equal(await collected(Readable.from(["a\u00e9"]).pipe(iconv.decodeStream("utf-8"))), "a\u00e9");
});

test("streams report the errors of their converters", async () => {
  const failing = { write: () => { throw new Error("write"); }, end: () => { throw new Error("end"); } };
  await assert.rejects(collected(Readable.from(["a"]).pipe(new iconv.IconvLiteEncoderStream(failing))), /write/);
  await assert.rejects(collected(Readable.from([]).pipe(new iconv.IconvLiteDecoderStream(failing))), /end/);
});

test("without Node's streams", async () => {
  const { default: portable, ...exports } = await import("../dist/iconv-lite.js?without-streams");
  assert.equal(portable.supportsStreams, false);
  assert.throws(() => portable.encodeStream("gbk"), /Streaming API is not enabled/);
  assert.throws(() => portable.decodeStream("gbk"), /Streaming API is not enabled/);
  portable.enableStreamingAPI({ Transform });
  assert.equal(portable.supportsStreams, true);
  assert.equal(await collected(Readable.from([Buffer.of(0xcf)]).pipe(portable.decodeStream("cp1251"))), "\u041f");
  assert.equal(exports.supportsStreams, false, "a copy of the state before");
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
  const required = createRequire(import.meta.url)(`${PACKAGE}/iconv-lite`);
  for (const name of Object.keys(original)) {
    assert.ok(name in iconv, name);
    assert.ok(name in required, name);
    const isState = ["_codecDataCache", "encodings", "skipDecodeWarning"].includes(name);
    if (!isState) assert.equal(typeof iconv[name], typeof original[name], name);
    assert.ok(name in named, name);
    if (typeof iconv[name] === "function") assert.equal(named[name], iconv[name], name);
  }
  assert.equal(named.supportsStreams, true);
  assert.equal(required.decode(Buffer.from([0x93, 0xfa]), "cp932"), "日");
  assert.equal(required.default, required);
  required.defaultCharSingleByte = "!";
  assert.equal(required.encode("日", "latin1").toString(), "!");
  required.defaultCharSingleByte = "?";
});
