// The encodings of the oem entry that have an algorithm, against their models: vectors/src/outside.rs describes the vectors.

import { assert } from "chai";
import { describe, test } from "node:test";
import { readCoded } from "../oem-pages.mjs";
import * as main from "./support/package.js";
import { importEntry, readJson } from "./support/package.js";
import { bytes, hex, rejects, same, sameBytes, throws } from "./support/tools.js";
import { inputsOf } from "./support/vectors.js";

const oem = await importEntry("oem");
const { DecodeError, Decoder, DecoderStream, EncodeError, Encoder, EncoderStream, decode, decodeAndReport, encode, encodeOrFail } = oem;
const { encodings, pool } = await readJson("generated/outside.json");
const CODED = readCoded();
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const string = (index) => pool[index];
const bytesAt = (index) => bytes(pool[index]);
const unitsAt = (index) => String.fromCharCode(...(pool[index].match(/.{4}/g) ?? []).map((unit) => parseInt(unit, 16)));

const latin1 = (bytes) => String.fromCharCode(...bytes);

/** Returns the error that a call throws, or `undefined`. */
function errorOf(act) {
  try {
    act();
  } catch (error) {
    return error;
  }
}

/** Decodes chunks. Returns the text, and the offsets of errors. */
function decodeChunks(name, chunks) {
  const errors = [];
  const decoder = new Decoder(name, { onMalformed: ({ start, end }) => void errors.push([start, end]) });
  let text = "";
  for (const chunk of chunks) {
    const copy = chunk.slice();
    text += decoder.write(copy);
    copy.fill(0x41); // a caller may reuse its memory
  }
  return { text: text + decoder.end(), errors };
}

/** Fails if lists of numbers differ. Faster than `deepEqual`. */
function sameNumbers(actual, expected, what) {
  if (String(actual) !== String(expected)) assert.deepEqual(actual, expected, what);
}

/** Encodes chunks. Returns the bytes in hexadecimal, and the calls of `onUnmappable`. */
function encodeChunks(name, chunks, options) {
  const calls = [];
  const encoder = new Encoder(name, { ...options, onUnmappable: ({ codePoint, index }) => void calls.push([index, codePoint]) });
  return { bytes: [...chunks.map((chunk) => encoder.write(chunk)), encoder.end()].map(hex).join(""), calls };
}

test("the vectors have all encodings, which are first in the list", () => {
  assert.deepEqual(encodings.map(({ name }) => name), CODED.map(({ name }) => name));
  assert.deepEqual(oem.encodings.slice(0, CODED.length).map(({ name }) => name), CODED.map(({ name }) => name));
});

