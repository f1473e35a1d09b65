// Decoder, Encoder, DecoderStream and EncoderStream: in chunks, they give what `decodeAndReport` and `encode` give.

import { assert } from "chai";
import { describe, test } from "node:test";
import {
  DecodeError, Decoder, DecoderStream, EncodeError, Encoder, EncoderStream, decode, decodeAndReport, encode, encodings,
} from "./support/package.js";
import { bytes, hex, joined, throws } from "./support/tools.js";

/** Splits an array or a string into random parts, some of them empty. */
function parts(whole, random) {
  const result = [];
  for (let at = 0; at < whole.length; ) {
    const end = at + Math.floor(random() * 5);
    result.push(whole.slice(at, end));
    at = end;
  }
  return result;
}

/** A generator of the same random numbers in each run. */
function generator() {
  let state = 1;
  return () => (state = (state * 48271) % 0x7fffffff) / 0x7fffffff;
}

const random = generator();
const CODERS = encodings.filter(({ name }) => name !== "replacement");
const ALPHABET = "a\u00e9\u044f\u05d0\u65e5\u672c\uac00\uff71\u{1f600}\ufeff&;\u20ac\u3042\ue000\u0e01\u00a5";
const randomText = () => Array.from({ length: 30 }, () => [...ALPHABET][Math.floor(random() * 17)]).join("");
const randomBytes = () => Uint8Array.from({ length: 40 }, () => (random() < 0.5 ? 0x1b + random() * 0x60 : random() * 256));

