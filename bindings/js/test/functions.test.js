// The package's functions other than the four classes.

import { assert } from "chai";
import { describe, test } from "node:test";
import {
  DecodeError, EncodeError, TextDecoder, TextEncoder, decode, decodeAndReport, encode, encodeOrFail, encodings, entry,
  importEntry, inNode, package_, percentEncodeAfterEncoding, readFile,
} from "./support/package.js";
import { bytes, detach, hex, throws } from "./support/tools.js";

const ascii = (bytes) => String.fromCharCode(...bytes);

describe("decode", () => {
  test("UTF-8 by default, with U+FFFD", () => {
    assert.equal(decode(bytes("61 e6 97 a5 ff")), "a\u65e5\ufffd");
    assert.equal(decode(bytes("82 a0"), "sjis"), "\u3042");
  });

  test("fatal: throws a DecodeError with offsets", () => {
    for (const [label, input, start, end] of [
      ["utf-8", "61 62 ff", 2, 3], ["utf-8", "61 f0 90 80 41", 1, 4], ["gb18030", "41 81 30 21", 1, 2], ["shift_jis", "82", 0, 1],
      ["utf-16le", "41 00 00 dc 41 00", 2, 4], ["replacement", "61 62", 0, 1],
    ]) {
      const error = throws(() => decode(bytes(input), label, { fatal: true }), DecodeError, `${label} ${input}`);
      assert.instanceOf(error, TypeError);
      assert.equal(error.name, "DecodeError");
      assert.deepEqual([error.encoding.toLowerCase(), error.start, error.end], [label, start, end], `${label} ${input}`);
    }
    assert.equal(decode(bytes("61"), "utf-8", { fatal: true }), "a");
  });

  test("fatal: offsets include the byte order mark", () => {
    const error = throws(() => decode(bytes("ef bb bf 61 ff"), "gbk", { fatal: true }), DecodeError);
    assert.deepEqual([error.encoding, error.start, error.end], ["UTF-8", 4, 5]);
  });

  test("fatal: offsets in long input", () => {
    for (const length of [100, 5000, (1 << 20) - 1, 1 << 20, 3 << 20]) {
      for (const label of ["utf-8", "gbk"]) {
        const input = new Uint8Array(length + 9).fill(0x61);
        input[length] = 0xff;
        const { start, end } = throws(() => decode(input, label, { fatal: true }), DecodeError);
        assert.deepEqual([start, end], [length, length + 1]);
      }
    }
  });

  test("arguments", () => {
    throws(() => decode(), TypeError);
    throws(() => decode("a"), TypeError);
    assert.equal(decode(bytes("80"), undefined, undefined), "\ufffd");
    assert.equal(decode(bytes("80"), { toString: () => "latin1" }), "\u20ac");
  });
});

