// Kinds of input, ranking, and the repair of garbled text.

import { test } from "node:test";
import assert from "node:assert/strict";
import { decode, encodeOrFail } from "textcodec";
import { decodings } from "../src/repair/decodings.js";
import { guess, toBytes } from "../src/repair/input.js";
import { repairs } from "../src/repair/repairs.js";
import { undo } from "../src/repair/undo.js";

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
});

test("short text is ranked right", () => {
  const cases = {
    "windows-1255": [
      "שלום",
      "תודה",
      "בוקר טוב",
      "ישראל",
      "מה שלומך",
      "חג שמח",
      "ירושלים",
      "שלום עולם!",
      "קובץ חדש",
      "מים",
    ],
    "UTF-8": [
      "\u202bשלום\u202c",
      "\u200eabc\u200f",
      "\u2067שלום\u2069",
      "\u202aABC\u202c",
      "a\u202eb",
      "é",
      "שלום",
      "日",
      "😀",
    ],
    "windows-1251": ["Привет", "мир", "Да", "нет", "что", "МОСКВА", "Новый документ"],
    "KOI8-R": ["Привет", "мир", "что такое"],
    "windows-1252": ["café", "Müller", "São Paulo", "Ça va", "“Hi”", "it’s", "Zoë"],
    "windows-1250": ["Łódź", "Dvořák", "Příliš"],
    "windows-1253": ["Γειά", "Αθήνα", "ναι"],
    "windows-1256": ["مرحبا", "سلام"],
    "windows-874": ["ไทย"],
    Shift_JIS: ["日本", "お茶"],
    GBK: ["你好", "谢谢"],
    Big5: ["中文", "謝謝"],
    "EUC-KR": ["안녕", "서울"],
  };
  for (const [encoding, texts] of Object.entries(cases)) {
    for (const text of texts) assert.equal(decodings(encodeOrFail(text, encoding), false)[0].text, text, encoding);
  }
});

test("Shift_JIS and UTF-8 with one mistake are ranked right", () => {
  const cases = [
    ["Shift_JIS", "日本語のテキストです。"],
    ["Shift_JIS", "今日はいい天気ですね"],
    ["Shift_JIS", "東京都千代田区千代田"],
    ["UTF-8", "日本語のテキスト"],
  ];
  for (const [encoding, text] of cases) {
    const bytes = [...encodeOrFail(text, encoding)];
    for (let at = 0; at < bytes.length; at++) {
      const [lost, added] = [bytes.toSpliced(at, 1), bytes.toSpliced(at, 0, 0xff)];
      for (const broken of [lost, added]) {
        assert.equal(decodings(Uint8Array.from(broken), false)[0].encodings[0], encoding, `${text} at ${at}`);
      }
    }
  }
});

test("only the garbled part of text is repaired", () => {
  const cases = {
    "cafÃ© 😀": "café 😀",
    "Müller – MÃ¼ller": "Müller – Müller",
    "itâ€™s 日本語": "it’s 日本語",
    "CafÃ© äöü Übergrößen": "Café äöü Übergrößen",
    "日本語 ƒeƒLƒXƒg": "日本語 テキスト",
    "Ïðèâåò 😀": "Привет 😀",
    "Â£5 and 5 £": "£5 and 5 £",
  };
  for (const [garbled, wanted] of Object.entries(cases)) assert.equal(repairs(garbled).candidates[0]?.text, wanted);
  const [best] = repairs("Müller – MÃ¼ller").candidates;
  assert.equal(best.kept, 2);
  // The garbled part of long text is not at its start.
  const long = `${"plain\n".repeat(2000)}cafÃ©`;
  assert.equal(repairs(long).candidates[0].text, `${"plain\n".repeat(2000)}café`);
});

test("lost bytes are restored", () => {
  for (const garbled of ["voilÃ  la", "voilÃ la", "voilÃ\u00a0 la"]) {
    const [best] = repairs(garbled).candidates;
    assert.equal(best.text, "voilà la", JSON.stringify(garbled));
    assert.equal(best.restored, garbled.includes("\u00a0") ? 0 : 1);
  }
  const [mixed] = repairs("Müller – MÃ¼ller, voilÃ  la cafÃ© 😀").candidates;
  assert.equal(mixed.text, "Müller – Müller, voilà la café 😀");
  assert.equal(repairs("Ã  la carte").candidates[0].text, "à la carte");
  assert.deepEqual(repairs("IRMÃ MARIA").candidates, []);
  // The last byte of a closing quotation mark is often removed.
  for (const [garbled, wanted] of [
    ["â€œHiâ€", "“Hi”"],
    ["â€œfineâ€ and â€œgoodâ€.", "“fine” and “good”."],
    ["â€œHiâ€\x9d", "“Hi”"],
    ["Espa±a", "España"],
  ]) {
    assert.ok(repairs(garbled).candidates.findIndex(({ text }) => text === wanted) === 0, garbled);
  }
});

