// Byte order marks: *serialize I/O queue* of section 7.1, and section 6 for `decode`.

import { assert } from "chai";
import { describe, test } from "node:test";
import { TextDecoder, bomSniff, decode, decodeAndReport, encodings } from "./support/package.js";
import { bytes, joined, throws } from "./support/tools.js";

const MARKS = { "utf-8": "ef bb bf", "utf-16le": "ff fe", "utf-16be": "fe ff" };
const A = { "utf-8": "61", "utf-16le": "61 00", "utf-16be": "00 61" };

for (const label of Object.keys(MARKS)) {
  const mark = bytes(MARKS[label]);
  const a = bytes(A[label]);
  const stream = { stream: true };

  describe(`byte order mark of ${label}`, () => {
    for (const fatal of [false, true]) {
      const decoder = (ignoreBOM = false) => new TextDecoder(label, { ignoreBOM, fatal });

      test(`is removed once; fatal ${fatal}`, () => {
        assert.equal(decoder().decode(mark), "");
        assert.equal(decoder().decode(joined(mark, a)), "a");
        assert.equal(decoder().decode(joined(mark, mark, a)), "\ufeffa");
        assert.equal(decoder().decode(joined(a, mark)), "a\ufeff");
      });

      test(`is removed once from long text; fatal ${fatal}`, () => {
        const long = joined(...Array(1000).fill(a));
        assert.equal(decoder().decode(joined(mark, long)), "a".repeat(1000));
        assert.equal(decoder().decode(joined(mark, mark, long)), "\ufeff" + "a".repeat(1000));
        assert.equal(decoder(true).decode(joined(mark, long)), "\ufeff" + "a".repeat(1000));
        assert.equal(decoder().decode(joined(long, mark)), "a".repeat(1000) + "\ufeff");
      });

      test(`is kept with ignoreBOM; fatal ${fatal}`, () => {
        assert.equal(decoder(true).decode(mark), "\ufeff");
        assert.equal(decoder(true).decode(joined(mark, a)), "\ufeffa");
      });

      test(`is removed by each call without stream; fatal ${fatal}`, () => {
        const one = decoder();
        for (let n = 0; n < 3; n++) assert.equal(one.decode(joined(mark, a)), "a");
      });

      test(`is removed once per stream, and again after the end of a stream; fatal ${fatal}`, () => {
        const one = decoder();
        assert.equal(one.decode(mark, stream), "");
        assert.equal(one.decode(mark, stream), "\ufeff");
        assert.equal(one.decode(joined(mark, a)), "\ufeffa");
        assert.equal(one.decode(joined(mark, a)), "a");
        assert.equal(one.decode(a, stream), "a");
        assert.equal(one.decode(mark), "\ufeff");
        assert.equal(one.decode(joined(mark, a), stream), "a");
      });

      test(`split at every offset, and byte by byte; fatal ${fatal}`, () => {
        const all = joined(mark, mark, a);
        for (const ignoreBOM of [false, true]) {
          const expected = ignoreBOM ? "\ufeff\ufeffa" : "\ufeffa";
          for (let at = 0; at <= all.length; at++) {
            const one = decoder(ignoreBOM);
            assert.equal(one.decode(all.subarray(0, at), stream) + one.decode(all.subarray(at)), expected, `split at ${at}`);
          }
          const one = decoder(ignoreBOM);
          const text = Array.from(all, (byte) => one.decode(Uint8Array.of(byte), stream) + one.decode(new Uint8Array(0), stream));
          assert.equal(text.join("") + one.decode(), expected);
        }
      });

      test(`an incomplete mark is malformed; fatal ${fatal}`, () => {
        const part = mark.subarray(0, mark.length - 1);
        if (fatal) throws(() => decoder().decode(part), TypeError);
        else assert.equal(decoder().decode(part), "\ufffd");
      });
    }

    test("after a fatal error without stream, the next call removes one", () => {
      const one = new TextDecoder(label, { fatal: true });
      const bad = label === "utf-8" ? bytes("ff") : label === "utf-16le" ? bytes("00 dc") : bytes("dc 00");
      throws(() => one.decode(joined(mark, a, bad)), TypeError);
      assert.equal(one.decode(joined(mark, a)), "a");
      throws(() => one.decode(joined(mark, bad), stream), TypeError);
      // The call that threw did not serialize anything, so BOM seen is still false.
      assert.equal(one.decode(joined(mark, mark, a), stream), "\ufeffa");
    });

    test("bomSniff", () => {
      assert.equal(bomSniff(mark).toLowerCase(), label);
      assert.equal(bomSniff(joined(mark, a).buffer).toLowerCase(), label);
      assert.isNull(bomSniff(mark.subarray(0, mark.length - 1)));
      assert.isNull(bomSniff(joined(a, mark)));
    });

    test("decode: overrides the label, and is removed once", () => {
      for (const { name } of encodings) {
        assert.equal(decode(joined(mark, a), name), "a", name);
        assert.equal(decode(joined(mark, mark, a), name), "\ufeffa", name);
        const { text, encoding, bom } = decodeAndReport(joined(mark, a), name);
        assert.deepEqual([text, encoding.toLowerCase(), bom], ["a", label, true]);
      }
    });

    test("decodeAndReport: options own and keep", () => {
      const own = decodeAndReport(joined(mark, a), label, { bom: "own" });
      assert.equal(own.text, "a");
      const keep = decodeAndReport(joined(mark, a), label, { bom: "keep" });
      assert.deepEqual([keep.text, keep.bom, keep.errors], ["\ufeffa", false, []]);
      const other = decodeAndReport(joined(mark, a), "windows-1252", { bom: "own" });
      assert.equal(other.text[0], { "utf-8": "\u00ef", "utf-16le": "\u00ff", "utf-16be": "\u00fe" }[label]);
      assert.equal(other.bom, false);
    });
  });
}

describe("byte order marks of other encodings", () => {
  test("a TextDecoder decodes the mark of another encoding as text", () => {
    assert.equal(new TextDecoder("windows-1252").decode(bytes("ef bb bf")), "\u00ef\u00bb\u00bf");
    assert.equal(new TextDecoder("gb18030").decode(bytes("84 31 95 33 61")), "\ufeffa");
    assert.equal(new TextDecoder("utf-8").decode(bytes("ff fe")), "\ufffd\ufffd");
    assert.equal(new TextDecoder("utf-16le").decode(bytes("fe ff")), "\ufffe");
  });

  test("UTF-16BE decodes the mark of UTF-16LE as U+FFFE", () => {
    assert.equal(new TextDecoder("utf-16be").decode(bytes("ff fe 00 61")), "\ufffea");
  });

  test("bomSniff of input without a mark", () => {
    for (const input of ["", "ef", "ef bb", "fe", "ff", "00 00 fe ff", "2b 2f 76"]) assert.isNull(bomSniff(bytes(input)), input);
    throws(() => bomSniff("\ufeff"), TypeError);
  });
});
