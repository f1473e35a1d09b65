// The entry that finds encodings. It gives exactly the results of the crate textcodec-detect, which `npm run vectors` writes.

import { assert } from "chai";
import { describe, test } from "node:test";
import { decode, encode, importEntry, inNode, readFile, readJson } from "./support/package.js";
import { bytes, joined, repeated, throws } from "./support/tools.js";

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

const ascii = (text) => encode(text, "utf-8");

const toCandidate = ([encoding, malformed, nonAscii, unlikely, probability, isComplete]) => ({
  encoding, malformed, nonAscii, unlikely, probability, isComplete,
});
const toDeclaration = ([encoding, form, label, offset]) => ({ encoding, form, label, offset });

/** Exact results, except for probabilities, whose logarithms and powers of e differ in the last bits between engines. */
function sameDetection(actual, expected, message) {
  const exact = ({ probability, candidates, ...others }) => ({ ...others, candidates: candidates.map(({ probability, ...others }) => others) });
  const probabilities = ({ probability, candidates }) => [probability, ...candidates.map(({ probability }) => probability)];
  assert.deepEqual(exact(actual), exact(expected), message);
  const others = probabilities(expected);
  probabilities(actual).forEach((probability, n) => assert.closeTo(probability, others[n], 1e-9, message));
}

function compareWithCrate(isOfKind) {
  const seen = new Set();
  let count = 0;
  for (const { input, options, candidates, declarations, ...others } of vectors.filter(isOfKind)) {
    const text = joined(...input.map(([hex, times]) => repeated(bytes(hex), times)));
    const expected = { ...others, candidates: candidates.map(toCandidate), declarations: declarations.map(toDeclaration) };
    const detection = detect(text, options);
    sameDetection(detection, expected, `${input.map(([hex, times]) => `${hex} ${times}`)}; ${JSON.stringify(options)}`);
    if (text.length < 1000 && count % 3 === 0) assert.deepEqual(inChunks(text, [1], options), detection);
    count++;
    seen.add(expected.evidence).add(expected.confidence).add(expected.encoding).add(expected.language);
    for (const { form } of expected.declarations) seen.add(form);
  }
  return { count, seen: [...seen] };
}

describe("the results of the crate", () => {
  test("without a guess, for declarations, damaged text, binary data and long text", () => {
    const { count, seen } = compareWithCrate(({ options }) => !options.guess);
    assert.includeMembers(seen, ["empty", "bom", "declaration", "structure", "ascii", "fallback", "none"]);
    assert.includeMembers(seen, ["low", "medium", "high", "certain"]);
    assert.includeMembers(seen, ["meta", "pragma", "xml", "wide-xml", "css", "comment", "po", "mail", "transport"]);
    assert.includeMembers(seen, ["latex", "jsp", "php", "card", "gedcom", "desktop", "vim", "sql", "postgres"]);
    assert.isAbove(count, 1000);
  });

  test("with a guess, for text in many languages and encodings, tables, mixtures, damaged text and random bytes", () => {
    const { count, seen } = compareWithCrate(({ options }) => options.guess);
    assert.includeMembers(seen, ["guess", "fallback", "structure", "low", "medium", "high"]);
    assert.includeMembers(seen, ["windows-1252", "KOI8-R", "macintosh", "Shift_JIS", "EUC-JP", "EUC-KR", "GBK", "gb18030", "Big5"]);
    assert.includeMembers(seen, ["French", "Russian", "Thai", "Hebrew", "Japanese", "Korean", "Chinese", null]);
    assert.isAbove(count, 1500);
  });
});

const RUSSIAN = "Сегодня утром шёл дождь, но к вечеру небо над городом прояснилось. Я люблю тёплую погоду.\n";
const JAPANESE = "今朝は雨が降っていましたが、夕方には町の空が晴れました。私は暖かい天気が好きです。\n";
const TAIWANESE = "今天早上下雨，但是到了晚上，城市的天空就放晴了。我喜歡溫暖的天氣。\n";

