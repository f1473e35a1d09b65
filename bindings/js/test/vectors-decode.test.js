// Every decoder against the oracle.

import { assert } from "chai";
import { describe, test } from "node:test";
import { TextDecoder, TextDecoderStream, decodeAndReport } from "./support/package.js";
import { hex, randomly, same } from "./support/tools.js";
import { inputsOf, vectors } from "./support/vectors.js";

const { encodings, string, bytes } = await vectors();
const MORE = { stream: true };

const isFatal = (decoder, input, options) => {
  try {
    decoder.decode(input, options);
    return false;
  } catch (error) {
    assert.equal(error.constructor, TypeError);
    return true;
  }
};

for (const { name, decode: grids, texts } of encodings) {
  describe(`decoder of ${name}`, () => {
    for (const grid of grids) {
      test(`all strings of ${grid.length} of ${grid.symbols.length} symbols: whole, fatal, and in two chunks`, () => {
        const decoder = new TextDecoder(name, { ignoreBOM: true });
        const fatal = new TextDecoder(name, { ignoreBOM: true, fatal: true });
        const chunked = new TextDecoder(name, { ignoreBOM: true });
        let count = 0;
        for (const { input, text, errors } of inputsOf(grid, string)) {
          count++;
          if (decoder.decode(input) !== text) same(decoder.decode(input), text, hex(input));
          if (isFatal(fatal, input) !== errors > 0) assert.fail(`${hex(input)}: fatal must${errors ? "" : " not"} throw`);
          const at = count % (input.length + 1);
          const first = chunked.decode(input.subarray(0, at), MORE);
          const both = first + chunked.decode(input.subarray(at));
          if (both !== text) same(both, text, `${hex(input)} split at ${at}`);
        }
        assert.equal(count, grid.symbols.length ** grid.length);
      });
    }

    test("the well-formed one-byte and two-byte inputs concatenated", () => {
      // Malformed inputs are omitted, because they might consume the bytes that follow.
      for (const grid of grids.slice(0, 2)) {
        if (/^(UTF-16|ISO-2022)/.test(name) && grid.length === 1) continue;
        const all = [];
        let expected = "";
        for (const { input, text, errors } of inputsOf(grid, string)) {
          if (errors > 0 || (name === "ISO-2022-JP" && input.includes(0x1b))) continue;
          all.push(...input);
          expected += text;
        }
        // In UTF-16, unpaired surrogates are malformed, so they are omitted, too.
        same(new TextDecoder(name, { ignoreBOM: true }).decode(Uint8Array.from(all)), expected, `inputs of length ${grid.length}`);
      }
    });

    test("random texts with errors: text, errors, fatal", () => {
      for (const [number, [input, text, errors]] of texts.entries()) {
        const what = `text ${number}`;
        const [source, expected] = [bytes(input), string(text)];
        same(new TextDecoder(name, { ignoreBOM: true }).decode(source), expected, what);
        const report = decodeAndReport(source, name, { bom: "keep", limit: 1e6 });
        same(report.text, expected, what);
        assert.deepEqual(report.errors.map(({ start, end }) => [start, end]), errors, what);
        let last = -1;
        for (const { index } of report.errors) {
          assert.isAbove(index, last);
          assert.equal(report.text[index], "\ufffd");
          last = index;
        }
        assert.equal(isFatal(new TextDecoder(name, { ignoreBOM: true, fatal: true }), source), errors.length > 0, what);
      }
    });

    test("random texts: split at every offset, byte by byte, and with empty chunks", () => {
      for (const [number, [input, text]] of texts.entries()) {
        const [source, expected] = [bytes(input), string(text)];
        const decoder = new TextDecoder(name, { ignoreBOM: true });
        const step = source.length > 64 ? Math.ceil(source.length / 64) : 1;
        for (let at = 0; at <= source.length; at += step) {
          const parts = [decoder.decode(source.subarray(0, at), MORE), decoder.decode(undefined, MORE), decoder.decode(source.subarray(at))];
          same(parts.join(""), expected, `text ${number} split at ${at}`);
        }
        let all = "";
        for (const byte of source) all += decoder.decode(Uint8Array.of(byte), MORE);
        same(all + decoder.decode(), expected, `text ${number} byte by byte`);
      }
    });

    test("random texts in random chunks, with and without fatal", () => {
      const random = randomly(7);
      for (const [number, [input, text, errors]] of texts.entries()) {
        const [source, expected] = [bytes(input), string(text)];
        for (const fatal of errors.length > 0 ? [false] : [false, true]) {
          const decoder = new TextDecoder(name, { ignoreBOM: true, fatal });
          for (let round = 0; round < 6; round++) {
            let all = "";
            for (let at = 0; at < source.length; ) {
              const end = Math.min(at + random(round % 2 ? 100 : 5), source.length);
              all += decoder.decode(source.subarray(at, end), MORE);
              at = end;
            }
            same(all + decoder.decode(), expected, `text ${number}`);
          }
        }
      }
    });

    test("random texts through TextDecoderStream", async () => {
      const random = randomly(9);
      for (const [number, [input, text]] of texts.entries()) {
        if (number % 4 !== 0) continue;
        const source = bytes(input);
        let at = 0;
        const chunks = new ReadableStream({
          pull(controller) {
            if (at === source.length) return controller.close();
            const end = Math.min(at + 1 + random(90), source.length);
            controller.enqueue(source.slice(at, end));
            at = end;
          },
        });
        let all = "";
        const sink = new WritableStream({ write: (chunk) => void (all += chunk) });
        await chunks.pipeThrough(new TextDecoderStream(name, { ignoreBOM: true })).pipeTo(sink);
        same(all, string(text), `text ${number}`);
      }
    });

    test("fatal streams: the text before the first error is decoded, the error throws once, and no input remains", () => {
      for (const [number, [input, , errors]] of texts.entries()) {
        if (errors.length === 0) continue;
        const source = bytes(input);
        // A call that throws discards its text, so each byte is a separate call.
        const decoder = new TextDecoder(name, { ignoreBOM: true, fatal: true });
        const replacing = new TextDecoder(name, { ignoreBOM: true });
        const [start] = errors[0];
        let at = 0;
        for (; at < source.length; at++) {
          const expected = replacing.decode(source.subarray(at, at + 1), MORE);
          let text;
          try {
            text = decoder.decode(source.subarray(at, at + 1), MORE);
          } catch (error) {
            assert.instanceOf(error, TypeError);
            assert.include(expected, "\ufffd", `text ${number}`);
            break;
          }
          same(text, expected, `text ${number} at ${at}`);
        }
        assert.isAtLeast(at, start, `text ${number}`);
        if (at < source.length) {
          same(decoder.decode(undefined, MORE), "", `text ${number}: restored bytes`);
          // An escape byte in place of a trail byte is not restored but changes the decoder's state.
          if (name !== "ISO-2022-JP" || source[at] !== 0x1b) same(decoder.decode(), "", `text ${number} at its end`);
        } else {
          assert.isTrue(isFatal(decoder, undefined), `text ${number} at its end`);
        }
      }
    });
  });
}
