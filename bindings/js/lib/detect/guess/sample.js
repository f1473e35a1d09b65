// The part of a text that a guess looks at: its distinct words with non-ASCII bytes.
//
// A table of prices has the same sign in a thousand rows, which is no more evidence than one row. So equal words count once; digits
// are equal.

/** The maximum number of bytes that are kept: of words with non-ASCII bytes, and of others, which hint at the language. */
const MAX_WORDS = 16 * 1024;
const MAX_ASCII = 1024;
/** The number of parts of the first block from which words are taken. */
const PARTS = 4;
/** What each part of the first block may fill: all parts together one half. */
const FIRST_SHARE = MAX_WORDS / 2 / PARTS;
/** What each later block may add. Only words that are unlike those before have a place there, so that one of them is not missed. */
const LATER_SHARE = 1024;
/** How many new pairs of bytes a word must have in a later block. */
const NEW_PAIRS = 2;
/** The maximum number of bytes of a word that are kept. Chinese and Japanese have no spaces. */
const MAX_WORD = 256;
/** The maximum length of a word of ASCII letters that is kept. */
const MAX_ASCII_WORD = 20;

const SPACE = 0x20;
/** What separates the words that are kept. */
export const END = 0x0a;

/** Returns whether a byte separates words in all encodings: no sequence of a multi-byte encoding contains it after its first byte. */
const isSeparator = (byte) => byte < 0x30;

/** The distinct words of a text. */
export class Sample {
  #words = new Uint8Array(1024);
  #length = 0;
  /** Words of ASCII letters, each with a space before it. */
  ascii = [];
  #seen = new Set();
  /** The pairs of bytes of the words, from the second block on. */
  #pairs = undefined;
  #blocks = 0;
  /** How many bytes of the words are from the first block, if there is another one. */
  #first = 0;
  /** The start of a word at the end of a block, and the separator before it. */
  #carried = [];
  #before = 0;

  /** The words with non-ASCII bytes: each with the separators before and after it, and `END`. */
  get words() {
    return this.#words.subarray(0, this.#length);
  }

  /** The words of the first block: those of later ones are not typical of the text. `undefined` if these are all. */
  get typicalWords() {
    return this.#first === 0 ? undefined : this.#words.subarray(0, this.#first);
  }

  /** Adds a block of the text. */
  feed(block) {
    const first = block.findIndex(isSeparator);
    if (first < 0) return this.#carry(block);
    let last = block.length - 1;
    while (!isSeparator(block[last])) last--;
    const [parts, room] = this.#blocks === 0 ? [PARTS, FIRST_SHARE] : [1, LATER_SHARE];
    if (this.#blocks === 1) {
      this.#pairs = pairsIn(this.words);
      this.#first = this.#length;
    }
    this.#blocks++;
    this.#carry(block.subarray(0, first));
    this.#endCarried(block[first], room);
    const length = Math.max(Math.ceil((last - first) / parts), 1);
    let before = block[first];
    for (let start = first + 1; start <= last; ) {
      let end = Math.min(start + length, last + 1);
      while (end <= last && !isSeparator(block[end])) end++;
      end = Math.min(end + 1, last + 1);
      before = this.#add(block.subarray(start, end), before, this.#length + room);
      start = end;
    }
    this.#before = before;
    this.#carry(block.subarray(last + 1));
  }

  /** Ends the text. */
  end() {
    this.#endCarried(END, FIRST_SHARE);
  }

  /** Keeps the start of a word whose end is in the next block. */
  #carry(start) {
    this.#carried.push(...start.subarray(0, MAX_WORD + 1 - this.#carried.length));
  }

  #endCarried(after, room) {
    const word = Uint8Array.of(...this.#carried, after);
    this.#carried = [];
    this.#add(word, this.#before, this.#length + room);
  }

  /** Adds words until there are `most` bytes. Returns the last byte. */
  #add(part, before, most) {
    const limit = Math.min(most, MAX_WORDS);
    for (let start = 0; start < part.length; ) {
      let end = start;
      let bits = 0;
      for (; end < part.length && !isSeparator(part[end]); end++) bits |= part[end];
      const after = end < part.length ? part[end] : END;
      if (bits >= 0x80) {
        if (this.#length < limit) this.#addWord(before, part.subarray(start, end), after);
      } else if (end > start && this.ascii.length < MAX_ASCII) {
        this.#addAscii(part.subarray(start, end));
      }
      before = after;
      start = end + 1;
    }
    return before;
  }

  #addWord(before, word, after) {
    const kept = word.subarray(0, MAX_WORD);
    this.#reserve(kept.length + 3);
    const words = this.#words;
    const start = this.#length;
    const end = start + 1 + kept.length;
    words[start] = Math.max(before, SPACE);
    words.set(kept, start + 1);
    words[end] = kept.length < word.length ? SPACE : Math.max(after, SPACE);
    const whole = words.subarray(start, end + 1);
    if (this.#pairs === undefined ? !this.#isFirst(whole) : !addIfNew(this.#pairs, whole)) return;
    words[end + 1] = END;
    this.#length = end + 2;
  }

  #addAscii(word) {
    const isLetter = (byte) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
    if (word.length <= MAX_ASCII_WORD && word.every(isLetter) && this.#isFirst(word)) this.ascii.push(SPACE, ...word);
  }

  /** Returns whether a word has not been seen, and keeps that it has. */
  #isFirst(word) {
    const key = hash(word);
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  #reserve(length) {
    if (this.#length + length <= this.#words.length) return;
    const larger = new Uint8Array(2 * (this.#length + length));
    larger.set(this.words);
    this.#words = larger;
  }
}

const pairAt = (word, at) => (word[at] << 8) | word[at + 1];

/** Returns the set of pairs of bytes of words. */
function pairsIn(words) {
  const pairs = new Uint8Array(0x1_0000);
  addPairs(pairs, words);
  return pairs;
}

function addPairs(pairs, words) {
  for (let at = 0; at + 1 < words.length; at++) pairs[pairAt(words, at)] = 1;
}

/** Adds the pairs of a word if enough of them are new. Returns whether they are. */
function addIfNew(pairs, word) {
  let count = 0;
  for (let at = 0; at + 1 < word.length && count < NEW_PAIRS; at++) {
    const isAscii = (word[at] | word[at + 1]) < 0x80;
    if (!isAscii && pairs[pairAt(word, at)] === 0) count++;
  }
  if (count < NEW_PAIRS) return false;
  addPairs(pairs, word);
  return true;
}

/** Returns 53 bits of FNV-1a with 64 bits. All numbers are equal. */
function hash(word) {
  let [low, high] = [0x84222325, 0xcbf29ce4];
  let wasDigit = false;
  for (const byte of word) {
    const isDigit = byte >= 0x30 && byte <= 0x39;
    if (!(isDigit && wasDigit)) {
      low = (low ^ (isDigit ? 0x30 : byte)) >>> 0;
      // Times 2^40 + 0x1B3.
      const product = low * 0x1b3;
      high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
      low = product >>> 0;
    }
    wasDigit = isDigit;
  }
  return high * 2 ** 21 + (low >>> 11);
}
