// *Percent-encode after encoding*, of the URL Standard.

import { outputNumber, toEncoding, toOptions } from "./arguments.js";
import { percentEncode } from "./engine.js";
import { toDOMString } from "./webidl.js";

/** The printable ASCII characters in each percent-encode set of the URL Standard. All other bytes are in every set. */
const C0 = "";
const QUERY = C0 + " \"#<>";
const PATH = QUERY + "?^`{}";
const USERINFO = PATH + "/:;=@[\\]|";
const COMPONENT = USERINFO + "$&+,%";
const SETS = {
  __proto__: null,
  c0: C0,
  fragment: " \"<>`",
  query: QUERY,
  "special-query": QUERY + "'",
  path: PATH,
  userinfo: USERINFO,
  component: COMPONENT,
  "application/x-www-form-urlencoded": COMPONENT + "!'()~",
};

/** @type {Map<string, Uint8Array>} */
const namedSets = new Map();
/** The last set of an application's own: it is used for all parts of many URLs. */
let ownCharacters;
let ownSet;

/** Returns 256 bytes, of which those that are not 0 are in a percent-encode set: a name, or the characters beyond `c0`. */
function percentEncodeSet(set) {
  if (typeof set !== "string") {
    const own = [...set].join("");
    if (own !== ownCharacters) [ownSet, ownCharacters] = [toSet(own), own];
    return ownSet;
  }
  const characters = SETS[set];
  if (characters === undefined) throw new TypeError(`"${set}" is not a percent-encode set.`);
  if (!namedSets.has(set)) namedSets.set(set, toSet(characters));
  return namedSets.get(set);
}

function toSet(characters) {
  const isIn = (byte) => byte < 0x20 || byte > 0x7e || characters.includes(String.fromCharCode(byte));
  if (/[^\x20-\x7e]/.test(characters)) throw new TypeError("A percent-encode set has printable ASCII characters only.");
  return Uint8Array.from({ length: 256 }, (_, byte) => (isIn(byte) ? 1 : 0));
}

export function percentEncodeAfterEncoding(string, label = "utf-8", options = undefined) {
  const { set = "query", spaceAsPlus = false } = toOptions(options);
  const bytes = percentEncodeSet(set);
  const number = outputNumber(toEncoding(label));
  return percentEncode(number, toDOMString(string), bytes, Boolean(spaceAsPlus));
}
