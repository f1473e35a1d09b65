// Functions that encode, in any encoding: *get an output encoding* of section 4, and those that are not in the standard.

import { nameOf, outputNumber, toEncoder, toEncoding, toFunction, toOptions } from "./arguments.js";
import { ChunkEncoder, encodeToParts, encodeWhole } from "./engine.js";
import { EncodeError } from "./errors.js";
import { numberOf, encodings } from "./labels.js";
import { UTF_8, hasBom } from "./numbers.js";
import { FAIL, HTML, REPORT, SKIP, UnmappableText, concat } from "./policies.js";
import { LONE_SURROGATES, isHighSurrogate } from "./surrogates.js";
import { encodeUtf8 } from "./utf8.js";
import { toDOMString } from "./webidl.js";

export function getEncoding(label) {
  const number = numberOf(toDOMString(label));
  return number === undefined ? null : encodings[number].name;
}

export function getOutputEncoding(label) {
  return nameOf(outputNumber(toEncoding(label)));
}

const markOf = (number) => (hasBom(number) ? "\ufeff" : "");

/**
 * The options of `encode`, checked: how the engine handles unmappable characters, and what replaces them.
 * @param {(codePoint: number, index: number) => never} fail throws the error of a character
 * @param {string} mark the byte order mark, or "" if the encoding has none
 */
export function readOptions(fail, mark, options) {
  const { unmappable = "html", replacement = "?", surrogates = "replace", bom = false } = toOptions(options);
  if (surrogates !== "replace" && surrogates !== "fail") throw new TypeError('surrogates must be "replace" or "fail".');
  const rest = { isStrict: surrogates === "fail", prefix: bom ? mark : "" };
  switch (unmappable) {
    case "html":
      return { policy: HTML, textFor: (codePoint) => `&#${codePoint};`, ...rest };
    case "fail":
      return { policy: FAIL, textFor: fail, ...rest };
    case "skip":
      return { policy: SKIP, textFor: () => "", ...rest };
    case "replace":
      return { policy: REPORT, textFor: () => toDOMString(replacement), ...rest };
  }
  if (typeof unmappable !== "function") {
    throw new TypeError('unmappable must be "html", "fail", "skip", "replace" or a function.');
  }
  return { policy: REPORT, textFor: (codePoint) => toText(unmappable(codePoint)), ...rest };
}

function toText(value) {
  if (value === undefined || value === null) {
    throw new TypeError(`The function for unmappable characters returned ${value} instead of a string.`);
  }
  return toDOMString(value);
}

function thrower(number) {
  return (codePoint, index) => {
    throw new EncodeError(nameOf(number), codePoint, index);
  };
}

/** Runs a function of the engine. A replacement that is unmappable is an error of the character that it replaces. */
function encoding(number, offset, act) {
  try {
    return act();
  } catch (error) {
    if (error instanceof UnmappableText) thrower(number)(error.codePoint, offset + error.index);
    throw error;
  }
}

/** Throws if a string has unpaired surrogates. `offset` is the index of its start in the text. */
export function checkWellFormed(string, fail, offset) {
  const at = string.search(LONE_SURROGATES);
  if (at >= 0) fail(string.charCodeAt(at), offset + at);
}

export function encode(string, label = "utf-8", options = undefined) {
  const text = toDOMString(string);
  const number = toEncoder(label);
  if (options === undefined) return number === UTF_8 ? encodeUtf8(text) : encodeWhole(number, HTML, text);
  const { policy, textFor, isStrict, prefix } = readOptions(thrower(number), markOf(number), options);
  if (isStrict) checkWellFormed(text, thrower(number), 0);
  const all = prefix + text;
  if (number === UTF_8) return encodeUtf8(all);
  if (policy !== REPORT) return encodeWhole(number, policy, all, textFor);
  return encoding(number, 0, () => concat(encodeToParts(number, REPORT, all, textFor)));
}

export function encodeOrFail(string, label = "utf-8", options = undefined) {
  const { surrogates = "fail", bom = false } = toOptions(options);
  return encode(string, label, { unmappable: "fail", surrogates, bom });
}

/** Encodes a text in chunks. */
export class Encoder {
  #number;
  #options;
  #onUnmappable;
  #encoder;
  /** The number of code units before the next chunk. */
  #offset = 0;
  #isAtStart = true;
  /** A high surrogate at the end of the last chunk, or "", if unpaired surrogates are errors. */
  #high = "";

  constructor(label = "utf-8", options = undefined) {
    this.#number = toEncoder(label);
    this.#options = readOptions(thrower(this.#number), markOf(this.#number), options);
    this.#onUnmappable = toFunction(toOptions(options).onUnmappable, "onUnmappable");
    const isSeen = this.#onUnmappable !== undefined && this.#options.policy !== FAIL;
    this.#encoder = new ChunkEncoder(this.#number, isSeen ? REPORT : this.#options.policy);
  }

  get encoding() {
    return nameOf(this.#number);
  }

  write(string) {
    return this.#encode(toDOMString(string), false);
  }

  end() {
    return this.#encode("", true);
  }

  #encode(string, last) {
    const { isStrict, prefix, textFor } = this.#options;
    let text = string;
    let high = "";
    if (isStrict) {
      text = this.#high + text;
      const end = text.length - (!last && isHighSurrogate(text, text.length - 1) ? 1 : 0);
      high = text.slice(end);
      text = text.slice(0, end);
      checkWellFormed(text, thrower(this.#number), this.#offset);
    }
    const before = this.#isAtStart ? prefix : "";
    const offset = this.#offset - before.length;
    const replace = (codePoint, index) => {
      const replacement = textFor(codePoint, offset + index); // throws if the character is not replaced
      this.#onUnmappable?.({ codePoint, index: offset + index });
      return replacement;
    };
    const parts = encoding(this.#number, offset, () => this.#encoder.encode(before + text, last, replace));
    // The call cannot throw from here on: if it throws, the state is that before it.
    this.#high = high;
    this.#isAtStart = last;
    this.#offset = last ? 0 : this.#offset + text.length;
    return concat(parts);
  }
}