describe("decodeAndReport", () => {
  test("offsets of errors, and indexes of their U+FFFD", () => {
    const { text, encoding, bom, errors } = decodeAndReport(bytes("61 ff f0 9f 98 80 e2 82 62 81"), "utf-8");
    assert.equal(text, "a\ufffd\u{1f600}\ufffdb\ufffd");
    assert.deepEqual([encoding, bom], ["UTF-8", false]);
    assert.deepEqual(errors, [{ start: 1, end: 2, index: 1 }, { start: 6, end: 8, index: 4 }, { start: 9, end: 10, index: 6 }]);
  });

  test("an encoded U+FFFD is not an error", () => {
    assert.deepEqual(decodeAndReport(bytes("ef bf bd")).errors, []);
    assert.deepEqual(decodeAndReport(bytes("84 31 a4 37 ff"), "gb18030").errors, [{ start: 4, end: 5, index: 1 }]);
  });

  test("limit", () => {
    const input = new Uint8Array(3000).fill(0xff);
    assert.equal(decodeAndReport(input).errors.length, 1000);
    assert.equal(decodeAndReport(input).text.length, 3000);
    assert.equal(decodeAndReport(input, "utf-8", { limit: 2 }).errors.length, 2);
    assert.equal(decodeAndReport(input, "utf-8", { limit: 0 }).errors.length, 0);
    const all = decodeAndReport(input, "utf-8", { limit: 1e6 }).errors;
    assert.deepEqual([all.length, all[2999]], [3000, { start: 2999, end: 3000, index: 2999 }]);
  });

  test("offsets include a byte order mark, text does not", () => {
    assert.deepEqual(decodeAndReport(bytes("ff fe 41 00 00 dc"), "gbk"), {
      text: "A\ufffd",
      encoding: "UTF-16LE",
      bom: true,
      errors: [{ start: 4, end: 6, index: 1 }],
    });
  });

  test("replacement", () => {
    const { text, errors } = decodeAndReport(bytes("61 62 63"), "replacement");
    assert.equal(text, "\ufffd");
    assert.equal(errors.length, 1);
    assert.equal(errors[0].start, 0);
    assert.deepEqual(decodeAndReport(bytes(""), "replacement").errors, []);
  });

  test("input longer than a block", () => {
    const input = new Uint8Array((2 << 20) + 5).fill(0x61);
    input[1 << 20] = 0xff;
    input[2 << 20] = 0x80;
    const { text, errors } = decodeAndReport(input, "gb18030");
    assert.equal(text.length, input.length);
    assert.deepEqual(errors, [{ start: 1 << 20, end: (1 << 20) + 1, index: 1 << 20 }]);
    assert.equal(text[2 << 20], "\u20ac");
  });
});

test("replacement: long input, whole and in chunks", () => {
  const long = new Uint8Array(3 << 20).fill(0x61);
  assert.equal(decode(long, "replacement"), "\ufffd");
  assert.deepEqual(decodeAndReport(long, "replacement").errors, [{ start: 0, end: 1, index: 0 }]);
  const error = throws(() => decode(long, "replacement", { fatal: true }), DecodeError);
  assert.deepEqual([error.start, error.end], [0, 1]);
});

test("decodeAndReport: a list that would take the memory of the process is a RangeError", () => {
  const bad = new Uint8Array(5 << 20).fill(0xff);
  assert.equal(decodeAndReport(bad, "utf-8", { limit: 4 << 20 }).errors.length, 4 << 20);
  assert.match(throws(() => decodeAndReport(bad, "utf-8", { limit: Infinity }), RangeError).message, /lower limit/);
  assert.equal(decodeAndReport(bytes("61 ff"), "utf-8", { limit: Infinity }).errors.length, 1);
});

test("options may be null", () => {
  assert.equal(decode(bytes("c4 e3"), "gbk", null), "\u4f60");
  assert.equal(decodeAndReport(bytes("c4 e3"), "gbk", null).text, "\u4f60");
  assert.equal(hex(encode("\u4f60", "gbk", null)), "c4e3");
  assert.equal(hex(encodeOrFail("\u4f60", "gbk", null)), "c4e3");
  assert.equal(percentEncodeAfterEncoding("a b", "gbk", null), "a%20b");
  for (const options of [1, "fatal", true]) throws(() => decode(bytes("61"), "gbk", options), TypeError);
});

test("bytes that the conversion of another argument detaches are empty", () => {
  for (const label of ["utf-8", "koi8-r", "utf-16le"]) {
    const input = new Uint8Array(100).fill(0xe9);
    const own = (value) => ({ toString: () => (detach(input.buffer), value) });
    assert.equal(decode(input, own(label)), "", label);
    const other = new Uint8Array(100).fill(0xe9);
    const limit = { valueOf: () => (other.length > 0 && detach(other.buffer), 5) };
    assert.deepEqual(decodeAndReport(other, label, { limit }).errors, [], label);
  }
});

test("decode: a fatal error in long input has the offsets", () => {
  for (const at of [0, 5, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, (3 << 20) + 7]) {
    const input = new Uint8Array(4 << 20).fill(0x61);
    input[at] = 0xff;
    const error = throws(() => decode(input, "gb18030", { fatal: true }), DecodeError);
    assert.deepEqual([error.start, error.end], [at, at + 1]);
  }
});

