// Mistakes that were found in real decoders and encoders.

import { assert } from "chai";
import { describe, test } from "node:test";
import { TextDecoder, TextDecoderStream, decode, encode, encodings } from "./support/package.js";
import { bytes, hex, throws } from "./support/tools.js";

/** Tests each case alone, after other text, and in chunks. */
function decodes(label, cases) {
  for (const [input, expected] of cases) {
    const all = bytes(input);
    assert.equal(new TextDecoder(label, { ignoreBOM: true }).decode(all), expected, `${label} ${input}`);
    const before = "a".repeat(100);
    const prefix = new Uint8Array(100).fill(0x61);
    if (!label.startsWith("utf-16")) {
      assert.equal(new TextDecoder(label).decode(Uint8Array.of(...prefix, ...all)), before + expected, `${label} ${input} after text`);
    }
    for (let at = 0; at <= all.length; at++) {
      const decoder = new TextDecoder(label, { ignoreBOM: true });
      const text = decoder.decode(all.subarray(0, at), { stream: true }) + decoder.decode(new Uint8Array(0), { stream: true });
      assert.equal(text + decoder.decode(all.subarray(at)), expected, `${label} ${input} split at ${at}`);
    }
  }
}

const malformed = (label, input) => throws(() => new TextDecoder(label, { fatal: true }).decode(bytes(input)), TypeError, `${label} ${input}`);
const wellFormed = (label, input) => new TextDecoder(label, { fatal: true }).decode(bytes(input));
const encodes = (label, cases) => {
  for (const [string, expected] of cases) assert.equal(hex(encode(string, label)), expected.replaceAll(" ", ""), `${label} ${escape(string)}`);
};
const ncr = (codePoint) => hex([...`&#${codePoint};`].map((letter) => letter.charCodeAt(0)));

