// The rules: from what was observed to the result.
//
// The evidence, strongest first: a declaration; UTF-16 by its code units; ISO-2022-JP by its escape sequences; UTF-8 by its
// structure; a guess. The text is decoded with each candidate, so a wrong declaration loses to an encoding that fits. The rules
// are those of the crate textcodec-detect, in the same order and with the same words.

import { candidate, confidenceOf, isAtLeast, lower, probabilityOf } from "./detection.js";
import { MULTI_BYTE, isMultiByte, isSingleByte, isUtf16 } from "./encodings.js";
import { choose, guessed, isPlausible } from "./guessed.js";
import { ISO_2022_KR } from "./hidden.js";
import { characters, counted, malformedSequences, rarelyOccurring } from "./words.js";

/** The minimum number of non-ASCII characters in UTF-8 that contradict the declaration of a multi-byte encoding. */
const MIN_CONTRADICTING = 8;
/** The number of distinct pairs of bytes with which a guess contradicts a declaration: more than this. */
const MIN_LETTERS = 4;
/** How much likelier text must be in another encoding to make well-formed UTF-8 doubtful: a difference of costs. */
const RIVAL = 6 * 16;
/** With this number of distinct pairs of bytes, well-formed UTF-8 is no coincidence. */
const MAX_CHANCE = 16;
/** The maximum number of encodings from a guess among the candidates. */
const MAX_RANKED = 8;

export class Verdict {
  #guesser;
  /** `null` if there is none, `undefined` if it was not needed until now. */
  #guess;

  /** @param observed the trials, declarations and options, and the text for a guess if one is wanted */
  constructor({ trials, declarations, unserved, format, utf32, hidden, guesser, fallback, candidates, languages, domain, isWhole }) {
    this.trials = trials;
    this.declarations = declarations;
    this.unserved = unserved;
    this.format = format;
    this.utf32 = utf32;
    this.hidden = hidden;
    this.#guesser = guesser;
    this.fallback = fallback;
    this.candidates = candidates;
    this.languages = languages;
    this.domain = domain;
    this.isWhole = isWhole;
  }

  /** The guess, which is made when it is needed for the first time, or `undefined` if there is none. */
  get guess() {
    const isPossible = (encoding) => encoding === "UTF-8" || isPlausible(this.trials, encoding);
    if (this.#guess === undefined) this.#guess = this.#guesser?.finish(isPossible, this.languages, this.domain) ?? null;
    return this.#guess ?? undefined;
  }

  /** Whether the text was UTF-8 for long, so that the guess does not know its start. */
  get hasSkipped() {
    return this.#guesser?.hasSkipped ?? false;
  }

  detection() {
    const answer =
      this.#empty() ??
      this.#knownFormat() ??
      this.#declared() ??
      this.#utf16() ??
      this.#notText() ??
      this.#iso2022Jp() ??
      this.#ascii() ??
      this.#utf8() ??
      this.#damaged() ??
      guessed(this);
    const { encoding, evidence, language = null, mixedWith = null } = answer;
    let { confidence, reason } = answer;
    // Each once, because each part of a mail has its own.
    const isFirst = ({ form, label }, at, all) => all.findIndex((other) => other.form === form && other.label === label) === at;
    for (const declaration of this.declarations.filter((declaration) => declaration.encoding !== encoding).filter(isFirst)) {
      const tally = this.trials.tally(declaration.encoding);
      reason += `; but declared as ${declaration.encoding} by ${declaration}`;
      if (tally.malformed > 0) reason += `, with ${malformedSequences(tally)}`;
    }
    ({ confidence, reason } = this.#loweredForUnserved({ ...answer, confidence, reason }));
    const { bytes } = this.trials;
    if (!this.isWhole) reason += `; only the first ${bytes} bytes were examined`;
    const isGuessed = answer.probability !== undefined && confidenceOf(answer.probability) === confidence;
    const probability = isGuessed ? answer.probability : probabilityOf(confidence);
    const candidates = this.#candidates(encoding, evidence, probability);
    const declarations = [...this.declarations, ...this.unserved].map(({ encoding = null, form, label, offset }) => ({ encoding, form, label, offset }));
    return { encoding, confidence, probability, evidence, candidates, declarations, language, mixedWith, bytes, reason };
  }

  /**
   * Lowers the confidence if a declaration cannot be followed, unless the text is the same in the encoding that it may mean. A guess may
   * know nothing of that encoding; much UTF-8 is hardly anything else; ASCII is the same in most encodings.
   */
  #loweredForUnserved({ encoding, confidence, evidence, reason }) {
    if (["empty", "bom", "none"].includes(evidence)) return { confidence, reason };
    const { malformed, beyondAscii } = this.trials.tally(encoding);
    const isMuch = evidence === "structure" && malformed === 0 && beyondAscii >= MIN_CONTRADICTING;
    const highest = isMuch || evidence === "declaration" || evidence === "ascii" ? "medium" : "low";
    const seen = new Set();
    for (const declaration of this.unserved) {
      const { mayBe, label } = declaration;
      const isAscii = mayBe !== undefined && this.trials.isAscii && evidence !== "structure";
      if (isAscii || declaration.isRightFor(encoding) || (mayBe !== undefined && this.trials.isSameText(encoding, mayBe))) continue;
      const isNeverDecoded = declaration.encoding === "replacement" && evidence === "ascii";
      confidence = lower(confidence, isNeverDecoded ? "low" : highest);
      if (seen.has(label)) continue;
      seen.add(label);
      const why = mayBe === undefined ? "which cannot be decoded here" : "a label that browsers do not know";
      reason += `; but declared as ${mayBe ?? declaration.encoding ?? `'${label}'`} by ${declaration}, ${why}`;
    }
    return { confidence, reason };
  }

  #empty() {
    if (this.trials.bytes > 0) return undefined;
    const reason = "empty, which is the same in every encoding";
    return { encoding: "UTF-8", confidence: "certain", evidence: "empty", reason };
  }

