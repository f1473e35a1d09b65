// AllowSharedBufferSource: the types of input, and how their bytes are read.

import { assert } from "chai";
import { describe, test } from "node:test";
import { TextDecoder, TextEncoder, bomSniff, decode, decodeAndReport, inNode } from "./support/package.js";
import { bytes, detach, otherRealm, throws } from "./support/tools.js";

const VIEWS = [
  Int8Array, Int16Array, Int32Array, Uint8Array, Uint16Array, Uint32Array, Uint8ClampedArray, Float32Array, Float64Array,
  BigInt64Array, BigUint64Array, DataView, ...(globalThis.Float16Array ? [globalThis.Float16Array] : []),
];
const BUFFERS = [ArrayBuffer, ...(globalThis.SharedArrayBuffer ? [SharedArrayBuffer] : [])];
const WAYS = {
  "TextDecoder of UTF-8": (source) => new TextDecoder().decode(source),
  "fatal TextDecoder of UTF-8": (source) => new TextDecoder("utf-8", { fatal: true }).decode(source),
  "TextDecoder of GBK": (source) => new TextDecoder("gbk").decode(source),
  "TextDecoder with stream": (source) => new TextDecoder().decode(source, { stream: true }),
  decode: (source) => decode(source),
  decodeAndReport: (source) => decodeAndReport(source).text,
};

// The lengths take different paths through the code.
for (const length of [8, 64, 4096]) {
  const text = "abcdefgh".repeat(length / 8);
  const fill = (buffer, at) => {
    const all = new Uint8Array(buffer).fill(0x2a);
    for (let n = 0; n < length; n++) all[at + n] = text.charCodeAt(n);
    return buffer;
  };

  describe(`${length} bytes`, () => {
    for (const [name, decoded] of Object.entries(WAYS)) {
      test(`${name}: buffers`, () => {
        for (const Buffer of BUFFERS) assert.equal(decoded(fill(new Buffer(length), 0)), text, Buffer.name);
      });

      test(`${name}: views of a part of a buffer`, () => {
        for (const Buffer of BUFFERS) {
          for (const View of VIEWS) {
            const buffer = fill(new Buffer(length + 16), 8);
            const view = new View(buffer, 8, length / (View.BYTES_PER_ELEMENT ?? 1));
            assert.equal(decoded(view), text, `${View.name} of ${Buffer.name}`);
            assert.equal(decoded(new View(buffer, 8 + length)), "*".repeat(8), `the rest as ${View.name}`);
          }
        }
      });

      test(`${name}: own properties of a view are ignored`, () => {
        class Liar extends Uint8Array {
          get length() { return assert.fail("length"); }
          get buffer() { return assert.fail("buffer"); }
          get byteLength() { return assert.fail("byteLength"); }
          get byteOffset() { return assert.fail("byteOffset"); }
          get [Symbol.toStringTag]() { return assert.fail("toStringTag"); }
          static get [Symbol.species]() { return assert.fail("species"); }
          subarray() { return assert.fail("subarray"); }
          slice() { return assert.fail("slice"); }
          set() { return assert.fail("set"); }
        }
        assert.equal(decoded(new Liar(fill(new ArrayBuffer(length + 16), 8), 8, length)), text);
        class LyingView extends DataView {
          get buffer() { return assert.fail("buffer"); }
          get byteLength() { return assert.fail("byteLength"); }
          get byteOffset() { return assert.fail("byteOffset"); }
        }
        assert.equal(decoded(new LyingView(fill(new ArrayBuffer(length + 16), 8), 8, length)), text);
        class LyingBuffer extends ArrayBuffer {
          get byteLength() { return assert.fail("byteLength"); }
          get resizable() { return assert.fail("resizable"); }
          slice() { return assert.fail("slice"); }
        }
        assert.equal(decoded(fill(new LyingBuffer(length), 0)), text);
      });

      test(`${name}: buffers and views of another realm`, async () => {
        const realm = await otherRealm();
        assert.notEqual(realm.Uint8Array, Uint8Array);
        const buffer = fill(new realm.ArrayBuffer(length + 8), 8);
        assert.equal(decoded(new realm.Uint8Array(buffer, 8)), text);
        assert.equal(decoded(new realm.DataView(buffer, 8)), text);
        assert.equal(decoded(new realm.Float64Array(buffer, 8)), text);
        assert.equal(decoded(new Uint16Array(buffer, 8)), text);
        assert.equal(decoded(fill(new realm.ArrayBuffer(length), 0)), text);
        if (realm.SharedArrayBuffer) assert.equal(decoded(fill(new realm.SharedArrayBuffer(length), 0)), text);
      });
    }

    test("views at odd offsets", () => {
      const buffer = fill(new ArrayBuffer(length + 3), 3);
      for (const decoded of Object.values(WAYS)) assert.equal(decoded(new Uint8Array(buffer, 3)), text);
    });

    test("TextEncoder returns a new buffer", () => {
      const encoded = new TextEncoder().encode(text);
      assert.equal(encoded.byteOffset, 0);
      assert.equal(encoded.buffer.byteLength, length);
    });
  });
}