test("text in the encodings of DOS is repaired", () => {
  assert.equal(repairs("Zo├½").candidates[0].text, "Zoë");
  assert.equal(repairs("├╝ber").candidates[0].text, "über");
  assert.equal(repairs("caf‚").candidates[0].text, "café", "DOS read as windows-1252");
  assert.ok(repairs("Zo├½").candidates[0].pairs.some(({ wrong }) => wrong === "cp437"));
});

test("text that is right is not repaired", () => {
  const right =
    "café|Müller – Zoë|naïve déjà vu|São João|Привет, мир|日本語のテキスト|こんにちは|안녕하세요|你好，世界|שלום עולם|مرحبا بالعالم|" +
    "สวัสดี|Ångström|50 € – 3 £|“Hi”|Příliš žluťoučký kůň|Καλημέρα κόσμε|İstanbul ışık|Łódź|№ 5 «дом»|Ça va|x² + y²|± 5 °C|" +
    "© 2020|½ cup|ÄÖÜ|SÃO PAULO|Việt Nam|à|À bientôt|naïf…|♥|😀|Ñandú|über–alles";
  for (const text of right.split("|")) assert.deepEqual(repairs(text).candidates, [], text);
});

test("long text is repaired in linear time", () => {
  const start = performance.now();
  const rightLetters = "é".repeat(1e6);
  const kept = undo(`${rightLetters}Ã©`, "windows-1252", "UTF-8");
  assert.ok(kept.text === `${rightLetters}é`, "more right characters than errors that are listed");
  const lost = undo(`${"Ã  ".repeat(3e5)}AÃ `, "windows-1252", "UTF-8");
  assert.ok(lost.text.startsWith("à à à "));
  assert.equal(lost.restored, 3e5 + 1);
  const long = "“ú–{Œê‚ÌƒeƒLƒXƒg日本".repeat(20000);
  const { candidates } = repairs(long);
  assert.ok(candidates[0].text === "日本語のテキスト日本".repeat(20000));
  assert.ok(candidates.length <= 6, "each candidate of long text is as long");
  // With quadratic time, these take many minutes.
  assert.ok(performance.now() - start < 60_000);
});

test("the garbled part of long text is found wherever it is", () => {
  const lines = Array.from({ length: 500 }, (_, n) => `${n}: ${"Köln und Zürich. ".repeat(20)}`);
  lines[333] = "333: MÃ¼ller, cafÃ© et thÃ©. ".repeat(20);
  const [best] = repairs(lines.join("\n")).candidates;
  assert.equal(best?.text.split("\n")[333], "333: Müller, café et thé. ".repeat(20));
  const words = Array.from({ length: 20000 }, (_, n) => `Zürich ${n} und Köln`);
  assert.deepEqual(repairs(words.join("\n")).candidates, []);
  words[7000] = "MÃ¼ller, cafÃ© et thÃ©";
  assert.equal(repairs(words.join("\n")).candidates[0]?.text.split("\n")[7000], "Müller, café et thé");
  for (const plain of ["plain ".repeat(5000), "Zürich und Köln. ".repeat(5000), "Zürich, ".repeat(2000).replaceAll(",", "\n")]) {
    assert.ok(repairs(`${plain}MÃ¼ller, cafÃ© et thÃ©`).candidates[0]?.text === `${plain}Müller, café et thé`);
  }
});

test("text with signs and typographic quotes is not repaired, and is what its garbled form is repaired to", () => {
  const right =
    "Windows™ – it’s €5|Windows™|iPhone® & Windows™|© 2024 Müller GmbH®|Acme™®©|“smart quotes” – yes…|Café™|Français®|São™|" +
    "Nestlé®|L’Oréal®|Zürich™ €5|Ångström®|Smørrebrød™|Škoda™|price: €5–€10|“€5”|“Hello,” she said—‘maybe’…|日本語™|안녕™|" +
    "Microsoft® Windows™ costs €5…|Привет… “мир”|2 × 3|µm|★★★|‘tis|déjà-vu…|ÉTÉ™";
  for (const text of right.split("|")) {
    assert.deepEqual(repairs(text).candidates, [], text);
    const garbled = decode(encodeOrFail(text, "utf-8"), "windows-1252");
    assert.equal(repairs(garbled).candidates[0]?.text, text, garbled);
    assert.equal(decodings(encodeOrFail(text, "utf-8"), false)[0].text, text);
  }
  // One or two characters can be right in several encodings.
  for (const text of "Œuvre|œ|Œ|Ÿ|ƒ(x)|ˆ|›|‹a›|Ð|¥|5€|A™".split("|")) assert.deepEqual(repairs(text).candidates, [], text);
  for (const text of ["Windows™ – it’s €5", "Windows™", "© 2024 Müller GmbH®", "Nestlé®", "price: €5–€10"]) {
    assert.equal(decodings(encodeOrFail(text, "windows-1252"), false)[0].text, text);
  }
});