describe("guesses", () => {
  test("the answer, its language and the candidates have a probability", () => {
    const text = encode("Dnes ráno svítí slunce, ale večer se obloha zatáhne a začne pršet. Přijďte si k nám pro deštník.", "iso-8859-2");
    const { encoding, confidence, probability, evidence, language, candidates } = detect(text);
    assert.deepEqual([encoding, confidence, evidence, language], ["ISO-8859-2", "high", "guess", "Czech"]);
    assert.isAtLeast(probability, 0.999);
    assert.isAtMost(probability, 1);
    assert.equal(candidates[0].encoding, encoding);
    assert.equal(candidates[0].probability, probability);
    const others = candidates.slice(1).filter(({ malformed }) => malformed === 0).map(({ probability }) => probability);
    assert.isAbove(others.length, 3);
    assert.deepEqual(others, [...others].sort((a, b) => b - a));
  });

  test("a page outside of the standard is no answer, but the reason names it", () => {
    const { encoding, confidence, reason } = detect(bytes("4b 84 72 61 20 76 84 6e 6e 65 72 2c 20 64 65 74 20 84 72 20 65 6e 20 68 84 72 6c 69 67 20 64 61 67"));
    assert.deepEqual([encoding, confidence], ["windows-1252", "low"]);
    assert.match(reason, /; but it looks like IBM850, which cannot be decoded here$/);
  });

  test("a declaration that the letters contradict is uncertain", () => {
    const { encoding, confidence, reason } = detect(encode(`<meta charset=koi8-r>${RUSSIAN}`, "windows-1251"));
    assert.deepEqual([encoding, confidence], ["KOI8-R", "low"]);
    assert.match(reason, /; but its letters fit windows-1251$/);
  });

  test("long text: non-ASCII at the end, and more than the sample", () => {
    const plain = repeated(ascii("a line of plain text\n"), 100_000);
    assert.equal(detect(joined(plain, encode(JAPANESE, "euc-jp"))).encoding, "EUC-JP");
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

  test("candidates, languages and topLevelDomain", () => {
    const word = bytes("cf f0 e8 e2 e5 f2"); // "Привет" in windows-1251
    assert.equal(detect(word, { topLevelDomain: "ru" }).encoding, "windows-1251");
    assert.deepEqual(detect(word, { topLevelDomain: ".RU" }), detect(word, { topLevelDomain: "ru" }));
    for (const topLevelDomain of ["", ".", "a.ru", "рф", undefined]) assert.deepEqual(detect(word, { topLevelDomain }), detect(word));
    const lithuanian = bytes("45 fe 65 72 61 73 20 64 61 72 20 6e 65 75 f0 e0 6c e6 73 2e");
    const { encoding, language } = detect(lithuanian, { languages: ["lt-LT"] });
    assert.deepEqual([encoding, language], ["windows-1257", "Lithuanian"]);
    assert.deepEqual(detect(lithuanian, { languages: new Set(["Lithuanian"]) }), detect(lithuanian, { languages: ["lt"] }));
    assert.deepEqual(detect(lithuanian, { languages: ["tlh"] }), detect(lithuanian)); // unknown, so no hint
    const czech = bytes("44 6e 65 b9 20 73 76 ed 74 ed 20 73 6c 75 6e 63 65 2e");
    assert.equal(detect(czech, { candidates: ["cp1250"] }).encoding, "windows-1250");
    assert.equal(detect(czech, { candidates: [] }).encoding, "ISO-8859-2");
    assert.equal(detect(encode("\u4f60\u597d", "gbk"), { candidates: ["gb18030"] }).encoding, "GBK"); // the same decoder
    assert.deepEqual(detect(czech, { candidates: ["big5"] }).evidence, "fallback");
  });

  test("invalid arguments", () => {
    throws(() => detect("text"), TypeError);
    throws(() => detect(bytes("61"), 1), TypeError);
    throws(() => detect(bytes("61"), { transport: "none" }), RangeError);
    throws(() => new Detector({ fallback: "none" }), RangeError);
    throws(() => detect(bytes("61"), { candidates: ["koi8-r", "none"] }), RangeError);
    throws(() => detect(bytes("61"), { candidates: "koi8-r" }), TypeError);
    throws(() => detect(bytes("61"), { languages: 1 }), TypeError);
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
