// How often short text is ranked right. The rules of the ranking were chosen without these words: when a rule changes, keep
// them as they are, and do not choose a rule because of one of them. docs/design/page.md has the figures.

import { test } from "node:test";
import assert from "node:assert/strict";
import { decode, encodeOrFail } from "textcodec";
import { decodings } from "../src/repair/decodings.js";
import { repairs } from "../src/repair/repairs.js";

const WORDS = {
  "windows-1255": [
    "ספר",
    "בית",
    "ילד טוב",
    "מחשב",
    "אהבה",
    "תל אביב",
    "חיפה",
    "ערב טוב",
    "לילה טוב",
    "משפחה",
    "חדשות היום",
    "רשימת קניות",
    "נמל",
    "פרק ראשון",
    "סוף",
  ],
  "windows-1251": [
    "книга",
    "дверь",
    "Спасибо",
    "Москва",
    "утро",
    "вопрос",
    "отчёт за год",
    "Сергей",
    "картинка",
    "здравствуйте",
    "ключ",
    "стол",
    "Иван Петров",
  ],
  "KOI8-R": ["книга", "Спасибо", "вопрос", "отчёт", "здравствуйте", "Сергей"],
  "windows-1252": [
    "crème brûlée",
    "Größe",
    "mañana",
    "coração",
    "Åsa",
    "forêt",
    "blåbær",
    "Zürich",
    "£20",
    "naïveté",
    "¿Qué?",
    "Malmö",
    "José",
    "dérivée",
    "Bjørn",
  ],
  "windows-1250": ["Kraków", "Wałęsa", "Žižka", "čeština", "Győr", "köszönöm", "žena", "Petr Novák"],
  "windows-1253": ["βιβλίο", "Ελλάδα", "ευχαριστώ", "νερό", "θάλασσα"],
  "windows-1256": ["كتاب", "محمد", "صباح الخير", "العربية", "بيت"],
  "windows-1254": ["teşekkürler", "güneş", "Ağrı", "çocuk"],
  Shift_JIS: ["大阪", "写真", "さようなら", "メモ.txt", "株式会社", "見積書"],
  "EUC-JP": ["大阪", "写真", "株式会社"],
  GBK: ["上海", "图片", "会议记录", "早上好", "用户"],
  Big5: ["高雄", "圖片", "早安", "會議記錄"],
  "EUC-KR": ["부산", "사진", "회의록", "좋은 아침"],
  "windows-874": ["กรุงเทพ", "หนังสือ", "สวย"],
  "UTF-8": ["книга", "ספר", "كتاب", "กรุงเทพ", "大阪", "부산", "Größe", "½", "→ ok", "“a”", "\u200fספר\u200f", "βιβλίο"],
};
const all = Object.entries(WORDS).flatMap(([encoding, words]) => words.map((word) => ({ encoding, word })));

test("bytes of short text: the first result", (t) => {
  const wrong = all.filter(({ encoding, word }) => decodings(encodeOrFail(word, encoding), false)[0].text !== word);
  t.diagnostic(`${all.length - wrong.length} of ${all.length} are right`);
  assert.ok(wrong.length <= 10, wrong.map(({ encoding, word }) => `${encoding} ${word}`).join(", "));
});

test("short text as UTF-8 that was read in another encoding", (t) => {
  let count = 0;
  for (const { word } of all) {
    for (const wrong of ["windows-1252", "windows-1251", "macintosh"]) {
      const garbled = decode(encodeOrFail(word, "UTF-8"), wrong);
      count++;
      assert.equal(repairs(garbled).candidates[0]?.text, word, `${garbled} in ${wrong}`);
    }
  }
  t.diagnostic(`${count} are right`);
});

test("short text that is right gets no repair", () => {
  for (const { word } of all) assert.deepEqual(repairs(word).candidates, [], word);
});
