// How code-pages.js and iconv-lite/pages.js store the tables of single-byte encodings.
//
// A table is 256 characters, or 128 for the bytes from 0x80 on if the others are ASCII. It is packed as a string,
// relative to another table, its base: "5=" copies five characters from the same place in the base, "5+" continues with
// the five code points that follow the last character, and "5?" means five unassigned bytes. All else is the characters
// themselves, with "~" before those that are ASCII. Without a base, the base is Latin-1.

const UNASSIGNED = "\ufffd";
const LATIN1 = String.fromCharCode(...Array(256).keys());
const TOKENS = /(\d+)([=+?])|~?([^])/g;

/**
 * Returns the 256 characters of a table.
 * @param {Record<string, [base: string, packed: string]>} pages
 * @param {string} name
 */
export function unpack(pages, name) {
  if (pages[name] === undefined) return LATIN1;
  const [base, packed] = pages[name];
  const from = unpack(pages, base);
  const whole = unpackFrom(from, packed, 0);
  return whole.length === 256 ? whole : LATIN1.slice(0, 128) + unpackFrom(from, packed, 128);
}

function unpackFrom(base, packed, start) {
  let chars = "";
  for (const [, count, what, char] of packed.matchAll(TOKENS)) {
    const at = start + chars.length;
    if (what === "=") chars += base.slice(at, at + Number(count));
    else if (what === "?") chars += UNASSIGNED.repeat(Number(count));
    else if (what === "+") {
      const last = chars.charCodeAt(chars.length - 1);
      for (let n = 1; n <= count; n++) chars += String.fromCharCode(last + n);
    } else chars += char;
  }
  return chars;
}

/** Packs a table of 256 characters, relative to the table `base` of 256 characters. */
export function pack(chars, base) {
  const start = chars.startsWith(LATIN1.slice(0, 128)) ? 128 : 0;
  let packed = "";
  for (let at = start; at < 256;) {
    const run = (is) => {
      let end = at;
      while (end < 256 && is(end)) end++;
      return end - at;
    };
    const same = run((n) => chars[n] === base[n]);
    const none = run((n) => chars[n] === UNASSIGNED);
    const next = at === start ? 0 : run((n) => chars.charCodeAt(n) === chars.charCodeAt(n - 1) + 1);
    const longest = Math.max(same, none, next);
    if (longest > 1 || none > 0) {
      packed += `${longest}${longest === none ? "?" : longest === same ? "=" : "+"}`;
      at += longest;
    } else {
      packed += chars[at] < "\x80" ? `~${chars[at]}` : chars[at];
      at++;
    }
  }
  return packed;
}

/** Packs a table relative to the page that makes it smallest, or to none. Returns the name of the page, and the packed table. */
export function packSmallest(chars, pages) {
  const lengthOf = ([, packed]) => new TextEncoder().encode(packed).length;
  const ways = ["", ...Object.keys(pages)].map((base) => [base, pack(chars, unpack(pages, base))]);
  return ways.reduce((best, way) => (lengthOf(way) < lengthOf(best) ? way : best));
}
