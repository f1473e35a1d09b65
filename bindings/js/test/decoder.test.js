// Section 7.2: the constructor of TextDecoder and its method, step by step. TextDecoderStream has the same constructor steps.

import { assert } from "chai";
import { describe, test } from "node:test";
import { TextDecoder, TextDecoderStream, decode } from "./support/package.js";
import { bytes, throws } from "./support/tools.js";

for (const Decoder of [TextDecoder, TextDecoderStream]) {
  describe(`${Decoder.name}: constructor`, () => {
    test("default arguments", () => {
      for (const decoder of [new Decoder(), new Decoder(undefined), new Decoder(undefined, undefined), new Decoder("utf-8", null)]) {
        assert.equal(decoder.encoding, "utf-8");
        assert.strictEqual(decoder.fatal, false);
        assert.strictEqual(decoder.ignoreBOM, false);
      }
    });

    test("arguments are converted in order, and options in the order of their names, once each", () => {
      const log = [];
      const label = { toString: () => (log.push("label"), "sjis") };
      const options = new Proxy({ ignoreBOM: 1, fatal: "" }, {
        get: (target, key, receiver) => (log.push(key), Reflect.get(target, key, receiver)),
        has: () => assert.fail("has"),
        ownKeys: () => assert.fail("ownKeys"),
        getOwnPropertyDescriptor: () => assert.fail("getOwnPropertyDescriptor"),
      });
      const decoder = new Decoder(label, options);
      assert.deepEqual(log, ["label", "fatal", "ignoreBOM"]);
      assert.equal(decoder.encoding, "shift_jis");
      assert.strictEqual(decoder.fatal, false);
      assert.strictEqual(decoder.ignoreBOM, true);
    });

    test("step 2 runs after all conversions", () => {
      const log = [];
      const options = {
        get ignoreBOM() { return log.push("ignoreBOM"); },
        get fatal() { return log.push("fatal"); },
      };
      throws(() => new Decoder("nonsense", options), RangeError);
      assert.deepEqual(log, ["fatal", "ignoreBOM"]);
      throws(() => new Decoder("nonsense", 1), TypeError);
      throws(() => new Decoder("replacement", "options"), TypeError);
    });

    test("an exception in a conversion propagates, and later conversions do not run", () => {
      class Own extends Error {}
      const fail = () => { throw new Own(); };
      throws(() => new Decoder({ toString: fail }, { get fatal() { return assert.fail("read"); } }), Own);
      throws(() => new Decoder("x", { get fatal() { return fail(); }, get ignoreBOM() { return assert.fail("read"); } }), Own);
      throws(() => new Decoder("x", { get ignoreBOM() { return fail(); } }), Own);
    });

    test("label is a DOMString", () => {
      throws(() => new Decoder(Symbol("utf-8")), TypeError);
      throws(() => new Decoder(Object(Symbol("utf-8"))), TypeError);
      throws(() => new Decoder(Object.create(null)), TypeError);
      assert.equal(new Decoder(["gbk"]).encoding, "gbk");
      assert.equal(new Decoder(new String("gbk")).encoding, "gbk");
      assert.equal(new Decoder(866).encoding, "ibm866");
      assert.equal(new Decoder({ [Symbol.toPrimitive]: (hint) => (hint === "string" ? "big5" : "gbk") }).encoding, "big5");
      assert.equal(new Decoder({ valueOf: () => "gbk", toString: () => "big5" }).encoding, "big5");
      for (const label of [null, {}, [], NaN, true, "", " "]) throws(() => new Decoder(label), RangeError, String(label));
    });

    test("step 2: replacement and unknown labels throw a RangeError", () => {
      const replacement = ["replacement", "csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr"];
      for (const label of [...replacement, "utf-7", "utf8 utf8", "utf-8\u0000", "utf\u20118", "utf-32", "\u00e9", "x".repeat(1e5)]) {
        const error = throws(() => new Decoder(label), RangeError, label);
        assert.equal(error.constructor, RangeError);
      }
    });

    test("options are a dictionary", () => {
      for (const options of [undefined, null, {}, [], () => {}, /x/, new Date(), Object.create(null)]) {
        assert.strictEqual(new Decoder("gbk", options).fatal, false);
      }
      for (const options of [true, false, 0, 1, "", "fatal", Symbol(), 1n, NaN]) {
        throws(() => new Decoder("gbk", options), TypeError, String(options));
      }
    });

    test("steps 4 and 5: members are converted to booleans", () => {
      for (const value of [false, 0, -0, NaN, "", null, undefined, 0n]) {
        assert.strictEqual(new Decoder("gbk", { fatal: value }).fatal, false);
        assert.strictEqual(new Decoder("gbk", { ignoreBOM: value }).ignoreBOM, false);
      }
      for (const value of [true, 1, "false", "0", {}, [], Symbol(), 1n, () => {}]) {
        assert.strictEqual(new Decoder("gbk", { fatal: value }).fatal, true);
        assert.strictEqual(new Decoder("gbk", { ignoreBOM: value }).ignoreBOM, true);
      }
      assert.strictEqual(new Decoder("gbk", Object.create({ fatal: true })).fatal, true, "inherited");
      assert.strictEqual(new Decoder("gbk", { ignoreBom: true }).ignoreBOM, false, "another name");
    });

    test("step 3: encoding is the name in lower case", () => {
      for (const [label, name] of [["latin1", "windows-1252"], ["GB18030", "gb18030"], ["csBig5", "big5"], ["unicode", "utf-16le"]]) {
        assert.equal(new Decoder(label).encoding, name);
      }
    });
  });
}

