// Chunks do not change what the encoders of the iconv-lite entry write.

import assert from "node:assert/strict";
import { Readable, Transform } from "node:stream";
import { describe, test } from "node:test";
import { Buffer, encodeChunks, hex, iconv, splits } from "./support/iconv-lite.js";

iconv.enableStreamingAPI({ Transform });

/** A name for each codec. */
const CODECS = new Map();
for (const name of Object.keys(iconv.encodings)) {
  const codec = name.startsWith("_") ? undefined : iconv.getCodec(name);
  if (codec !== undefined && !CODECS.has(codec)) CODECS.set(codec, name);
}

const TEXTS = [
  "abc\u00e9+&-\u{1f5bb}x\u00ca\u0304+\u65e5\u672c\u8a9e++\u{1f600}\u{10ffff}+-\u00fc&\u00fc-&-~z",
  "\u{1f5bb}\u{1f600}+\u00e9",
  "+\u{1f5bb}",
  "++++",
  "+",
  "\u{20547}a\ud83d",
  "YWJj\u00e9ZGVm",
];

const streamed = (name, chunks) =>
  new Promise((done, fail) => {
    const stream = Readable.from(chunks).pipe(iconv.encodeStream(name));
    stream.collect((error, bytes) => (error ? fail(error) : done(hex(bytes))));
  });

test("every codec has a name", () => assert.ok(CODECS.size > 100, `${CODECS.size}`));

describe("encoding in chunks gives the same bytes", () => {
  for (const name of CODECS.values()) {
    test(name, async () => {
      for (const text of TEXTS) {
        const whole = hex(iconv.encode(text, name));
        const units = text.split("");
        for (const chunks of [...splits(text), units]) {
          const what = JSON.stringify(chunks);
          assert.equal(encodeChunks(iconv.getEncoder(name), chunks), whole, what);
          assert.equal(await streamed(name, chunks), whole, `stream ${what}`);
        }
      }
    });
  }
});

test("UTF-7: a surrogate pair, and a sequence of base64, in two chunks", () => {
  for (const name of ["utf7", "unicode11utf7"]) {
    assert.equal(encodeChunks(iconv.getEncoder(name), ["\ud83d", "\uddbb"]), hex(Buffer.from("+2D3duw-")));
    assert.equal(encodeChunks(iconv.getEncoder(name), ["\u65e5", "\u672c"]), hex(Buffer.from("+ZeVnLA-")));
    assert.equal(encodeChunks(iconv.getEncoder(name), ["+", "+"]), hex(iconv.encode("++", name)));
    assert.equal(encodeChunks(iconv.getEncoder(name), ["+", "-"]), hex(Buffer.from("+--")));
  }
});
