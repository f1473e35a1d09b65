// Names of characters. The table is large, so it is loaded when the first name is needed.

import { h } from "./dom.js";
import { painted } from "./pause.js";

/** The table, when it is loaded: pages of names, and ranges whose names are a prefix and the code point. */
let table;
let loading;
/** The pages that were read: names by code point. */
const pages = new Map();

/** Loads the table, after the page is shown without names: they would delay it. */
export function loadNames() {
  loading ??= painted()
    .then(() => import("./generated/names.js"))
    .then(
      (module) => (table = module),
      (error) => {
        // The next call tries again.
        loading = undefined;
        throw error;
      },
    );
  return loading;
}

/** Returns a page of names by code point. This is the inverse of `pages` in unicode.mjs. */
function pageOf(number) {
  if (!pages.has(number)) {
    const names = new Map();
    let codePoint = (number << 8) - 1;
    let words = [];
    for (const [, distance, same, rest] of (table.PAGES[number] ?? "").matchAll(/^(\d*)([a-z])(.*)$/gm)) {
      codePoint += distance === "" ? 1 : Number(distance);
      words = [...words.slice(0, same.charCodeAt(0) - 97), ...rest.split(" ")];
      names.set(codePoint, words.join(" "));
    }
    pages.set(number, names);
  }
  return pages.get(number);
}

const LEADS = "G GG N D DD R M B BB S SS  J JJ C K T P H".split(" ");
const VOWELS = "A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I".split(" ");
const TAILS = " G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H".split(" ");

/** Returns the name of a Hangul syllable, which consists of the names of its letters. */
function syllable(codePoint) {
  const n = codePoint - 0xac00;
  const [lead, vowel, tail] = [Math.floor(n / 588), Math.floor((n % 588) / 28), n % 28];
  return `HANGUL SYLLABLE ${LEADS[lead]}${VOWELS[vowel]}${TAILS[tail]}`;
}

const hex4 = (codePoint) => codePoint.toString(16).toUpperCase().padStart(4, "0");
const within = (codePoint, first, last) => codePoint >= first && codePoint <= last;

/**
 * Returns the name of a code point, or a description in words if it has none. Returns "" before `loadNames` is done.
 * @param {number} codePoint
 */
export function nameOf(codePoint) {
  if (table === undefined) return "";
  const name = pageOf(codePoint >> 8).get(codePoint);
  if (name !== undefined) return name;
  if (within(codePoint, 0xac00, 0xd7a3)) return syllable(codePoint);
  const range = table.RANGES.find(([first, last]) => within(codePoint, first, last));
  if (range !== undefined) return `${range[2]}${hex4(codePoint)}`;
  if (/\p{Cc}/u.test(String.fromCodePoint(codePoint))) return "control character, without a name";
  if (/\p{Co}/u.test(String.fromCodePoint(codePoint))) return "private use, without a name";
  if ((codePoint & 0xfffe) === 0xfffe || within(codePoint, 0xfdd0, 0xfdef)) return "not a character";
  return "not assigned";
}

/** Creates an element that has the name of a code point as soon as the table is loaded. */
export function nameElement(codePoint) {
  const element = h("span", { class: "name" }, nameOf(codePoint));
  const update = () => (element.textContent = nameOf(codePoint));
  // Without the table, names are missing; Look up says so.
  if (table === undefined) loadNames().then(update, () => {});
  return element;
}
