// The oem entry: code pages that are not in the standard. The tables are those in crates/textcodec-oem/pages. oem-coded.test.js has the
// encodings with an algorithm.

import { assert } from "chai";
import codepage from "codepage";
import iconv from "iconv-lite";
import { describe, test } from "node:test";
import { aliasesIn, encodingList, readPages } from "../oem-pages.mjs";
import * as main from "./support/package.js";
import { importEntry, readJson } from "./support/package.js";
import { bytes, hex, rejects, same, sameBytes, throws } from "./support/tools.js";

const oem = await importEntry("oem");
const { DecodeError, Decoder, DecoderStream, EncodeError, Encoder, EncoderStream, decode, decodeAndReport, encode, encodeOrFail } = oem;
const PAGES = readPages();
const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const BMP = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => (code & 0xf800) !== 0xd800);
const UNASSIGNED = "\ufffd";

const ascii = (text) => Uint8Array.from(text, (char) => char.charCodeAt(0));

describe("tables", () => {
  for (const { name, characters, duplicates } of PAGES) {
    const unassigned = [...ALL_BYTES].filter((byte) => characters[byte] === UNASSIGNED);
    const byteOf = new Map([...ALL_BYTES].reverse().filter((byte) => !duplicates.includes(byte)).map((byte) => [characters[byte], byte]));
    byteOf.delete(UNASSIGNED);

    test(`${name}: all bytes`, () => {
      assert.equal(oem.encodingForName(name).characters, characters);
      same(decode(ALL_BYTES, name, { bom: "keep" }), characters, "decode");
      const errors = unassigned.map((at) => ({ start: at, end: at + 1, index: at }));
      assert.deepEqual(decodeAndReport(ALL_BYTES, name), { text: characters, encoding: name, bom: false, errors });
      const calls = [];
      const decoder = new Decoder(name, { onMalformed: (error) => calls.push(error) });
      same(decoder.write(ALL_BYTES) + decoder.end(), characters, "Decoder");
      assert.deepEqual(calls, errors.map(({ start, end }) => ({ start, end })));
      for (const byte of ALL_BYTES) {
        const one = () => decode(Uint8Array.of(0x20, byte), name, { fatal: true });
        if (!unassigned.includes(byte)) assert.equal(one(), characters[0x20] + characters[byte]);
        else assert.include(throws(one, DecodeError), { encoding: name, start: 1, end: 2, message: `Malformed ${name} at byte 1.` });
      }
    });

    test(`${name}: all characters`, () => {
      const text = String.fromCharCode(...[...byteOf.keys()].map((char) => char.charCodeAt(0)));
      sameBytes(encodeOrFail(text, name), Uint8Array.from(byteOf.values()), "encode");
      const mapped = encode(String.fromCharCode(0).padEnd(4) + BMP.map((code) => String.fromCharCode(code)).join(""), name, { unmappable: "skip" });
      const expected = BMP.map((code) => byteOf.get(String.fromCharCode(code))).filter((byte) => byte !== undefined);
      sameBytes(mapped.subarray(4), Uint8Array.from(expected), "characters of the BMP");
      for (let n = 0; n < 0x110000; n += n < 0x200 ? 1 : 4099) {
        const char = String.fromCodePoint((n & 0x1ff800) === 0xd800 ? 0x2014 : n);
        const one = () => hex(encode(`1${char}`, name, { unmappable: "fail" }));
        if (byteOf.has(char)) assert.equal(one(), hex([byteOf.get("1"), byteOf.get(char)]));
        else assert.include(throws(one, EncodeError), { encoding: name, codePoint: char.codePointAt(0), index: 1 });
      }
    });

    test(`${name}: chunks`, () => {
      const text = characters.replaceAll(UNASSIGNED, "1");
      const encoded = encodeOrFail(text, name);
      for (let at = 0; at <= 256; at++) {
        const decoder = new Decoder(name, { bom: "keep" });
        same(decoder.write(ALL_BYTES.subarray(0, at)) + decoder.write(ALL_BYTES.subarray(at)) + decoder.end(), characters, `${at}`);
        const encoder = new Encoder(name, { unmappable: "fail" });
        const parts = [encoder.write(text.slice(0, at)), encoder.write(text.slice(at)), encoder.end()];
        assert.equal(parts.map(hex).join(""), hex(encoded), `${at}`);
      }
    });

    test(`${name}: long input`, () => {
      for (const length of [1, 3, 255, 4096, 4097, (1 << 16) - 1, (1 << 16) + 3, 200_003]) {
        const input = Uint8Array.from({ length }, (_, n) => (n * 7 + (n >> 8)) & 0xff);
        const expected = Array.from(input, (byte) => characters[byte]).join("");
        const text = decode(input, name, { bom: "keep" });
        same(text, expected, `${length}`);
        sameBytes(encode(text.replaceAll(UNASSIGNED, ""), name), input.filter((byte) => !unassigned.includes(byte)).map((byte) => byteOf.get(characters[byte])), `${length}`);
      }
    });

    test(`${name}: references and replacements are in the page`, () => {
      const page = (text) => Array.from(text, (char) => byteOf.get(char));
      assert.equal(hex(encode("1\u{1f600}2\ud800", name)), hex(page("1&#128512;2&#65533;")));
      assert.equal(hex(encode("\u{1f600}", name, { unmappable: "replace" })), hex(page("?")));
      assert.equal(hex(encode("\u{1f600}", name, { unmappable: "replace", replacement: "(x)" })), hex(page("(x)")));
    });

    test(`${name}: byte order marks`, () => {
      const isOverridden = characters.startsWith(String.fromCharCode(...ALL_BYTES.subarray(0, 128)));
      assert.equal(oem.encodingForName(name).isAsciiCompatible, isOverridden);
      const input = Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3, 0xa4);
      const asPage = Array.from(input, (byte) => characters[byte]).join("");
      assert.equal(decode(input, name), isOverridden ? "ä" : asPage);
      for (const bom of ["own", "keep"]) assert.equal(decode(input, name, { bom }), asPage);
    });
  }
});

