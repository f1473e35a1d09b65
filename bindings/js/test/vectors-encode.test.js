// Every encoder against the oracle.

import { assert } from "chai";
import { describe, test } from "node:test";
import { EncodeError, TextDecoder, TextEncoder, TextEncoderStream, encode } from "./support/package.js";
import { hex, same, sameBytes, throws } from "./support/tools.js";
import { vectors } from "./support/vectors.js";

const { encodings, string, bytes } = await vectors();

for (const { name, encode: blocks, answers: reported, strings } of encodings) {
  if (blocks === undefined) continue;
  const reportedFor = new Map(reported);

  describe(`encoder of ${name}`, () => {
    test("every scalar value of the BMP and of some other blocks", () => {
      let count = 0;
      for (const [number, all, lengths] of blocks) {
        const [expected, digits] = [string(all), string(lengths)];
        const unmappable = [];
        for (let n = 0, at = 0; n < 256; n++) {
          const codePoint = number * 256 + n;
          if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
          count++;
          const length = 2 * Number(digits[n]);
          if (length === 0) {
            unmappable.push(codePoint);
            continue;
          }
          const encoded = hex(encode(String.fromCodePoint(codePoint), name, { unmappable: "fail" }));
          if (encoded !== expected.slice(at, at + length)) same(encoded, expected.slice(at, at + length), codePoint.toString(16));
          at += length;
        }
        const text = String.fromCodePoint(...unmappable);
        assert.equal(encode(text, name, { unmappable: "skip" }).length, 0, `block ${number.toString(16)}`);
        // The calls are checked in blocks that have mappable characters, and in every 32nd other block.
        if (unmappable.length === 256 && number % 32 !== 0) continue;
        const seen = [];
        encode(text, name, { unmappable: (codePoint) => (seen.push(codePoint), "") });
        assert.deepEqual(seen, unmappable.map((codePoint) => reportedFor.get(codePoint) ?? codePoint));
      }
      assert.isAtLeast(count, 0xf800);
    });

    test("all mappable characters concatenated, encoded and decoded again", () => {
      let text = "";
      let expected = "";
      for (const [number, all, lengths] of blocks) {
        const digits = string(lengths);
        for (let n = 0; n < 256; n++) if (digits[n] !== "0") text += String.fromCodePoint(number * 256 + n);
        expected += string(all);
      }
      // ISO-2022-JP returns to ASCII after each separate character, but in one text only when needed.
      const encoded = encode(text, name, { unmappable: "fail" });
      if (name === "ISO-2022-JP") expected = null;
      else same(hex(encoded), expected, "all");
      const back = new TextDecoder(name, { ignoreBOM: true, fatal: true }).decode(encoded);
      assert.equal(back.length, text.length);
      sameBytes(encode(back, name, { unmappable: "fail" }), encoded, "encoded again");
    });

    test("code points for which another one is reported", () => {
      assert.deepEqual(reported, name === "ISO-2022-JP" ? [[0x0e, 0xfffd], [0x0f, 0xfffd], [0x1b, 0xfffd]] : []);
    });

    test("random strings: html, fail, skip, a function", () => {
      for (const [number, [source, all, errors]] of strings.entries()) {
        const what = `string ${number}`;
        const units = string(source).match(/.{4}/g).map((unit) => parseInt(unit, 16));
        const text = String.fromCharCode(...units);
        const expected = bytes(all);
        sameBytes(encode(text, name), expected, what);
        const seen = [];
        const html = (codePoint) => (seen.push(codePoint), `&#${codePoint};`);
        sameBytes(encode(text, name, { unmappable: html }), expected, `${what} by a function`);
        assert.deepEqual(seen, errors.map(([, codePoint]) => codePoint), what);
        if (errors.length > 0) {
          const error = throws(() => encode(text, name, { unmappable: "fail" }), EncodeError, what);
          assert.deepEqual([error.index, error.codePoint], errors[0], what);
        } else {
          sameBytes(encode(text, name, { unmappable: "fail" }), expected, what);
        }
        let without = text;
        for (const [index, codePoint] of [...errors].reverse()) without = without.slice(0, index) + without.slice(index + (codePoint > 0xffff ? 2 : 1));
        const skipped = encode(text, name, { unmappable: "skip" });
        // Omitting a character can bring two unpaired surrogates together. They do not form a pair.
        if (!/[\ud800-\udfff]/.test(without)) sameBytes(skipped, encode(without, name, { unmappable: "fail" }), `${what} skipping`);
        if (name === "UTF-8") sameBytes(new TextEncoder().encode(text), expected, what);
      }
    });

    if (name === "UTF-8") {
      test("random strings through TextEncoderStream, code unit by code unit", async () => {
        for (const [source, all] of strings.slice(0, 16)) {
          const units = string(source).match(/.{4}/g).map((unit) => String.fromCharCode(parseInt(unit, 16)));
          const chunks = [];
          const from = new ReadableStream({ start: (controller) => (units.forEach((unit) => controller.enqueue(unit)), controller.close()) });
          await from.pipeThrough(new TextEncoderStream()).pipeTo(new WritableStream({ write: (chunk) => void chunks.push(hex(chunk)) }));
          assert.equal(chunks.join(""), string(all));
        }
      });
    }
  });
}
