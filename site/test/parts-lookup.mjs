// What queries of Look up mean, and what is found.

import { test } from "node:test";
import assert from "node:assert/strict";
import { NAMES } from "../src/encodings.js";
import { decodingsOf, encodingsOf, placesOf } from "../src/lookup/find.js";
import { readingsOf } from "../src/lookup/query.js";

const kinds = (query) => readingsOf(query).map(({ kind }) => kind);
const first = (query) => readingsOf(query)[0];

test("queries are recognised, and ambiguous ones have several readings", () => {
  assert.deepEqual(kinds("ｱ"), ["text"]);
  assert.deepEqual(kinds("日本語"), ["text"]);
  for (const query of ["U+20AC", "u+20ac", "\\u20AC", "\\u{20AC}", "&#x20AC;", "&#8364;", " U+20AC "]) {
    assert.deepEqual(first(query), { kind: "point", points: [0x20ac] }, query);
  }
  assert.deepEqual(first("0x20AC").points, [0x20ac]);
  assert.deepEqual(first("U+0041 U+030A").points, [0x41, 0x30a]);
  assert.deepEqual(first("U+0041U+030A").points, [0x41, 0x30a]);
  for (const query of ["82 A0", "82A0", "82a0", "%82%A0", "\\x82\\xA0", "0x82, 0xA0", "82:A0"]) {
    assert.deepEqual([...first(query).bytes], [0x82, 0xa0], query);
  }
  assert.deepEqual(kinds("82A0"), ["bytes", "point", "text"]);
  assert.deepEqual(kinds("82 A0"), ["bytes", "text"]);
  assert.deepEqual(kinds("a b"), ["text"]);
  assert.deepEqual(kinds("8 2A 0"), ["text"]);
  assert.deepEqual(kinds("face"), ["text", "bytes", "point"], "a word");
  assert.deepEqual(kinds("7"), ["text"]);
  assert.deepEqual(kinds("41"), ["bytes", "text"]);
  assert.deepEqual(kinds("U+D800"), ["text"], "not a character");
  assert.deepEqual(kinds("U+110000"), ["text"]);
  assert.deepEqual(kinds(" "), ["text"], "a space is a character");
  assert.deepEqual(kinds(""), []);
});

test("a character's bytes in every encoding, and where it is not", async () => {
  const { written, lacking } = await encodingsOf("€");
  const all = [...written, ...lacking].flatMap(({ encodings }) => encodings);
  assert.deepEqual(all.toSorted(), [...NAMES].sort(), "every encoding once");
  assert.equal(all.length, 39);
  const of = (name) => written.find(({ encodings }) => encodings.includes(name))?.bytes;
  assert.equal(of("UTF-8"), "E2 82 AC");
  assert.equal(of("UTF-16LE"), "AC 20");
  assert.equal(of("windows-1252"), "80");
  assert.equal(of("windows-1251"), "88");
  assert.equal(of("ISO-8859-15"), "A4");
  assert.equal(of("gb18030"), "A2 E3");
  assert.equal(lacking.length, 1);
  for (const name of ["Shift_JIS", "KOI8-R", "ISO-8859-2"]) assert.ok(lacking[0].encodings.includes(name), name);
  // The encoder of ISO-2022-JP writes full-width katakana.
  assert.equal((await encodingsOf("ｱ")).written.find(({ encodings }) => encodings.includes("Shift_JIS")).bytes, "B1");
  const text = await encodingsOf("日本é");
  assert.deepEqual(text.lacking.find(({ encodings }) => encodings.includes("windows-1252")).missing, ["日", "本"]);
  assert.deepEqual(text.lacking.find(({ encodings }) => encodings.includes("Shift_JIS")).missing, ["é"]);
});

test("places in the indexes, also those that encoders do not write", async () => {
  const places = (await placesOf(0x222a)).map(({ index, pointer }) => `${index.id} ${pointer}`);
  assert.ok(places.includes("jis0208 125") && places.includes("jis0208 1219"), places.join());
  const forms = (await placesOf(0x222a)).flatMap(({ forms }) => forms);
  const shiftJis = forms.filter(({ encoding }) => encoding === "Shift_JIS");
  assert.deepEqual(
    shiftJis.map(({ bytes, isWritten }) => [bytes, isWritten]),
    [
      ["81 BE", true],
      ["87 9C", false],
    ],
  );
  assert.deepEqual((await placesOf(0x4e02)).filter(({ index }) => index.id === "jis0212")[0].forms, [
    { encoding: "EUC-JP", bytes: "8F B0 A1", isWritten: false },
  ]);
});

test("bytes in every encoding", async () => {
  const results = await decodingsOf(Uint8Array.of(0x82, 0xa0));
  assert.deepEqual(results.flatMap(({ encodings }) => encodings).toSorted(), [...NAMES].sort());
  const of = (name) => results.find(({ encodings }) => encodings.includes(name));
  assert.equal(of("Shift_JIS").text, "あ");
  assert.equal(of("windows-1252").text, "‚\u00a0");
  assert.equal(of("UTF-16BE").text, "芠");
  assert.equal(of("UTF-8").errors.length, 2);
  assert.ok(results.indexOf(of("UTF-8")) > results.indexOf(of("x-user-defined")), "errors come last");
  // A byte order mark is a character here.
  assert.equal((await decodingsOf(Uint8Array.of(0xef, 0xbb, 0xbf)))[0].text, "\ufeff");
});
