// How frequent characters are in text, and what words look like in some alphabets.

import { decode } from "textcodec";

/**
 * The accented letters of languages with Latin letters. Text is in one language, so letters that no language has
 * together are unlikely.
 */
const LANGUAGES = [
  "éèàçêôîûùâëïœüÿ", // French
  "äöüß",
  "áéíóúñüºª", // Spanish
  "ãçáéõíóâúêàô", // Portuguese
  "àèéìòùîºª", // Italian
  "åäöéü", // Swedish and Finnish
  "øåæéäö", // Danish and Norwegian
  "ąęłóśżćńź",
  "áíéěščřžýůúňťďóľĺŕäô", // Czech and Slovak
  "áéöóőüűíú",
  "șțăâîşţ", // Romanian
  "ıüşğöçâîû", // Turkish, with İ
  "čšžćđ",
  "āīēšūļņžčķģ",
  "ėšųžūįčęą",
  "õäöüšž",
  "áðéíóúýþæö", // Icelandic
  "ëéïöüèê", // Dutch
  "ăâđêôơưàáãèéìíòóõùúýĩũ", // Vietnamese
];

/** The letters of alphabets, the most frequent first, and the weight of the last one. */
const ALPHABETS = [
  ["éüäöáíóèàçñãåøßêúõâîôûæěščřžýůąęłśćżńőűğışëïùēāīūșțďťňľđœźŕĺ", 0.4],
  ["оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєјґўћђљњџѓќ", 0.3],
  ["αοιετσνηυρπκμλςωδγάίόέήύώχθφβξζψϊϋΐΰ", 0.3],
  ["םןךיוהלאתרבשמדנחקעכפץףטגצסז", 0.6],
  ["اليمونرتبةعدسفهكحقجشطصخأإىضذزثءغئآظؤپچکیگ", 0.3],
  ["านรอกเงมยลวดทสต่้ัิีะไบปหคขแพจใชถโญณผศธซึืุูษภฏฐฑฒฌฎฟฝฮ์็ๆำ", 0.3],
];
const PUNCTUATION = "°€£’“”«»–—…·ºª²³¹„‘，。、：；！？（）《》「」・ー〜";
const SYLLABLES =
  "のにはをたがでとしるいてなかれらさすまこもりあくけっそだよきえんうちつどみめわやせろばおじょしゅひふへほねゆぐげぎざずぜぞぶべぼびぱぷぽ" +
  "ンスルトリアイラックドシレジタフロカテマメィグバサュコデウプオムニキパナ" +
  "이다는의에가을를하고지로은사도인한대기스시나자서아리어해일부정으그수전장제상주있년구보원과국만중것여신라들조용경학공동세계글";
const IDEOGRAPHS =
  "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里" +
  "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实谢新文档" +
  "這個們來為國說時會對於著過發後裡種經麼學現當沒動還進樣開從實日月火水木金土東京語文字化表漢電話年台灣謝";

/** The most frequent ideographs and syllables of standards of East Asia: their first levels. */
const FIRST_LEVELS = [
  ["GBK", 0xb0, 0xd7, 0xa1, 0xfe],
  ["Shift_JIS", 0x88, 0x97, 0x9f, 0xfc],
  ["Big5", 0xa4, 0xc6, 0xa1, 0xfe],
  ["EUC-KR", 0xb0, 0xc8, 0xa1, 0xfe],
];

/** Weights from 0, which is a rare character, to 1. */
const weights = new Map();
for (const [encoding, firstLead, lastLead, firstTrail, lastTrail] of FIRST_LEVELS) {
  const bytes = [];
  for (let lead = firstLead; lead <= lastLead; lead++) {
    for (let trail = firstTrail; trail <= lastTrail; trail++) bytes.push(lead, trail);
  }
  for (const character of decode(Uint8Array.from(bytes), encoding)) {
    if (/[\p{Script=Han}\p{Script=Hangul}]/u.test(character))
      weights.set(character, /\p{Script=Hangul}/u.test(character) ? 0.7 : 0.55);
  }
}
for (const character of PUNCTUATION + SYLLABLES + IDEOGRAPHS) weights.set(character, 1);
for (const [letters, least] of ALPHABETS) {
  const all = [...letters];
  all.forEach((letter, n) => {
    const weight = 1 - ((1 - least) * n) / all.length;
    weights.set(letter, weight);
    const upper = letter.toUpperCase();
    if (upper.length === 1 && !weights.has(upper)) weights.set(upper, weight * 0.9);
  });
}
// Half-width katakana, and letters that are frequent in no language as capitals.
for (let n = 0xff66; n <= 0xff9f; n++) weights.set(String.fromCharCode(n), 0.4);
for (const letter of "ÝÐÞðþ") weights.set(letter, 0.25);
for (const sign of "¿¡") weights.set(sign, 0.6);
weights.set("İ", 0.9);

