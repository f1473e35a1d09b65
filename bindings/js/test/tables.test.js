// Short text, which loops with tables convert, against the same text in a stream or with a function, which the module converts.

import { assert } from "chai";
import { describe, test } from "node:test";
import { TextDecoder, decode, encode, encodings } from "./support/package.js";
import { bytes, hex, randomly } from "./support/tools.js";

const SINGLE_BYTE = ["ibm866", "koi8-r", "windows-1251", "windows-1252", "windows-1255", "windows-874", "x-user-defined"];
const OTHERS = ["gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "utf-16be", "utf-16le", "utf-8"];

/** Characters that encodings lack or treat specially, and halves of pairs. */
const SPECIAL = "\0\x0e\x1b\\~\u00a5\u203e\uff71\u{1f600}\u{20000}\ud800\udc00\ufffd\u0e01";

/** Returns up to 400 code units: mappable ones, ASCII, and sometimes a special one. */
function makeText(below, mappable) {
  let text = "";
  for (const end = below(400); text.length < end; ) {
    const from = below(mappable.length);
    text += mappable.slice(from, from + below(40));
    if (below(60) === 0) text += SPECIAL[below(SPECIAL.length)];
    if (below(5) === 0) text += "ASCII ".slice(below(6));
  }
  return text;
}

describe("short text", () => {
  for (const encoding of [...SINGLE_BYTE, ...OTHERS]) {
    test(`encoded in ${encoding}`, () => {
      const below = randomly(encoding.length);
      const mappable = decode(Uint8Array.from({ length: 4096 }, () => below(256)), encoding).replaceAll("\ufffd", "");
      for (let n = 0; n < 2000; n++) {
        const text = makeText(below, mappable);
        const expected = hex(encode(text, encoding, { unmappable: (codePoint) => `&#${codePoint};` }));
        assert.equal(hex(encode(text, encoding)), expected);
      }
    });

    test(`decoded from ${encoding}`, () => {
      const below = randomly(encoding.length);
      for (let n = 0; n < 500; n++) {
        const isAscii = below(3) === 0;
        const input = Uint8Array.from({ length: below(400) }, () => below(isAscii ? 128 : 256));
        const decoder = new TextDecoder(encoding, { ignoreBOM: true });
        const expected = decoder.decode(input, { stream: true }) + decoder.decode();
        assert.equal(decoder.decode(input), expected);
        const fatal = new TextDecoder(encoding, { ignoreBOM: true, fatal: true });
        if (expected.includes("\ufffd")) assert.throws(() => fatal.decode(input), TypeError);
        else assert.equal(fatal.decode(input), expected);
      }
    });
  }

  test("UTF-16 of all lengths", () => {
    const paragraph = "\u65e5\u672c \u{1f600} text ";
    for (const length of [1, 63, 64, 65, 127, 128, 129, 255, 256, 257, 4096, 70_001]) {
      const wellFormed = paragraph.repeat(Math.ceil(length / paragraph.length)).slice(0, length).replace(/[\ud800-\udbff]$/, "a");
      for (const text of [wellFormed, `${wellFormed}\udc00`, `\ud800${wellFormed}`]) {
        for (const encoding of ["utf-16be", "utf-16le"]) {
          const encoded = hex(encode(text, encoding));
          assert.isTrue(encoded === hex(encode(text, encoding, { unmappable: () => "" })), `${encoding}, ${length}`);
          const back = decode(encode(text, encoding), encoding);
          assert.isTrue(back === text.replaceAll(/^\ud800|\udc00$/g, "\ufffd"), `${encoding}, ${length}`);
        }
      }
    }
  });

  // Strings are made in a way that depends on the length, and the text of an encoding is shorter than its bytes.
  test("decoded to text of all lengths, at once and with a character that is cut", () => {
    const letters = ["a", "\u00e9", "\u00d7", "\u00a7", "\u00a0", "\u0436", "\u3042"];
    for (const { name } of encodings) {
      if (name === "replacement") continue;
      for (const letter of letters) {
        if (name !== "UTF-16LE" && name !== "UTF-16BE" && encode(letter, name, { unmappable: "skip" }).length === 0) continue;
        const units = `${letter}b`.repeat(80);
        for (let length = 0; length <= units.length; length++) {
          const text = units.slice(0, length);
          const input = encode(`${text}${letter}`, name);
          assert.isTrue(decode(input, name) === text + letter, `${name}, ${letter}, ${length}`);
          for (const left of [1, 2, 3]) {
            if (left > input.length) break;
            const decoder = new TextDecoder(name);
            const cut = input.length - left;
            const streamed = decoder.decode(input.subarray(0, cut), { stream: true }) + decoder.decode(input.subarray(cut));
            assert.isTrue(streamed === text + letter, `${name}, ${letter}, ${length}, ${left} left`);
          }
        }
      }
    }
  });

  test("a result is not changed by later calls", () => {
    for (const encoding of ["koi8-r", "shift_jis", "iso-2022-jp"]) {
      const first = encode("\u0434\u0430", encoding);
      const before = hex(first);
      encode("\u043d\u0435\u0442", encoding);
      assert.equal(hex(first), before);
      assert.equal(first.buffer.byteLength, first.length);
    }
    const text = decode(bytes("c4 c1"), "koi8-r");
    decode(bytes("ce c5 d4"), "koi8-r");
    assert.equal(text, "\u0434\u0430");
  });
});
