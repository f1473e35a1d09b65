// The entry that finds encodings. All evidence except a guess gives exactly the results of the crate textcodec-detect, which
// `npm run vectors` writes.

import { assert } from "chai";
import { describe, test } from "node:test";
import { decode, encode, importEntry, inNode, readFile, readJson } from "./support/package.js";
import { bytes, joined, throws } from "./support/tools.js";

const { Detector, detect } = await importEntry("detect");
const vectors = await readJson("generated/detections.json");

/** Detects a text in chunks of these lengths, over and over. */
function inChunks(input, lengths, options) {
  const detector = new Detector(options);
  for (let at = 0, n = 0; at < input.length; n++) {
    const length = lengths[n % lengths.length];
    detector.write(input.subarray(at, at + length));
    at += length;
  }
  return detector.end(options);
}

const repeated = (part, times) => {
  const all = new Uint8Array(part.length * times);
  for (let n = 0; n < times; n++) all.set(part, n * part.length);
  return all;
};

const ascii = (text) => encode(text, "utf-8");

describe("the results of the crate", () => {
  test("without a guess, for declarations, damaged text, binary data and long text", () => {
    const seen = new Set();
    for (const { input, transport, partial, candidates, declarations, ...expected } of vectors) {
      const text = joined(...input.map(([hex, times]) => repeated(bytes(hex), times)));
      const options = { guess: false, partial, transport: transport === "" ? undefined : transport };
      const detection = detect(text, options);
      const { language, ...actual } = detection;
      assert.deepEqual(
        actual,
        {
          ...expected,
          candidates: candidates.map(([encoding, malformed, nonAscii, unlikely, isComplete]) => ({ encoding, malformed, nonAscii, unlikely, isComplete })),
          declarations: declarations.map(([encoding, form, label, offset]) => ({ encoding, form, label, offset })),
        },
        `${input.map(([hex, times]) => `${hex} ${times}`)}; ${transport}; ${partial}`,
      );
      assert.isNull(language);
      if (text.length < 1000) assert.deepEqual(inChunks(text, [1], options), detection);
      seen.add(expected.evidence).add(expected.confidence);
      for (const [, form] of declarations) seen.add(form);
    }
    assert.includeMembers([...seen], ["empty", "bom", "declaration", "structure", "ascii", "fallback", "none"]);
    assert.includeMembers([...seen], ["low", "medium", "high", "certain"]);
    assert.includeMembers([...seen], ["meta", "pragma", "xml", "wide-xml", "css", "comment", "po", "mail", "transport"]);
    assert.isAbove(vectors.length, 1000);
  });
});

const RUSSIAN = "Сегодня утром шёл дождь, но к вечеру небо над городом прояснилось. Я люблю тёплую погоду.\n";
const JAPANESE = "今朝は雨が降っていましたが、夕方には町の空が晴れました。私は暖かい天気が好きです。\n";
const CHINESE = "今天早上下雨，但是到了晚上，城市的天空就放晴了。我喜欢温暖的天气。\n";
const TAIWANESE = "今天早上下雨，但是到了晚上，城市的天空就放晴了。我喜歡溫暖的天氣。\n";
const KOREAN = "오늘 아침에는 비가 왔지만 저녁에는 도시의 하늘이 맑아졌습니다. 나는 따뜻한 날씨를 좋아합니다.\n";
const FRENCH = "La forêt est calme ; le garçon mange une pêche près de la rivière. À l'école, l'élève a dessiné un âne.\n";
const LITHUANIAN = "Rytą lijo, bet vakare dangus virš miesto prašviesėjo. Man patinka šiltas oras. Kur mano skrybėlė?\n";

