// The indexes and the search in one index.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { decode } from "textcodec";
import { INDEXES, readIndex } from "../src/explore/indexes.js";
import { find, interpret } from "../src/explore/search.js";

test("the computed indexes are those of the standard", () => {
  for (const { id, name } of INDEXES) {
    const index = readIndex(id);
    const lines = readFileSync(new URL(`../../indexes/${name}.txt`, import.meta.url), "utf8")
      .trim()
      .split("\n");
    const wanted = lines
      .filter((line) => !line.startsWith("#"))
      .flatMap((line) => {
        const [first, codePoints] = line.split(": ");
        return codePoints.split(" ").map((codePoint, n) => `${Number(first) + n} ${Number.parseInt(codePoint, 16)}`);
      });
    const found = index.ranges
      ? index.entries.map(({ pointer, codePoint }) => `${pointer} ${codePoint}`)
      : [...index.codePoints].flatMap((codePoint, pointer) => (codePoint < 0 ? [] : [`${pointer} ${codePoint}`]));
    assert.deepEqual(found, wanted, id);
  }
  assert.equal(new Set(INDEXES.map(({ name }) => name)).size, 34);
});

test("pointers, bytes and code points map to each other", () => {
  for (const { id } of INDEXES) {
    const index = readIndex(id);
    const pointers = index.ranges ? [0, 7456, 7457, 7458, 39419, 189000, 1237575] : [...index.codePoints.keys()];
    for (const pointer of pointers) {
      const codePoint = index.codePointOf(pointer);
      if (codePoint < 0) continue;
      assert.ok(index.pointersOf(codePoint).includes(pointer), `${id} ${pointer}`);
      if (index.katakana) continue;
      for (const { encoding, before, bytes, after } of index.formsOf(pointer)) {
        const whole = Uint8Array.from([...before, ...bytes, ...after]);
        assert.equal(decode(whole, encoding), String.fromCodePoint(codePoint), `${id} ${pointer} ${encoding}`);
      }
    }
  }
});

test("queries are interpreted", () => {
  const pointers = (id, query, kind) => find(readIndex(id), interpret(query, kind)).map(({ pointer }) => pointer);
  assert.deepEqual(pointers("jis0208", "亜"), [1410]);
  for (const query of ["U+4E9C", "u+4e9c", "0x4E9C", "&#x4e9c;", "\\u4E9C", "88 9F", "889f", "%B0%A1", "30 21"]) {
    assert.deepEqual(pointers("jis0208", query), [1410], query);
  }
  assert.deepEqual(pointers("jis0208", "1410"), [1410]);
  assert.deepEqual(pointers("jis0208", "20124"), [1410], "decimal code point");
  assert.deepEqual(pointers("jis0208", "4E9C", "code point"), [1410]);
  assert.deepEqual(pointers("jis0208", "4E9C"), [1410], "hexadecimal without a prefix");
  assert.deepEqual(interpret("4e9c").at(-1), { kind: "code point", codePoint: 0x4e9c });
  assert.equal(interpret("20124").at(-1).codePoint, 0x20124, "decimal first, hexadecimal last");
  assert.deepEqual(interpret("20124", "code point"), [{ kind: "code point", codePoint: 20124 }]);
  assert.deepEqual(interpret("abc"), [], "too short");
  assert.equal(interpret("4e".repeat(5e6), "bytes")[0].bytes.length, 5e6);
  assert.deepEqual(pointers("jis0208", "1B 24 42 30 21 1B 28 42"), [1410]);
  assert.deepEqual(pointers("jis0208", "∪"), [125, 1219]);
  assert.deepEqual(pointers("jis0212", "8F B0 A1"), [1410]);
  assert.deepEqual(pointers("windows-1252", "€"), [0]);
  assert.deepEqual(pointers("windows-1252", "80"), [80, 0], "a pointer, and a byte");
  assert.deepEqual(pointers("iso-2022-jp-katakana", "ｱ"), [16]);
  assert.deepEqual(pointers("gb18030-ranges", "𠀀"), [254536]);
  assert.deepEqual(pointers("gb18030-ranges", "81 35 F4 37"), [7457]);
  assert.deepEqual(pointers("big5", "A"), []);
});
