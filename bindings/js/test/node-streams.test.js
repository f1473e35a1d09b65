// The entry with streams for Node.

import { assert } from "chai";
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describe, test } from "node:test";
import { DecodeError, EncodeError, decode, decodeAndReport, encode, encodings } from "../dist/index.js";
import { DecoderStream, EncoderStream } from "../dist/node.js";
import { bytes, hex } from "./support/tools.js";

const TEXT = "a\u00e9\u044f\u05d0\u65e5\u672c\uac00\uff71\u{1f600}\u20ac\u3042\u0e01\u00a5\u2212z";
const CODERS = encodings.filter(({ name }) => name !== "replacement");

/** Writes chunks, and returns what the stream gives. */
async function through(stream, chunks) {
  const result = [];
  await pipeline(Readable.from(chunks), stream, async (source) => {
    for await (const chunk of source) result.push(chunk);
  });
  return result;
}

/** Returns the error with which a stream ends. */
const failure = (promise) => promise.then(() => assert.fail("no error"), (error) => error);

/** Splits bytes or a string into parts of the same length. */
const parts = (whole, length) =>
  Array.from({ length: Math.ceil(whole.length / length) }, (_, n) => whole.slice(n * length, (n + 1) * length));

const damaged = (name) => Buffer.concat([encode(TEXT, name), bytes("ff"), encode(TEXT, name), bytes("81")]);

describe("DecoderStream", () => {
  for (const { name } of encodings) {
    test(`${name}: text and errors of chunks of any length`, async () => {
      const input = name === "replacement" ? Buffer.from("abc") : damaged(name);
      const { text, errors } = decodeAndReport(input, name);
      for (const length of [1, 2, 3, 7, input.length]) {
        const seen = [];
        const stream = new DecoderStream(name).on("malformed", (error) => seen.push(error));
        const result = await through(stream, parts(input, length));
        assert.isTrue(result.every((chunk) => typeof chunk === "string"));
        assert.equal(result.join(""), text, `chunks of ${length}`);
        assert.deepEqual(seen, errors.map(({ start, end }) => ({ start, end })));
      }
    });
  }

  test("an event comes before the text of its chunk, and the option onMalformed is a listener", async () => {
    const seen = [];
    const stream = new DecoderStream("gbk", { onMalformed: ({ start }) => seen.push(start) });
    stream.on("data", (text) => seen.push(text));
    stream.write(bytes("61 ff"));
    stream.end(bytes("62"));
    await once(stream, "end");
    assert.deepEqual(seen, [1, "a\ufffd", "b"]);
  });

  test("fatal: the stream fails with the offsets in the whole input", async () => {
    const stream = new DecoderStream("euc-jp", { fatal: true }).on("malformed", () => assert.fail("an event"));
    const error = await failure(through(stream, ["c6 fc", "cb", "61"].map(bytes)));
    assert.instanceOf(error, DecodeError);
    assert.deepEqual([error.start, error.end], [2, 3]);
    assert.isTrue(stream.destroyed);
    const incomplete = await failure(through(new DecoderStream("gbk", { fatal: true }), [bytes("61 c4")]));
    assert.deepEqual([incomplete.start, incomplete.end], [1, 2]);
  });

  test("byte order marks", async () => {
    const input = parts(bytes("ff fe 61 00"), 1);
    const stream = new DecoderStream("gbk");
    assert.equal(stream.encoding, "GBK");
    assert.equal((await through(stream, input)).join(""), "a");
    assert.equal(stream.encoding, "UTF-16LE");
    assert.equal((await through(new DecoderStream("utf-16le", { bom: "keep" }), input)).join(""), "\ufeffa");
    assert.equal((await through(new DecoderStream("gbk", { bom: "own" }), input)).join(""), decode(bytes("ff fe 61 00"), "gbk", { bom: "own" }));
  });

  test("setEncoding: the text as bytes in UTF-8, in that encoding", async () => {
    const stream = new DecoderStream("shift_jis").setEncoding("hex");
    assert.equal((await through(stream, [bytes("93"), bytes("fa")])).join(""), hex(Buffer.from("\u65e5")));
  });

  test("strings are rejected, because they are decoded already", async () => {
    for (const chunk of ["abc", ""]) {
      const stream = new DecoderStream("gbk");
      const error = once(stream, "error");
      stream.write(chunk);
      assert.match((await error)[0].message, /needs bytes, not strings/);
    }
  });

  test("what a listener throws is not an error of the stream", () => {
    const stream = new DecoderStream("gbk");
    stream.on("malformed", () => {
      throw new RangeError("of the listener");
    });
    stream.on("error", () => assert.fail("an error of the stream"));
    assert.throws(() => stream.write(bytes("61 ff")), RangeError, "of the listener");
  });

  test("invalid arguments", () => {
    assert.throws(() => new DecoderStream("none"), RangeError);
    assert.throws(() => new DecoderStream("gbk", { bom: 1 }), TypeError);
    assert.throws(() => new DecoderStream("gbk", { onMalformed: 1 }), TypeError);
  });
});