test("errors say what was wrong, with the names of the classes", () => {
  const one = throws(() => decode(bytes("61 ff"), "gbk", { fatal: true }), DecodeError);
  assert.equal(`${one}`, "DecodeError: Malformed GBK at byte 1.");
  const two = throws(() => decode(bytes("61 81 ff"), "gbk", { fatal: true }), DecodeError);
  assert.equal(two.message, "Malformed GBK at bytes 1 to 2.");
  assert.equal(`${throws(() => encodeOrFail("\u65e5", "latin1"), EncodeError)}`, "EncodeError: windows-1252 cannot represent U+65E5 at index 0.");
  throws(() => encode("\u65e5", "latin1", { unmappable: () => undefined }), TypeError);
  const three = throws(() => TextDecoder(), TypeError);
  // The engine makes these. In Firefox, stacks have no message, and the message does not name the class.
  if (!new Error("x").stack.startsWith("Error")) return;
  assert.match(one.stack, /^DecodeError: Malformed/);
  assert.match(three.message, /TextDecoder/);
});

test("console.log shows what a decoder is", { skip: !inNode && "needs Node" }, async () => {
  const { inspect } = await import(/* not for a bundler */ ["node:util"][0]);
  assert.equal(inspect(new TextDecoder("sjis", { fatal: true })), "TextDecoder { encoding: 'shift_jis', fatal: true, ignoreBOM: false }");
  assert.equal(inspect(new TextEncoder()), "TextEncoder { encoding: 'utf-8' }");
});

describe("percentEncodeAfterEncoding, own sets", () => {
  test("are the characters beyond c0", () => {
    assert.equal(percentEncodeAfterEncoding("a-b c\u00e9", "utf-8", { set: ["-"] }), "a%2Db c%C3%A9");
    assert.equal(percentEncodeAfterEncoding("a-b c", "utf-8", { set: new Set("- ") }), "a%2Db%20c");
    throws(() => percentEncodeAfterEncoding("a", "utf-8", { set: ["\u00e9"] }), TypeError);
    throws(() => percentEncodeAfterEncoding("a", "utf-8", { set: 5 }), TypeError);
  });
});

