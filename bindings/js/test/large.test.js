// Inputs that are longer than the blocks in which the module converts them: 2^20 bytes or code units.

import { assert } from "chai";
import { describe, test } from "node:test";
import { TextDecoder, decode, encode, encodeOrFail, encodings } from "./support/package.js";
import { bytes as bytes_, same, sameBytes, throws } from "./support/tools.js";
import { vectors } from "./support/vectors.js";

const BLOCK = 1 << 20;
const { encodings: all, string, bytes } = await vectors();

/** A character of each multi-byte encoding with the maximum number of bytes, and these bytes. */
const WIDEST = {
  "UTF-8": ["\u{1f600}", "f09f9880"], GBK: ["\u4f60", "c4e3"], gb18030: ["\u{1f600}", "9439fc36"], Big5: ["\u4e00", "a440"], "EUC-JP": ["\u02d8", "8fa2af"],
  "ISO-2022-JP": ["\u3042", "1b244224221b2842"], Shift_JIS: ["\u3042", "82a0"], "EUC-KR": ["\uac00", "b0a1"], "UTF-16BE": ["\u{1f600}", "d83dde00"],
  "UTF-16LE": ["\u{1f600}", "3dd800de"],
};

for (const { name, texts } of all) {
  describe(`longer than a block: ${name}`, () => {
    const utf16 = name.startsWith("UTF-16");
    const letter = utf16 ? (name === "UTF-16BE" ? [0, 0x61] : [0x61, 0]) : [0x61];
    const filled = (length) => {
      if (!utf16) return new Uint8Array(length).fill(0x61);
      const input = new Uint8Array(length);
      for (let n = letter.indexOf(0x61); n < length; n += 2) input[n] = 0x61;
      return input;
    };
    const letters = (length) => "a".repeat(length / letter.length);

    test("a character across the end of a block", () => {
      const [character, hexadecimal] = WIDEST[name] ?? [decode(Uint8Array.of(0xe1), name), "e1"];
      const widest = bytes_(hexadecimal);
      for (let before = letter.length; before <= widest.length + letter.length; before += letter.length) {
        const at = BLOCK - before;
        const input = filled(BLOCK + 64);
        input.set(widest, at);
        const expected = letters(at) + character + letters(64 + BLOCK - at - widest.length);
        const what = `${before} before the end`;
        const fatal = before % 2 === 0;
        same(new TextDecoder(name, { fatal }).decode(input), expected, what);
        const decoder = new TextDecoder(name, { fatal: !fatal });
        same(decoder.decode(input, { stream: true }) + decoder.decode(), expected, `${what}, as a stream`);
        if (before === letter.length) same(decode(input, name), expected, `${what}, by decode`);
      }
    });

    // All single-byte encodings share code, so a few are enough.
    if (WIDEST[name] === undefined && !/^(ISO-8859-6|windows-125[28]|x-user-defined)$/.test(name)) return;

    test("malformed input across the end of a block", () => {
      const [input_] = texts.filter(([, , errors]) => errors.length > 0).sort((a, b) => string(b[0]).length - string(a[0]).length)[0] ?? [];
      if (input_ === undefined) return;
      const part = bytes(input_).subarray(0, 4096);
      if (utf16 && part.length % 2) return;
      for (const before of [2, 100, 101 + (utf16 ? 1 : 0)]) {
        const input = filled(2 * BLOCK);
        input.set(part, BLOCK - before);
        const shorter = filled(part.length + 200);
        shorter.set(part, 100);
        // The expected text, from input shorter than a block.
        const middle = new TextDecoder(name).decode(shorter);
        const expected = letters(BLOCK - before - 100) + middle + letters(2 * BLOCK - (BLOCK - before) - part.length - 100);
        same(new TextDecoder(name).decode(input), expected, `${before} before the end`);
        const short = throws_(() => new TextDecoder(name, { fatal: true }).decode(shorter));
        assert.equal(throws_(() => new TextDecoder(name, { fatal: true }).decode(input)), short);
      }
    });

    test("strings: characters and surrogate pairs across the end of a block", () => {
      const mappable = name === "EUC-JP" ? "\u3042" : (WIDEST[name]?.[0] ?? decode(Uint8Array.of(0xe1), name));
      for (const before of [0, 1, 2]) {
        const start = "a".repeat(BLOCK - before);
        const bytesOfStart = filled((BLOCK - before) * letter.length);
        // A pair, mappable or not, and unpaired surrogates.
        for (const tail of [mappable, "\u{1f600}", "\ud800", "\udc00", "\ud800\u{1f600}", "\ud800\ud800"]) {
          for (const unmappable of before === 1 ? ["html", (codePoint) => (codePoint > 0xffff ? "#" : "?")] : ["html"]) {
            const short = encode(tail + "a", name, { unmappable });
            const expected = filled(bytesOfStart.length + short.length);
            expected.set(short, bytesOfStart.length);
            sameBytes(encode(start + tail + "a", name, { unmappable }), expected, `${escape(tail)} ${before} before the end`);
          }
        }
        assert.equal(encodeOrFail(start + mappable, name).length, bytesOfStart.length + encode(mappable, name).length);
      }
    });
  });
}

