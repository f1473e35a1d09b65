// The languages of the model.

import { lowerAscii } from "../detect/scan.js";

/** The tag and the English name of each language, in the order of the data. */
const TAGS =
  "en English,de German,fr French,es Spanish,pt Portuguese,it Italian,nl Dutch,da Danish,nb Norwegian,sv Swedish,fi Finnish," +
  "is Icelandic,ca Catalan,gl Galician,eu Basque,sq Albanian,af Afrikaans,br Breton,ga Irish,gd Scottish Gaelic,oc Occitan,cy Welsh," +
  "id Indonesian,mt Maltese,eo Esperanto,pl Polish,cs Czech,sk Slovak,hu Hungarian,sl Slovenian,hr Croatian,ro Romanian,et Estonian," +
  "lt Lithuanian,lv Latvian,tr Turkish,az Azerbaijani,vi Vietnamese,el Greek,ru Russian,uk Ukrainian,be Belarusian,bg Bulgarian," +
  "sr Serbian,mk Macedonian,kk Kazakh,tg Tajik,he Hebrew,ar Arabic,fa Persian,th Thai,ja Japanese,ko Korean,zh Chinese";

export const LANGUAGES = TAGS.split(",").map((entry) => ({ tag: entry.slice(0, 2), name: entry.slice(3) }));

/** Other tags of languages, and of those with the same letters. */
const OTHER_TAGS = { no: "nb", nn: "nb", bs: "hr", sh: "hr", iw: "he", in: "id", ms: "id" };

/** Returns the language of a BCP 47 tag, such as `pt-BR`, or of an English name, or `undefined` if the model does not know it. */
export function languageForTag(tag) {
  const lower = lowerAscii(tag.trim());
  const [primary] = lower.split(/[-_.@]/);
  const isLatin = lower.slice(2).includes("latn");
  const known = primary === "sr" && isLatin ? "hr" : (OTHER_TAGS[primary] ?? primary);
  return LANGUAGES.find(({ tag, name }) => tag === known || lowerAscii(name) === lower);
}
