// The detector: blocks of text, and what is observed in them.

import { getEncoding, internal } from "../core.js";
import { languageForTag } from "../language.js";
import { detectBom } from "./bom.js";
import { Declaration, findDeclarations } from "./declaration.js";
import { decoderOf, isUtf16 } from "./encodings.js";
import { formatOf, looksLikeUtf32 } from "./format.js";
import { Guesser } from "./guess/guess.js";
import { isPlausibleInMultiByte } from "./guessed.js";
import { findHidden } from "./hidden.js";
import { charsetOf } from "./mime.js";
import { lowerAscii } from "./scan.js";
import { SAMPLE, Trials } from "./trials.js";
import { Verdict } from "./verdict.js";

const { isomorphicDecode, toBytes, toOptions } = internal;

/**
 * The number of bytes in a block. All declarations are in the first block. It is even, so that no block ends within a code unit of
 * UTF-16. Blocks are always full, except for the last one, so that the result does not depend on the chunks.
 */
const BLOCK = 64 * 1024;

/** With more malformed sequences than this, and more than a sixteenth of the characters, an encoding is given up early. */
const MANY_MALFORMED = 16;

/** With this many well-formed non-ASCII characters, text is UTF-8 and needs no guess. */
const MIN_UTF_8 = 64;

/** And with this many different bytes: a word in many lines can be well-formed by chance. */
const MIN_DISTINCT = 12;

/** Returns the encoding of a label among the options, which must exist. */
function toName(label, option) {
  if (label === undefined) return undefined;
  const name = getEncoding(label);
  if (name === null) throw new RangeError(`${option}: "${label}" is not a label for an encoding.`);
  return name;
}

/** Returns the items of a list among the options, converted. */
function toList(list, option, convert) {
  if (list === undefined) return [];
  const isList = typeof list === "object" && typeof list?.[Symbol.iterator] === "function";
  if (!isList) throw new TypeError(`${option} must be a list of strings.`);
  return Array.from(list, (item) => convert(`${item}`));
}

/** Returns the label of a top-level domain in lower case, or `undefined` if it is not one. */
const toDomain = (domain) => lowerAscii(`${domain}`).match(/^\.?([\0-\-/-\x7f]+)$/)?.[1];

function readOptions(options) {
  const { declarations = true, guess = true, transport, contentType, fallback, candidates, languages, topLevelDomain } = toOptions(options);
  const header = contentType === undefined ? undefined : charsetOf(`${contentType}`);
  return {
    searches: Boolean(declarations),
    guesses: Boolean(guess),
    // As in browsers, an unknown label in a header is no hint.
    transport: toName(transport, "transport") ?? (header && (getEncoding(header) ?? undefined)),
    fallback: toName(fallback, "fallback") ?? "windows-1252",
    candidates: toList(candidates, "candidates", (label) => toName(label, "candidates")),
    // As for a domain, an unknown language is no hint.
    languages: toList(languages, "languages", languageForTag).filter((language) => language !== undefined),
    domain: topLevelDomain === undefined ? undefined : toDomain(topLevelDomain),
  };
}

/** What is observed in text without a byte order mark. */
class Text {
  #options;
  #declarations;
  #unserved = [];
  #format;
  /** What ASCII may be instead. */
  #hidden;
  #utf32;
  #trials = new Trials();
  #guesser;

  constructor(options, block) {
    const { transport } = options;
    this.#options = options;
    this.#declarations = transport === undefined ? [] : [new Declaration(transport, "transport", transport, 0)];
    if (options.searches) {
      const text = isomorphicDecode(block);
      const { declarations, unserved } = findDeclarations(text);
      this.#declarations.push(...declarations);
      this.#unserved = unserved;
    }
    this.#format = formatOf(block);
    this.#utf32 = looksLikeUtf32(block);
    this.#guesser = options.guesses ? new Guesser() : undefined;
    this.add(block);
  }