describe("longer than a block", () => {
  test("a fatal error in a long chunk of a stream discards the rest of the chunk", () => {
    for (const label of ["utf-8", "gbk"]) {
      for (const at of [5, BLOCK - 1, BLOCK, 2 * BLOCK + 3]) {
        const input = new Uint8Array(3 * BLOCK).fill(0x61);
        input[at] = 0xff;
        input.fill(0x62, at + 1);
        const decoder = new TextDecoder(label, { fatal: true });
        throws(() => decoder.decode(input, { stream: true }), TypeError);
        same(decoder.decode(Uint8Array.of(0x63), { stream: true }), "c", `${label} at ${at}`);
        assert.equal(decoder.decode(), "");
      }
    }
  });

  test("a byte order mark before a fatal error in a later block does not count as seen", () => {
    const input = new Uint8Array(2 * BLOCK).fill(0x61);
    input.set([0xef, 0xbb, 0xbf]);
    input[BLOCK + 5] = 0xff;
    const decoder = new TextDecoder("utf-8", { fatal: true });
    throws(() => decoder.decode(input, { stream: true }), TypeError);
    same(decoder.decode(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)), "a", "the next call");
  });

  test("one byte order mark is removed, only at the start", () => {
    for (const [label, mark] of [["utf-8", [0xef, 0xbb, 0xbf]], ["utf-16le", [0xff, 0xfe]]]) {
      const input = new Uint8Array(2 * BLOCK + 2 * mark.length);
      input.set(mark);
      input.set(mark, BLOCK);
      const text = new TextDecoder(label).decode(input);
      assert.equal(text.indexOf("\ufeff"), label === "utf-8" ? BLOCK - 3 : BLOCK / 2 - 1);
      assert.equal(text.lastIndexOf("\ufeff"), text.indexOf("\ufeff"));
    }
  });

  test("16 MiB of all bytes in single-byte encodings", () => {
    const input = Uint8Array.from({ length: 256 }, (_, n) => n);
    const long = new Uint8Array(16 * BLOCK);
    for (let at = 0; at < long.length; at += 256) long.set(input, at);
    for (const label of ["windows-1252", "koi8-r"]) {
      const text = new TextDecoder(label).decode(long);
      assert.equal(text.length, long.length);
      const once = new TextDecoder(label).decode(input);
      for (const at of [0, BLOCK - 256, BLOCK, 5 * BLOCK, 16 * BLOCK - 256]) assert.equal(text.slice(at, at + 256), once);
      sameBytes(encodeOrFail(text, label), long, label);
    }
  });

  test("every encoding is tested", () => assert.equal(all.length, encodings.length - 1));
});

function throws_(act) {
  try {
    act();
    return false;
  } catch {
    return true;
  }
}