describe("Decoder", () => {
  for (const { name } of encodings) {
    test(`${name}: text and errors of random bytes in random chunks`, () => {
      for (let n = 0; n < 100; n++) {
        const marks = ["", "ef bb bf", "fe ff", "ff fe", "ef bb", "fe"];
        const input = joined(bytes(marks[n % 6]), n % 3 === 0 ? randomBytes() : n % 6 < 3 ? encode(randomText(), name === "replacement" ? "utf-8" : name) : bytes("61"));
        for (const bom of ["sniff", "own", "keep"]) {
          const whole = decodeAndReport(input, name, { bom });
          const errors = [];
          const decoder = new Decoder(name, { bom, onMalformed: (error) => errors.push(error) });
          const text = parts(input, random).map((part) => decoder.write(part)).join("") + decoder.end();
          assert.equal(text, whole.text, `${hex(input)}, ${bom}`);
          assert.equal(decoder.encoding, whole.encoding);
          assert.deepEqual(errors, whole.errors.map(({ start, end }) => ({ start, end })), hex(input));
          assert.equal(decode(input, name, { bom }), whole.text);
        }
      }
    });
  }

  test("fatal: a DecodeError with the offsets in the whole input", () => {
    const decoder = new Decoder("gbk", { fatal: true });
    assert.equal(decoder.write(bytes("c4 e3 c4")), "\u4f60");
    const error = throws(() => decoder.write(bytes("e3 61 ff")), DecodeError);
    assert.deepEqual([error.start, error.end, error.encoding], [5, 6, "GBK"]);
  });

  test("the caller may overwrite a chunk whose bytes may be a part of a byte order mark", () => {
    const Views = [Uint8Array, ...(globalThis.Buffer === undefined ? [] : [globalThis.Buffer])];
    for (const View of Views) {
      for (const length of [1, 2]) {
        const chunk = View.from(bytes("ef bb bf").subarray(0, length));
        const decoder = new Decoder("gbk");
        assert.equal(decoder.write(chunk), "");
        chunk.fill(0x41);
        assert.equal(decoder.write(bytes("ef bb bf 61").subarray(length)) + decoder.end(), "a", `${View.name}, ${length}`);
      }
    }
  });

  test("after the end, a new text starts", () => {
    const errors = [];
    const decoder = new Decoder("gbk", { onMalformed: (error) => errors.push(error) });
    for (const [input, text, encoding] of [
      ["fe ff 00 61 dc 00", "a\ufffd", "UTF-16BE"], ["ef bb bf c3 a9", "\u00e9", "UTF-8"], ["c4 e3 ff", "\u4f60\ufffd", "GBK"], ["ef bb", "\u9518", "GBK"],
      ["fe", "\ufffd", "GBK"], ["ff fe 61 00", "a", "UTF-16LE"], ["", "", "GBK"],
    ]) {
      assert.equal(decoder.write(bytes(input)) + decoder.end(), text, input);
      assert.equal(decoder.encoding, encoding, input);
    }
    assert.deepEqual(errors, [{ start: 4, end: 6 }, { start: 2, end: 3 }, { start: 0, end: 1 }]);
    for (const bom of ["own", "keep"]) {
      const other = new Decoder("utf-16le", { bom });
      const mark = bom === "keep" ? "\ufeff" : "";
      for (let n = 0; n < 2; n++) assert.equal(other.write(bytes("ff fe 61 00")) + other.end(), `${mark}a`, bom);
    }
  });

  test("after onMalformed throws, the next chunk continues", () => {
    const decoder = new Decoder("gbk", { onMalformed: ({ start }) => { throw new RangeError(String(start)); } });
    assert.equal(throws(() => decoder.write(bytes("61 ff c4")), RangeError).message, "1");
    assert.equal(decoder.write(bytes("e3")), "\u4f60");
    assert.equal(throws(() => decoder.write(bytes("ff")), RangeError).message, "4");
    // A long chunk, which is decoded in parts.
    const long = new Uint8Array(1_000_000).fill(0xff);
    assert.equal(throws(() => decoder.write(long), RangeError).message, "5");
    assert.equal(throws(() => decoder.write(bytes("ff")), RangeError).message, "1000005");
  });

  test("fatal: after an error, the text goes on, or a new one starts after its end", () => {
    for (const [label, bom] of [["gbk", "sniff"], ["gbk", "own"], ["utf-8", "sniff"]]) {
      const decoder = new Decoder(label, { bom, fatal: true });
      const offsets = (act) => {
        const { start, end, encoding } = throws(act, DecodeError);
        return [start, end, encoding.toLowerCase()];
      };
      for (let n = 0; n < 2; n++) {
        assert.deepEqual(offsets(() => decoder.write(bytes("61 ff 62"))), [1, 2, label]);
        assert.deepEqual(offsets(() => decoder.write(bytes("61 ff 62"))), [4, 5, label]);
        assert.equal(decoder.write(bytes("63 e4")), "c");
        assert.deepEqual(offsets(() => decoder.end()), [7, 8, label]);
      }
      if (bom !== "sniff") continue;
      for (let n = 0; n < 2; n++) {
        assert.equal(decoder.write(bytes("fe")), "");
        assert.equal(decoder.write(bytes("ff 00 61 00")), "a");
        assert.deepEqual(offsets(() => decoder.end()), [4, 5, "utf-16be"]);
      }
    }
  });

  test("invalid arguments", () => {
    throws(() => new Decoder("none"), RangeError);
    throws(() => new Decoder("gbk", { bom: "yes" }), TypeError);
    throws(() => new Decoder("gbk", { onMalformed: 1 }), TypeError);
    throws(() => new Decoder("gbk").write("text"), TypeError);
  });
});

