// Names and blocks of characters, compared with those of Python and Perl, which have data of their own.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { INDEXES, readIndex } from "../src/explore/indexes.js";
import { loadNames, nameOf } from "../src/names.js";
import { BLOCKS, blockOf } from "../src/unicode.js";

const lines = (file) =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("#"));

test("names of characters are those of Python's unicodedata", async () => {
  await loadNames();
  const samples = lines("names.txt");
  assert.ok(samples.length > 500);
  for (const line of samples) {
    const [digits] = line.split(" ", 1);
    assert.equal(nameOf(Number.parseInt(digits, 16)), line.slice(digits.length + 1), digits);
  }
  assert.equal(nameOf(0x0a), "LINE FEED");
  assert.equal(nameOf(0x07), "ALERT");
  assert.equal(nameOf(0xe5e5), "private use, without a name");
  assert.equal(nameOf(0xffff), "not a character");
  assert.equal(nameOf(0x0378), "not assigned");
});

test("every character of an index has a name", async () => {
  await loadNames();
  for (const { id } of INDEXES) {
    for (const codePoint of readIndex(id).codePoints ?? []) {
      if (codePoint < 0 || (codePoint >= 0xe000 && codePoint <= 0xf8ff)) continue;
      assert.match(
        nameOf(codePoint),
        /^([A-Z][A-Z0-9 -]+|control character, without a name)$/,
        `${id} ${codePoint.toString(16)}`,
      );
    }
  }
});

test("blocks are those of Perl's Unicode::UCD, and have no gaps", () => {
  for (const line of lines("blocks.txt")) {
    const [first, last, ...name] = line.split(" ");
    const block = blockOf(Number.parseInt(first, 16));
    assert.equal(block.name, name.join(" "));
    assert.equal(block.first, Number.parseInt(first, 16));
    // Later versions of Unicode can make a block longer.
    assert.ok(block.last >= Number.parseInt(last, 16), name.join(" "));
  }
  BLOCKS.forEach(({ first }, n) => assert.equal(first, n === 0 ? 0 : BLOCKS[n - 1].last + 1));
  assert.equal(blockOf(0x2fe0).name, "No block");
  assert.equal(blockOf(0x10ffff).last, 0x10ffff);
});

test("the table of names is small", () => {
  const size = gzipSync(readFileSync(new URL("../src/generated/names.js", import.meta.url)), { level: 9 }).length;
  assert.ok(size < 125_000, `${size} bytes with gzip`);
});
