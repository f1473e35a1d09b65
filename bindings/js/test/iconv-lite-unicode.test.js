// Unicode forms of the iconv-lite entry: UTF-16, UTF-32, CESU-8 and UTF-7, compared with iconv-lite.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Buffer, bytesOf, decodeChunks, encodeChunks, hex, iconv, original, splits, withFields } from "./support/iconv-lite.js";

const SURROGATES = "a\ud800b\udfff\udbff\udbff\udc00\udc00\u{10ffff}\ufeff\uffff\ud83d";
const FORMS = [
  "utf-16le",
  "ucs2",
  "utf-16be",
  "utf-32le",
  "utf-32be",
  "ucs-4",
  "cesu-8",
  "utf-7",
  "utf-7-imap",
  "UTF-16",
];

for (const name of FORMS) {
  describe(name, () => {
    test("unpaired surrogates are kept, in every chunking", () => {
      const bytes = iconv.encode(SURROGATES, name);
      assert.equal(hex(bytes), hex(original.encode(SURROGATES, name)));
      assert.equal(iconv.decode(bytes, name), SURROGATES);
      for (const parts of splits(bytes)) assert.equal(decodeChunks(iconv.getDecoder(name), parts), SURROGATES);
    });

    test("encoding in chunks gives the same bytes", () => {
      const text = "x & \u65e5\u672c\u{1f600}\u00e9~ +\ud83d\u{1f600}";
      const whole = hex(iconv.encode(text, name));
      for (const parts of splits(text)) assert.equal(encodeChunks(iconv.getEncoder(name), parts), whole);
    });

    test("long text", () => {
      const text = "Stra\u00dfe & \u{1f600} \u65e5\u672c\u8a9e ".repeat(3000);
      const bytes = iconv.encode(text, name);
      assert.equal(hex(bytes), hex(original.encode(text, name)));
      assert.equal(iconv.decode(bytes, name), text);
    });

    test("a decoder and an encoder can be used again after end", () => {
      const encoder = iconv.getEncoder(name, { addBOM: false });
      const decoder = iconv.getDecoder(name);
      const first = iconv.encode("\u65e5\u672c", name, { addBOM: false });
      for (let n = 0; n < 2; n++) {
        assert.equal(encodeChunks(encoder, ["\u65e5", "\u672c"]), hex(first));
        assert.equal(decodeChunks(decoder, [first.subarray(0, 3), first.subarray(3)]), "\u65e5\u672c");
        decoder.write(first.subarray(0, 3));
        decoder.end();
        encoder.write("\ud800");
        encoder.end();
      }
    });

    test("empty input", () => {
      assert.equal(iconv.decode(new Uint8Array(0), name), "");
      assert.equal(decodeChunks(iconv.getDecoder(name), []), "");
      assert.equal(encodeChunks(iconv.getEncoder(name), []), "");
      assert.equal(hex(iconv.encode("", name)), hex(original.encode("", name)));
    });
  });
}

test("UTF-16: an odd byte at the end is ignored, and a surrogate pair is not split", () => {
  for (const [name, bytes] of [
    ["utf-16le", "61003dd800de62"],
    ["utf-16be", "0061d83dde0062"],
  ]) {
    assert.equal(iconv.decode(bytesOf(bytes), name), "a\u{1f600}");
    const decoder = iconv.getDecoder(name);
    assert.equal(decoder.write(bytesOf(bytes.slice(0, 8))), "a");
    assert.equal(decoder.write(bytesOf(bytes.slice(8))), "\u{1f600}");
    assert.equal(decoder.end(), undefined);
  }
});

