// Single-byte encodings of the iconv-lite entry.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SHARED, unpack } from "../lib/code-pages.js";
import { OTHER_PAGES } from "../lib/iconv-lite/names.js";
import { PAGES } from "../lib/iconv-lite/pages.js";
import { pack } from "../lib/page-format.js";
import { readPages } from "../oem-pages.mjs";
import { decodeChunks, encodeChunks, hex, iconv, original, splits, withFields } from "./support/iconv-lite.js";

const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, n) => n);
const names = OTHER_PAGES.trim()
  .split("\n")
  .map((line) => line.split(" ")[0]);

test("pages.js has the tables of iconv-lite", () => {
  assert.deepEqual(Object.keys(PAGES), names.slice(1));
  for (const name of names) assert.equal(unpack({ ...SHARED, ...PAGES }, name), original.decode(ALL_BYTES, name), name);
});

test("no table is in the package twice", () => {
  const tables = new Map(names.slice(1).map((name) => [original.decode(ALL_BYTES, name), PAGES[name]]));
  const shared = readPages().filter(({ characters }) => tables.has(characters));
  assert.deepEqual(Object.keys(SHARED), shared.map(({ name }) => name));
  for (const { name, characters } of shared) {
    assert.equal(unpack(SHARED, name), characters);
    assert.match(tables.get(characters).join(), new RegExp(`^${name},(128|256)=$`));
  }
});

test("tables are unpacked as they were packed", () => {
  const latin1 = unpack({}, "latin1");
  const tables = [
    "~5=0".repeat(64),
    latin1.slice(128) + latin1.slice(0, 128),
    latin1.slice(0, 128) + "\ufffd".repeat(128),
    latin1.slice(0, 128) + "\u{ff}\u{fe}".repeat(64),
  ];
  for (const table of tables) {
    for (const base of [latin1, ...tables])
      assert.equal(unpack({ base: ["", pack(base, latin1)], page: ["base", pack(table, base)] }, "page"), table);
  }
});

for (const name of [...names, "macintosh", "windows-1252", "ascii", "binary", "koi8-u"]) {
  test(`${name}: no assigned byte is lost`, () => {
    const text = iconv.decode(ALL_BYTES, name);
    assert.equal(text.length, 256);
    const again = iconv.encode(text, name);
    ALL_BYTES.forEach((byte, n) => {
      if (text[n] === "\ufffd") return;
      // Two bytes of the same character.
      if (again[n] !== byte) assert.equal(text[again[n]], text[n], `${n}`);
    });
  });
}

test("latin1 is ISO-8859-1, and loses no byte", () => {
  assert.equal(iconv.decode(ALL_BYTES, "latin1"), String.fromCharCode(...ALL_BYTES));
  for (const name of ["latin1", "ISO-8859-1", "binary"]) {
    assert.deepEqual([...iconv.encode(iconv.decode(ALL_BYTES, name), name)], [...ALL_BYTES], name);
  }
  assert.equal(iconv.decode(Uint8Array.of(0x80, 0xfd), "iso-8859-9"), "\u0080\u0131");
  assert.equal(iconv.decode(Uint8Array.of(0x80, 0xa1), "iso-8859-11"), "\u0080\u0e01");
});

test("bytes that are not ASCII, and unassigned bytes of Windows code pages, are malformed", () => {
  assert.equal(iconv.decode(ALL_BYTES, "us-ascii"), String.fromCharCode(...ALL_BYTES.slice(0, 128)) + "\ufffd".repeat(128));
  assert.equal(iconv.decode(Uint8Array.of(0x80, 0x81, 0x9f), "cp1252"), "\u20ac\ufffd\u0178");
  assert.equal(hex(iconv.encode("\u0081\u20ac\u0099", "cp1252")), "3f803f");
  assert.equal(decodeChunks(iconv.getDecoder("cp1251"), [Uint8Array.of(0x98), Uint8Array.of(0xc0)]), "\ufffd\u0410");
  withFields(iconv, { defaultCharUnicode: "#" }, () => {
    assert.equal(iconv.decode(Uint8Array.of(0x80, 0x81), "cp1252"), "\u20ac#");
  });
});

describe("unmappable characters", () => {
  test("one question mark for a character, in every chunking", () => {
    const text = "a\u{1f600}\u65e5\ud83d\udc00b\ud83d";
    for (const name of ["cp437", "latin1", "armscii8", "windows-1252", "viscii"]) {
      assert.equal(hex(iconv.encode(text, name)), hex(ascii("a???b?")), name);
      for (const parts of splits(text))
        assert.equal(encodeChunks(iconv.getEncoder(name), parts), hex(ascii("a???b?")), name);
    }
  });

  test("U+FFFD is not the character of an unassigned byte", () => {
    assert.equal(hex(iconv.encode("\ufffd", "cp864")), "3f");
    assert.equal(hex(iconv.encode("\0\ufffd", "cp856")), "003f");
  });

  test("the replacement is encoded, or a question mark is written", () => {
    const write = (char, name) =>
      withFields(iconv, { defaultCharSingleByte: char }, () => hex(iconv.encode("\u65e5", name)));
    assert.equal(write("*", "cp437"), "2a");
    assert.equal(write("\u00e9", "cp437"), "82");
    assert.equal(write("\u0416", "cp437"), "3f");
    assert.equal(write("", "cp437"), "3f");
    assert.equal(write("\u0416", "latin1"), "3f");
    assert.equal(write("\u0416", "windows-1252"), "3f");
    assert.equal(write("\u00e9", "windows-1252"), "e9");
    assert.equal(write("", "windows-1252"), "3f");
    assert.equal(write("?", "cp437"), "3f");
  });
});

test("unassigned bytes become the configured string", () => {
  for (const name of ["cp864", "cp857", "windows-874"]) {
    const expected = iconv.decode(ALL_BYTES, name);
    assert.ok(expected.includes("\ufffd"), name);
    const text = withFields(iconv, { defaultCharUnicode: "<$&>" }, () => iconv.decode(ALL_BYTES, name));
    assert.equal(text, expected.split("\ufffd").join("<$&>"), name);
  }
});

test("chunks", () => {
  for (const name of names) {
    const text = iconv.decode(ALL_BYTES, name);
    for (const at of [0, 1, 127, 128, 255]) {
      const parts = [ALL_BYTES.subarray(0, at), ALL_BYTES.subarray(at)];
      assert.equal(decodeChunks(iconv.getDecoder(name), parts), text, name);
    }
  }
});

test("long input", () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, n) => (n * 7) & 0xff);
  for (const name of ["cp437", "latin1", "binary"]) {
    const text = iconv.decode(bytes, name);
    assert.equal(text, original.decode(bytes, name));
    assert.equal(hex(iconv.encode(text, name)), hex(bytes));
  }
});

function ascii(string) {
  return Uint8Array.from(string, (char) => char.charCodeAt(0));
}