describe("guesses", () => {
  test("text in the encodings that have letter pairs, and in others", () => {
    for (const [encoding, text, confidence, language] of [
      ["Shift_JIS", JAPANESE, "medium", null],
      ["EUC-JP", JAPANESE, "high", "Japanese"],
      ["EUC-KR", KOREAN, "high", "Korean"],
      ["GBK", CHINESE, "high", undefined],
      ["gb18030", `${CHINESE}\u{20000}\u{1f600}`, "high", undefined],
      ["Big5", TAIWANESE, "medium", null],
      ["windows-1251", RUSSIAN, "high", "Russian"],
      ["KOI8-R", RUSSIAN, "high", "Russian"],
      ["IBM866", RUSSIAN, "high", "Russian"],
      ["x-mac-cyrillic", RUSSIAN, undefined, "Russian"],
      ["windows-1252", FRENCH, "high", "French"],
      ["macintosh", FRENCH, "high", "French"],
      ["windows-1257", LITHUANIAN, "medium", "Lithuanian"],
      ["windows-1253", "Το πρωί έβρεχε, αλλά το βράδυ ο ουρανός της πόλης καθάρισε.", "high", "Greek"],
      ["windows-1250", "Dziś rano padał śnieg, a potem wyszło słońce. Świeci już jasno.", "high", "Polish"],
      ["windows-1252", "un café", "low", null],
    ]) {
      const detection = detect(encode(text, encoding));
      assert.equal(detection.encoding, encoding, detection.reason);
      assert.equal(detection.evidence, "guess");
      if (confidence !== undefined) assert.equal(detection.confidence, confidence, `${encoding}: ${detection.reason}`);
      if (language !== undefined) assert.equal(detection.language, language, encoding);
      assert.equal(detection.candidates[0].encoding, encoding);
    }
  });

  test("half-width katakana, words in ASCII around, and one malformed sequence", () => {
    assert.equal(detect(encode("ﾌﾟﾛｸﾞﾗﾑ,ｼｽﾃﾑ,ﾃﾞｰﾀ\nｶﾌﾞｼｷｶﾞｲｼｬ,ﾄｳｷｮｳ\n", "shift_jis")).encoding, "Shift_JIS");
    const page = '<div class="article"><span title="some text">\n'.repeat(300) + LITHUANIAN;
    assert.equal(detect(encode(page, "windows-1257")).language, "Lithuanian");
    for (const [encoding, text] of [["Shift_JIS", JAPANESE], ["EUC-KR", KOREAN]]) {
      const detection = detect(joined(encode(text.repeat(20), encoding), bytes("ff ff 0a")));
      assert.equal(detection.encoding, encoding);
      assert.equal(detection.confidence, "low");
      assert.match(detection.reason, /; but with 2 malformed sequences, the first at byte \d+/);
    }
  });

  test("a declaration that the letters contradict is uncertain", () => {
    const { encoding, confidence, reason } = detect(encode(`<meta charset=koi8-r>${RUSSIAN}`, "windows-1251"));
    assert.deepEqual([encoding, confidence], ["KOI8-R", "low"]);
    assert.match(reason, /; but its letters fit windows-1251$/);
  });

  test("letters in no known order, and short text", () => {
    const letters = [..."жъщыфэёц"];
    const text = Array.from({ length: 400 }, (_, n) => letters[Math.floor((n * n) / 7) % 8]).join("");
    assert.equal(detect(encode(text, "windows-1251")).confidence, "low");
    const short = detect(bytes("a1 20 a4 20 a1"));
    assert.equal(short.confidence, "low");
    assert.match(short.reason, / is almost as likely$/);
  });

  test("long text: non-ASCII at the end, and more than the sample", () => {
    const plain = repeated(ascii("a line of plain text\n"), 100_000);
    assert.equal(detect(joined(plain, encode(JAPANESE, "euc-jp"))).encoding, "EUC-JP");
    assert.equal(detect(repeated(encode(JAPANESE, "shift_jis"), 20_000)).encoding, "Shift_JIS");
    const russian = repeated(encode(RUSSIAN, "koi8-r"), 20_000);
    const detection = detect(russian);
    assert.deepEqual([detection.encoding, detection.bytes], ["KOI8-R", russian.length]);
    assert.deepEqual(inChunks(russian, [100_001]), detection);
  });

  test("any chunks give the same result", () => {
    for (const text of [encode(RUSSIAN, "windows-1251"), encode(JAPANESE, "shift_jis"), encode(TAIWANESE, "big5")]) {
      for (const lengths of [[1], [7], [3, 0, 50]]) assert.deepEqual(inChunks(text, lengths), detect(text));
    }
  });

  test("the samples of the project", { skip: !inNode && "the page has no samples" }, async () => {
    const wrong = [];
    for (const name of SAMPLES) {
      const text = await readFile(`../../samples/${name}`);
      const [, label] = name.split(".");
      const detection = detect(text);
      const expected = decode(text, label, { bom: "keep" });
      if (decode(text, detection.encoding, { bom: "keep" }) !== expected) wrong.push(`${name}: ${detection.encoding}`);
    }
    assert.deepEqual(wrong, []);
  });
});

const SAMPLES = [
  "amber.windows-1257.txt", "bakery.windows-1255.txt", "cafe.macintosh.txt", "cafe.windows-1252.txt", "desert.windows-1256.txt",
  "ferry.windows-1254.txt", "forest.iso-8859-2.txt", "forest.windows-1250.txt", "harbour.big5.txt", "island.windows-1253.txt",
  "letter.gb18030.txt", "library.gbk.txt", "market.euc-kr.txt", "orchard.koi8-u.txt", "orchard.windows-1251.txt", "orders.shift_jis.csv",
  "river.windows-874.txt", "stars.utf-16be.txt", "tea.euc-jp.txt", "tea.iso-2022-jp.txt", "tea.shift_jis.txt", "train.iso-8859-2.txt",
  "village.windows-1258.txt", "weather.ibm866.txt", "weather.iso-8859-5.txt", "weather.koi8-r.txt", "workshop.macintosh.txt",
];