  add(block) {
    const trials = this.#trials;
    const guesser = this.#guesser;
    trials.feed(block);
    if (trials.isAscii) this.#hidden ??= findHidden(block);
    if (trials.isPlain) return;
    const utf8 = trials.tally("UTF-8");
    const isUtf8 = utf8.malformed === 0 && utf8.beyondAscii >= MIN_UTF_8;
    if (isUtf8 && guesser !== undefined && trials.nonAsciiBytes.length >= MIN_DISTINCT) guesser.hasSkipped = true;
    else guesser?.feed(block);
    const isGuessed = guesser !== undefined;
    if (trials.decoded < (isGuessed ? BLOCK : SAMPLE)) return;
    const isDeclared = (encoding) => this.#declarations.some((declaration) => decoderOf(declaration.encoding) === encoding);
    // A guess needs no encoding that is malformed in many places. Early, there may be more of them than in the rest.
    const isEarly = trials.decoded < SAMPLE / 4;
    const fits = (encoding) => {
      // UTF-16 has many control bytes, ISO-2022-JP only ASCII.
      if (isUtf16(encoding)) return trials.controls * 256 > trials.bytes;
      if (encoding === "ISO-2022-JP") return trials.isAscii;
      const tally = trials.tally(encoding);
      if (!isEarly) return isPlausibleInMultiByte(tally);
      return tally.malformed <= MANY_MALFORMED + Math.floor(tally.beyondAscii / 16);
    };
    trials.retain((encoding) => encoding === "UTF-8" || (!isUtf8 && (!isGuessed || fits(encoding))) || isDeclared(encoding));
  }

  detection(isWhole) {
    if (isWhole) this.#trials.finish();
    this.#guesser?.end();
    const { fallback, candidates, languages, domain } = this.#options;
    return new Verdict({
      trials: this.#trials,
      declarations: this.#declarations,
      unserved: this.#unserved,
      format: this.#format,
      utf32: this.#utf32,
      hidden: this.#hidden,
      guesser: this.#guesser,
      fallback,
      candidates,
      languages,
      domain,
      isWhole,
    }).detection();
  }
}

/** Detects the encoding of text that comes in chunks. */
export class Detector {
  #options;
  /** The start of a block, until it is complete. */
  #block = new Uint8Array(0);
  #length = 0;
  /** What was observed in complete blocks: a {@link Text}, or the result if there is a byte order mark. */
  #text;
  #marked;

  constructor(options = undefined) {
    this.#options = readOptions(options);
  }

  /** Whether more text will not change the result: after 64 KiB of text with a byte order mark. */
  get isDecided() {
    return this.#marked !== undefined;
  }

  /** Adds a chunk. */
  write(bytes) {
    let chunk = toBytes(bytes);
    while (chunk.length > 0 && !this.isDecided) {
      const taken = chunk.subarray(0, BLOCK - this.#length);
      chunk = chunk.subarray(taken.length);
      if (taken.length === BLOCK) this.#add(taken, false);
      else this.#keep(taken);
    }
  }

  #keep(part) {
    const length = this.#length + part.length;
    if (length > this.#block.length) {
      const larger = new Uint8Array(Math.min(BLOCK, 2 * length));
      larger.set(this.#block.subarray(0, this.#length));
      this.#block = larger;
    }
    this.#block.set(part, this.#length);
    this.#length = length === BLOCK ? 0 : length;
    if (length === BLOCK) this.#add(this.#block, false);
  }

  #add(block, isWhole) {
    if (this.#text !== undefined) return this.#text.add(block);
    this.#marked = detectBom(block, isWhole);
    if (this.#marked === undefined) this.#text = new Text(this.#options, block);
  }

  /** Ends the text, and returns the result. With `partial`, the text goes on: an incomplete character at the end is no error. */
  end(options = undefined) {
    const isWhole = !toOptions(options).partial;
    const rest = this.#block.subarray(0, this.#length);
    if (!this.isDecided && (rest.length > 0 || this.#text === undefined)) this.#add(rest, isWhole);
    const result = this.#marked ?? this.#text.detection(isWhole);
    this.#text = this.#marked = undefined;
    this.#length = 0;
    return result;
  }
}

/** Detects the encoding of a text. */
export function detect(bytes, options = undefined) {
  const detector = new Detector(options);
  detector.write(bytes);
  return detector.end(options);
}