for (const { name, replacement, decode: grids, texts, encode: blocks, answers, strings } of encodings) {
  describe(name, () => {
    for (const grid of grids) {
      test(`decodes all strings of ${grid.length} of ${grid.symbols.length} symbols`, () => {
        let count = 0;
        const decoder = new Decoder(name);
        for (const { input, text, errors } of inputsOf(grid, string)) {
          count++;
          const report = decodeAndReport(input, name);
          if (report.text !== text) same(report.text, text, hex(input));
          if (report.errors.length !== errors) assert.fail(`${hex(input)}: ${report.errors.length} errors instead of ${errors}`);
          const at = count % (input.length + 1);
          const inChunks = decoder.write(input.subarray(0, at)) + decoder.write(input.subarray(at)) + decoder.end();
          if (inChunks !== text) same(inChunks, text, `${hex(input)} split at ${at}`);
        }
        assert.equal(count, grid.symbols.length ** grid.length);
      });
    }

    test("decodes texts: text, offsets, the first error", () => {
      let malformed = 0;
      for (const [input, text, errors] of texts) {
        const [source, expected] = [bytesAt(input), string(text)];
        const what = pool[input];
        const report = decodeAndReport(source, name, { limit: Infinity });
        same(report.text, expected, what);
        sameNumbers(report.errors.map(({ start, end }) => [start, end]), errors, what);
        for (const { index } of report.errors) assert.equal(report.text[index], "\ufffd", what);
        assert.include(report, { encoding: name, bom: false });
        for (const bom of ["sniff", "own", "keep"]) same(decode(source, name, { bom }), expected, what);
        if (errors.length === 0) {
          same(decode(source, name, { fatal: true }), expected, what);
          continue;
        }
        malformed++;
        const [start, end] = errors[0];
        assert.include(throws(() => decode(source, name, { fatal: true }), DecodeError, what), { start, end, encoding: name }, what);
      }
      assert.isAbove(malformed, name.startsWith("true-ucs") ? 200 : 400);
    });

    test("decodes texts in chunks: split at each byte, byte by byte, fatal", () => {
      for (const [input, text, errors] of texts) {
        const [source, expected] = [bytesAt(input), string(text)];
        const step = Math.ceil(source.length / 64) || 1;
        for (let at = 0; at <= source.length; at += step) {
          const found = decodeChunks(name, [source.subarray(0, at), source.subarray(at)]);
          same(found.text, expected, `${pool[input]} split at ${at}`);
          sameNumbers(found.errors, errors, `${pool[input]} split at ${at}`);
        }
        const single = [...source].flatMap((byte) => [Uint8Array.of(byte), new Uint8Array(0)]);
        const found = decodeChunks(name, single);
        same(found.text, expected, pool[input]);
        sameNumbers(found.errors, errors, pool[input]);
        const fatal = new Decoder(name, { fatal: true });
        const thrown = [];
        for (const byte of source) thrown.push(errorOf(() => fatal.write(Uint8Array.of(byte))));
        thrown.push(errorOf(() => fatal.end()));
        const offsets = thrown.filter((error) => error !== undefined).map(({ start, end }) => [start, end]);
        // A byte can show that two sequences are malformed. The first one is thrown.
        sameNumbers(offsets.slice(0, 1), errors.slice(0, 1), pool[input]);
        const all = errors.map(String);
        for (const offset of offsets) assert.include(all, String(offset), pool[input]);
      }
    });

    test("encodes every scalar value of the BMP and of some other blocks", () => {
      const header = hex(encode("", name));
      const reported = new Map(answers);
      for (const [number, all, lengths] of blocks) {
        const [expected, digits] = [string(all), string(lengths)];
        for (let n = 0, at = 0; n < 256; n++) {
          const codePoint = number * 256 + n;
          if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
          const length = 2 * parseInt(digits[n], 36);
          const error = errorOf(() => {
            const encoded = hex(encodeOrFail(String.fromCodePoint(codePoint), name));
            if (encoded !== expected.slice(at, at + length)) same(encoded, expected.slice(at, at + length), codePoint.toString(16));
          });
          at += length;
          // The end of the model's bytes is missing if the character is unmappable.
          if (error === undefined && length > header.length / 2) continue;
          assert.instanceOf(error, EncodeError, codePoint.toString(16));
          sameNumbers([error.codePoint, error.index, error.encoding], [reported.get(codePoint) ?? codePoint, 0, name]);
        }
      }
    });

    test("encodes strings with each policy", () => {
      let unmappable = 0;
      for (const [units, html, errors, skipped, replaced] of strings) {
        const text = unitsAt(units);
        const what = pool[units];
        unmappable += errors.length;
        sameBytes(encode(text, name), bytesAt(html), what);
        sameBytes(encode(text, name, { unmappable: "skip", bom: true }), bytesAt(skipped), what);
        sameBytes(encode(text, name, { unmappable: "replace", replacement }), bytesAt(replaced), what);
        const calls = [];
        const reference = (codePoint) => (calls.push(codePoint), `&#${codePoint};`);
        sameBytes(encode(text, name, { unmappable: reference }), bytesAt(html), what);
        assert.deepEqual(calls, errors.map(([, codePoint]) => codePoint), what);
        const error = errorOf(() => encode(text, name, { unmappable: "fail" }));
        if (errors.length === 0) assert.isUndefined(error, what);
        else assert.deepEqual([error.index, error.codePoint, error.encoding], [...errors[0], name], what);
        const lone = text.search(LONE);
        if (lone < 0) continue;
        const strict = { index: lone, codePoint: text.charCodeAt(lone), encoding: name };
        assert.include(throws(() => encode(text, name, { surrogates: "fail" }), EncodeError, what), strict);
        assert.include(throws(() => encodeOrFail(text, name), EncodeError, what), strict);
      }
      // All but these have the characters of the strings.
      assert.equal(unmappable > 0, !/^(UTF|CESU)/.test(name));
    });

    test("encodes strings in chunks: split at each code unit, and unit by unit", () => {
      for (const [units, html, errors, skipped, replaced] of strings) {
        const text = unitsAt(units);
        const step = Math.ceil(text.length / 40) || 1;
        for (const [options, expected] of [[{}, html], [{ unmappable: "skip" }, skipped], [{ unmappable: "replace", replacement }, replaced]]) {
          const splits = [text.split("")];
          for (let at = 0; at <= text.length; at += step) splits.push([text.slice(0, at), text.slice(at)]);
          for (const chunks of splits) {
            const found = encodeChunks(name, chunks, options);
            same(found.bytes, pool[expected], `${pool[units]} in ${chunks.length} chunks`);
            sameNumbers(found.calls, errors, pool[units]);
          }
        }
      }
    });

    test("reads again what it writes", () => {
      for (const [units, , errors] of strings) {
        const text = unitsAt(units);
        if (errors.length > 0 || LONE.test(text)) continue;
        // As in GB18030, a pair that another character had in earlier versions.
        if (text.includes("\ue78d") && name === "true-hz") continue;
        same(decode(encode(text, name), name, { fatal: true }), text, pool[units]);
      }
    });

    test("long input, and ASCII", () => {
      const pattern = "Long text: 0123456789. 가나다 ㄱㄴ 字 é";
      const mapped = [...pattern].filter((character) => errorOf(() => encodeOrFail(character, name)) === undefined).join("");
      for (const text of [mapped.repeat(9000), "plain text ".repeat(9000)]) {
        const encoded = encodeOrFail(text, name);
        same(decode(encoded, name, { fatal: true }), text, "long");
        const decoder = new Decoder(name, { fatal: true });
        let found = "";
        for (let at = 0; at < encoded.length; at += 1009) found += decoder.write(encoded.subarray(at, at + 1009));
        same(found + decoder.end(), text, "in chunks");
      }
      // More malformed sequences than a block has room for, after and before text.
      const [before, after] = [encodeOrFail("a".repeat(40_000), name), encodeOrFail("b".repeat(40_000), name)];
      const bad = new Uint8Array(100_000).fill(0xd8);
      const all = Uint8Array.from([...before, ...bad, ...after]);
      const report = decodeAndReport(all, name, { limit: Infinity });
      const { length } = report.errors;
      assert.isAtLeast(length, 25_000);
      // The second mark is text.
      same(report.text, "a".repeat(40_000) + "\ufffd".repeat(length) + (name === "UTF-32" ? "\ufeff" : "") + "b".repeat(40_000), "errors");
      assert.deepEqual([report.errors[0].start, report.errors.at(-1).end], [before.length, before.length + bad.length]);
      assert.deepEqual(decodeChunks(name, [all]), { text: report.text, errors: report.errors.map(({ start, end }) => [start, end]) });
    });
  });
}