describe("encode", () => {
  test("UTF-8 by default", () => assert.equal(hex(encode("a\u65e5")), "61e697a5"));

  test("returns a new Uint8Array whose buffer has the same length", () => {
    for (const label of ["utf-8", "gbk", "windows-1252", "utf-16le"]) {
      for (const string of ["", "a", "abc".repeat(1000)]) {
        const encoded = encode(string, label);
        assert.equal(Object.getPrototypeOf(encoded), Uint8Array.prototype);
        assert.equal(encoded.buffer.byteLength, encoded.length);
        encoded.fill(1);
        assert.notEqual(encode(string, label).buffer, encoded.buffer);
      }
    }
  });

  test("unmappable: html", () => {
    assert.equal(ascii(encode("a\u{1f600}b\u3042", "latin1")), "a&#128512;b&#12354;");
    assert.equal(ascii(encode("a\u{1f600}", "latin1", { unmappable: "html" })), "a&#128512;");
    assert.equal(ascii(encode("\ud800x", "latin1")), "&#65533;x");
  });

  test("unmappable: skip", () => {
    assert.equal(ascii(encode("a\u{1f600}b\u3042\ud800c", "latin1", { unmappable: "skip" })), "abc");
    assert.equal(hex(encode("\u3042\u{1f600}\u3042", "iso-2022-jp", { unmappable: "skip" })), "1b2442242224221b2842");
    assert.equal(hex(encode("\ud800", "utf-8", { unmappable: "skip" })), "efbfbd");
  });

  test("unmappable: fail throws an EncodeError with the code point and the index in code units", () => {
    for (const [label, string, codePoint, index] of [
      ["latin1", "a\u{1f600}", 0x1f600, 1], ["latin1", "\u{20ac}\u3042", 0x3042, 1], ["gbk", "\u4f60\u{1f600}", 0x1f600, 1], ["big5", "\u{20021}", 0x20021, 0],
      ["iso-2022-jp", "ab\u001b", 0xfffd, 2], ["latin1", "abc\ud800", 0xfffd, 3], ["latin1", "ab\ud800x", 0xfffd, 2], ["latin1", "a\udc00", 0xfffd, 1],
      ["shift_jis", "\u3042\u3042\ue000", 0xe000, 2], ["x-user-defined", "\u0080", 0x80, 0], ["gb18030", "\u{1f600}\ue5e5", 0xe5e5, 2],
    ]) {
      for (const long of ["", "x".repeat(3000)]) {
        const error = throws(() => encode(long + string, label, { unmappable: "fail" }), EncodeError, label);
        assert.instanceOf(error, TypeError);
        assert.equal(error.name, "EncodeError");
        assert.deepEqual([error.encoding, error.codePoint, error.index], [encodings.find(({ labels }) => labels.includes(label)).name, codePoint, long.length + index], label);
      }
    }
    assert.equal(hex(encode("\u4f60", "gbk", { unmappable: "fail" })), "c4e3");
  });

  test("unmappable: a function of the code point", () => {
    const seen = [];
    const unmappable = (codePoint) => (seen.push(codePoint), `<${codePoint.toString(16)}>`);
    assert.equal(ascii(encode("a\u{1f600}b\u3042\ud800", "latin1", { unmappable })), "a<1f600>b<3042><fffd>");
    assert.deepEqual(seen, [0x1f600, 0x3042, 0xfffd]);
    assert.equal(ascii(encode("\u3042".repeat(3), "latin1", { unmappable: () => "" })), "");
    assert.equal(ascii(encode("\u3042x", "latin1", { unmappable: () => 12 })), "12x");
    assert.equal(hex(encode("x\u3042\u20ac", "latin1", { unmappable: () => "\u20ac" })), "788080");
    assert.equal(encode("x".repeat(5000) + "\u3042", "latin1", { unmappable: () => "y".repeat(5000) }).length, 10000);
  });

  test("unmappable: the replacement text of a function is encoded in the encoder's current state", () => {
    const unmappable = () => "\u3042?";
    assert.equal(hex(encode("\u3042\u{1f600}\u3042", "iso-2022-jp", { unmappable })), "1b2442" + "2422" + "2422" + "1b2842" + "3f" + "1b2442" + "2422" + "1b2842");
  });

  test("unmappable: replacement text longer than a block", () => {
    for (const [label, part, bytes_] of [["gb18030", "\u{1f600}", "9439fc36"], ["iso-2022-jp", "\u3042", "2422"]]) {
      for (const before of ["", "a"]) {
        const encoded = encode(`${before}\u65e5\ue5e5`, label, { unmappable: () => part.repeat(700_000) });
        const lead = hex(encode(`${before}\u65e5`, label)).replace(/1b2842$/, "");
        const end = label === "gb18030" ? "" : "1b2842";
        assert.isTrue(hex(encoded) === lead + bytes_.repeat(700_000) + end, `${label}, ${before}`);
      }
    }
    assert.equal(throws(() => encode("a\u65e5", "latin1", { unmappable: () => "a".repeat(1 << 20) + "\u65e5" }), EncodeError).index, 1);
  });

  test("unmappable: unmappable replacement text throws", () => {
    const error = throws(() => encode("ab\u3042", "latin1", { unmappable: () => "c\u3044" }), EncodeError);
    assert.deepEqual([error.codePoint, error.index], [0x3042, 2]);
  });

  test("unmappable: an exception in a function propagates, and later calls work", () => {
    class Own extends Error {}
    for (let n = 0; n < 100; n++) throws(() => encode("a\u3042", "latin1", { unmappable() { throw new Own(); } }), Own);
    throws(() => encode("a\u3042", "latin1", { unmappable: () => Symbol() }), TypeError);
    assert.equal(ascii(encode("a\u3042", "latin1")), "a&#12354;");
  });

  test("unmappable: a function may call encode and decode", () => {
    const unmappable = (codePoint) => decode(encode(String.fromCodePoint(codePoint), "utf-16be"), "latin1") + ascii(encode("\u3042", "latin1", { unmappable: () => "!" }));
    assert.equal(hex(encode("a\u3042b\u3044c", "latin1", { unmappable })), "61304221" + "62304421" + "63");
  });

  test("unmappable: many unmappable characters take less than five seconds", () => {
    const string = "a\u3042".repeat(100_000);
    const start = performance.now();
    assert.equal(encode(string, "latin1", { unmappable: () => "?" }).length, string.length);
    assert.equal(percentEncodeAfterEncoding(string, "latin1").length, 100_000 * (1 + "%26%2312354%3B".length));
    assert.isBelow(performance.now() - start, 5000, "milliseconds");
  });

  test("surrogates: replace and fail", () => {
    assert.equal(hex(encode("\ud83d", "utf-8", { surrogates: "replace" })), "efbfbd");
    for (const label of ["utf-8", "utf-16le", "gb18030", "latin1"]) {
      for (const [string, codePoint, index] of [["a\ud83db", 0xd83d, 1], ["\ude00", 0xde00, 0], ["\u{1f600}\ude00", 0xde00, 2], ["\ud83d\ud83d\ude00", 0xd83d, 0], ["a\udbff", 0xdbff, 1]]) {
        const error = throws(() => encode(string, label, { surrogates: "fail" }), EncodeError, label);
        assert.deepEqual([error.codePoint, error.index], [codePoint, index]);
      }
      assert.isAbove(encode("\u{1f600}", label, { surrogates: "fail" }).length, 3);
    }
  });

  test("invalid options throw", () => {
    for (const unmappable of ["", "HTML", 1, null, {}]) throws(() => encode("a", "gbk", { unmappable }), TypeError);
    for (const surrogates of ["", "FAIL", true, null]) throws(() => encode("a", "gbk", { surrogates }), TypeError);
    throws(() => encode(Symbol(), "gbk"), TypeError);
    assert.equal(ascii(encode(null)), "null");
    throws(() => encode("", "replacement"), RangeError);
  });
});

