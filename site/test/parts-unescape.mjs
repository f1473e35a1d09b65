// Notations for bytes and characters. The dumps are the output of the programs themselves.

import { test } from "node:test";
import assert from "node:assert/strict";
import { decode, encode } from "textcodec";
import { guess, toBytes, toText } from "../src/repair/input.js";

const BYTES = encode("café ☕, naïve\n");
const DUMPS = {
  xxd: `00000000: 6361 66c3 a920 e298 952c 206e 61c3 af76  caf.. ..., na..v
00000010: 650a                                     e.`,
  "xxd -g1": `00000000: 63 61 66 c3 a9 20 e2 98 95 2c 20 6e 61 c3 af 76  caf.. ..., na..v
00000010: 65 0a                                            e.`,
  "hexdump -C": `00000000  63 61 66 c3 a9 20 e2 98  95 2c 20 6e 61 c3 af 76  |caf.. ..., na..v|
00000010  65 0a                                             |e.|
00000012`,
  hexdump: `0000000 6163 c366 20a9 98e2 2c95 6e20 c361 76af
0000010 0a65
0000012`,
  "od -x": `0000000 6163 c366 20a9 98e2 2c95 6e20 c361 76af
0000020 0a65
0000022`,
  "od -t x1": `0000000 63 61 66 c3 a9 20 e2 98 95 2c 20 6e 61 c3 af 76
0000020 65 0a
0000022`,
  "od -t x1z": `0000000 63 61 66 c3 a9 20 e2 98 95 2c 20 6e 61 c3 af 76  >caf.. ..., na..v<
0000020 65 0a                                            >e.<
0000022`,
};

test("dumps are read, whatever the program", () => {
  for (const [program, dump] of Object.entries(DUMPS)) {
    assert.equal(guess(dump), "dump", program);
    assert.equal(decode(toBytes(dump, "dump")), decode(BYTES), program);
  }
  // An odd length, in both notations of offsets, and repeated lines.
  assert.deepEqual([...toBytes("0000000 6163 0066\n0000003", "dump")], [0x63, 0x61, 0x66]);
  const odd = `${" 4141".repeat(8)} 4141`.trim();
  assert.equal(toBytes(`0000000 ${odd}\n0000021`, "dump").length, 17, "octal");
  assert.equal(toBytes(`0000000 ${odd}\n0000011`, "dump").length, 17, "hexadecimal");
  const line = "41 ".repeat(16).trim();
  assert.equal(toBytes(`00000000  ${line}  |${"A".repeat(16)}|\n*\n00000040  42 |B|\n00000041`, "dump").length, 65);
  assert.equal(toBytes(`0000000 ${line}\n*\n0000100 42\n0000101`, "dump").length, 65, "octal");
  const words = "4141 ".repeat(8).trim();
  assert.equal(
    toBytes(`0000000 ${words}\n*\n0000040 0042\n0000041`, "dump").length,
    65,
    "hexadecimal, with seven digits",
  );
  assert.equal(toBytes("00000010: 6162  ab", "dump").length, 2, "an excerpt");
  assert.equal(toBytes("00000000  41  |A|\n*\nffffffffffff  42  |B|", "dump"), null, "too long");
  assert.equal(guess("0000000 zz"), "text");
});

test("quoted-printable", () => {
  const mail = "caf=C3=A9 =E2=98=95=\n and a=3Db";
  assert.equal(guess(mail), "quoted-printable");
  assert.equal(decode(toBytes(mail, "quoted-printable")), "café ☕ and a=b");
  assert.equal(decode(toBytes("L=\r\n=E4nge", "quoted-printable"), "windows-1252"), "Länge");
  assert.equal(toBytes("a=b", "quoted-printable"), null);
  assert.equal(guess("x = AB"), "text");
});

test("encoded words of RFC 2047", () => {
  const cases = {
    "=?ISO-8859-1?Q?Patrik_F=E4ltstr=F6m?= <paf@example.org>": "Patrik Fältström <paf@example.org>",
    "Subject: =?utf-8?B?44GK6Iy2?=": "Subject: お茶",
    "=?utf-8?q?a?= =?utf-8?q?b?=": "ab",
    "=?utf-8?q?a?= b": "a b",
    "=?utf-8?B?44GK6A==?= =?utf-8?B?jLY=?=": "お茶",
    "=?iso-2022-jp?B?GyRCJCpDYxsoQg==?=": "お茶",
    "=?utf-8*en?Q?caf=C3=A9?=": "café",
    "=?klingon?Q?x?=": "=?klingon?Q?x?=",
  };
  for (const [header, text] of Object.entries(cases)) {
    assert.equal(guess(header), "words", header);
    assert.equal(toText(header, "words"), text);
  }
  const long = "YWJj".repeat(2e5);
  assert.ok(toText(`=?utf-8?B?${long}?= =?utf-8?B?${long}?=`, "words") === "abc".repeat(4e5));
});

test("references and escapes", () => {
  const read = (pasted, kind) => {
    assert.equal(guess(pasted), kind, pasted);
    return toText(pasted, kind) ?? decode(toBytes(pasted, kind));
  };
  assert.equal(read("caf&#233; &#x1F600; &#128;", "references"), "café 😀 €");
  assert.equal(read("&#xD800; &#0; &#233;", "references"), "&#xD800; &#0; é");
  assert.equal(read("caf\\u00e9 \\ud83d\\ude00 \\u{1F600}", "escapes"), "café 😀 😀");
  assert.equal(read("\\U0001F600 \\u00e9", "escapes"), "😀 é");
  assert.equal(read("caf\\xc3\\xa9", "bytes"), "café");
  assert.equal(read('"caf\\303\\251.txt"', "bytes"), '"café.txt"');
});
