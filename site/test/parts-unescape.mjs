// Notations for bytes and characters. The dumps are the output of the programs themselves.

import { test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
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

/** The output of `program` for BYTES. */
const dumpBy = (program, ...options) => execFileSync(program, options, { input: BYTES, encoding: "utf8" });

test("dumps in all bases, with and without offsets", () => {
  const OD = ["", "-b", "-t u1", "-A d -t u1", "-A x -t x1", "-t x4", "-t o2", "-A n -t u1", "-A n -b", "-A n -t x1"];
  const dumps = OD.map((options) => dumpBy("od", ...options.split(" ").filter(Boolean)));
  dumps.push(
    `00000000: 01100011 01100001 01100110 11000011 10101001 00100000  caf..
00000006: 11100010 10011000 10010101 00101100 00100000 01101110  ..., n
0000000c: 01100001 11000011 10101111 01110110 01100101 00001010  a..ve.`,
    `0000000 143 141 146 303 251 040 342 230 225 054 040 156 141 303 257 166
0000010 145 012
0000012`,
    `0000000  060543  141546  020251  114342  026225  067040  141541  073257
0000010  005145
0000012`,
    [...BYTES].map((byte) => byte.toString(2).padStart(8, "0")).join(" "),
  );
  for (const dump of dumps) {
    for (const pasted of [dump, dump.trim()]) {
      const kind = guess(pasted);
      assert.ok(kind === "dump" || kind === "hex", `${kind} ${pasted}`);
      assert.equal(decode(toBytes(pasted, kind)), decode(BYTES), pasted);
    }
  }
  const word = "72 101 108 108 111";
  assert.equal(decode(toBytes(word, guess(word))), "Hello");
  // Excerpts that do not follow each other, and offsets of another file.
  const excerpts = "00000000: 6361 66c3 a9                             caf..\n00000450: 2121                                     !!";
  assert.equal(decode(toBytes(excerpts, guess(excerpts))), "café!!");
});

test("other numbers are not bytes", () => {
  const numbers =
    "089 123 456|0891 234567|06 12 34 56 78|+49 89 123 456|(030) 123 456 78|555-1234|2024-01-31|31 12 2024|20240131|31/12/2024|" +
    "12:30|12:30:45|20:45|1.2.3|10.0.19045|12,50|1,234,567|12,345,678|5.99 7.99|1 2 3 4 5 6|2024 2025|0891234567|" +
    "100 200 300|192 168 0 1|20240131: 1200 1330|0301234 56 78|1000 2000 3000|100 105 110 120|1234567890123456";
  for (const text of numbers.split("|")) assert.equal(guess(text), "text", text);
  for (const text of ["41 42 43", "4142434a", "414243", "93fa", "63 61 66", "9394 9596"]) assert.equal(guess(text), "hex", text);
});

test("long dumps are read in linear time", () => {
  const start = performance.now();
  const numbers = "63 61 66 c3 a9 20 e2 98 95 2c 20 6e 61 c3 af 76";
  const line = (n) => `${(16 * n).toString(16).padStart(8, "0")}  ${numbers}  |caf.. ..., na..v|`;
  const long = Array.from({ length: 20000 }, (_, n) => line(n)).join("\n");
  assert.equal(toBytes(long, guess(long)).length, 320000);
  const wide = `0000000 ${"63 ".repeat(3e5)}`;
  assert.equal(toBytes(wide, "dump").length, 3e5);
  assert.ok(performance.now() - start < 20_000);
});

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
  assert.equal(read("caf&amp;#233; &amp;amp;#xE9;", "references"), "café é");
  assert.equal(read("%u65E5%u672C", "escapes"), "日本");
  assert.equal(read("caf=c3=a9", "quoted-printable"), "café");
  assert.equal(guess("a=be&c=de"), "text");
  assert.equal(read("caf\\xc3\\xa9", "bytes"), "café");
  assert.equal(read('"caf\\303\\251.txt"', "bytes"), '"café.txt"');
});