describe("options", () => {
  test("contentType", () => {
    for (const [header, encoding] of [
      ["text/html;charset=koi8-r", "KOI8-R"],
      [" text/html ; x=y ;CHARSET=\"koi8-r\" ; charset=gbk\r\n", "KOI8-R"],
      ['text/html;charset="koi8\\-r" junk;x', "KOI8-R"],
      ['text/html;charset="koi8-r', "KOI8-R"],
      ['text/html;x=";charset=gbk";charset=koi8-r', "KOI8-R"],
      ["text/html;charset=;charset=koi8-r", "KOI8-R"],
      ["text/html;charset;charset=koi8-r", "KOI8-R"],
      ["text/html;;charset=koi8-r", "KOI8-R"],
      ["text/html;charset=\u0001;charset=koi8-r", "KOI8-R"],
      ["text/html;charset= koi8-r", "KOI8-R"], // labels are trimmed
      ["text/html;charset =koi8-r", "windows-1252"],
      ["text/html;xcharset=koi8-r", "windows-1252"],
      ["text/html;charset=unknown;charset=koi8-r", "windows-1252"],
      ["text/;charset=koi8-r", "windows-1252"],
      ["te xt/html;charset=koi8-r", "windows-1252"],
      ["charset=koi8-r", "windows-1252"],
      ["", "windows-1252"],
    ]) {
      assert.equal(detect(bytes("c1"), { contentType: header, guess: false }).encoding, encoding, header);
    }
    const { reason } = detect(bytes("c1"), { contentType: "text/plain; charset=koi8-r" });
    assert.equal(reason, "declared by the transport layer (charset=KOI8-R)");
  });

  test("declarations, fallback, transport and partial", () => {
    const page = ascii("<meta charset=gbk>\u00e9");
    assert.equal(detect(page).encoding, "GBK");
    assert.equal(detect(page, { declarations: false }).encoding, "UTF-8");
    assert.equal(detect(page, { declarations: false, transport: "gbk" }).encoding, "GBK");
    assert.equal(detect(bytes("ff"), { guess: false, fallback: "koi8-r" }).encoding, "KOI8-R");
    const cut = ascii("\u65e5\u672c\u8a9e").subarray(0, 8);
    assert.equal(detect(cut, { partial: true }).candidates[0].malformed, 0);
    assert.isAbove(detect(cut, { fallback: "utf-8", guess: false }).candidates[0].malformed, 0);
  });

  test("invalid arguments", () => {
    throws(() => detect("text"), TypeError);
    throws(() => detect(bytes("61"), 1), TypeError);
    throws(() => detect(bytes("61"), { transport: "none" }), RangeError);
    throws(() => new Detector({ fallback: "none" }), RangeError);
    throws(() => new Detector().write("text"), TypeError);
  });

  test("all kinds of buffers", () => {
    const text = encode(RUSSIAN, "koi8-r");
    for (const source of [text.buffer.slice(text.byteOffset, text.byteOffset + text.length), new DataView(text.buffer, text.byteOffset, text.length)]) {
      assert.equal(detect(source).encoding, "KOI8-R");
    }
  });
});

describe("Detector", () => {
  test("isDecided after a block with a byte order mark", () => {
    const detector = new Detector();
    detector.write(bytes("ef bb bf"));
    assert.isFalse(detector.isDecided);
    detector.write(new Uint8Array(65_536).fill(0x61));
    assert.isTrue(detector.isDecided);
    detector.write(bytes("ff"));
    const { encoding, evidence, bytes: count } = detector.end();
    assert.deepEqual([encoding, evidence, count], ["UTF-8", "bom", 65_536]);
  });

  test("a detector can be used again", () => {
    const detector = new Detector({ guess: false });
    assert.equal(detector.end().evidence, "empty");
    detector.write(bytes("fe ff 00 61"));
    assert.equal(detector.end().encoding, "UTF-16BE");
    detector.write(ascii("abc"));
    assert.equal(detector.end({ partial: true }).reason, "all bytes are ASCII, which is the same in UTF-8 and most other encodings; only the first 3 bytes were examined");
  });

  test("chunks may be changed after they were written", () => {
    const detector = new Detector();
    const chunk = encode(RUSSIAN, "koi8-r");
    detector.write(chunk);
    chunk.fill(0);
    assert.equal(detector.end().encoding, "KOI8-R");
  });
});

test("long runs of white space within a line take less than a second", () => {
  const spaces = " ".repeat(65_000);
  const mail = "Content-Type: text/plain; charset=";
  for (const text of [`a${spaces}x`, `# ${spaces}x`, `Subject: a${spaces}x\n\n`, `${mail}"${spaces}x"\n\n`, `${mail}utf-8\nContent-Transfer-Encoding: a${spaces}x\n\n`,
    `Content-Type: multipart/mixed; boundary=x\n\n--${spaces}x`.slice(0, 65_000)]) {
    const start = performance.now();
    detect(ascii(text));
    assert.isBelow(performance.now() - start, 1000, text.slice(0, 20));
  }
  for (const contentType of [`text/html;${spaces}x`, `text/html${spaces}x`, `text/html;charset=koi8-r${spaces}x`]) {
    const start = performance.now();
    detect(ascii("a"), { contentType });
    assert.isBelow(performance.now() - start, 1000, contentType.slice(0, 20));
  }
});