describe("TextDecoder: decode", () => {
  const utf8 = new TextDecoder();

  test("without input, or with undefined, the stream ends", () => {
    for (const args of [[], [undefined], [undefined, undefined], [undefined, null], [undefined, {}]]) {
      const decoder = new TextDecoder();
      assert.equal(decoder.decode(bytes("e2 82"), { stream: true }), "");
      assert.equal(decoder.decode(...args), "\ufffd");
      assert.equal(decoder.decode(...args), "");
    }
  });

  test("a value that is not a buffer source throws a TypeError", () => {
    for (const input of [null, 0, 1, "a", true, Symbol(), 1n, {}, [], [1], { buffer: new ArrayBuffer(1), byteLength: 1 }, () => {}]) {
      throws(() => utf8.decode(input), TypeError, String(input?.constructor?.name));
    }
    throws(() => utf8.decode(new Proxy(new Uint8Array(1), {})), TypeError, "a proxy");
    throws(() => utf8.decode(new Proxy(new ArrayBuffer(1), {})), TypeError, "a proxy");
    throws(() => utf8.decode(Object.create(Uint8Array.prototype)), TypeError, "an object that inherits");
    throws(() => utf8.decode(Uint8Array.prototype), TypeError, "a prototype");
    throws(() => utf8.decode(DataView.prototype), TypeError, "a prototype");
    throws(() => utf8.decode(ArrayBuffer.prototype), TypeError, "a prototype");
  });

  test("input is converted before options", () => {
    const options = { get stream() { return assert.fail("read"); } };
    throws(() => utf8.decode("a", options), TypeError);
    throws(() => utf8.decode(null, options), TypeError);
  });

  test("options are a dictionary, and its getter is called once", () => {
    for (const options of [true, 0, "", Symbol(), 1n]) throws(() => utf8.decode(new Uint8Array(1), options), TypeError);
    let count = 0;
    const decoder = new TextDecoder();
    assert.equal(decoder.decode(bytes("61 c3"), { get stream() { return ++count; } }), "a");
    assert.equal(count, 1);
    assert.equal(decoder.decode(bytes("a9"), { stream: 0 }), "\u00e9");
    assert.equal(utf8.decode(bytes("61"), () => {}), "a");
  });

  test("a conversion that throws does not change the decoder", () => {
    const decoder = new TextDecoder("big5");
    assert.equal(decoder.decode(bytes("a4"), { stream: true }), "");
    throws(() => decoder.decode(null), TypeError);
    throws(() => decoder.decode(bytes("40"), 1), TypeError);
    throws(() => decoder.decode(bytes("40"), { get stream() { throw new RangeError(); } }), RangeError);
    assert.equal(decoder.decode(bytes("40")), "\u4e00");
  });

  test("step 3: the bytes are copied after the options are converted", () => {
    const input = bytes("61");
    assert.equal(utf8.decode(input, { get stream() { return void (input[0] = 0x62); } }), "b");
    const long = new Uint8Array(100).fill(0x61);
    assert.equal(utf8.decode(long, { get stream() { return void long.fill(0x62); } }), "b".repeat(100));
  });

  test("step 3: later changes of the input have no effect", () => {
    const decoder = new TextDecoder("euc-kr");
    const input = bytes("b0");
    decoder.decode(input, { stream: true });
    input[0] = 0x41;
    assert.equal(decoder.decode(bytes("a1")), "\uac00");
  });

  test("decode does not change the input", () => {
    for (const label of ["utf-8", "gbk", "utf-16be", "windows-1252"]) {
      const input = Uint8Array.from({ length: 300 }, (_, n) => n);
      new TextDecoder(label).decode(input);
      assert.deepEqual(input, Uint8Array.from({ length: 300 }, (_, n) => n));
    }
  });

  test("step 1: a call after the end starts a new stream", () => {
    for (const [label, lead, text] of [["utf-8", "f0 9f", "\ufffd"], ["gb18030", "81 30 81", "\ufffd"], ["iso-2022-jp", "1b 24 42", ""]]) {
      const decoder = new TextDecoder(label);
      assert.equal(decoder.decode(bytes(lead), { stream: true }), "");
      assert.equal(decoder.decode(), text, label);
      assert.equal(decoder.decode(bytes("41 42")), "AB", label);
    }
  });

  test("steps 2 and 5: with stream, an incomplete character is kept", () => {
    const decoder = new TextDecoder("shift_jis");
    assert.equal(decoder.decode(bytes("41 82"), { stream: true }), "A");
    assert.equal(decoder.decode(new Uint8Array(0), { stream: true }), "");
    assert.equal(decoder.decode(undefined, { stream: true }), "");
    assert.equal(decoder.decode(bytes("a0 82"), { stream: true }), "\u3042");
    assert.equal(decoder.decode(bytes("a0")), "\u3042");
    assert.equal(decoder.decode(bytes("82")), "\ufffd");
  });

  test("decoders with unfinished streams are independent", () => {
    const decoders = Array.from({ length: 20 }, (_, n) => new TextDecoder(n % 2 ? "utf-8" : "gb18030", { fatal: n % 3 === 0 }));
    for (const decoder of decoders) assert.equal(decoder.decode(bytes(decoder.encoding === "utf-8" ? "f0 9f" : "81 30"), { stream: true }), "");
    assert.equal(decode(bytes("80"), "gbk"), "\u20ac");
    for (const decoder of decoders.reverse()) {
      const [rest, text] = decoder.encoding === "utf-8" ? ["98 80", "\u{1f600}"] : ["81 30", "\u0080"];
      assert.equal(decoder.decode(bytes(rest)), text);
    }
  });

  test("output is a USVString: it has no unpaired surrogates", () => {
    assert.equal(new TextDecoder("utf-16le").decode(bytes("3d d8 00 de 3d d8")), "\u{1f600}\ufffd");
    assert.equal(new TextDecoder("utf-8").decode(bytes("ed a0 bd ed b8 80")), "\ufffd".repeat(6));
  });

  test("the example of the standard: length-prefixed strings", () => {
    const buffer = bytes("00000002 00000003 e697a5 00000001 41").buffer;
    const view = new DataView(buffer);
    const decoder = new TextDecoder();
    assert.equal(decoder.decode(new DataView(buffer, 8, view.getUint32(4))), "\u65e5");
    assert.equal(decoder.decode(new DataView(buffer, 15, view.getUint32(11))), "A");
  });
});

