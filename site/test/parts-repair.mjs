// Kinds of input, ranking, and the repair of garbled text.

import { test } from "node:test";
import assert from "node:assert/strict";
import { decode, encodeOrFail } from "textcodec";
import { decodings } from "../src/repair/decodings.js";
import { guess, toBytes } from "../src/repair/input.js";
import { repairs } from "../src/repair/repairs.js";

test("the kind of pasted input is guessed", () => {
  const kinds = {
    "93 FA 96 7B": "hex",
    "93fa967b": "hex",
    "0x93, 0xFA": "hex",
    "\\x93\\xFA": "hex",
    "%93%FA": "percent",
    "q=%93%FA&x=1": "percent",
    "k/qWew==": "base64",
    "5pel5pys6Kqe": "base64",
    "æ—¥æœ¬": "text",
    "Hello there": "text",
    Internationalization: "text",
    "100 % caf├®": "text",
  };
  for (const [pasted, kind] of Object.entries(kinds)) assert.equal(guess(pasted), kind, pasted);
  for (const pasted of ["93 FA 96 7B", "k/qWew==", "%93%FA%96%7B", "%93%FA%96{"]) {
    assert.deepEqual([...toBytes(pasted, guess(pasted))], [0x93, 0xfa, 0x96, 0x7b], pasted);
  }
  assert.deepEqual([...toBytes("k_qWew", "base64")], [0x93, 0xfa, 0x96, 0x7b], "base64url, without padding");
  assert.equal(toBytes("4e".repeat(5e6), "hex").length, 5e6);
  assert.equal(toBytes("4e4", "hex"), null);
});

test("the right encoding is ranked first", () => {
  const cases = {
    Shift_JIS: ["日本語のテキストです。", "お茶をいれる。", "東京都千代田区"],
    "EUC-JP": ["日本語のテキストです。"],
    "ISO-2022-JP": ["日本語のテキストです。"],
    "UTF-16LE": ["日本語のテキストです。"],
    GBK: ["这是一个简体中文的例子。", "你好，世界！"],
    Big5: ["這是一個繁體中文的例子。", "你好，世界！"],
    "EUC-KR": ["안녕하세요", "이것은 한국어 문장입니다."],
    "windows-1251": ["Привет, мир!", "МОСКВА И ЛЕНИНГРАД"],
    "KOI8-R": ["Съешь же ещё этих мягких французских булок."],
    "windows-1253": ["Καλημέρα κόσμε"],
    "windows-1256": ["مرحبا بالعالم"],
    "windows-874": ["สวัสดีชาวโลก"],
    "windows-1250": ["Příliš žluťoučký kůň"],
    "windows-1252": ["L’élève a reçu un café à Noël – déjà.", "Straße"],
    macintosh: ["Übergrößen für Füße, schön"],
    "UTF-8": ["Grüße", "日本", "Привет", "МОСКВА", "🍵"],
  };
  for (const [encoding, texts] of Object.entries(cases)) {
    for (const wanted of texts) {
      const [best] = decodings(encodeOrFail(wanted, encoding), false);
      assert.equal(best.text, wanted, encoding);
      assert.equal(best.errorCount, 0);
    }
  }
  assert.equal(decodings(Uint8Array.of(0xff, 0xfe, 0x41, 0), false)[0].encodings[0], "UTF-16LE", "a byte order mark");
  const cut = decodings(encodeOrFail("日本語", "utf-8").subarray(0, 8), true).find(
    ({ encodings }) => encodings[0] === "UTF-8",
  );
  assert.deepEqual([cut.text, cut.errorCount], ["日本", 0], "a cut within a character is not an error");
  assert.equal(decodings(encodeOrFail("plain", "utf-8"), false)[0].encodings[0], "UTF-8");
});

test("garbled text is repaired", () => {
  const cases = [
    ["日本", "windows-1252", "UTF-8"],
    ["Привет, мир", "windows-1252", "UTF-8"],
    ["Привет", "windows-1252", "windows-1251"],
    ["café", "windows-1252", "UTF-8"],
    ["日本語です", "windows-1252", "Shift_JIS"],
    ["Grüße", "windows-1251", "UTF-8"],
    ["안녕하세요", "windows-1252", "EUC-KR"],
    ["文字化け", "GBK", "UTF-8"],
    ["Übergröße", "IBM866", "UTF-8"],
  ];
  for (const [wanted, wrong, right] of cases) {
    const { candidates } = repairs(decode(encodeOrFail(wanted, right), wrong));
    assert.equal(candidates[0]?.text, wanted, `${right} read as ${wrong}`);
  }
  const twice = decode(encodeOrFail(decode(encodeOrFail("café", "utf-8"), "windows-1252"), "utf-8"), "windows-1252");
  assert.equal(repairs(twice).candidates[0].pairs[0].rounds, 2);
  const ambiguous = decode(encodeOrFail("Привет, мир! ", "EUC-KR"), "KOI8-R");
  const short = repairs(ambiguous).candidates;
  assert.ok(short.length > 20);
  const long = repairs(ambiguous.repeat(1000)).candidates;
  assert.equal(long.length, 20, "only the best candidates for long text");
  assert.equal(long[0].text, short[0].text.repeat(1000));
  assert.deepEqual(repairs("plain").candidates, []);
  assert.deepEqual(repairs("café").candidates, []);
});