describe("EncoderStream", () => {
  for (const { name } of CODERS) {
    test(`${name}: bytes and unmappable characters of chunks of any length`, async () => {
      const text = `${TEXT}\ud83d${TEXT}\ud83d`;
      for (const unmappable of ["html", "skip", "replace"]) {
        const expected = [];
        // A lone surrogate is U+FFFD.
        const whole = encode(text, name, { unmappable });
        for (let index = 0, n = 0; n < [...text].length; index += [...text][n++].length) {
          const codePoint = [...text][n].codePointAt(0);
          const char = codePoint >= 0xd800 && codePoint < 0xe000 ? "\ufffd" : [...text][n];
          if (encode(char, name, { unmappable: "skip" }).length === 0) expected.push({ codePoint: char.codePointAt(0), index });
        }
        for (const length of [1, 2, 5, text.length]) {
          const seen = [];
          const stream = new EncoderStream(name, { unmappable }).on("unmappable", (character) => seen.push(character));
          const result = await through(stream, parts(text, length));
          assert.isTrue(result.every(Buffer.isBuffer));
          assert.equal(hex(Buffer.concat(result)), hex(whole), `${unmappable}, chunks of ${length}`);
          assert.deepEqual(seen, expected);
        }
      }
    });
  }

  test("unmappable: fail, and surrogates: fail", async () => {
    const error = await failure(through(new EncoderStream("koi8-r", { unmappable: "fail" }), ["\u044f", "\u044f\u65e5"]));
    assert.instanceOf(error, EncodeError);
    assert.deepEqual([error.codePoint, error.index], [0x65e5, 2]);
    const lone = await failure(through(new EncoderStream("utf-8", { surrogates: "fail" }), ["a", "\ud83d"]));
    assert.equal(lone.index, 1);
  });

  test("a mark, a replacement, and the option onUnmappable", async () => {
    assert.equal(hex(Buffer.concat(await through(new EncoderStream("utf-16le", { bom: true }), ["a", "b"]))), "fffe61006200");
    const seen = [];
    const options = { unmappable: "replace", replacement: "*", onUnmappable: ({ index }) => seen.push(index) };
    assert.equal(hex(Buffer.concat(await through(new EncoderStream("gbk", options), ["a", "\u{1f600}"]))), "612a");
    assert.deepEqual(seen, [1]);
  });

  test("bytes are rejected, also as strings", async () => {
    for (const [chunk, encoding] of [[bytes("61")], ["61", "hex"], ["YQ==", "base64"], ["a", "latin1"]]) {
      const stream = new EncoderStream("gbk");
      const error = once(stream, "error");
      stream.write(chunk, encoding);
      assert.match((await error)[0].message, /needs text, not (bytes|strings in)/);
    }
    for (const encoding of ["utf8", "UTF-8", "ucs2", "utf16le"]) {
      const stream = new EncoderStream("gbk");
      stream.end("\u4f60", encoding);
      assert.equal(hex((await once(stream, "data"))[0]), "c4e3");
    }
  });
});