test("byte order marks", () => {
  for (const name of [...FORMS, "utf8", "windows-1252", "gbk", "cp437", "base64"]) {
    const isDetected = name === "UTF-16" || name === "ucs-4";
    for (const addBOM of [undefined, true, false]) {
      const bytes = iconv.encode("ae", name, { addBOM });
      assert.equal(hex(bytes), hex(original.encode("ae", name, { addBOM })), name);
      assert.equal(encodeChunks(iconv.getEncoder(name, { addBOM }), ["ae"]), hex(bytes), name);
      for (const stripBOM of [undefined, true, false]) {
        const expected = original.decode(bytes, name, { stripBOM });
        // iconv-lite removes every mark at the start of base64 in UTF-7.
        const mine = /^utf-7/.test(name) && stripBOM === false && addBOM ? "\ufeffae" : expected;
        assert.equal(iconv.decode(bytes, name, { stripBOM }), mine, `${name} ${addBOM} ${stripBOM}`);
        const bytewise = [...bytes].map((byte) => Uint8Array.of(byte));
        assert.equal(decodeChunks(iconv.getDecoder(name, { stripBOM }), bytewise), mine, name);
      }
    }
    if (!isDetected) assert.equal(hex(iconv.getEncoder(name, { addBOM: true }).end()), "", name);
  }
  let calls = 0;
  const stripBOM = () => calls++;
  for (const name of FORMS) {
    const bytes = iconv.encode("\ufeff\ufeffa", name, { addBOM: false });
    assert.equal(iconv.decode(bytes, name, { stripBOM }), "\ufeffa", name);
    assert.equal(decodeChunks(iconv.getDecoder(name, { stripBOM }), [bytes]), "\ufeffa", name);
    assert.equal(iconv.decode(iconv.encode("a\ufeff", name, { addBOM: false }), name, { stripBOM }), "a\ufeff", name);
  }
  assert.equal(calls, 2 * FORMS.length);
});

test("the byte order is detected", () => {
  const texts = [
    "plain text",
    "x",
    "\u65e5\u672c\u8a9e text",
    "\u65e5\u672c",
    "\u0000",
    "",
    "\u{1f600}\u{10000}",
    "\u0100\u0200".repeat(200) + "a".repeat(500),
  ];
  for (const [auto, orders] of [
    ["utf-16", ["utf-16le", "utf-16be"]],
    ["utf-32", ["utf-32le", "utf-32be"]],
  ]) {
    for (const text of texts) {
      for (const order of orders) {
        for (const addBOM of [true, false]) {
          const bytes = original.encode(text, order, { addBOM });
          for (const options of [undefined, { defaultEncoding: orders[1] }, { stripBOM: false }]) {
            const expected = original.decode(bytes, auto, options);
            assert.equal(iconv.decode(bytes, auto, options), expected, `${auto} ${order} ${text}`);
            if (bytes.length > 100) continue;
            for (const parts of splits(bytes)) {
              const reference = decodeChunks(original.getDecoder(auto, options), parts);
              assert.equal(decodeChunks(iconv.getDecoder(auto, options), parts), reference, `${auto} ${order}`);
            }
          }
        }
      }
    }
  }
  assert.equal(hex(iconv.encode("a", "utf-32", { defaultEncoding: "utf-32be" })), "0000feff00000061");
  // Each text has its own byte order.
  const again = iconv.getDecoder("utf-16");
  for (const order of ["utf-16le", "utf-16be", "utf-16le"]) {
    assert.equal(decodeChunks(again, [iconv.encode("plain text", order)]), "plain text");
  }
  // A decoder copies the bytes that it keeps.
  const decoder = iconv.getDecoder("utf-16");
  const chunk = Uint8Array.of(0, 0x61);
  decoder.write(chunk);
  chunk.fill(0xff);
  assert.equal(decoder.end(), "a");
});

test("a default encoding that detects its byte order, too, is ignored", () => {
  for (const name of ["utf-16", "utf-32"]) {
    for (const defaultEncoding of ["utf-16", "utf-32"]) {
      const bytes = iconv.encode("\u6f22", name, { addBOM: false });
      assert.equal(iconv.decode(bytes, name, { defaultEncoding }), "\u6f22");
      assert.equal(decodeChunks(iconv.getDecoder(name, { defaultEncoding }), [bytes]), "\u6f22");
      assert.equal(hex(iconv.encode("\u6f22", name, { addBOM: false, defaultEncoding })), hex(bytes));
    }
  }
});

test("malformed bytes of every chunk, alone and after an incomplete character", () => {
  const inputs = { "cesu-8": "e6 41 ff 80 ff e6 97 41", "utf-32le": "ff ff ff ff 00 00 11 00 41", "utf-7": "ff 41 80 2b ff ff 2d" };
  for (const [name, input] of Object.entries(inputs)) {
    const bytes = bytesOf(input.replaceAll(" ", ""));
    const text = iconv.decode(bytes, name);
    assert.equal(text, original.decode(Buffer.from(bytes), name));
    for (const parts of splits(bytes)) assert.equal(decodeChunks(iconv.getDecoder(name), parts), text, name);
    for (const defaultCharUnicode of ["", "?", "<?>"]) {
      withFields(iconv, { defaultCharUnicode }, () => {
        assert.equal(iconv.decode(bytes, name), text.replaceAll("\ufffd", defaultCharUnicode), name);
      });
    }
  }
});