describe("encodeOrFail", () => {
  test("throws for unmappable characters and unpaired surrogates", () => {
    assert.equal(hex(encodeOrFail("\u3042", "euc-jp")), "a4a2");
    assert.equal(hex(encodeOrFail("\u3042")), "e38182");
    throws(() => encodeOrFail("\u{1f600}", "euc-jp"), EncodeError);
    const error = throws(() => encodeOrFail("ab\ud800"), EncodeError);
    assert.deepEqual([error.codePoint, error.index], [0xd800, 2]);
    assert.equal(hex(encodeOrFail("\ud800", "utf-8", { surrogates: "replace" })), "efbfbd");
  });

  test("index in input longer than a block", () => {
    const million = 1 << 20;
    for (const [label, filler] of [["latin1", "a"], ["shift_jis", "\u3042"], ["gbk", "\u4f60"]]) {
      for (const at of [million - 2, million - 1, million, million + 1, 2 * million - 1, 2 * million + 7]) {
        const error = throws(() => encodeOrFail(filler.repeat(at) + "\u{1f600}" + filler.repeat(20), label), EncodeError);
        assert.deepEqual([error.codePoint, error.index], [0x1f600, at], label);
        const bmp = throws(() => encodeOrFail(filler.repeat(at) + "\u0e01" + filler.repeat(20), label), EncodeError);
        assert.deepEqual([bmp.codePoint, bmp.index], [0xe01, at], label);
        const lone = throws(() => encode(filler.repeat(at) + "\ud83d" + filler, label, { unmappable: "fail" }), EncodeError);
        assert.deepEqual([lone.codePoint, lone.index], [0xfffd, at], label);
      }
    }
  });
});