describe("Encoder", () => {
  const POLICIES = ["html", "skip", "replace", (codePoint) => `<${codePoint}>`];
  for (const { name } of CODERS) {
    test(`${name}: bytes of random text in random chunks`, () => {
      for (let n = 0; n < 60; n++) {
        const text = randomText() + (n % 5 === 0 ? "\ud83d" : "");
        for (const unmappable of POLICIES) {
          const options = { unmappable, bom: n % 2 === 1 };
          const whole = hex(encode(text, name, options));
          for (const onUnmappable of [undefined, () => {}]) {
            const encoder = new Encoder(name, { ...options, onUnmappable });
            const chunks = [...parts(text, random).map((part) => encoder.write(part)), encoder.end()];
            assert.equal(chunks.map(hex).join(""), whole, `${escape(text)}, ${unmappable}`);
          }
        }
      }
    });
  }

  test("unmappable characters are reported with their index in the whole text", () => {
    const seen = [];
    const encoder = new Encoder("koi8-r", { unmappable: "skip", onUnmappable: (error) => seen.push(error) });
    assert.equal(hex(joined(encoder.write("\u044f\u65e5\ud83d"), encoder.write("\ude00\u044f\u672c"), encoder.end())), "d1d1");
    assert.deepEqual(seen, [{ codePoint: 0x65e5, index: 1 }, { codePoint: 0x1f600, index: 2 }, { codePoint: 0x672c, index: 5 }]);
  });

  test("unmappable: fail, and surrogates: fail, with the index in the whole text", () => {
    const encoder = new Encoder("koi8-r", { unmappable: "fail" });
    encoder.write("\u044f\u044f");
    assert.equal(throws(() => encoder.write("\u044f\u65e5"), EncodeError).index, 3);
    const strict = new Encoder("utf-8", { surrogates: "fail" });
    assert.equal(hex(strict.write("a\ud83d")), "61");
    assert.equal(hex(strict.write("\ude00b")), "f09f988062");
    assert.equal(throws(() => strict.write("\ude00"), EncodeError).index, 4);
    strict.write("\ud83d");
    assert.equal(throws(() => strict.end(), EncodeError).index, 4);
  });

  test("after a call that throws, the encoder is in the state before it", () => {
    class Own extends Error {}
    let isBroken = false;
    const breaks = (result) => {
      if (isBroken) throw new Own();
      return result;
    };
    const onUnmappable = () => breaks();
    const OPTIONS = [
      [{ unmappable: "skip", onUnmappable }, Own],
      [{ unmappable: "html", onUnmappable }, Own],
      [{ unmappable: "replace", replacement: { toString: () => (isBroken ? "\ud55c" : "?") } }, EncodeError],
      [{ unmappable: () => breaks("!") }, Own],
      [{ unmappable: () => (isBroken ? "\ud55c" : "!") }, EncodeError],
      [{ unmappable: () => (isBroken ? undefined : "!") }, TypeError],
    ];
    const CALLS = [(e) => e.write("\u65e5\ud55c\ud83d"), (e) => e.write("\ude00\u65e5\ud55c"), (e) => e.write("\u65e5\ud83d\ude00"), (e) => e.end()];
    for (const label of ["koi8-r", "iso-2022-jp", "shift_jis"]) {
      for (const surrogates of ["replace", "fail"]) {
        for (const [options, kind] of OPTIONS) {
          const encoder = new Encoder(label, { ...options, surrogates });
          const other = new Encoder(label, { ...options, surrogates });
          for (const call of CALLS) {
            isBroken = true;
            if (call !== CALLS.at(-1)) throws(() => call(encoder), kind);
            isBroken = false;
            assert.equal(hex(call(encoder)), hex(call(other)), `${label}, ${surrogates}, ${options.unmappable}`);
          }
        }
      }
    }
  });

  test("unmappable: fail, and surrogates: fail, do not change the state", () => {
    for (const surrogates of ["replace", "fail"]) {
      const encoder = new Encoder("iso-2022-jp", { unmappable: "fail", surrogates });
      assert.equal(hex(encoder.write("\u65e5\ud83d")), "1b2442467c");
      for (const wrong of ["\ude00", "\ude00\u65e5\ud83d", "a", "a\ud83d"]) {
        assert.equal(throws(() => encoder.write(wrong), EncodeError, wrong).index, 1);
        assert.equal(throws(() => encoder.end(), EncodeError).index, 1);
      }
      const next = new Encoder("iso-2022-jp", { unmappable: "fail", surrogates });
      next.write("\u65e5");
      assert.equal(throws(() => next.write("\u672c\ud55c\ud83d"), EncodeError).index, 2);
      assert.equal(hex(joined(next.write("\u672c"), next.end())), "4b5c1b2842");
    }
  });

  test("a character that is not replaced is not reported", () => {
    const seen = [];
    const onUnmappable = ({ index }) => seen.push(index);
    const own = (codePoint) => (codePoint === 0xd55c ? undefined : "?");
    for (const [unmappable, expected] of [["fail", []], [own, [1]]]) {
      throws(() => new Encoder("koi8-r", { unmappable, onUnmappable }).write("\u044f\u65e5\ud55c"), TypeError);
      assert.deepEqual(seen.splice(0), expected);
    }
  });

  test("bom: a call that throws does not count as the start", () => {
    const encoder = new Encoder("utf-8", { bom: true, surrogates: "fail" });
    assert.equal(throws(() => encoder.write("a\ude00"), EncodeError).index, 1);
    assert.equal(hex(encoder.write("a\ud83d")), "efbbbf61");
    assert.equal(throws(() => encoder.write("b"), EncodeError).index, 1);
    assert.equal(hex(encoder.write("\ude00")), "f09f9880");
  });

  test("a surrogate pair in two chunks has the index of its first half", () => {
    for (const surrogates of ["replace", "fail"]) {
      for (const [unmappable, replacement] of [["fail"], [() => "\ud55c"], ["replace", "\ud55c"]]) {
        const encoder = new Encoder("koi8-r", { unmappable, replacement, surrogates });
        encoder.write("\u044f\ud83d");
        const what = `${surrogates}, ${unmappable}`;
        assert.equal(throws(() => encoder.write("\ude00"), EncodeError, what).index, 1, what);
        assert.equal(throws(() => encoder.write("\ude00\u65e5"), EncodeError, what).index, 1, what);
      }
      const seen = [];
      const encoder = new Encoder("koi8-r", { unmappable: "skip", surrogates, onUnmappable: ({ index }) => seen.push(index) });
      for (const chunk of ["\ud83d", "\ude00\ud83d", "", "\ude00", "\u044f\ud83d", "\ude00\u65e5"]) encoder.write(chunk);
      encoder.end();
      assert.deepEqual(seen, [0, 2, 5, 7]);
    }
  });

  test("unmappable: replace", () => {
    assert.equal(hex(encode("a\u65e5", "latin1", { unmappable: "replace" })), "613f");
    assert.equal(hex(encode("a\u65e5", "latin1", { unmappable: "replace", replacement: "[?]" })), "615b3f5d");
    assert.equal(hex(encode("a\u65e5", "latin1", { unmappable: "replace", replacement: "" })), "61");
    throws(() => encode("a\u65e5", "latin1", { unmappable: "replace", replacement: "\u672c" }), EncodeError);
  });

  test("bom", () => {
    assert.equal(hex(encode("a", "utf-8", { bom: true })), "efbbbf61");
    assert.equal(hex(encode("a", "utf-16be", { bom: true })), "feff0061");
    assert.equal(hex(encode("a", "utf-16le", { bom: true })), "fffe6100");
    assert.equal(hex(encode("a", "gb18030", { bom: true })), "61");
    const encoder = new Encoder("utf-16le", { bom: true });
    assert.equal(hex(joined(encoder.write(""), encoder.write("a"), encoder.end(), encoder.write("b"), encoder.end())), "fffe6100" + "fffe6200");
  });
});

describe("streams", { skip: globalThis.TransformStream === undefined && "no streams" }, () => {
  const through = async (stream, chunks) => {
    const writer = stream.writable.getWriter();
    const writing = (async () => {
      for (const chunk of chunks) await writer.write(chunk);
      await writer.close();
    })();
    const result = [];
    const reader = stream.readable.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) result.push(read.value);
    await writing;
    return result;
  };

  test("DecoderStream", async () => {
    const errors = [];
    const stream = new DecoderStream("euc-kr", { onMalformed: (error) => errors.push(error) });
    assert.deepEqual(await through(stream, ["b0", "a1", "ff", "61"].map(bytes)), ["\uac00", "\ufffd", "a"]);
    assert.deepEqual(errors, [{ start: 2, end: 3 }]);
    assert.equal(stream.encoding, "EUC-KR");
  });

  test("EncoderStream", async () => {
    const stream = new EncoderStream("iso-2022-jp", { unmappable: "replace", replacement: "?" });
    assert.equal((await through(stream, ["\u65e5", "\ud83d", "\ude00"])).map(hex).join(""), "1b2442467c" + "1b28423f");
    assert.equal(stream.encoding, "ISO-2022-JP");
  });
});