describe("names", () => {
  test("all of them, in several spellings", () => {
    for (const { name, aliases, codePages } of CODED) {
      const encoding = oem.encodingForName(name);
      assert.deepEqual({ name: encoding.name, aliases: [...encoding.aliases], codePages: [...encoding.codePages] }, { name, aliases, codePages });
      assert.isTrue([encoding, encoding.aliases, encoding.codePages].every(Object.isFrozen));
      assert.isUndefined(encoding.characters);
      assert.equal(encoding.isAsciiCompatible, ["CESU-8", "JOHAB"].includes(name));
      for (const other of [name, ...aliases]) {
        for (const spelling of [other, other.toUpperCase(), ` ${other}\t`, other.replaceAll("-", "_"), other.replaceAll("-", " ")]) {
          assert.equal(oem.encodingForName(spelling), encoding, spelling);
          assert.equal(new Decoder(spelling).encoding, name);
          assert.equal(new Encoder(spelling).encoding, name);
        }
        for (const act of [(label) => main.decode(Uint8Array.of(), label), (label) => main.encode("", label), (label) => new main.TextDecoder(label)]) {
          throws(() => act(other), RangeError, other);
        }
        assert.isNull(main.getEncoding(other), other);
      }
      for (const number of codePages) assert.equal(oem.encodingForCodePage(number), encoding);
      assert.equal(decode(encode("a", encoding), encoding), "a");
    }
    assert.equal(oem.encodingForCodePage(65000).name, "UTF-7");
  });

  test("labels of `replacement` do not mean them", () => {
    for (const label of ["iso-2022-kr", "csiso2022kr", "hz-gb-2312", "ISO_2022_KR", "hz gb 2312"]) {
      assert.equal(decode(bytes("61"), label), "\ufffd", label);
      throws(() => encode("a", label), RangeError, label);
      assert.isNull(oem.encodingForName(label), label);
    }
    for (const label of ["ucs-2", "iso-10646-ucs-2"]) assert.equal(new Decoder(label).encoding, "UTF-16LE");
    for (const name of ["hz", "iso2022kr", "unicode-7"]) throws(() => decode(bytes("61"), name), RangeError);
  });
});