test("files, through both streams", async () => {
  const folder = mkdtempSync(join(tmpdir(), "node-streams-"));
  try {
    const path = (name) => join(folder, name);
    const text = "\u65e5\u672c\u8a9e, a\n".repeat(50_000);
    writeFileSync(path("old"), encode(text, "shift_jis"));
    await pipeline(createReadStream(path("old")), new DecoderStream("shift_jis"), new EncoderStream("euc-jp"), createWriteStream(path("new")));
    assert.equal(decode(readFileSync(path("new")), "euc-jp"), text);
    // Strings of a source with an encoding are encoded, and a file gets UTF-8 from a decoder.
    await pipeline(createReadStream(path("new")), new DecoderStream("euc-jp"), createWriteStream(path("utf-8")));
    assert.equal(readFileSync(path("utf-8"), "utf8"), text);
    await pipeline(createReadStream(path("utf-8"), "utf8"), new EncoderStream("shift_jis"), createWriteStream(path("again")));
    assert.isTrue(readFileSync(path("again")).equals(readFileSync(path("old"))));
    const missing = await failure(pipeline(createReadStream(path("missing")), new DecoderStream(), new PassThrough()));
    assert.equal(missing.code, "ENOENT");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("backpressure: a slow consumer stops the producer", async () => {
  let produced = 0;
  const source = Readable.from((function* () {
    for (; produced < 1000; produced++) yield Buffer.alloc(1024, 0x61);
  })());
  const stream = source.pipe(new DecoderStream("gbk", { highWaterMark: 4096 }));
  const slow = new Writable({ highWaterMark: 1, decodeStrings: false, write: () => {} });
  stream.pipe(slow);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.isAbove(produced, 0);
  assert.isBelow(produced, 100);
  assert.isFalse(stream.write(Buffer.alloc(1)));
  assert.equal(stream.readableHighWaterMark, 4096);
});

test("destroy, and a signal", async () => {
  const stream = new DecoderStream("gbk");
  stream.write(bytes("c4"));
  stream.destroy();
  await once(stream, "close");
  assert.isTrue(stream.destroyed);
  const failed = new EncoderStream("gbk");
  const error = once(failed, "error");
  failed.destroy(new RangeError("why"));
  assert.equal((await error)[0].message, "why");
  const controller = new AbortController();
  const aborted = new DecoderStream("gbk", { signal: controller.signal });
  const abortion = once(aborted, "error");
  controller.abort();
  assert.equal((await abortion)[0].name, "AbortError");
});

test("options of streams that would replace methods are ignored", async () => {
  const transform = () => assert.fail("called");
  const stream = new DecoderStream("gbk", { transform, flush: transform, objectMode: true, encoding: "hex" });
  assert.deepEqual(await through(stream, [bytes("c4 e3")]), ["\u4f60"]);
});

test("options may be inherited or null, and must be an object", async () => {
  const decoder = new DecoderStream("gbk", Object.create({ fatal: true, highWaterMark: 5 }));
  assert.equal(decoder.readableHighWaterMark, 5);
  assert.instanceOf(await failure(through(decoder, [bytes("ff")])), DecodeError);
  const encoder = new EncoderStream("gbk", Object.create({ unmappable: "replace", replacement: "*" }));
  assert.equal(hex(Buffer.concat(await through(encoder, ["\u{1f600}"]))), "2a");
  for (const Stream of [DecoderStream, EncoderStream]) {
    assert.equal(new Stream("gbk", null).encoding, "GBK");
    for (const options of ["fatal", 5, true]) assert.throws(() => new Stream("gbk", options), TypeError, "must be an object");
  }
});

test("CommonJS", async () => {
  const require = createRequire(import.meta.url);
  const { DecoderStream } = require("../dist/node.cjs");
  assert.equal((await through(new DecoderStream("gbk"), [bytes("c4 e3")])).join(""), "\u4f60");
});