describe("other packages have the same tables", () => {
  // iconv-lite and codepage have older tables of classic Mac OS: see docs/design/code-pages.md.
  const isDos = (name) => /^(IBM|DOS-)/.test(name);
  const dos = PAGES.filter(({ name, characters }) => isDos(name) && (characters.startsWith(" !", 0x20) || name === "IBM864"));

  test("of MS-DOS", () => {
    assert.isAtLeast(dos.length, 18);
    const counts = { iconv: 0, codepage: 0 };
    for (const { name, codePages } of dos) {
      const text = decode(ALL_BYTES, name, { bom: "keep" });
      for (const number of codePages) {
        if (iconv.encodingExists(`cp${number}`)) {
          counts.iconv++;
          same(text, iconv.decode(ALL_BYTES, `cp${number}`), `iconv-lite: ${name}`);
        }
        if (codepage[number] === undefined) continue;
        counts.codepage++;
        same(text, [...ALL_BYTES].map((byte) => codepage[number].dec[byte] ?? UNASSIGNED).join(""), `codepage: ${name}`);
      }
    }
    assert.deepEqual(counts, { iconv: 18, codepage: 17 });
  });

  test("of classic Mac OS, but for a few characters", () => {
    const different = (name, other) => [...decode(ALL_BYTES, name)].filter((char, at) => char !== other[at]).length;
    const counts = ["x-mac-ce", "x-mac-greek", "x-mac-turkish", "x-mac-croatian", "x-mac-romanian", "x-mac-icelandic"].map((name) => {
      const other = { "x-mac-ce": "maccenteuro", "x-mac-icelandic": "maciceland", "x-mac-romanian": "macromania" }[name] ?? name.replace(/x-mac-/, "mac");
      return different(name, iconv.decode(ALL_BYTES, other));
    });
    assert.deepEqual(counts, [0, 3, 3, 3, 7, 3]);
  });
});