describe("sources", () => {
  test("a detached buffer has no bytes", () => {
    for (const View of [null, ...VIEWS]) {
      const buffer = new ArrayBuffer(64);
      const source = View === null ? buffer : new View(buffer);
      detach(buffer);
      for (const [name, decoded] of Object.entries(WAYS)) assert.equal(decoded(source), "", `${name} of ${View?.name}`);
      assert.isNull(bomSniff(source));
    }
  });

  test("a buffer that is detached by a getter of options has no bytes", () => {
    for (const View of [null, ...VIEWS]) {
      for (const length of [8, 4096]) {
        const buffer = new ArrayBuffer(length);
        const source = View === null ? buffer : new View(buffer);
        const options = { get stream() { return void detach(buffer); } };
        assert.equal(new TextDecoder().decode(source, options), "", View?.name);
      }
    }
  });

  test("resizable and growable buffers and their views throw a TypeError", () => {
    const resizable = new ArrayBuffer(8, { maxByteLength: 16 });
    const growable = globalThis.SharedArrayBuffer && new SharedArrayBuffer(8, { maxByteLength: 16 });
    for (const buffer of [resizable, growable]) {
      if (!buffer?.resizable && !buffer?.growable) continue; // an engine without them
      for (const [name, decoded] of Object.entries(WAYS)) {
        throws(() => decoded(buffer), TypeError, name);
        for (const View of VIEWS) {
          throws(() => decoded(new View(buffer)), TypeError, `${name} of ${View.name}`);
          throws(() => decoded(new View(buffer, 0, 1)), TypeError, `${name} of ${View.name} of a fixed length`);
        }
      }
    }
    if (resizable.resizable) {
      const view = new Uint8Array(resizable, 4);
      resizable.resize(2);
      throws(() => new TextDecoder().decode(view), TypeError, "out of bounds");
      detach(resizable);
      throws(() => new TextDecoder().decode(resizable), TypeError, "detached");
    }
  });

  test("a resizable buffer throws a TypeError before options are read", () => {
    const resizable = new ArrayBuffer(8, { maxByteLength: 16 });
    if (!resizable.resizable) return;
    throws(() => new TextDecoder().decode(resizable, { get stream() { return assert.fail("read"); } }), TypeError);
  });

  if (inNode) {
    test("Node's Buffer, pooled and unpooled", async () => {
      const { Buffer } = await import(/* not for a bundler */ ["node:buffer"][0]);
      for (const decoded of Object.values(WAYS)) {
        assert.equal(decoded(Buffer.from("hello")), "hello");
        assert.equal(decoded(Buffer.from("x".repeat(9000))), "x".repeat(9000));
      }
    });
  }

  test("the memory of a WebAssembly module", () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    new Uint8Array(memory.buffer).set(bytes("e6 97 a5"), 100);
    assert.equal(new TextDecoder().decode(new Uint8Array(memory.buffer, 100, 3)), "\u65e5");
  });
});
