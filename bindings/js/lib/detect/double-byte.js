// The costs of text in Shift_JIS and Big5, which have no letter pairs. They were chosen with the
// training half of the texts: docs/design/detection.md.

import { LATIN, SINGLE, TRAIL, isLetter } from "./costs.js";

/** The cost of half-width katakana in Shift_JIS: one of 63. */
const KATAKANA = 66;
/** The additional cost of a character after ASCII, because most are in long runs. */
const RUN = 160;
/** The costs of characters in Big5: symbols, those of level 1, and those of level 2, which are rare. */
const BIG5_SYMBOL = 120;
const BIG5_LEVEL_1 = 160;
const BIG5_LEVEL_2 = 224;

const between = (byte, first, last) => byte >= first && byte <= last;

/** Counts characters of an encoding whose lead bytes are not ASCII, but whose trail bytes may be. */
class Counter {
  #isLead;
  #lead = 0;
  /** The number of letters in the current word, and whether it has other characters. */
  #letters = 0;
  #isMixed = false;
  #isInRun = false;
  /** The number of pairs by lead byte and upper half of the trail byte, of other bytes, and of letters in the same words. */
  pairs = new Uint32Array(512);
  singles = new Uint32Array(256);
  latin = 0;
  /** The number of times that a character comes after ASCII. */
  runs = 0;

  /** @param half the first trail byte of the upper half */
  constructor(isLead, half) {
    this.#isLead = isLead;
    this.half = half;
  }

  add(byte) {
    const lead = this.#lead;
    this.#lead = 0;
    if (lead > 0 && byte >= 0x40) {
      this.pairs[2 * lead + (byte >= this.half)]++;
      return;
    }
    if (lead > 0) this.singles[lead]++;
    if (byte < 0x80) return this.#addAscii(isLetter(byte));
    if (!this.#isInRun) this.runs++;
    this.#isInRun = true;
    this.latin += this.#letters;
    this.#letters = 0;
    this.#isMixed = true;
    if (this.#isLead(byte)) this.#lead = byte;
    else this.singles[byte]++;
  }

  #addAscii(isLetter) {
    this.#isInRun = false;
    this.#isMixed &&= isLetter;
    if (this.#isMixed) this.latin++;
    else this.#letters = isLetter ? this.#letters + 1 : 0;
  }
}

export class DoubleByte {
  #shiftJis = new Counter((byte) => between(byte, 0x81, 0x9f) || between(byte, 0xe0, 0xfc), 0x9f);
  #big5 = new Counter((byte) => between(byte, 0x81, 0xfe), 0xa1);

  feed(block) {
    for (const byte of block) {
      this.#shiftJis.add(byte);
      this.#big5.add(byte);
    }
  }

  /** Returns the costs. `japanese` are the costs of lead bytes in EUC-JP. */
  fits(japanese, asciiCost) {
    const shiftJis = costOf(this.#shiftJis, (lead, upper) => japanese[eucLead(lead, upper)] + TRAIL, (byte) =>
      between(byte, 0xa1, 0xdf) ? KATAKANA : SINGLE,
    );
    const big5 = costOf(this.#big5, big5Cost, () => SINGLE);
    return [
      { encoding: "Shift_JIS", language: undefined, cost: shiftJis + asciiCost },
      { encoding: "Big5", language: undefined, cost: big5 + asciiCost },
    ];
  }
}

function costOf({ pairs, singles, latin, runs }, ofPair, ofSingle) {
  const sum = (counts, of) => counts.reduce((sum, count, at) => (count === 0 ? sum : sum + count * of(at)), 0);
  return sum(pairs, (at) => ofPair(at >> 1, at & 1)) + sum(singles, ofSingle) + latin * LATIN + runs * RUN;
}

/** Returns the lead byte in EUC-JP of the row of JIS X 0208 to which a pair belongs. Later rows have none. */
const eucLead = (lead, upper) => Math.min(0xa1 + 2 * (lead - (lead < 0xa0 ? 0x81 : 0xc1)) + upper, 0xff);

function big5Cost(lead) {
  if (between(lead, 0xa4, 0xc6)) return BIG5_LEVEL_1;
  if (between(lead, 0xc9, 0xf9)) return BIG5_LEVEL_2;
  return between(lead, 0xa1, 0xa3) ? BIG5_SYMBOL : SINGLE;
}
