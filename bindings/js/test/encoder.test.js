// Section 7.4: TextEncoder.

import { assert } from "chai";
import { describe, test } from "node:test";
import { TextEncoder } from "./support/package.js";
import { bytes, detach, hex, otherRealm, randomly, sameBytes, throws } from "./support/tools.js";

/** A reference encoder of UTF-8: the bytes of each scalar value, and its number of code units. */
function scalars(string) {
  const all = [];
  for (let n = 0; n < string.length; n++) {
    const [unit, next] = [string.charCodeAt(n), string.charCodeAt(n + 1)];
    let point = unit;
    let read = 1;
    if (unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
      point = 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00);
      read = 2;
      n++;
    } else if (unit >= 0xd800 && unit < 0xe000) {
      point = 0xfffd;
    }
    const trail = (shift) => 0x80 | ((point >> shift) & 0x3f);
    if (point < 0x80) all.push({ read, bytes: [point] });
    else if (point < 0x800) all.push({ read, bytes: [0xc0 | (point >> 6), trail(0)] });
    else if (point < 0x10000) all.push({ read, bytes: [0xe0 | (point >> 12), trail(6), trail(0)] });
    else all.push({ read, bytes: [0xf0 | (point >> 18), trail(12), trail(6), trail(0)] });
  }
  return all;
}

const utf8 = (string) => hex(scalars(string).flatMap(({ bytes }) => bytes));

const STRINGS = [
  "", "a", "abc", "a\u00e9", "\u00e9a\u00e9", "\u65e5a", "a\u65e5\u672c", "\u{1f600}", "a\u{1f600}b\u{10ffff}", "\ud83d", "\ude00", "a\ud83d",
  "\ude00b", "\ud83d\ud83d\ude00", "\ude00\ud83d", "\ud83da\ude00", "\u0000\u007f\u0080\u07ff\u0800", "\uffff\ufffd\ufeff", "\ud7ff\ue000",
  "\ud800\udbff\udc00\udfff", "abcdefghijklmnop", "\u00e9".repeat(9), "\u65e5".repeat(9), "\u{1f600}".repeat(9), "\ud800".repeat(9),
];

const encoder = new TextEncoder();

describe("TextEncoder: encode", () => {
  test("encoding", () => assert.strictEqual(encoder.encoding, "utf-8"));

  test("the constructor ignores arguments", () => {
    const never = { toString: () => assert.fail("converted") };
    assert.equal(new TextEncoder(never, never).encoding, "utf-8");
    assert.equal(new TextEncoder("gbk").encoding, "utf-8");
  });

  test("returns a new Uint8Array whose buffer has the same length", () => {
    for (const string of STRINGS) {
      const encoded = encoder.encode(string);
      assert.equal(Object.getPrototypeOf(encoded), Uint8Array.prototype);
      assert.equal(Object.getPrototypeOf(encoded.buffer), ArrayBuffer.prototype);
      assert.equal(encoded.byteOffset, 0);
      assert.equal(encoded.buffer.byteLength, encoded.length);
      assert.notEqual(encoder.encode(string).buffer, encoded.buffer);
    }
  });

  test("characters of one to four bytes; unpaired surrogates become U+FFFD", () => {
    for (const string of STRINGS) {
      for (const before of ["", "x".repeat(15), "x".repeat(70), "\u65e5".repeat(33)]) {
        assert.equal(hex(encoder.encode(before + string)), utf8(before + string), JSON.stringify(string));
      }
    }
  });

  test("every code unit, alone and among others", () => {
    const random = randomly(1);
    for (let from = 0; from < 0x10000; from += 0x400) {
      let all = "";
      for (let n = 0; n < 0x400; n++) all += String.fromCharCode(from + n) + (random(3) === 0 ? "a" : "");
      assert.equal(hex(encoder.encode(all)), utf8(all), from.toString(16));
    }
  });

  test("input is a USVString, \"\" by default", () => {
    const encoded = (...args) => String.fromCharCode(...encoder.encode(...args));
    assert.equal(encoded(), "");
    assert.equal(encoded(undefined), "");
    assert.equal(encoded(null), "null");
    assert.equal(encoded(12.5), "12.5");
    assert.equal(encoded(-0), "0");
    assert.equal(encoded(true), "true");
    assert.equal(encoded(10n), "10");
    assert.equal(encoded([1, [2]]), "1,2");
    assert.equal(encoded({}), "[object Object]");
    assert.equal(encoded({ toString: () => "own", valueOf: () => "other" }), "own");
    assert.equal(encoded({ [Symbol.toPrimitive]: (hint) => hint }), "string");
    throws(() => encoder.encode(Symbol("a")), TypeError);
    throws(() => encoder.encode(Object.create(null)), TypeError);
    class Own extends Error {}
    throws(() => encoder.encode({ toString() { throw new Own(); } }), Own);
  });
});