describe("names", () => {
  test("all of them, in several spellings", () => {
    const pages = oem.encodings.filter(({ characters }) => characters !== undefined);
    assert.deepEqual(pages.map(({ name, aliases, codePages }) => ({ name, aliases: [...aliases], codePages: [...codePages] })),
      PAGES.map(({ name, aliases, codePages }) => ({ name, aliases, codePages })));
    for (const page of pages) {
      assert.isTrue([page, page.aliases, page.codePages].every(Object.isFrozen));
      for (const name of [page.name, ...page.aliases]) {
        for (const spelling of [name, name.toUpperCase(), ` ${name}\t`, name.replaceAll("-", "_"), name.replaceAll("-", " ")]) {
          assert.equal(oem.encodingForName(spelling), page, spelling);
          assert.equal(decode(ALL_BYTES, spelling, { bom: "keep" }), page.characters);
          assert.equal(new Encoder(spelling).encoding, page.name);
        }
        assert.isNull(main.getEncoding(name), name);
      }
      for (const number of page.codePages) assert.equal(oem.encodingForCodePage(number), page);
    }
    for (const number of [0, 866, 1252, 65001, "437", undefined]) assert.isNull(oem.encodingForCodePage(number));
  });

  test("the standard's classes have no code pages", () => {
    for (const { name, aliases } of PAGES) {
      for (const label of [name, ...aliases]) {
        throws(() => new main.TextDecoder(label), RangeError, label);
        throws(() => main.decode(ALL_BYTES, label), RangeError, label);
      }
    }
  });

  test("labels mean what they mean in the standard", async () => {
    const { names } = await readJson("generated/vectors.json");
    const labels = names.filter(([label, name]) => name !== null && label.length < 64);
    assert.isAbove(labels.length, 900);
    for (const [label, name] of labels) {
      assert.isNull(oem.encodingForName(label), label);
      assert.equal(new Decoder(label).encoding, name, label);
    }
    for (const { name } of main.encodings) {
      assert.equal(decode(ALL_BYTES, name), main.decode(ALL_BYTES, name), name);
      assert.deepEqual(decodeAndReport(ALL_BYTES, name), main.decodeAndReport(ALL_BYTES, name), name);
      if (name === "replacement") continue;
      assert.equal(hex(encode("aé漢", name)), hex(main.encode("aé漢", name)), name);
      const encoder = new Encoder(name);
      assert.equal(hex(encoder.write("aé漢")) + hex(encoder.end()), hex(main.encode("aé漢", name)), name);
    }
    for (const [, field, , , aliases] of encodingList(new URL("../../../crates/textcodec/encodings.txt", import.meta.url))) {
      const name = field.replace("*", "");
      if (!main.encodings.some((encoding) => encoding.name === name)) continue; // not in the standard
      for (const alias of aliasesIn(aliases)) assert.equal(new Encoder(alias).encoding, name, alias);
    }
    assert.equal(decode(bytes("93fa"), " CP932 "), "日");
    assert.equal(decode(bytes("80"), "windows 1252"), "€");
    for (const name of ["true-iso-8859-1", "strict-ascii"]) throws(() => decode(bytes("80"), name), RangeError);
    throws(() => encodeOrFail("漢", "koi8-r"), main.EncodeError);
    assert.equal(decode(bytes("d0"), "tis620"), "ะ");
    assert.equal(decode(bytes("80"), "iso-8859-9"), "€");
    throws(() => encode("", "iso-2022-kr"), RangeError);
  });

  test("unknown names are errors that contain the name", () => {
    for (const act of [decode, decodeAndReport, encode, encodeOrFail].map((act) => (name) => act("", name)).concat([
      (name) => new Decoder(name), (name) => new Encoder(name), (name) => new DecoderStream(name), (name) => new EncoderStream(name),
    ])) {
      for (const name of ["cp4370", "", undefined, null, "k".repeat(1e5), `${" ".repeat(1e5)}x`]) {
        const message = throws(() => act(name), RangeError, `${name}`.slice(0, 9)).message;
        assert.equal(message, `"${name}" is not the name of an encoding.`);
      }
      throws(() => act(Symbol("cp437")), TypeError);
    }
  });
});