describe("percentEncodeAfterEncoding", () => {
  const form = { set: "application/x-www-form-urlencoded", spaceAsPlus: true };

  test("the examples of the URL Standard", () => {
    const special = { set: "special-query" };
    assert.equal(percentEncodeAfterEncoding(" ", "Shift_JIS", special), "%20");
    assert.equal(percentEncodeAfterEncoding("\u2261", "Shift_JIS", special), "%81%DF");
    assert.equal(percentEncodeAfterEncoding("\u203d", "Shift_JIS", special), "%26%238253%3B");
    assert.equal(percentEncodeAfterEncoding("\u00a5", "ISO-2022-JP", special), "%1B(J\\%1B(B");
    assert.equal(percentEncodeAfterEncoding("1+1 \u2261 2%20\u203d", "Shift_JIS", form), "1%2B1+%81%DF+2%2520%26%238253%3B");
    assert.equal(percentEncodeAfterEncoding("\u2261", "utf-8", { set: "userinfo" }), "%E2%89%A1");
    assert.equal(percentEncodeAfterEncoding("\u203d", "utf-8", { set: "userinfo" }), "%E2%80%BD");
    assert.equal(percentEncodeAfterEncoding("Say what\u203d", "utf-8", { set: "userinfo" }), "Say%20what%E2%80%BD");
  });

  test("the sets", () => {
    const all = String.fromCharCode(...Array(128).keys());
    const kept = (set) => percentEncodeAfterEncoding(all, "utf-8", { set }).replace(/%[0-9A-F]{2}/g, "").replace(/[A-Za-z0-9]/g, "");
    // A "%" that a set does not contain stays in the output. It is not followed by digits, so the regular expression keeps it.
    assert.equal(kept("c0"), " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~");
    assert.equal(kept("fragment"), "!#$%&'()*+,-./:;=?@[\\]^_{|}~");
    assert.equal(kept("query"), "!$%&'()*+,-./:;=?@[\\]^_`{|}~");
    assert.equal(kept("special-query"), "!$%&()*+,-./:;=?@[\\]^_`{|}~");
    assert.equal(kept("path"), "!$%&'()*+,-./:;=@[\\]_|~");
    assert.equal(kept("userinfo"), "!$%&'()*+,-._~");
    assert.equal(kept("component"), "!'()*-._~");
    assert.equal(kept("application/x-www-form-urlencoded"), "*-._");
    assert.equal(percentEncodeAfterEncoding("\u0000\u001f\u007f", "utf-8", { set: "c0" }), "%00%1F%7F");
    assert.equal(percentEncodeAfterEncoding("\"'", "utf-8"), "%22'", "query is the default");
  });

  test("component gives the same result as encodeURIComponent", () => {
    const string = String.fromCharCode(...Array(0x800).keys()) + "\u20ac\u{1f600}";
    assert.equal(percentEncodeAfterEncoding(string, "utf-8", { set: "component" }), encodeURIComponent(string));
  });

  test("form gives the same result as URLSearchParams", () => {
    const string = String.fromCharCode(...Array(0x800).keys()) + "\u20ac\u{1f600}";
    assert.equal("a=" + percentEncodeAfterEncoding(string, "utf-8", form), new URLSearchParams([["a", string]]).toString());
  });

  test("ISO-2022-JP: unmappable characters do not change the encoder's state", () => {
    // An unmappable character does not return the encoder to ASCII: 1B 28 42 is written only before ASCII and at the end.
    assert.equal(percentEncodeAfterEncoding("\u00a5\u{1f600}\u00a5", "iso-2022-jp"), "%1B(J\\%26%23128512%3B\\%1B(B");
    assert.equal(percentEncodeAfterEncoding("\u3042\u001ba", "iso-2022-jp"), "%1B$B$%22%1B(B%26%2365533%3Ba");
  });

  test("text longer than a block", () => {
    const set = "component";
    const table = Array.from({ length: 256 }, (_, byte) => {
      const isIn = byte >= 0x80 || encodeURIComponent(String.fromCharCode(byte)).length > 1;
      return isIn ? `%${hex([byte]).toUpperCase()}` : String.fromCharCode(byte);
    });
    const parts = ["\u3042\u65e5", "\u00a5a", "\\~", "\u{1f600}", "\u044f", "\u001b", "\u3042"];
    for (const { name } of encodings.filter(({ name }) => !/^(replacement|UTF-16)/.test(name))) {
      for (let less = 0; less < 9; less++) {
        const text = "a".repeat(65536 - less) + parts.join("").repeat(3) + "b".repeat(65536 - 40) + "\u3042" + parts.join("") + "\ud83d";
        const expected = Array.from(encode(text, name), (byte) => table[byte]).join("");
        assert.isTrue(percentEncodeAfterEncoding(text, name, { set }) === expected, `${name}, ${less}`);
      }
      const long = "\u65e5".repeat(70_000);
      assert.isTrue(percentEncodeAfterEncoding(long, name, { set }) === Array.from(encode(long, name), (byte) => table[byte]).join(""), name);
    }
  });

  test("output encodings, surrogates, and options", () => {
    for (const label of ["utf-16le", "utf-16be", "replacement"]) assert.equal(percentEncodeAfterEncoding("\u00e9", label), "%C3%A9");
    assert.equal(percentEncodeAfterEncoding("\ud800", "utf-8"), "%EF%BF%BD");
    assert.equal(percentEncodeAfterEncoding("a b", "utf-8", { spaceAsPlus: true }), "a+b");
    assert.equal(percentEncodeAfterEncoding("", "gbk"), "");
    throws(() => percentEncodeAfterEncoding("", "none"), RangeError);
    for (const set of ["", "QUERY", "toString", "__proto__", null]) throws(() => percentEncodeAfterEncoding("", "gbk", { set }), TypeError);
  });
});