describe("TextEncoder: encodeInto", () => {
  // Step 6: only whole characters are written.
  test("read and written for every capacity from 0 to 40, and no byte outside the destination changes", () => {
    for (const string of STRINGS) {
      for (let capacity = 0; capacity <= 40; capacity++) {
        const buffer = new Uint8Array(capacity + 16).fill(0xaa);
        const result = encoder.encodeInto(string, buffer.subarray(8, 8 + capacity));
        const expected = [];
        let read = 0;
        for (const scalar of scalars(string)) {
          if (expected.length + scalar.bytes.length > capacity) break;
          expected.push(...scalar.bytes);
          read += scalar.read;
        }
        const where = `${JSON.stringify(string)} into ${capacity}`;
        assert.deepEqual({ ...result }, { read, written: expected.length }, where);
        const around = "aa".repeat(8);
        assert.equal(hex(buffer), around + hex(expected) + "aa".repeat(capacity - expected.length) + around, where);
      }
    }
  });

  test("the same for long strings, with capacities near their length", () => {
    for (const character of ["a", "\u00e9", "\u65e5", "\u{1f600}", "\ud800"]) {
      const string = character.repeat(500);
      const all = bytes(utf8(string));
      const { length } = scalars(character)[0].bytes;
      for (const capacity of [...Array(9).keys()].flatMap((n) => [100 + n, all.length - n, all.length + n])) {
        const destination = new Uint8Array(capacity + 8).fill(0xaa);
        const fits = Math.min(500, Math.floor(capacity / length));
        assert.deepEqual(
          { ...encoder.encodeInto(string, destination.subarray(0, capacity)) },
          { read: fits * character.length, written: fits * length },
        );
        assert.equal(hex(destination), hex(all.subarray(0, fits * length)) + "aa".repeat(capacity + 8 - fits * length));
      }
    }
  });

  test("the result is a plain object with two properties, in order", () => {
    const result = encoder.encodeInto("a", new Uint8Array(1));
    assert.deepEqual(Object.entries(Object.getOwnPropertyDescriptors(result)), [
      ["read", { value: 1, writable: true, enumerable: true, configurable: true }],
      ["written", { value: 1, writable: true, enumerable: true, configurable: true }],
    ]);
    assert.equal(Object.getPrototypeOf(result), Object.prototype);
  });

  test("both arguments are required", () => {
    const never = { toString: () => assert.fail("converted") };
    throws(() => encoder.encodeInto(), TypeError);
    throws(() => encoder.encodeInto(never), TypeError);
    throws(() => encoder.encodeInto("a", undefined), TypeError);
  });

  test("source is a USVString, converted before destination is checked", () => {
    const log = [];
    throws(() => encoder.encodeInto({ toString: () => log.push("source") }, null), TypeError);
    assert.deepEqual(log, ["source"]);
    throws(() => encoder.encodeInto(Symbol(), new Uint8Array(1)), TypeError);
    class Own extends Error {}
    throws(() => encoder.encodeInto({ toString() { throw new Own(); } }, null), Own);
    const destination = new Uint8Array(9);
    assert.equal(encoder.encodeInto(undefined, destination).read, 9);
    assert.equal(String.fromCharCode(...destination), "undefined");
    assert.equal(encoder.encodeInto(null, destination).written, 4);
    assert.equal(encoder.encodeInto({ toString: () => "\ud800" }, destination).written, 3);
  });

  test("a destination other than a Uint8Array throws a TypeError", () => {
    const others = [
      Int8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array,
      BigUint64Array,
    ].map((View) => new View(8));
    const more = [new DataView(new ArrayBuffer(8)), new ArrayBuffer(8), [], {}, null, 1, "a", new Proxy(new Uint8Array(8), {}),
      Object.create(Uint8Array.prototype), Uint8Array.prototype];
    if (globalThis.SharedArrayBuffer) more.push(new SharedArrayBuffer(8));
    for (const destination of [...others, ...more]) throws(() => encoder.encodeInto("", destination), TypeError);
  });

  test("a destination in a SharedArrayBuffer", () => {
    if (!globalThis.SharedArrayBuffer) return;
    for (const string of ["a\u00e9\u65e5", "x".repeat(100)]) {
      const destination = new Uint8Array(new SharedArrayBuffer(120), 4, 110);
      const { read, written } = encoder.encodeInto(string, destination);
      assert.equal(read, string.length);
      assert.equal(hex(destination.slice(0, written)), utf8(string));
    }
  });

  test("a detached destination has length 0", () => {
    const destination = new Uint8Array(8);
    detach(destination.buffer);
    assert.deepEqual({ ...encoder.encodeInto("abc", destination) }, { read: 0, written: 0 });
    const later = new Uint8Array(8);
    const source = { toString: () => (detach(later.buffer), "abc") };
    assert.deepEqual({ ...encoder.encodeInto(source, later) }, { read: 0, written: 0 });
  });

  test("a resizable destination throws a TypeError", () => {
    for (const Buffer of [ArrayBuffer, globalThis.SharedArrayBuffer]) {
      const buffer = Buffer && new Buffer(8, { maxByteLength: 16 });
      if (buffer?.resizable || buffer?.growable) throws(() => encoder.encodeInto("", new Uint8Array(buffer)), TypeError, Buffer.name);
    }
  });

  test("own properties of a destination are ignored", () => {
    class Liar extends Uint8Array {
      get length() { return assert.fail("length"); }
      get buffer() { return assert.fail("buffer"); }
      get byteOffset() { return assert.fail("byteOffset"); }
      get byteLength() { return assert.fail("byteLength"); }
      get [Symbol.toStringTag]() { return assert.fail("toStringTag"); }
      set() { return assert.fail("set"); }
      subarray() { return assert.fail("subarray"); }
      fill() { return assert.fail("fill"); }
    }
    for (const string of ["abc", "\u65e5".repeat(40)]) {
      const buffer = new ArrayBuffer(130);
      const { written } = encoder.encodeInto(string, new Liar(buffer, 2, 125));
      assert.equal(hex(new Uint8Array(buffer, 2, written)), utf8(string));
    }
  });

  test("a destination of another realm", async () => {
    const realm = await otherRealm();
    const destination = new realm.Uint8Array(4);
    assert.deepEqual({ ...encoder.encodeInto("\u65e5\u672c", destination) }, { read: 1, written: 3 });
    assert.equal(hex(destination), "e697a500");
  });

  test("strings that are longer than a block", () => {
    const ends = ["\u{1f600}b", "\ud800\u{1f600}b", "\ud800\ud800b"];
    for (const [before, after] of [...ends.map((end) => ["a", end]), ["\u65e5", ends[0]]]) {
      for (let less = 0; less < 4; less++) {
        const string = before.repeat((1 << 20) - less) + after;
        const expected = Uint8Array.from([...bytes(utf8(after))]);
        const unit = bytes(utf8(before));
        const all = new Uint8Array(unit.length * ((1 << 20) - less) + expected.length);
        for (let n = 0; n < all.length - expected.length; n++) all[n] = unit[n % unit.length];
        all.set(expected, all.length - expected.length);
        for (const missing of [0, 1, 5]) {
          const capacity = all.length - missing;
          const destination = new Uint8Array(capacity + 3).fill(0xaa);
          const { read, written } = encoder.encodeInto(string, destination.subarray(0, capacity));
          const what = `${escape(after)}, ${less} less, ${missing} missing`;
          if (missing === 0) assert.deepEqual([read, written], [string.length, all.length], what);
          assert.isAtMost(written, capacity, what);
          assert.isAbove(written, capacity - 4, what);
          sameBytes(destination.subarray(0, written), all.subarray(0, written), what);
          assert.match(hex(destination.subarray(written)), /^(aa)+$/, what);
        }
      }
    }
  });
});