describe("decoding", () => {
  test("offsets count from the start of the text", () => {
    const errors = [];
    const decoder = new Decoder("IBM864", { onMalformed: (error) => errors.push(error.start) });
    const write = (...chunk) => decoder.write(Uint8Array.from(chunk));
    assert.equal(write(0x41, 0xff) + write() + write(0xff, 0x42) + write(0xff) + decoder.end(), "A\ufffd\ufffdB\ufffd");
    assert.equal(write(0xff) + decoder.end(), "\ufffd");
    assert.deepEqual(errors, [1, 2, 4, 0]);
    const fatal = new Decoder("IBM864", { fatal: true });
    fatal.write(bytes("4142"));
    assert.include(throws(() => fatal.write(bytes("41ff41")), DecodeError), { start: 3, end: 4, encoding: "IBM864" });
    assert.equal(fatal.write(bytes("43")) + fatal.end(), "C");
    assert.include(throws(() => fatal.write(bytes("ff")), DecodeError), { start: 0, end: 1 });
  });

  test("what a function throws loses the text of one chunk", () => {
    const decoder = new Decoder("IBM864", { onMalformed: ({ start }) => { throw new SyntaxError(`${start}`); } });
    assert.equal(throws(() => decoder.write(bytes("41ffff")), SyntaxError).message, "1");
    assert.equal(throws(() => decoder.write(bytes("41ff")), SyntaxError).message, "4");
    assert.equal(decoder.write(bytes("42")) + decoder.end(), "B");
  });

  test("byte order marks in chunks", () => {
    for (const [name, input, encoding, text] of [
      ["cp437", "efbbbfc3a4", "UTF-8", "ä"],
      ["cp437", "fffe4100", "UTF-16LE", "A"],
      ["cp437", "feff0041", "UTF-16BE", "A"],
      ["cp437", "efbb41", "IBM437", "∩╗A"],
      ["cp437", "efbb", "IBM437", "∩╗"],
      ["cp437", "fe", "IBM437", "■"],
      ["IBM037", "efbbbf", "IBM037", "Õ]×"],
      ["VISCII", "feff", "VISCII", "ợỮ"],
    ]) {
      const whole = bytes(input);
      assert.equal(decode(whole, name), text);
      assert.include(decodeAndReport(whole, name), { text, encoding, bom: encoding.startsWith("UTF") });
      for (let from = 0; from <= whole.length; from++) {
        for (let to = from; to <= whole.length; to++) {
          const decoder = new Decoder(name);
          for (let again = 0; again < 2; again++) {
            const parts = [whole.subarray(0, from), whole.subarray(from, to), whole.subarray(to)];
            assert.equal(parts.map((part) => decoder.write(part)).join("") + decoder.end(), text, input);
            assert.equal(decoder.encoding, encoding);
          }
        }
      }
    }
    // A buffer may be used again after a call.
    const decoder = new Decoder("cp437");
    const memory = bytes("ef");
    assert.equal(decoder.write(memory), "");
    memory.fill(0x41);
    assert.equal(decoder.write(memory), "∩A");
    // Offsets count the mark.
    const errors = [];
    const marked = new Decoder("cp437", { onMalformed: ({ start }) => errors.push(start) });
    assert.equal(marked.write(bytes("efbbbf41ff")) + marked.end() + marked.write(bytes("ff")) + marked.end(), "A\ufffd\u00a0");
    assert.deepEqual(errors, [4]);
    assert.include(throws(() => decode(bytes("efbbbfff"), "cp437", { fatal: true }), DecodeError), { start: 3, encoding: "UTF-8" });
  });

  test("limits, and options that are not valid", () => {
    const many = new Uint8Array(50).fill(0xff);
    for (const [limit, count] of [[0, 0], [1, 1], [7.9, 7], [Infinity, 50]]) {
      assert.lengthOf(decodeAndReport(many, "IBM864", { limit }).errors, count);
    }
    for (const limit of [-1, NaN]) throws(() => decodeAndReport(many, "IBM864", { limit }), RangeError);
    throws(() => decodeAndReport(new Uint8Array((1 << 22) + 1).fill(0xff), "IBM864", { limit: Infinity }), RangeError);
    for (const act of [(options) => decode(many, "cp437", options), (options) => new Decoder("cp437", options)]) {
      throws(() => act({ bom: "no" }), TypeError);
      throws(() => act("keep"), TypeError);
    }
    throws(() => new Decoder("cp437", { onMalformed: 1 }), TypeError);
    for (const input of ["text", undefined, [1]]) throws(() => decode(input, "cp437"), TypeError);
  });

  test("types of input", () => {
    const input = bytes("00806162");
    const expected = "\0Çab";
    for (const view of [input, input.buffer, new DataView(input.buffer), new Uint16Array(input.buffer), new Int8Array(input.buffer)]) {
      assert.equal(decode(view, "cp437"), expected);
      assert.equal(new Decoder("cp437").write(view), expected);
    }
  });
});

