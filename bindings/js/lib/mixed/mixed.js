// The decoder: its options, and the chunks.

import { internal } from "../core.js";
import { Lines } from "./lines.js";
import { readList } from "./list.js";
import { Sequences } from "./sequences.js";
import { Output } from "./summary.js";

const { byteLengthOf, partOf, toBytes, toFunction, toOptions } = internal;

const NONE = new Uint8Array(0);

/** The maximum number of bytes whose errors are listed before they are reported. */
const PART = 1 << 16;

function readOptions(labels, options) {
  const { per, fatal = false, onMalformed, maxPlaces = 16 } = toOptions(options);
  const list = readList(labels, per);
  if (!(maxPlaces >= 0)) throw new RangeError("maxPlaces must be a non-negative number.");
  return { ...list, isFatal: Boolean(fatal), onMalformed: toFunction(onMalformed, "onMalformed"), maxPlaces };
}

/** Decodes text in chunks in which several known encodings are mixed. */
export class Mixed {
  #options;
  #output;
  /** A {@link Lines} or {@link Sequences}, or `undefined` after the end of a text. */
  #unit;
  /** The error that has ended the text. */
  #failed = [];

  constructor(encodings, options = undefined) {
    this.#options = readOptions(encodings, options);
    this.#start();
  }

  #start() {
    this.#output = new Output(this.#options);
    this.#unit = this.#options.unit === "line" ? new Lines(this.#output) : new Sequences(this.#output);
    this.#failed = [];
  }

  /** What decides about an encoding: "line" or "sequence". */
  get per() {
    return this.#options.unit;
  }

  /** What was decoded so far. After the end of a text, what was decoded until then. */
  get summary() {
    return this.#output.summary();
  }

  write(bytes) {
    const chunk = toBytes(bytes);
    if (this.#unit === undefined) this.#start();
    return this.#decode(chunk, false);
  }

  end() {
    if (this.#unit === undefined) this.#start();
    try {
      return this.#decode(NONE, true);
    } finally {
      this.#unit = undefined;
    }
  }

  #decode(bytes, isLast) {
    if (this.#failed.length > 0) throw this.#failed[0];
    const length = byteLengthOf(bytes);
    const output = this.#output;
    const thrown = [];
    let text = "";
    let from = 0;
    do {
      const part = partOf(bytes, from, Math.min(PART, length - from));
      from += part.length;
      try {
        this.#unit.run(part, isLast);
      } catch (error) {
        this.#failed.push(error);
        throw error;
      }
      text += output.text;
      const { replaced } = output;
      [output.text, output.replaced] = ["", []];
      // If the function throws, the chunk has been decoded nevertheless.
      try {
        if (thrown.length === 0) for (const error of replaced) this.#options.onMalformed?.({ ...error });
      } catch (error) {
        thrown.push(error);
      }
    } while (from < length);
    if (thrown.length > 0) throw thrown[0];
    return text;
  }
}

/** Decodes a whole text in which several known encodings are mixed. */
export function decodeMixed(bytes, encodings, options = undefined) {
  const mixed = new Mixed(encodings, options);
  const text = mixed.write(bytes) + mixed.end();
  return { text, summary: mixed.summary };
}