describe("decoders", () => {
  test("a mark decides the order of UTF-32 alone, and other marks are text", () => {
    assert.equal(decode(bytes("fffe0000 61000000"), "UTF-32"), "a");
    assert.equal(decode(bytes("0000feff 00000061"), "UTF-32", { bom: "keep" }), "a");
    assert.equal(decode(bytes("0000feff 00000061"), "UTF-32BE"), "\ufeffa");
    assert.equal(decode(bytes("feff0061"), "true-ucs-2be"), "\ufeffa");
    assert.equal(decode(bytes("efbbbf61"), "CESU-8"), "\ufeffa");
    assert.equal(new Decoder("CESU-8").write(bytes("efbbbf")), "\ufeff");
  });

  test("each text starts in the first state, and offsets count from its start", () => {
    const errors = [];
    const decoder = new Decoder("utf-7", { onMalformed: (error) => errors.push(error) });
    assert.equal(decoder.write(bytes("412b414f6b")) + decoder.end() + decoder.write(bytes("414f6b80")) + decoder.end(), "AéAOk\ufffd");
    assert.deepEqual(errors, [{ start: 3, end: 4 }]);
    const order = new Decoder("utf-32");
    assert.equal(order.write(bytes("fffe0000 61000000")) + order.end() + order.write(bytes("00000061")) + order.end(), "aa");
  });

  test("what a function throws loses the text of one chunk", () => {
    const calls = [];
    const decoder = new Decoder("CESU-8", { onMalformed: ({ start }) => { throw new SyntaxError(`${calls.push(start) && start}`); } });
    assert.equal(throws(() => decoder.write(bytes("41ffff41c3")), SyntaxError).message, "1");
    assert.equal(decoder.write(bytes("a9")), "é");
    assert.equal(throws(() => decoder.write(bytes("41ff")), SyntaxError).message, "7");
    assert.deepEqual(calls, [1, 7]);
    const fatal = new Decoder("JOHAB", { fatal: true });
    assert.include(throws(() => fatal.write(bytes("41 80 ff 8861 88")), DecodeError), { start: 1, end: 2, message: "Malformed JOHAB at byte 1." });
    assert.equal(fatal.write(bytes("61")), "가");
    fatal.write(bytes("88"));
    assert.include(throws(() => fatal.end(), DecodeError), { start: 7, end: 8 });
  });

  test("a function may decode other text", () => {
    const inner = [];
    const decoder = new Decoder("GSM-03.38", {
      onMalformed: () => void inner.push(decode(bytes("e9".repeat(3000)), "cp437"), decode(encode("é".repeat(90_000), "utf-7"), "utf-7")),
    });
    assert.equal(decoder.write(bytes("61806280")) + decoder.end(), "a\ufffdb\ufffd");
    assert.deepEqual(inner.map(({ length }) => length), [3000, 90_000, 3000, 90_000]);
  });

  test("a function may use the decoder that calls it", () => {
    for (const name of ["UTF-7", "true-hz", "JOHAB"]) {
      const [starts, inner] = [[], []];
      const decoder = new Decoder(name, {
        onMalformed: ({ start }) => {
          if (starts.push(start) === 1) inner.push(decoder.write(bytes("62ff")));
        },
      });
      assert.equal(decoder.write(bytes("ff41ff")), "\ufffdA\ufffd", name);
      assert.deepEqual(inner, ["b\ufffd"]);
      assert.deepEqual(starts, [0, 4, 2]);
      assert.equal(decoder.write(bytes("43ff")) + decoder.end(), "C\ufffd");
      assert.deepEqual(starts, [0, 4, 2, 6]);
    }
  });

  test("a function may transfer the chunk", () => {
    const chunk = bytes("ff2b414f6b2d");
    const decoder = new Decoder("utf-7", { onMalformed: () => void structuredClone(chunk.buffer, { transfer: [chunk.buffer] }) });
    assert.equal(decoder.write(chunk) + decoder.end(), "\ufffdé");
  });

  test("long chunks with many errors", () => {
    const starts = [];
    const decoder = new Decoder("CESU-8", { onMalformed: ({ start }) => void starts.push(start) });
    const long = Uint8Array.from({ length: 300_000 }, (_, n) => [0xc3, 0xa9, 0xff][n % 3]);
    assert.equal(decoder.write(long) + decoder.end(), "é\ufffd".repeat(100_000));
    assert.deepEqual(starts, Array.from({ length: 100_000 }, (_, n) => 3 * n + 2));
  });

  test("limits, options and types of input", () => {
    const many = new Uint8Array(50).fill(0xff);
    for (const [limit, count] of [[0, 0], [1, 1], [7.9, 7], [Infinity, 50]]) {
      assert.lengthOf(decodeAndReport(many, "JOHAB", { limit }).errors, count);
    }
    for (const limit of [-1, NaN]) throws(() => decodeAndReport(many, "JOHAB", { limit }), RangeError);
    throws(() => decodeAndReport(new Uint8Array((1 << 22) + 1).fill(0xff), "JOHAB", { limit: Infinity }), RangeError);
    for (const act of [(options) => decode(many, "JOHAB", options), (options) => new Decoder("JOHAB", options)]) {
      throws(() => act({ bom: "no" }), TypeError);
      throws(() => act("keep"), TypeError);
    }
    throws(() => new Decoder("JOHAB", { onMalformed: 1 }), TypeError);
    for (const input of ["text", undefined, [1]]) throws(() => decode(input, "JOHAB"), TypeError);
    const input = bytes("00410042");
    for (const view of [input.buffer, new DataView(input.buffer), new Uint16Array(input.buffer)]) {
      assert.equal(decode(view, "true-ucs-2be"), "AB");
      assert.equal(new Decoder("true-ucs-2be").write(view), "AB");
    }
  });
});