describe("encoding", () => {
  test("functions, and what they return", () => {
    const calls = [];
    const replace = (codePoint) => (calls.push(codePoint), "<é>");
    assert.equal(hex(encode("a\u{1f600}b\udc00漢", "cp437", { unmappable: replace })), "613c823e623c823e3c823e");
    assert.deepEqual(calls, [0x1f600, 0xfffd, 0x6f22]);
    assert.include(throws(() => encode("ab漢", "cp437", { unmappable: () => "x漢" }), EncodeError), { codePoint: 0x6f22, index: 2 });
    throws(() => encode("漢", "cp437", { unmappable: () => null }), TypeError);
    throws(() => encode("漢", "cp437", { unmappable: () => { throw new SyntaxError(); } }), SyntaxError);
    throws(() => encode("漢", "cp437", { unmappable: "drop" }), TypeError);
    assert.include(throws(() => encode("ab漢", "cp437", { unmappable: "replace", replacement: "é語" }), EncodeError), { index: 2 });
  });

  test("the options mean the same as in the main entry", () => {
    const text = "aé漢\ud800b\u{1f600}c\udc00";
    for (const unmappable of ["html", "skip", "replace", "fail", (codePoint) => `{${codePoint}}`]) {
      for (const surrogates of ["replace", "fail"]) {
        for (const options of [{ unmappable, surrogates }, { unmappable, surrogates, bom: true, replacement: "*" }]) {
          const outcome = (encode, name) => {
            try {
              return hex(encode(text, name, options)).replace("e9", "82");
            } catch (error) {
              if (!(error instanceof main.EncodeError)) throw error;
              return { codePoint: error.codePoint, index: error.index };
            }
          };
          assert.deepEqual(outcome(encode, "cp437"), outcome(main.encode, "windows-1252"));
          const splits = Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]);
          for (const chunks of [...splits, text.split("")]) {
            const inChunks = (Encoder) => (text, name, options) => {
              const calls = [];
              const encoder = new Encoder(name, { ...options, onUnmappable: (call) => calls.push(call) });
              const written = [...chunks.map((chunk) => encoder.write(chunk)), encoder.end()];
              return Uint8Array.from([...written.flatMap((part) => [...part]), ...ascii(JSON.stringify(calls))]);
            };
            assert.deepEqual(outcome(inChunks(Encoder), "cp437"), outcome(inChunks(main.Encoder), "windows-1252"), JSON.stringify(chunks));
          }
        }
      }
    }
  });

  test("a call that throws has no effect", () => {
    const encoder = new Encoder("cp437", { unmappable: "fail" });
    assert.equal(hex(encoder.write("ab\ud83d")), "6162");
    assert.include(throws(() => encoder.write("\ude00"), EncodeError), { codePoint: 0x1f600, index: 2 });
    assert.include(throws(() => encoder.write("c"), EncodeError), { codePoint: 0xfffd, index: 2 });
    assert.include(throws(() => encoder.end(), EncodeError), { codePoint: 0xfffd, index: 2 });
    const other = new Encoder("cp437", { unmappable: "fail" });
    other.write("a");
    throws(() => other.write("漢"), EncodeError);
    assert.include(throws(() => other.write("b漢"), EncodeError), { index: 2 });
    assert.equal(hex(other.write("é")) + hex(other.end()), "82");
    assert.include(throws(() => other.write("漢"), EncodeError), { index: 0 });
  });

  test("many replacements", () => {
    assert.lengthOf(encode("漢".repeat(50_000), "cp437"), 400_000);
    assert.lengthOf(encode("漢".repeat(50_000), "cp437", { unmappable: "skip" }), 0);
  });
});