/** Returns how frequent a character is: from 0 to 1. */
export const frequency = (character) => weights.get(character) ?? 0;

/** Returns the number of accented letters that the most fitting language does not have. */
export function foreignLetters(text) {
  const letters = [...text.replaceAll("İ", "ı").toLowerCase()].filter((letter) => LATIN.has(letter));
  if (letters.length < 2) return 0;
  return Math.min(...LANGUAGES.map((language) => letters.filter((letter) => !language.includes(letter)).length));
}
const LATIN = new Set(LANGUAGES.join(""));

const VOWELS = /[aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüýÿāēīūăąęěőűůığаеёиоуыэюяіїєαεηιουωάέήίόύώϊϋΐΰ]/i;
const VOWEL_ALPHABET = /^[\p{Script=Cyrillic}\p{Script=Greek}]+$/u;
/** Words of one letter, and words without vowels that are frequent. */
const SHORT = /^(?:[вксжбВКСЖБ]|гг|др|млн|руб|см|стр|тд|тп|υγ)$/;

/**
 * Rates how unlikely a word is: without a vowel, or with a letter in a place where its alphabet has another form.
 * @param {string} word letters of one alphabet
 * @returns {number} the number of unlikely letters
 */
export function wordOddness(word) {
  if (/\p{Script=Hebrew}/u.test(word)) {
    // These five have a form for the end of words, and only that is used there.
    return count(word, /[ךםןףץ](?=\p{L})/gu) + 0.5 * count(word, /(?<=\p{L})[כמנצ]$/gu);
  }
  if (/\p{Script=Arabic}/u.test(word)) return count(word, /[ةى](?=\p{L})/gu) + count(word, /ء(?=ء)/gu);
  if (/\p{Script=Greek}/u.test(word))
    return count(word, /ς(?=\p{L})/gu) + count(word, /(?<=\p{L})σ$/gu) + accentless(word) + vowelless(word);
  if (/\p{Script=Cyrillic}/u.test(word)) return count(word, /^[ъьы]|[ъь](?=[ъьыаоуэ])/giu) + vowelless(word);
  if (/\p{Script=Thai}/u.test(word)) {
    // Some vowels are written before a consonant, others after one. Few syllables have three consonants and no vowel.
    const misplaced = count(word, /[เแโใไ](?![ก-ฮ])/gu) + count(word, /(?<![ก-ฮ็-์])[ะาำ]/gu);
    return misplaced + 0.5 * count(word, /(?<=[ก-ฮ]{3})[ก-ฮ]/gu);
  }
  // Small kana make one syllable with the kana before them.
  return count(word, /(?<![きしちにひみりぎじぢびぴ])[ゃゅょ]/gu) + count(word, /^[っゃゅょぁぃぅぇぉんッャュョー]/gu);
}

/** Greek words of several syllables have an accent. */
function accentless(word) {
  const syllables = count(word, /(?:[αεο]ι|[αεο]υ|υι|[αεηιουω])/gu);
  return syllables > 1 && /^\p{Ll}+$/u.test(word) && !/[άέήίόύώΐΰ]/.test(word) ? 0.4 * word.length : 0;
}

const count = (word, pattern) => (word.match(pattern) ?? []).length;
const vowelless = (word) =>
  VOWEL_ALPHABET.test(word) && !VOWELS.test(word) && !SHORT.test(word) ? 0.5 * word.length : 0;