describe("entries", () => {
  if (entry === "slim") {
    test("a second call of init has no effect", async () => {
      await package_.default(new Uint8Array(1));
      assert.equal(decode(bytes("c4 e3"), "gbk"), "\u4f60");
    });

    test("init explains what it has found instead of the module, and can be called again", async () => {
      const address = new URL("../dist/slim.js?3", import.meta.url).href;
      const other = await import(/* not for a bundler */ address);
      const rejects = async (source, ...words) => {
        const error = await other.default(source).then(() => assert.fail("no error"), (error) => error);
        for (const word of words) assert.include(error.message, word);
      };
      const page = { headers: { "content-type": "text/html" } };
      await rejects(new Response("<!doctype html>", page), "status 200 and type text/html", "dist/textcodec.wasm");
      await rejects(new Response("", { status: 404 }), "status 404", "dist/textcodec.wasm");
      await rejects(new URL("none:textcodec.wasm"), "none:textcodec.wasm", "dist/textcodec.wasm");
      await rejects(new Uint8Array(8), "cannot be compiled");
      await rejects(await readFile("dist/textcodec.wasm").then((bytes) => bytes.subarray(0, -1)), "cannot be compiled");
      await other.default(await readFile("dist/textcodec.wasm"));
      assert.equal(other.decode(bytes("c4 e3"), "gbk"), "\u4f60");
    });

    test("functions throw before init, and work after it", async () => {
      const address = new URL(inNode ? "../dist/slim.js?2" : "../dist/slim.js?2", import.meta.url).href;
      const other = await import(/* not for a bundler */ address);
      throws(() => other.decode(bytes("c4 e3"), "gbk"), Error);
      throws(() => new other.TextDecoder(), Error);
      await other.default(WebAssembly.compile(await readFile("dist/textcodec.wasm")).then((module) => module));
      assert.equal(other.decode(bytes("c4 e3"), "gbk"), "\u4f60");
      assert.equal(new other.TextDecoder("big5").encoding, "big5");
    });
  } else {
    test("the CommonJS file", { skip: !inNode && "no require" }, async () => {
      const { createRequire } = await import(/* not for a bundler */ ["node:module"][0]);
      const required = createRequire(import.meta.url)("../dist/index.cjs");
      assert.sameMembers(Object.keys(required).filter((key) => key !== "default" && key !== "__esModule"), Object.keys(package_));
      assert.equal(required.decode(bytes("c4 e3"), "gbk"), "\u4f60");
      assert.equal(required.encodings.length, 40);
    });
  }

  test("methods reject objects of the engine's classes", () => {
    if (globalThis.TextDecoder === undefined || globalThis.TextDecoder === TextDecoder) return;
    throws(() => TextDecoder.prototype.decode.call(new globalThis.TextDecoder()), TypeError);
    throws(() => TextEncoder.prototype.encode.call(new globalThis.TextEncoder()), TypeError);
  });
});