describe("tables of one's own", () => {
  test("the upper half, or all characters", () => {
    const half = oem.singleByte("half", "♥é".padEnd(128, "\ufffd"));
    assert.equal(decode(bytes("0041808182"), half), "\0A♥é\ufffd");
    assert.include(throws(() => decode(bytes("4182"), half, { fatal: true }), DecodeError), { encoding: "half", start: 1, message: "Malformed half at byte 1." });
    assert.equal(hex(encode("A♥漢", half)), hex([0x41, 0x80, ...ascii("&#28450;")]));
    assert.deepInclude(half, { name: "half", aliases: [], codePages: [] });
    assert.isTrue(half.isAsciiCompatible && Object.isFrozen(half));
    const reversed = oem.singleByte("reversed", String.fromCharCode(...[...ALL_BYTES].reverse()));
    assert.equal(decode(bytes("00ff9e"), reversed), "\u00ff\0a");
    assert.isFalse(reversed.isAsciiCompatible);
    assert.equal(hex(encode("a", reversed)), "9e");
    const encoder = new Encoder(reversed);
    assert.equal(hex(encoder.write("a")) + encoder.encoding, "9ereversed");
    assert.isNull(oem.encodingForName("half"));
  });

  test("the first byte of a character is written, and references need characters", () => {
    const letters = oem.singleByte("letters", "x".repeat(255) + "y");
    assert.equal(hex(encode("xy", letters)), "00ff");
    assert.include(throws(() => encode("yz", letters), EncodeError), { codePoint: 0x7a, index: 1, encoding: "letters" });
    assert.equal(hex(encode("yz", letters, { unmappable: "replace", replacement: "x" })), "ff00");
  });

  test("byte order marks are text", () => {
    const table = oem.singleByte("table", decode(ALL_BYTES, "cp437").slice(128));
    assert.equal(decode(bytes("efbbbf"), table), "∩╗┐");
    assert.equal(new Decoder(table, { bom: "sniff" }).write(bytes("ef")), "∩");
  });

  test("tables that are not valid", () => {
    for (const table of ["", "a".repeat(127), "a".repeat(257), ["a"]]) {
      assert.include(throws(() => oem.singleByte("t", table), RangeError).message, "256 characters");
    }
    for (const char of ["\ud800", "\uffff"]) {
      assert.include(throws(() => oem.singleByte("t", `${"a".repeat(5)}${char}`.padEnd(128)), RangeError).message, "0x85");
    }
    throws(() => oem.singleByte(Symbol("t"), "a".repeat(128)), TypeError);
  });
});

test("classes of errors are those of the main entry", () => {
  if (main.entry === "index") assert.deepEqual([oem.DecodeError, oem.EncodeError], [main.DecodeError, main.EncodeError]);
});

describe("streams", () => {
  const collected = async (stream) => {
    const parts = [];
    for await (const part of stream) parts.push(part);
    return parts;
  };
  const through = async (transform, ...chunks) => collected(new ReadableStream({
    start(controller) {
      chunks.forEach((chunk) => controller.enqueue(chunk));
      controller.close();
    },
  }).pipeThrough(transform));

  test("decode and encode", async () => {
    const decoder = new DecoderStream("IBM850");
    assert.equal(decoder.encoding, "IBM850");
    assert.equal((await through(decoder, bytes("8b"), bytes("6184"))).join(""), "ïaä");
    assert.equal((await through(new EncoderStream("IBM037"), "a\ud83d", "\ude00")).map(hex).join(""), hex(encode("a\u{1f600}", "IBM037")));
    assert.equal((await through(new DecoderStream("sjis"), bytes("93"), bytes("fa"))).join(""), "日");
    assert.include(await rejects(through(new DecoderStream("IBM864", { fatal: true }), bytes("41"), bytes("ff")), DecodeError), { start: 1 });
  });
});