describe("TextDecoder: fatal", () => {
  const fatal = (label, options) => new TextDecoder(label, { fatal: true, ...options });

  test("malformed input at any offset throws a TypeError, not a subclass", () => {
    for (const [label, input] of [["utf-8", "ff"], ["gbk", "ff"], ["utf-16be", "00"], ["windows-1253", "d2"], ["iso-2022-jp", "1b"]]) {
      for (const length of [0, 10, 100, 5000]) {
        const all = new Uint8Array([...new Uint8Array(length).fill(0x41), ...bytes(input)]);
        const error = throws(() => fatal(label).decode(all), TypeError, label);
        assert.equal(error.constructor, TypeError);
      }
    }
  });

  test("without stream, the next call starts a new stream", () => {
    const decoder = fatal("utf-8");
    throws(() => decoder.decode(bytes("61 ff 62 e2 82")), TypeError);
    assert.equal(decoder.decode(bytes("63")), "c");
    throws(() => decoder.decode(bytes("e2 82")), TypeError);
    assert.equal(decoder.decode(), "");
  });

  test("with stream, the rest of the input and the text before the error are discarded", () => {
    const decoder = fatal("utf-8");
    throws(() => decoder.decode(bytes("61 ff 62"), { stream: true }), TypeError);
    assert.equal(decoder.decode(bytes("63"), { stream: true }), "c");
    assert.equal(decoder.decode(), "");
    throws(() => decoder.decode(bytes("fd ef"), { stream: true }), TypeError);
    assert.equal(decoder.decode(), "");
  });

  test("with stream, restored bytes are discarded", () => {
    const big5 = fatal("big5");
    throws(() => big5.decode(bytes("81 40 41"), { stream: true }), TypeError);
    assert.equal(big5.decode(bytes("42"), { stream: true }), "B");
    const gb = fatal("gb18030");
    assert.equal(gb.decode(bytes("81 30"), { stream: true }), "");
    throws(() => gb.decode(bytes("41"), { stream: true }), TypeError);
    assert.equal(gb.decode(bytes("42")), "B");
    const utf8 = fatal("utf-8");
    throws(() => utf8.decode(bytes("f0 90 41 42"), { stream: true }), TypeError);
    assert.equal(utf8.decode(), "");
  });

  test("with stream, the decoder keeps its state", () => {
    const decoder = fatal("iso-2022-jp");
    assert.equal(decoder.decode(bytes("1b 28 4a 5c"), { stream: true }), "\u00a5");
    throws(() => decoder.decode(bytes("80 5c"), { stream: true }), TypeError);
    assert.equal(decoder.decode(bytes("5c"), { stream: true }), "\u00a5");
    throws(() => decoder.decode(bytes("1b 24 42 24 1b 28 4a"), { stream: true }), TypeError, "an escape byte in place of a trail byte");
    assert.equal(decoder.decode(bytes("28 42 5c")), "\\");
    const utf8 = fatal("utf-8");
    assert.equal(utf8.decode(bytes("ef bb bf 61"), { stream: true }), "a");
    throws(() => utf8.decode(bytes("ff"), { stream: true }), TypeError);
    assert.equal(utf8.decode(bytes("ef bb bf")), "\ufeff");
  });

  test("a call with several errors throws once", () => {
    const decoder = fatal("utf-8");
    throws(() => decoder.decode(bytes("61 ff 62 ff 63"), { stream: true }), TypeError);
    assert.equal(decoder.decode(undefined, { stream: true }), "");
    throws(() => decoder.decode(bytes("ff ff ff 64")), TypeError, "this call does not start a stream");
    assert.equal(decoder.decode(), "");
  });

  test("an error at the end without stream ends the stream", () => {
    const decoder = fatal("utf-8");
    assert.equal(decoder.decode(bytes("e2 82"), { stream: true }), "");
    throws(() => decoder.decode(), TypeError);
    assert.equal(decoder.decode(bytes("61")), "a");
  });

  test("chunks give the same text as the whole input", () => {
    const decoder = fatal("gb18030");
    let text = "";
    for (const chunk of ["41 81", "30", "", "81 30 c4", "e3"]) text += decoder.decode(bytes(chunk), { stream: true });
    assert.equal(text + decoder.decode(), "A\u0080\u4f60");
  });
});
