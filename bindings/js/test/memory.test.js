// The module's memory does not grow without bound.

import { assert } from "chai";
import { describe, test } from "node:test";
import { TextDecoder, TextDecoderStream, decode, encode, memory } from "./support/package.js";
import { bytes, collect, throws } from "./support/tools.js";

const MIB = 1 << 20;
const size = () => memory.buffer.byteLength;
const canCollect = globalThis.gc !== undefined;

describe("memory", { concurrency: false }, () => {
  test("the tests observe the module's memory", () => {
    assert.instanceOf(memory, WebAssembly.Memory);
    assert.isAbove(size(), 0);
  });

  test("abandoned streams are freed", { skip: !canCollect && "needs --expose-gc" }, async () => {
    // After a fatal error, the decoder stays until it is collected.
    const chunk = new Uint8Array(100 << 10).fill(0x61);
    chunk[0] = 0xff;
    const abandon = () => throws(() => new TextDecoder("utf-8", { fatal: true }).decode(chunk, { stream: true }), TypeError);
    for (let n = 0; n < 50; n++) abandon();
    await collect();
    const before = size();
    for (let round = 0; round < 20; round++) {
      for (let n = 0; n < 50; n++) abandon();
      await collect();
    }
    assert.isBelow(size() - before, 25 * MIB, "of 98 MiB");
  });

  test("abandoned TextDecoderStreams are freed", { skip: !canCollect && "needs --expose-gc" }, async () => {
    const abandon = async () => {
      const writer = new TextDecoderStream("gb18030").writable.getWriter();
      void writer.write(bytes("81 30"));
    };
    const before = size();
    for (let round = 0; round < 30; round++) {
      for (let n = 0; n < 500; n++) await abandon();
      await collect();
    }
    assert.isBelow(size() - before, 8 * MIB);
  });

  test("a reused decoder takes one slot", () => {
    const before = size();
    const decoder = new TextDecoder("big5");
    for (let n = 0; n < 20_000; n++) {
      decoder.decode(bytes("a4"), { stream: true });
      assert.equal(decoder.decode(bytes("40")), "\u4e00");
    }
    assert.isBelow(size() - before, 2 * MIB);
  });

  test("decoders without stream do not leak", () => {
    const before = size();
    for (let n = 0; n < 20_000; n++) new TextDecoder("big5", { fatal: n % 2 === 0 }).decode(bytes("a4 40"));
    assert.isBelow(size() - before, 2 * MIB);
  });

  test("functions that throw do not leak", () => {
    const before = size();
    for (let n = 0; n < 5_000; n++) {
      throws(() => encode("\u3042", "latin1", { unmappable() { throw new Error("own"); } }), Error);
      throws(() => decode(bytes("ff"), "gbk", { fatal: true }), TypeError);
    }
    assert.isBelow(size() - before, 2 * MIB);
  });

  test("long inputs are converted in blocks", () => {
    const before = size();
    const long = new Uint8Array(64 * MIB).fill(0xe9);
    assert.equal(new TextDecoder("windows-1252").decode(long).length, long.length);
    assert.equal(encode("\u00e9".repeat(64 * MIB), "windows-1252").length, long.length);
    assert.isBelow(size() - before, 24 * MIB);
  });
});