test("UTF-32: malformed input", () => {
  for (const bytes of ["61000000123456ff62000000", "610000006200", "00", "ffffffff", "0000110000001100"]) {
    for (const name of ["utf-32le", "utf-32be"]) {
      const expected = original.decode(bytesOf(bytes), name);
      assert.equal(iconv.decode(bytesOf(bytes), name), expected, bytes);
      for (const parts of splits(bytesOf(bytes))) assert.equal(decodeChunks(iconv.getDecoder(name), parts), expected);
      const text = withFields(iconv, { defaultCharUnicode: "[?]" }, () => iconv.decode(bytesOf(bytes), name));
      assert.equal(text, expected.replaceAll("\ufffd", "[?]"));
    }
  }
  const genuine = bytesOf("fdff0000ffffffff");
  assert.equal(
    withFields(iconv, { defaultCharUnicode: "?" }, () => iconv.decode(genuine, "utf-32le")),
    "\ufffd?",
  );
});

test("CESU-8: malformed input, and zero as two bytes", () => {
  const inputs = [
    "c080",
    "c18162",
    "e08080",
    "ed",
    "eda0bd",
    "eda0bdedb8b1",
    "f09f98b1",
    "80bf",
    "c3e9",
    "e282",
    "61ffe282ac",
    "c2",
  ];
  for (const bytes of inputs) {
    // At the end of an incomplete character, iconv-lite writes a zero, too.
    const expected = original.decode(bytesOf(bytes), "cesu8").replace(/0\ufffd$/, "\ufffd");
    assert.equal(iconv.decode(bytesOf(bytes), "cesu8"), expected, bytes);
    for (const parts of splits(bytesOf(bytes)))
      assert.equal(decodeChunks(iconv.getDecoder("cesu8"), parts), expected, bytes);
    const text = withFields(iconv, { defaultCharUnicode: "[?]" }, () => iconv.decode(bytesOf(bytes), "cesu8"));
    assert.equal(text, expected.replaceAll("\ufffd", "[?]"));
  }
  assert.equal(
    withFields(iconv, { defaultCharUnicode: "?" }, () => iconv.decode(bytesOf("efbfbdff"), "cesu8")),
    "\ufffd?",
  );
});

describe("UTF-7", () => {
  const cases = {
    "utf-7": [
      "A+ImIDkQ-.",
      "A+ImIDkQ.",
      "+ZeVnLIqe",
      "Hi+ACA-Mom+ACA--+Jjo--+ACE-",
      "x+--",
      "x+-y",
      "+2ADcAA?",
      "+AMAA4A!Next",
      "+///typh2VDIf7Q-",
      "a\u00e9b",
      "+AOQ\u00ff-",
      "+",
      "+A",
      "++-",
    ],
    "utf-7-imap": [
      "A&ImIDkQ-.",
      "&ZeVnLIqe",
      "Hot &- Spicy",
      "&,,,typh2VDIf7Q-",
      "&AOQ-&-&AOQ-",
      "&AOQ&AOQ-",
      "a\u00e9",
      "&",
    ],
  };
  for (const [name, texts] of Object.entries(cases)) {
    test(`${name}: decoding`, () => {
      for (const text of texts) {
        const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
        const expected = original.decode(bytes, name);
        assert.equal(iconv.decode(bytes, name), expected, text);
        for (const parts of splits(bytes)) assert.equal(decodeChunks(iconv.getDecoder(name), parts), expected, text);
      }
    });

    test(`${name}: encoding`, () => {
      for (const text of [
        "A\u2262\u0391.",
        "Hi Mom -\u263a-!",
        "Hot + & Spicy",
        "\u00e4+\u00e4&\u00e4",
        "\uffff\uedca\u9876\u5432\u1fed",
        "+",
        "&",
        "~\\{}\t\n",
        "\u0000",
      ]) {
        assert.equal(hex(iconv.encode(text, name)), hex(original.encode(text, name)), text);
      }
    });
  }

  test("a byte order mark within the text is kept", () => {
    const bytes = iconv.encode("a\ufeffb", "utf-7");
    assert.equal(iconv.decode(bytes, "utf-7"), "a\ufeffb");
  });
});