describe("encoders", () => {
  test("a replacement is encoded, and one that is unmappable is an error", () => {
    const replace = { unmappable: "replace", replacement: "字é" };
    assert.equal(latin1(encode("a한b", "true-hz", { unmappable: "replace", replacement: "(字)" })), "a(~{WV~})b");
    const error = throws(() => encode("a한", "GSM-03.38", replace), EncodeError);
    assert.include(error, { codePoint: 0xd55c, index: 1, message: "GSM-03.38 cannot represent U+D55C at index 1." });
    assert.include(throws(() => encode("a\x1b", "true-iso-2022-kr", { unmappable: () => "\x0e" }), EncodeError), { codePoint: 0xfffd, index: 1 });
    assert.include(throws(() => encode("a\x1b", "true-iso-2022-kr", { unmappable: () => "\ud800" }), EncodeError), { codePoint: 0xfffd, index: 1 });
    throws(() => encode("한", "GSM-03.38", { unmappable: () => null }), TypeError);
    throws(() => encode("한", "GSM-03.38", { unmappable: () => { throw new SyntaxError(); } }), SyntaxError);
  });

  test("a call that throws has no effect", () => {
    const encoder = new Encoder("true-hz", { unmappable: "fail" });
    const parts = [encoder.write("字")];
    assert.include(throws(() => encoder.write("字a한"), EncodeError), { codePoint: 0xd55c, index: 3 });
    parts.push(encoder.write("字"), encoder.write("a\ud83d"));
    assert.include(throws(() => encoder.write("\ude00"), EncodeError), { codePoint: 0x1f600, index: 3 });
    assert.include(throws(() => encoder.end(), EncodeError), { codePoint: 0xfffd, index: 3 });
    assert.equal(parts.map(latin1).join(""), "~{WVWV~}a");
    const header = new Encoder("true-iso-2022-kr", { unmappable: "fail" });
    throws(() => header.write("\x1b"), EncodeError);
    assert.equal(hex(header.write("a")) + hex(header.end()), "1b24294361");
  });

  test("each text has its own header, also an empty one", () => {
    for (const [name, header] of [["UTF-32", "0000feff"], ["true-iso-2022-kr", "1b242943"], ["UTF-32BE", ""], ["UTF-7", ""]]) {
      for (const bom of [false, true]) {
        assert.equal(hex(encode("", name, { bom })), header);
        const encoder = new Encoder(name, { bom });
        for (let again = 0; again < 2; again++) {
          assert.equal([encoder.write(""), encoder.write("a"), encoder.write(""), encoder.end()].map(hex).join(""), hex(encode("a", name)));
          assert.equal(hex(encoder.end()), header);
        }
      }
    }
  });

  test("streams", async () => {
    const through = async (transform, ...chunks) => {
      const parts = [];
      const source = new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk);
          controller.close();
        },
      });
      for await (const part of source.pipeThrough(transform)) parts.push(part);
      return parts;
    };
    const text = "한국어 字 \u{1f600}";
    for (const { name } of CODED) {
      const encoded = await through(new EncoderStream(name), ...text.split(""));
      assert.equal(encoded.map(hex).join(""), hex(encode(text, name)), name);
      const bytes = [...encode(text, name)].map((byte) => Uint8Array.of(byte));
      assert.equal((await through(new DecoderStream(name), ...bytes)).join(""), decode(encode(text, name), name), name);
    }
    assert.include(await rejects(through(new DecoderStream("utf-7", { fatal: true }), bytes("41"), bytes("ff")), DecodeError), { start: 1, end: 2 });
  });
});
