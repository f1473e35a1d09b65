// Measures how much a decoding result looks like real text. The page explains the measure.

/** The maximum number of code units that are measured. */
const SAMPLE = 32768;

/**
 * Frequent characters other than ASCII: accented letters, and the most frequent letters of other alphabets, kana,
 * syllables and ideographs. Text in the right encoding contains many of them. In a wrong encoding, rare characters are
 * as frequent as these.
 */
const COMMON = new Set(
  "éèêàâçîïôùûëüöäßñóáíúãõåøæčšžřěýůłąęćśźżńőűășțğışıÉÀÜÖÄÅØŠŽČŁŚŻİ°€£’“”«»–—…·ºª" +
    "оеаинтсрвлкмдпуыяіОЕАИНТСРВЛКМДПУ" +
    "αοιετνσηυρπκμλςάίόέήύώΑΟΕΤΝΣΗΠΚΜ" +
    "יוהלאתרבשמנם" +
    "اليمونرتبةعدس" +
    "านรอกเงมยลวดทสต่้ัิีะไ" +
    "のにはをたがでとしるいてなかれらさすまこもりあくけっそだよきえんうちつどみめわやせろばおじょしゅ、。「」・ー" +
    "ンスルトリアイラックドシレジタフロカテマメィグバサュコデウプオムニキパナ" +
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里" +
    "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实" +
    "這個們來為國說時會對於著過發後裡種經麼學現當沒動還進樣開從實日月火水木金土東京語文字化表本漢電話年" +
    "이다는의에가을를하고지로은사도인한대기스시나자서아리어해일부정으그수전장제상주있년구보원과국만중것여신라들조용경학공동세계글" +
    "，。、：；！？（）《》",
);

const BAD = 1;
const SYMBOL = 2;
const LOWER = 3;
const UPPER = 4;
const LETTER = 5;
const MARK = 6;
const OTHER = 0;

/** The index of the Latin script in `SCRIPTS`. */
const LATIN = 0;

const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]/u,
  /\p{Script=Hangul}/u,
];

/** A cache of the kind and script of characters. */
const cache = new Map();

function traits(character) {
  let traits = cache.get(character);
  if (traits === undefined) {
    traits = { kind: kindOf(character), script: SCRIPTS.findIndex((script) => script.test(character)) };
    cache.set(character, traits);
  }
  return traits;
}

function kindOf(character) {
  if (character === "\ufffd") return OTHER;
  if (/[\p{Cc}\p{Co}\p{Cn}\p{Cs}\ufffe\uffff]/u.test(character)) return /[\t\n\f\r]/.test(character) ? OTHER : BAD;
  if (/\p{Ll}/u.test(character)) return LOWER;
  if (/\p{Lu}/u.test(character)) return UPPER;
  if (/\p{L}/u.test(character)) return LETTER;
  if (/\p{M}/u.test(character)) return MARK;
  return character > "\x7f" && /[\p{S}\p{No}\p{Cf}§¶†‡•‰‚„]/u.test(character) ? SYMBOL : OTHER;
}

/**
 * Measures text.
 * @param {string} text
 * @param {{ errors: number, bom?: boolean, structured?: boolean }} facts the number of malformed sequences; whether a
 *   byte order mark identifies the encoding; whether arbitrary bytes are rarely well-formed in the encoding (UTF-8,
 *   ISO-2022-JP)
 * @returns {{ rank: number, score: number, characters: number, common: number, bad: number, odd: number }} `score` is
 *   `rank` limited to 0 to 100; `characters` is the number of characters other than ASCII, and the others are shares of
 *   them from 0 to 1
 */
export function measure(text, { errors, bom = false, structured = false }) {
  let characters = 0;
  let common = 0;
  let bad = 0;
  let odd = 0;
  let before = { kind: OTHER, script: -1 };
  let wasAscii = true;
  for (const character of text.length > SAMPLE ? text.slice(0, SAMPLE) : text) {
    const isAscii = character <= "\x7e";
    const now = traits(character);
    if (character === "\ufffd") {
      characters++;
    } else if (now.kind === BAD) {
      characters++;
      bad++;
    } else {
      if (!isAscii) {
        characters++;
        if (COMMON.has(character)) common++;
      }
      if (!isAscii || !wasAscii) odd += oddness(before, now, isAscii || wasAscii);
    }
    before = now;
    wasAscii = isAscii;
  }
  if (characters === 0) return { rank: 100, score: 100, characters, common: 0, bad: 0, odd: 0 };
  const replaced = Math.min(1, errors / characters);
  const shares = { common: common / characters, bad: bad / characters, odd: odd / characters };
  let rank = 40 + 60 * shares.common - 150 * shares.odd - 300 * shares.bad - 200 * replaced;
  if (errors > 0) rank -= 5;
  else if (structured) rank += 35;
  if (bom) rank += 200;
  return { rank, score: Math.round(Math.min(100, Math.max(0, rank))), characters, ...shares };
}

/**
 * Rates how unlikely two neighbours are: two scripts or a symbol within a word, an uppercase letter after a lowercase
 * one, two accented letters in a row, or a mark that does not follow a letter of its script.
 */
function oddness(before, now, isHalfAscii) {
  if (now.kind === MARK && now.script >= 0) return before.kind >= LOWER && before.script === now.script ? 0 : 1;
  if (before.kind >= LOWER && now.kind >= LOWER) {
    if (before.kind === LOWER && now.kind === UPPER) return 1;
    if (before.script === now.script) return before.script === LATIN && !isHalfAscii ? 0.5 : 0;
    if (before.script < 0 || now.script < 0) return 0;
    return isHalfAscii ? 0.5 : 1;
  }
  return (before.kind === SYMBOL && now.kind >= LOWER) || (before.kind >= LOWER && now.kind === SYMBOL) ? 1 : 0;
}
