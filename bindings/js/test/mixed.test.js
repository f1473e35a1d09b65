// The entry for mixed encodings. It gives exactly the results of Rust's `Mixed`, which `npm run vectors` writes.

import { assert } from "chai";
import { describe, test } from "node:test";
import { encode, importEntry, readJson } from "./support/package.js";
import { bytes, joined, repeated, throws } from "./support/tools.js";

const { Mixed, MixedError, decodeMixed } = await importEntry("mixed");
const { DecodeError } = await importEntry("index");
const { lists, texts } = await readJson("generated/mixed.json");

/** Decodes in chunks of these lengths, over and over, and returns the text. */
function inChunks(mixed, input, lengths) {
  let text = "";
  for (let at = 0, n = 0; at < input.length; n++) {
    const length = lengths[n % lengths.length];
    text += mixed.write(input.subarray(at, at + length));
    at += length;
  }
  return text + mixed.end();
}

/** Returns a short text, or the length and the hash of a long one. */
function short(text, expected) {
  if (typeof expected === "string") return text;
  let hash = 0;
  for (let n = 0; n < text.length; n++) hash = (Math.imul(hash, 31) + text.charCodeAt(n)) >>> 0;
  return [text.length, hash];
}

const sentence = (message) => `${message.replace(/^mixed/, "Mixed")}.`;

describe("the results of the crate", () => {
  test("texts", () => {
    const seen = new Set();
    for (const { input, encodings, per, maxPlaces, fatal, text, parts, count, errors } of texts) {
      const whole = joined(...input.map(([hex, times]) => repeated(bytes(hex), times)));
      const chunkings = whole.length < 10_000 ? [[1], [3, 0, 50], [7], [whole.length]] : [[100_001, 1, 2, 999], [whole.length]];
      for (const lengths of chunkings) {
        const what = `${input.map(([hex, times]) => `${hex} ${times}`)}; ${encodings}; ${per}; ${lengths}`;
        const replaced = [];
        const options = { per, fatal, maxPlaces, onMalformed: ({ encoding, line, start, end }) => replaced.push([encoding, line, start, end]) };
        const mixed = new Mixed(encodings, options);
        if (text === null) {
          const error = throws(() => inChunks(mixed, whole, lengths), MixedError, what);
          assert.deepEqual([[error.encoding, error.line, error.start, error.end]], errors, what);
          seen.add("fatal");
          continue;
        }
        assert.deepEqual(short(inChunks(mixed, whole, lengths), text), text, what);
        const { summary } = mixed;
        assert.deepEqual(summary.parts.map(({ encoding }) => encoding), encodings);
        assert.deepEqual(summary.parts.map(({ count, places }) => [count, places.map(({ line, start, end }) => [line, start, end])]), parts, what);
        assert.deepEqual(replaced.slice(0, 100), errors, what);
        assert.deepEqual([summary.errors, replaced.length], [count, count], what);
        assert.deepEqual(summary.firstError && Object.values(summary.firstError), errors[0] ?? null);
        assert.equal(summary.isMixed, parts.slice(1).some(([count]) => count > 0));
        for (const [n, [count]] of parts.entries()) if (count > 0) seen.add(encodings[n]);
        seen.add(`${per}: ${summary.isMixed}, ${errors.length > 0}`);
      }
    }
    assert.isAbove(texts.length, 1500);
    assert.includeMembers([...seen], ["fatal", "UTF-16LE", "UTF-16BE", "UTF-8", "GBK", "windows-874"]);
    for (const per of ["line", "sequence"]) for (const rest of ["true, true", "true, false", "false, false"]) assert.include([...seen], `${per}: ${rest}`);
  });

  test("lists that cannot be mixed", () => {
    const seen = new Set();
    for (const [encodings, per, isDefault, message] of lists) {
      const what = `${encodings}; ${per}`;
      for (const options of isDefault ? [{ per }, undefined] : [{ per }]) {
        if (message === null) assert.equal(new Mixed(encodings, options).per, per, what);
        else assert.equal(throws(() => new Mixed(encodings, options), RangeError, what).message, sentence(message), what);
      }
      seen.add(message?.replace(/^.*? /, ""));
    }
    assert.equal(seen.size, 6);
  });
});