describe("the replacement text of a function does not combine with the text around it", () => {
  for (const [text, label] of [["\ud55c", "gbk"], ["\ud55c\ude00x", "shift_jis"], ["a\ud55c", "iso-2022-jp"]]) {
    test(`an unpaired surrogate is U+FFFD, which is unmappable in ${label}`, () => {
      const index = text.indexOf("\ud55c");
      assert.throws(() => encode(text, label, { unmappable: () => "\ud83d" }), `U+D55C at index ${index}`);
    });
  }
});

describe("decodeAndReport: options", () => {
  const bytes = Uint8Array.of(0xff, 0xff, 0xff);

  test("limit may be any non-negative number", () => {
    for (const [limit, listed] of [[0, 0], [2, 2], [1431655766, 3], [2 ** 32, 3], [Infinity, 3]]) {
      const { errors, text } = decodeAndReport(bytes, "utf-8", { limit });
      assert.equal(errors.length, listed, String(limit));
      assert.equal(text, "\ufffd\ufffd\ufffd");
    }
  });

  test("limit is converted to an integer, in the same way by all entries", async () => {
    const others = ["index", "js"].filter((name) => name !== entry);
    const entries = { [entry]: package_ };
    for (const name of others) entries[name] = await importEntry(name);
    const listed = [
      [1.5, 1], [0.5, 0], [2.999, 2], ["2", 2], ["1.5", 1], [" 2 ", 2], ["", 0], ["Infinity", 3], [null, 0], [undefined, 3], [true, 1],
      [[], 0], [[2], 2], [-0, 0], [2 ** 31, 3], [2 ** 32 + 1, 3], [Number.MAX_VALUE, 3], [{ valueOf: () => 1.9 }, 1],
    ];
    const invalid = [NaN, -1, -0.5, -Infinity, "x", "-1", {}, () => 1, [1, 2]];
    for (const [name, { decodeAndReport }] of Object.entries(entries)) {
      for (const label of ["sjis", "utf-8", "euc-kr"]) {
        for (const [limit, number] of listed) {
          const { errors } = decodeAndReport(bytes, label, { limit });
          assert.lengthOf(errors, number, `${name}, ${label}, ${String(limit)}`);
        }
        for (const limit of invalid) assert.throws(() => decodeAndReport(bytes, label, { limit }), RangeError, "limit must be");
        for (const limit of [Symbol(), 1n]) assert.throws(() => decodeAndReport(bytes, label, { limit }), TypeError);
      }
      let calls = 0;
      decodeAndReport(bytes, "sjis", { limit: { valueOf: () => ++calls } });
      assert.equal(calls, 1, name);
    }
  });

  test("invalid values throw", () => {
    assert.throws(() => decodeAndReport(bytes, "utf-8", { limit: NaN }), RangeError);
    assert.throws(() => decodeAndReport(bytes, "utf-8", { limit: -1 }), RangeError);
    assert.throws(() => decodeAndReport(bytes, "utf-8", { bom: "strip" }), TypeError);
  });
});