describe("known mistakes of decoders", () => {
  test("Big5: an ASCII byte after an invalid lead byte is restored", () => decodes("big5", [["81 40", "\ufffd@"], ["81 a1 41", "\ufffdA"], ["a1 7f", "\ufffd\u007f"]]));
  test("EUC-KR: an ASCII trail byte is restored", () => decodes("euc-kr", [["41 c7 41", "A\ufffdA"], ["c7 80", "\ufffd"], ["fe 41", "\ufffdA"]]));
  test("Big5: four byte pairs decode to two code points each", () =>
    decodes("big5", [["88 62", "\u00ca\u0304"], ["88 64", "\u00ca\u030c"], ["88 a3", "\u00ea\u0304"], ["88 a5", "\u00ea\u030c"]]));
  test("gb18030: three bytes are restored", () => decodes("gb18030", [["81 30 21 21 21", "\ufffd0!!!"], ["81 30 81 41", "\ufffd0\u4e04"]]));
  test("gb18030: FF is not a lead byte", () => decodes("gb18030", [["ff 39 fe 39", "\ufffd9\ufffd"], ["ff", "\ufffd"]]));
  test("gb18030: an incomplete sequence at the end is one U+FFFD", () => decodes("gb18030", [["81", "\ufffd"], ["81 31", "\ufffd"], ["81 31 81", "\ufffd"]]));
  test("gb18030: 81 35 F4 37 is U+E7C7, and A8 BC is U+1E3F", () => decodes("gb18030", [["81 35 f4 37", "\ue7c7"], ["a8 bc", "\u1e3f"]]));
  test("gb18030: 84 31 A4 37 is U+FFFD and not an error", () => {
    decodes("gb18030", [["84 31 a4 37", "\ufffd"]]);
    assert.equal(wellFormed("gb18030", "84 31 a4 37"), "\ufffd");
  });
  test("gb18030: the ends of the ranges", () => {
    decodes("gb18030", [["84 31 a4 39", "\uffff"], ["84 31 a5 30", "\ufffd"], ["90 30 81 30", "\u{10000}"], ["e3 32 9a 35", "\u{10ffff}"], ["e3 32 9a 36", "\ufffd"]]);
    malformed("gb18030", "84 31 a5 30");
  });
  test("GBK decodes as gb18030 does", () => decodes("gbk", [["81 30 81 30", "\u0080"], ["80", "\u20ac"], ["a2 e3", "\u20ac"], ["e3 32 9a 35", "\u{10ffff}"]]));
  test("ISO-2022-JP: an incomplete escape 1B 24 decodes to U+FFFD and $", () => decodes("iso-2022-jp", [["1b 24", "\ufffd$"], ["1b 28", "\ufffd("], ["1b", "\ufffd"], ["1b 24 41", "\ufffd$A"]]));
  test("ISO-2022-JP: consecutive escape sequences", () =>
    decodes("iso-2022-jp", [["1b 24 42 24 22 1b 28 42 1b 24 42 24 24 1b 28 42", "\u3042\ufffd\u3044"], ["1b 28 42 1b 28 42", "\ufffd"]]));
  test("ISO-2022-JP: katakana, Roman, and an escape within a pair", () =>
    decodes("iso-2022-jp", [["1b 28 49 31", "\uff71"], ["1b 28 4a 5c 7e", "\u00a5\u203e"], ["1b 24 42 24 1b 28 42 41", "\ufffdA"], ["0e 0f", "\ufffd\ufffd"], ["80", "\ufffd"]]));
  test("EUC-JP: 8E 8E, half-width katakana, JIS X 0212", () =>
    decodes("euc-jp", [["8e 8e", "\ufffd"], ["8e b1", "\uff71"], ["8e 41", "\ufffdA"], ["8f a2 af", "\u02d8"], ["8f a2 41", "\ufffdA"], ["8f 41", "\ufffdA"]]));
  test("Shift_JIS: 80 is U+0080, A0 and FD are errors, and private use", () =>
    decodes("shift_jis", [["80", "\u0080"], ["a0", "\ufffd"], ["fd", "\ufffd"], ["b1", "\uff71"], ["f0 40", "\ue000"], ["82 39", "\ufffd9"], ["5c 7e", "\\~"]]));
  test("single-byte encodings: 80 at offsets 1 to 33", () => {
    for (const { name } of encodings.slice(1, 29)) {
      const euro = decode(bytes("80"), name);
      for (let at = 1; at <= 33; at++) {
        const input = new Uint8Array(at + 1).fill(0x61);
        input[at] = 0x80;
        assert.equal(decode(input, name), "a".repeat(at) + euro, `${name} at ${at}`);
      }
    }
  });
  test("windows-125x: bytes without a character are C1 controls", () => {
    decodes("windows-1252", [["81 8d 8f 90 9d", "\u0081\u008d\u008f\u0090\u009d"]]);
    decodes("windows-1250", [["81 83 88 90 98", "\u0081\u0083\u0088\u0090\u0098"]]);
    decodes("windows-1255", [["d9", "\ufffd"], ["81", "\u0081"]]);
    decodes("windows-1253", [["aa", "\ufffd"], ["d2", "\ufffd"], ["81", "\u0081"]]);
    decodes("windows-1257", [["a1", "\ufffd"]]);
    decodes("windows-874", [["80 81 db", "\u20ac\u0081\ufffd"]]);
    decodes("iso-8859-1", [["80 9f", "\u20ac\u0178"]]);
  });
  test("KOI8-U: AE and BE", () => decodes("koi8-u", [["ae be", "\u045e\u040e"]]));
  test("x-user-defined: U+F780 to U+F7FF", () => decodes("x-user-defined", [["7f 80 ff", "\u007f\uf780\uf7ff"]]));
  test("UTF-8: one U+FFFD for each maximal subpart", () =>
    decodes("utf-8", [
      ["f0 90 80", "\ufffd"], ["f0 80 80", "\ufffd\ufffd\ufffd"], ["f0", "\ufffd"], ["c0 80", "\ufffd\ufffd"], ["e0 80 80", "\ufffd\ufffd\ufffd"],
      ["ed a0 80", "\ufffd\ufffd\ufffd"], ["f4 90 80 80", "\ufffd\ufffd\ufffd\ufffd"], ["f5 80", "\ufffd\ufffd"], ["f0 9f 41", "\ufffdA"], ["e2 82 e2 82 ac", "\ufffd\u20ac"],
    ]));
  test("UTF-8: F0 | C3 80 2A 2A", () => {
    const decoder = new TextDecoder();
    assert.equal(decoder.decode(bytes("f0"), { stream: true }), "");
    assert.equal(decoder.decode(bytes("c3 80 2a 2a")), "\ufffd\u00c0**");
  });
  test("UTF-16: 00 D8 00 is one U+FFFD", () => {
    decodes("utf-16le", [["00 d8 00", "\ufffd"], ["00 d8 41 00", "\ufffdA"], ["00 d8 00 d8 00 dc", "\ufffd\u{10000}"], ["00 dc", "\ufffd"], ["41", "\ufffd"]]);
    decodes("utf-16be", [["d8 00 00", "\ufffd"], ["d8 00 00 41", "\ufffdA"], ["dc 00", "\ufffd"], ["00", "\ufffd"]]);
  });
  test("a lead byte, an empty chunk, then the trail byte, in every multi-byte encoding", async () => {
    for (const [label, lead, trail, text] of [
      ["gbk", "c4", "e3", "\u4f60"], ["gb18030", "81 30 81", "30", "\u0080"], ["big5", "a4", "40", "\u4e00"], ["euc-jp", "a4", "a2", "\u3042"],
      ["euc-jp", "8f a2", "af", "\u02d8"], ["iso-2022-jp", "1b 24 42 24", "22", "\u3042"], ["iso-2022-jp", "1b 24", "42 24 22", "\u3042"],
      ["shift_jis", "82", "a0", "\u3042"], ["euc-kr", "b0", "a1", "\uac00"], ["utf-8", "f0 9f 98", "80", "\u{1f600}"],
      ["utf-16be", "d8 3d de", "00", "\u{1f600}"], ["utf-16le", "3d d8 00", "de", "\u{1f600}"],
    ]) {
      for (const fatal of [false, true]) {
        const decoder = new TextDecoder(label, { fatal });
        for (const chunk of [bytes(lead), new Uint8Array(0), undefined]) assert.equal(decoder.decode(chunk, { stream: true }), "", label);
        assert.equal(decoder.decode(bytes(trail), { stream: true }), text, label);
        const stream = new TextDecoderStream(label, { fatal });
        const writer = stream.writable.getWriter();
        for (const chunk of [lead, "", trail]) void writer.write(bytes(chunk));
        assert.equal((await stream.readable.getReader().read()).value, text, label);
      }
    }
  });
  test("a finished decoder decodes like a new one", () => {
    for (const { name } of encodings.filter(({ name }) => name !== "replacement")) {
      const used = new TextDecoder(name);
      for (const lead of ["81", "1b 24 42", "f0 9f", "8f a1", "fe ff", "d8 00"]) {
        used.decode(bytes(lead), { stream: true });
        used.decode();
        for (const input of ["41 42", "a1 a1", "ef bb bf 41", "fe ff 00 41", "30 81 30"]) {
          assert.equal(used.decode(bytes(input)), new TextDecoder(name).decode(bytes(input)), `${name}: ${lead}, then ${input}`);
        }
      }
    }
  });
  test("replacement: one U+FFFD for any input, except empty input", () => {
    assert.equal(decode(bytes(""), "replacement"), "");
    assert.equal(decode(bytes("41"), "replacement"), "\ufffd");
    assert.equal(decode(new Uint8Array(5000), "hz-gb-2312"), "\ufffd");
    throws(() => decode(bytes("41"), "iso-2022-kr", { fatal: true }), TypeError);
  });
});