describe("mixed text", () => {
  const input = bytes("c3 a9 0a e9 0a c3 a9 81 0a"); // "é\n" in both encodings, and then both in a line

  test("the example of the documentation", () => {
    const { text, summary } = decodeMixed(input, ["utf-8", "latin1"]);
    assert.equal(text, "é\né\né\x81\n");
    assert.deepEqual(summary, {
      parts: [
        { encoding: "UTF-8", count: 0, places: [] },
        { encoding: "windows-1252", count: 2, places: [{ line: 2, start: 3, end: 4 }, { line: 3, start: 7, end: 8 }] },
      ],
      isMixed: true,
      errors: 0,
      firstError: null,
    });
    assert.equal(decodeMixed(input, ["utf-8", "latin1"], { per: "line" }).text, "é\né\nÃ©\x81\n");
  });

  test("byte order marks are kept", () => {
    assert.equal(decodeMixed(joined(encode("\ufeffa\n"), encode("\ufeffb\n", "utf-16le")), ["utf-8", "utf-16le"]).text, "\ufeffa\n\ufeffb\n");
  });

  test("all kinds of buffers", () => {
    const buffers = [input.buffer, new DataView(input.buffer), joined([9], input).subarray(1)];
    if (globalThis.SharedArrayBuffer) {
      buffers.push(new SharedArrayBuffer(input.length));
      new Uint8Array(buffers[buffers.length - 1]).set(input);
    }
    for (const source of buffers) assert.equal(decodeMixed(source, ["utf-8", "windows-1252"]).text, "é\né\né\x81\n");
  });

  test("chunks that the caller changes afterwards", () => {
    for (const per of ["line", "sequence"]) {
      const mixed = new Mixed(["utf-8", "windows-1252"], { per });
      const chunk = Uint8Array.of(0xe2, 0x82);
      const start = mixed.write(chunk);
      chunk.fill(0x61);
      assert.equal(start + mixed.write(Uint8Array.of(0x41)) + mixed.end(), "â‚A", per);
    }
  });
});

describe("streaming", () => {
  test("a summary is a copy, and the next chunk after the end starts a new text", () => {
    const mixed = new Mixed(["utf-8", "windows-1252"]);
    assert.equal(mixed.write(bytes("e9 0a")), "é\n");
    const { summary } = mixed;
    summary.parts[1].places[0].line = summary.parts[1].count = 9;
    assert.equal(mixed.write(bytes("e9 e9")) + mixed.end(), "éé");
    const places = [{ line: 1, start: 0, end: 1 }, { line: 2, start: 2, end: 3 }, { line: 2, start: 3, end: 4 }];
    assert.deepEqual(mixed.summary.parts[1], { encoding: "windows-1252", count: 3, places });
    assert.equal(mixed.summary.isMixed, true);
    assert.equal(mixed.write(bytes("61")) + mixed.end(), "a");
    assert.equal(mixed.summary.isMixed, false);
    assert.equal(mixed.end(), "");
  });

  test("fatal: each call throws the error until the end of the text", () => {
    for (const per of ["line", "sequence"]) {
      const mixed = new Mixed(["utf-8", "windows-1253"], { per, fatal: true });
      mixed.write(encode("é\n"));
      for (const act of [() => mixed.write(bytes("61 aa 0a")), () => mixed.write(bytes("61")), () => mixed.end()]) {
        const error = throws(act, MixedError);
        assert.instanceOf(error, DecodeError);
        assert.equal(`${error}`, "MixedError: Line 2 is malformed in each encoding. Malformed windows-1253 at byte 4.");
        assert.deepEqual([error.encoding, error.line, error.start, error.end], ["windows-1253", 2, 4, 5]);
      }
      assert.equal(mixed.write(bytes("61")) + mixed.end(), "a");
    }
  });

  test("if onMalformed throws, the next chunk continues after the chunk", () => {
    for (const per of ["line", "sequence"]) {
      const onMalformed = ({ start }) => { throw new RangeError(`${start}`); };
      const mixed = new Mixed(["utf-8", "windows-1253"], { per, onMalformed });
      assert.equal(throws(() => mixed.write(bytes("61 aa 0a aa 0a")), RangeError).message, "1");
      assert.equal(mixed.write(bytes("62 0a")) + mixed.end(), "b\n");
      assert.equal(mixed.summary.errors, 2);
    }
  });
});

describe("arguments", () => {
  test("maxPlaces", () => {
    const places = (maxPlaces) => decodeMixed(new Uint8Array(20).fill(0xe9), ["utf-8", "windows-1252"], { maxPlaces }).summary.parts[1].places.length;
    assert.deepEqual([undefined, 0, 2, Infinity].map(places), [16, 0, 2, 20]);
    for (const maxPlaces of [-1, NaN]) throws(() => places(maxPlaces), RangeError);
  });

  test("invalid arguments", () => {
    const input = bytes("61");
    throws(() => decodeMixed("a", ["utf-8", "gbk"]), TypeError);
    for (const encodings of ["utf-8,gbk", undefined, { length: 2 }]) throws(() => new Mixed(encodings), TypeError);
    throws(() => new Mixed(["utf-8", "gbk"], 1), TypeError);
    throws(() => new Mixed(["utf-8", "gbk"], { per: "word" }), TypeError);
    throws(() => new Mixed(["utf-8", "gbk"], { onMalformed: 1 }), TypeError);
    throws(() => new Mixed(["utf-8", "gbk"]).write("a"), TypeError);
    assert.equal(throws(() => decodeMixed(input, ["utf-8", "utf-9"]), RangeError).message, '"utf-9" is not a label for an encoding.');
  });
});