  /** A file of a known format, such as an image. Most of a PDF document may be text. */
  #knownFormat() {
    if (this.format === undefined) return undefined;
    return { encoding: this.fallback, confidence: "none", evidence: "none", reason: this.format };
  }

  #declared() {
    const declaration = this.declarations.find((declaration) => this.#isPossible(declaration));
    if (declaration === undefined) return undefined;
    const { encoding } = declaration;
    let reason = `declared by ${declaration}`;
    let confidence = "high";
    const unlikely = this.trials.tally(encoding).unlikelyBeyondAscii;
    // UTF-8 is exempt: its structure is proof enough, and icon fonts use private characters.
    if (unlikely > 0 && encoding !== "UTF-8") {
      // For example windows-1250 declared as ISO-8859-2, where some of its letters are controls.
      reason += `; but ${rarelyOccurring(unlikely)}`;
      confidence = "medium";
    }
    const utf8 = this.trials.tally("UTF-8");
    if (encoding !== "UTF-8" && utf8.malformed === 0 && utf8.beyondAscii > 0) {
      // Perhaps a page that was converted, and kept its declaration.
      reason += `; but it is also valid UTF-8, with ${characters(utf8.beyondAscii)}`;
      confidence = "low";
    }
    const other = this.#encodingByLetters(encoding);
    if (other !== undefined) {
      reason += `; but its letters fit ${other}`;
      confidence = "low";
    }
    const fits = (other) => other !== encoding && this.trials.tally(other).malformed === 0;
    // The reason is added later.
    if (this.declarations.some((other) => fits(other.encoding))) confidence = lower(confidence, "medium");
    return { encoding, confidence, evidence: "declaration", reason };
  }

  /** Returns whether the bytes do not contradict a declaration. */
  #isPossible({ encoding, form }) {
    if (this.trials.tally(encoding).malformed > 0 || this.#isUtf8Instead(encoding)) return false;
    if (form === "wide-xml") return true;
    if (form === "transport" && isUtf16(encoding)) return this.#mayBeUtf16(encoding);
    return !this.#hasControls(100);
  }

  /** Returns whether text that is declared in another encoding is UTF-8. */
  #isUtf8Instead(declared) {
    const utf8 = this.trials.tally("UTF-8");
    const enough = isMultiByte(declared) ? MIN_CONTRADICTING : 1;
    return declared !== "UTF-8" && utf8.malformed === 0 && utf8.beyondAscii >= enough;
  }

  /** Returns the encoding by its letters, if it contradicts the declaration of a single-byte encoding. */
  #encodingByLetters(declared) {
    if (!isSingleByte(declared) || this.trials.isAscii) return undefined;
    // A character or two may be anything.
    if (!(this.guess?.distinct > MIN_LETTERS)) return undefined;
    const { encoding, confidence } = guessed(this);
    const isOther = isAtLeast(confidence, "medium") && !this.trials.isSameText(declared, encoding);
    return isOther ? encoding : undefined;
  }

  #utf16() {
    if (this.trials.controls === 0 || this.trials.isAsciiInPairs) return undefined;
    const support = (tally) => tally.ascii + tally.spacesAndPunctuation;
    const score = (tally) => support(tally) - (4 * tally.unlikely + 2 * tally.rare + 8 * tally.malformed);
    const isFitting = (tally) =>
      !tally.isAbandoned &&
      tally.malformed * 200 <= Math.max(tally.units, 200) &&
      tally.unlikely * 50 <= tally.units &&
      support(tally) * 50 >= tally.units &&
      tally.units > 0;
    const fitting = ["UTF-16LE", "UTF-16BE"]
      .map((encoding) => ({ encoding, tally: this.trials.tally(encoding) }))
      .filter(({ tally }) => isFitting(tally));
    if (fitting.length === 0) return undefined;
    // The last one, if both have the same score.
    const { encoding, tally } = fitting.reduce((best, other) => (score(other.tally) >= score(best.tally) ? other : best));
    const { units, malformed, unlikely } = tally;
    let confidence = "high";
    if (units < 8) confidence = "low";
    else if (malformed + unlikely > 0 || tally.rare * 20 > units) confidence = "medium";
    let reason = `${counted(units, "code unit", "code units")} of UTF-16 without a byte order mark`;
    if (malformed > 0) reason += `; but with ${malformedSequences(tally)}`;
    else reason += `, all plausible${unlikely > 0 ? ` except ${unlikely}` : ""}`;
    return { encoding, confidence, evidence: "structure", reason };
  }

  /** Returns whether a header that says UTF-16 can be right. */
  #mayBeUtf16(encoding) {
    if (this.trials.isPlain || this.trials.isAsciiInPairs) return false;
    const byStructure = this.#utf16();
    if (byStructure !== undefined) return byStructure.encoding === encoding;
    const tally = this.trials.tally(encoding);
    return !tally.isAbandoned && tally.unlikely === 0 && tally.rare * 20 <= tally.units;
  }

  /** Returns whether more than one in so many bytes is a control character. */
  #hasControls(oneIn) {
    return this.trials.controls * oneIn > this.trials.bytes;
  }

  #notText() {
    const { controls, bytes } = this.trials;
    const utf8 = this.trials.tally("UTF-8");
    // ASCII and UTF-8 may have more controls: lists of file names can be separated by zero bytes.
    const isUtf8 = utf8.malformed === 0;
    const hasZeros = !isUtf8 && this.trials.histogram[0] > 0;
    const hasShifts = this.hidden === ISO_2022_KR;
    if (!hasZeros && (hasShifts || !this.#hasControls(isUtf8 ? 10 : 100))) return undefined;
    const are = controls === 1 ? "is a control character" : "are control characters";
    let reason = `does not look like text: ${controls} of ${counted(bytes, "byte", "bytes")} ${are}`;
    if (this.utf32 !== undefined) reason = `looks like ${this.utf32}, which the Encoding Standard does not have`;
    else if (!isUtf8) reason += `; as UTF-8, it has ${malformedSequences(utf8)}`;
    return { encoding: isUtf8 ? "UTF-8" : this.fallback, confidence: "none", evidence: "none", reason };
  }

  #iso2022Jp() {
    const encoding = "ISO-2022-JP";
    const tally = this.trials.tally(encoding);
    const beyond = tally.beyondAscii;
    if (!this.trials.isAscii || beyond === 0 || tally.malformed * 10 > beyond) return undefined;
    const reason = `escape sequences of ISO-2022-JP, with ${characters(beyond)}`;
    const evidence = "structure";
    if (tally.malformed === 0) return { encoding, confidence: "high", evidence, reason };
    return { encoding, confidence: "medium", evidence, reason: `${reason}; but with ${malformedSequences(tally)}` };
  }

  #ascii() {
    if (!this.trials.isAscii) return undefined;
    if (this.hidden !== undefined) {
      return { encoding: "UTF-8", confidence: "low", evidence: "ascii", reason: `all bytes are ASCII, but ${this.hidden}` };
    }
    const reason = "all bytes are ASCII, which is the same in UTF-8 and most other encodings";
    return { encoding: "UTF-8", evidence: "ascii", ...this.lowerForControls("high", reason) };
  }

  #utf8() {
    const tally = this.trials.tally("UTF-8");
    if (tally.malformed > 0) return undefined;
    const isContradicted = this.declarations.some(({ encoding }) => encoding !== "UTF-8");
    let confidence = tally.beyondAscii < 3 || isContradicted ? "medium" : "high";
    let reason = `valid UTF-8, with ${characters(tally.beyondAscii)}`;
    const rival = this.#rivalOfUtf8();
    if (rival !== undefined) {
      const isLikelier = rival.lead > RIVAL;
      confidence = isLikelier ? "low" : "medium";
      if (isLikelier) reason += `; but ${rival.name} is likelier`;
    }
    return { encoding: "UTF-8", evidence: "structure", ...this.lowerForControls(confidence, reason) };
  }

  /**
   * Returns the encoding in which the text is almost as likely as in UTF-8, although it is well-formed, and how much likelier it is: a
   * difference of costs. Two or three bytes are well-formed by chance, and a word can occur in many lines.
   */
  #rivalOfUtf8() {
    if (this.hasSkipped || !(this.guess?.distinct < MAX_CHANCE)) return undefined;
    const { fits } = this.guess;
    const utf8 = fits.find(({ encoding }) => encoding === "UTF-8");
    const rival = fits.find(({ encoding }) => encoding !== "UTF-8");
    if (utf8 === undefined || rival === undefined) return undefined;
    const lead = utf8.cost - rival.cost;
    return lead > -RIVAL / 2 ? { name: rival.name, lead } : undefined;
  }

  /** Lowers the confidence if there are control characters, and adds that to the reason. */
  lowerForControls(confidence, reason) {
    const { controls } = this.trials;
    if (controls === 0) return { confidence, reason };
    const [one, many] = ["control character, which is rare in text", "control characters, which are rare in text"];
    return { confidence: lower(confidence, "medium"), reason: `${reason}; but with ${counted(controls, one, many)}` };
  }

  /** Text in a multi-byte encoding, with a few malformed sequences. */
  #damaged() {
    const possible = this.declarations.filter(({ form, encoding }) => form !== "transport" || !isUtf16(encoding));
    for (const declaration of [...possible, undefined]) {
      const encoding = declaration?.encoding ?? "UTF-8";
      const tally = this.trials.tally(encoding);
      const beyond = tally.beyondAscii;
      if (!isMultiByte(encoding) || beyond < MIN_CONTRADICTING || tally.malformed * 10 > beyond) continue;
      const what = declaration === undefined ? `UTF-8, with ${characters(beyond)}` : `declared by ${declaration}`;
      const reason = `${what}; but with ${malformedSequences(tally)}`;
      const isLong = this.hasSkipped || tally.malformed * 1000 < beyond;
      if (declaration === undefined && !isLong && this.guess !== undefined && !isUtf8(this.guess)) continue;
      return { encoding, confidence: "medium", evidence: declaration === undefined ? "structure" : "declaration", reason };
    }
    return undefined;
  }

  /** Returns the likely encodings: the answer first, then those without malformed sequences, the likeliest first. */
  #candidates(answer, evidence, probability) {
    const isGuess = ["guess", "fallback", "declaration"].includes(evidence);
    const choice = isGuess && this.#guess ? choose(this, this.#guess) : undefined;
    const ranked = choice?.ranked ?? new Map();
    const likely = [answer, ...this.declarations.map(({ encoding }) => encoding)];
    if (!this.trials.isPlain) {
      likely.push("UTF-8");
      if (isGuess) likely.push(...[...ranked.keys()].slice(0, MAX_RANKED), this.fallback);
      likely.push(
        ...MULTI_BYTE.filter((encoding) => {
          const tally = this.trials.tally(encoding);
          return tally.malformed === 0 && tally.beyondAscii > 0 && tally.unlikely * 50 <= tally.units;
        }),
      );
    }
    const [first, ...others] = [...new Set(likely)].map((encoding) =>
      candidate(encoding, this.trials.tally(encoding), encoding === answer ? probability : (ranked.get(encoding) ?? 0)),
    );
    return [first, ...others.sort((a, b) => (a.malformed > 0) - (b.malformed > 0) || b.probability - a.probability)];
  }
}

/** Returns whether a guess says that the text is UTF-8, and nothing else. */
function isUtf8({ fits, mixture }) {
  return fits[0].encoding === "UTF-8" && !(mixture?.gain > 0);
}