describe("known mistakes of encoders", () => {
  test("Big5 does not encode HKSCS, and uses the last pointer for six code points", () =>
    encodes("big5", [
      ["\u00ca\u0304", ncr(0xca) + ncr(0x304)], ["\u43f0", ncr(0x43f0)], ["\u{20021}", ncr(0x20021)], ["\u2550", "f9 f9"], ["\u255e", "f9 e9"],
      ["\u2561", "f9 eb"], ["\u256a", "f9 ea"], ["\u5341", "a4 51"], ["\u5345", "a4 ca"], ["\u4e00", "a4 40"],
    ]));
  test("Shift_JIS does not use pointers 8272 to 8835", () =>
    encodes("shift_jis", [["\u2252", "81 e0"], ["\u7e8a", "fa 5c"], ["\uffe2", "81 ca"], ["\u2170", "fa 40"], ["\u00a5\u203e", "5c 7e"], ["\u0080", "80"], ["\ue000", ncr(0xe000)]]));
  test("EUC-JP does not encode JIS X 0212", () => encodes("euc-jp", [["\u02d8", ncr(0x2d8)], ["\u4e02", ncr(0x4e02)], ["\u3042", "a4 a2"], ["\u00a5\u203e", "5c 7e"]]));
  test("U+E5E5 is unmappable in gb18030 and GBK", () => {
    encodes("gb18030", [["\ue5e5", ncr(0xe5e5)], ["\ue7c7", "81 35 f4 37"], ["\u1e3f", "a8 bc"], ["\u{10ffff}", "e3 32 9a 35"], ["\u20ac", "a2 e3"]]);
    encodes("gbk", [["\ue5e5", ncr(0xe5e5)], ["\u20ac", "80"], ["\u{10ffff}", ncr(0x10ffff)], ["\u0080", ncr(0x80)]]);
  });
  test("U+2212 is encoded as U+FF0D", () => {
    encodes("shift_jis", [["\u2212\uff0d", "81 7c 81 7c"]]);
    encodes("euc-jp", [["\u2212\uff0d", "a1 dd a1 dd"]]);
    encodes("iso-2022-jp", [["\u2212\uff0d", "1b 24 42 21 5d 21 5d 1b 28 42"]]);
  });
  test("ISO-2022-JP reports U+FFFD for 0E, 0F and 1B", () =>
    encodes("iso-2022-jp", [["\u000e\u000f\u001b", ncr(0xfffd).repeat(3)], ["\u3042\u001b", "1b 24 42 24 22 1b 28 42" + ncr(0xfffd)]]));
  test("ISO-2022-JP: half-width katakana, Roman, and back to ASCII at the end", () =>
    encodes("iso-2022-jp", [
      ["\uff71", "1b 24 42 25 22 1b 28 42"], ["\u00a5", "1b 28 4a 5c 1b 28 42"], ["\u00a5a\\", "1b 28 4a 5c 61 1b 28 42 5c"], ["\u3042a", "1b 24 42 24 22 1b 28 42 61"],
      ["\u00a5\u{1f600}", "1b 28 4a 5c" + ncr(0x1f600) + "1b 28 42"], ["\u3042\u{1f600}\u3042", "1b 24 42 24 22 1b 28 42" + ncr(0x1f600) + "1b 24 42 24 22 1b 28 42"],
    ]));
  test("half-width katakana in Shift_JIS and EUC-JP", () => {
    encodes("shift_jis", [["\uff61\uff9f", "a1 df"]]);
    encodes("euc-jp", [["\uff61\uff9f", "8e a1 8e df"]]);
  });
  test("UTF-16 is encoded without a byte order mark", () => {
    encodes("utf-16le", [["a\u{1f600}", "61 00 3d d8 00 de"], ["", ""]]);
    encodes("utf-16be", [["a\u{1f600}", "00 61 d8 3d de 00"], ["\ud800", "ff fd"]]);
    throws(() => encode("a", "replacement"), RangeError);
  });
});
