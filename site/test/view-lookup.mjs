// Look up, in a browser. `parts-lookup.mjs` tests what is found.

import { test } from "node:test";
import assert from "node:assert/strict";
import { PHONE, open } from "./browser.mjs";

async function look(tab, query) {
  await tab.fill("input[name=lookup]", query);
}

test("a character, text, a code point and bytes", async (t) => {
  const tab = await open(t, "lookup");
  assert.equal(await tab.count(".found"), 0);
  await look(tab, "ｱ");
  let found = await tab.see(".found", "U+FF71 HALFWIDTH KATAKANA LETTER A");
  for (const part of [
    /B1\s+Shift_JIS/,
    /8E B1\s+EUC-JP/,
    /Halfwidth and Fullwidth Forms/,
    /Not in \d+ encodings: .*windows-1252/,
  ]) {
    assert.match(found, part);
  }
  await look(tab, "日本語");
  found = await tab.see(".found", "93 FA 96 7B 8C EA");
  assert.match(found, /E6 97 A5 E6 9C AC E8 AA 9E\s+UTF-8/);
  assert.match(found, /29 encodings cannot represent it/);
  await tab.see(".characters", /U\+672C CJK UNIFIED IDEOGRAPH-672C CJK Unified Ideographs/);
  await look(tab, "U+20AC");
  found = await tab.see(".found", "U+20AC EURO SIGN");
  assert.match(found, /88\s+windows-1251/);
  assert.match(found, /Not in 17 encodings: Shift_JIS/);
  await look(tab, "82 A0");
  found = await tab.see(".found", "82 A0 in every encoding");
  await tab.see(".meanings li", /あ\s+Shift_JIS\s+あ\s+U\+3042 HIRAGANA LETTER A/);
  assert.match(found, /Malformed in\s+UTF-8/);
});

test("ambiguous input is explained, and can be read in another way", async (t) => {
  const tab = await open(t, "lookup/82A0");
  const note = await tab.see(".lookup .status", "Read as 2 bytes");
  assert.equal(note, "Read as 2 bytes. It could also be the code point U+82A0 or the text “82A0”.");
  await tab.click(".status a", "the code point U+82A0");
  await tab.see(".found", "U+82A0 CJK UNIFIED IDEOGRAPH-82A0");
  await tab.click(".status a", "the text “82A0”");
  await tab.see(".found", "38 32 41 30");
  await tab.back();
  await tab.see(".found", "U+82A0");
  assert.equal(await tab.hash(), "#lookup/82A0/point");
});

test("links lead to a character and to its place in a table", async (t) => {
  const tab = await open(t, "lookup/%E6%97%A5%E6%9C%AC");
  await tab.click(".characters a", "U+65E5");
  await tab.see(".found", "Block CJK Unified Ideographs");
  assert.equal(await tab.get("input[name=lookup]", "value"), "U+65E5");
  await tab.click(".places a", "jis0208, pointer 3569");
  await tab.see(".card", "U+65E5");
  assert.equal(await tab.text("nav [aria-current=page]"), "Look up");
});

test("bidirectional controls are shown, not obeyed", async (t) => {
  const tab = await open(t, "lookup/%E2%80%AE%D7%A9%D7%9C");
  await tab.see(".characters", "RIGHT-TO-LEFT OVERRIDE");
  await look(tab, "E2 80 AE 41");
  await tab.see(".meanings .control", "U+202E");
  assert.ok(!(await tab.text(".meanings")).includes("\u202e"));
});

test("controls in a query or in a link are shown, not obeyed", async (t) => {
  const tab = await open(t, "lookup");
  const cases = {
    "a\u202eb": "Read as the text “aU+202Eb”.",
    "a\0b": "Read as the text “aU+0000b”.",
    "\x1b[31m": "Read as the text “U+001B[31m”.",
    "a\u009bb": "Read as the text “aU+009Bb”.",
    "x\ty": "Read as the text “xU+0009y”.",
    "a\u2029b": "Read as the text “aU+2029b”.",
    "\0": "Read as the character U+0000.",
    "\u2066": "Read as the character U+2066.",
    "<b>x</b>": "Read as the text “<b>x</b>”.",
  };
  for (const [query, wanted] of Object.entries(cases)) {
    await tab.goto(`lookup/${encodeURIComponent(query)}`);
    await tab.see(".lookup .status", wanted);
    assert.doesNotMatch(await tab.evaluate(() => document.title), /[\0-\x1f\x7f-\x9f\u2029\u202e\u2066]/);
    assert.doesNotMatch(await tab.text(".lookup"), /[\0-\x08\x1b\x7f-\x9f\u202e\u2066]/);
    await tab.goto("lookup");
    await look(tab, query);
    await tab.see(".lookup .status", wanted);
  }
  await look(tab, "0D 0A 09");
  await tab.see(".meaning", "U+000DU+000AU+0009");
  await tab.goto("lookup/%E4%Z");
  await tab.see(".lookup .status", "“%E4%Z”");
  // Half of a pair of UTF-16 has no encoding in an address.
  await look(tab, "x\ud800");
  await tab.see(".lookup .status", "x\ufffd");
});

test("many controls and long names do not make the page wider on a phone", async (t) => {
  const tab = await open(t, "lookup", { viewport: PHONE });
  const width = () => tab.evaluate(() => document.documentElement.scrollWidth);
  await look(tab, "\u202e".repeat(30));
  await tab.see(".lookup .status", "U+202EU+202E");
  assert.ok((await width()) <= PHONE.width);
  await tab.goto("repair");
  await tab.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["caf\u00e9"], `${"long".repeat(50)}.txt`));
    document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
  });
  await tab.see(".repair .status", "Best:");
  assert.ok((await width()) <= PHONE.width);
});

test("names are loaded only when they are needed", async (t) => {
  const tab = await open(t, "start");
  const loaded = () =>
    tab.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => /names-/.test(name)).length);
  assert.equal(await loaded(), 0);
  await tab.goto("lookup/a");
  await tab.see(".found", "LATIN SMALL LETTER A");
  assert.equal(await loaded(), 1);
});
