// What was decoded, and what fits no encoding.

import { DecodeError } from "../core.js";

/** Thrown for a sequence that fits no encoding of the list. `encoding` is the one that was tried last. */
export class MixedError extends DecodeError {
  constructor({ encoding, line, start, end }) {
    super(encoding, start, end);
    this.message = `Line ${line} is malformed in each encoding. ${this.message}`;
    this.line = line;
  }
}

// Not the name of the class, which bundlers shorten.
Object.defineProperty(MixedError.prototype, "name", { value: "MixedError", configurable: true, writable: true });

/** What the units have in common: the text, and what is said about it. */
export class Output {
  /** What was decoded since the last call. */
  text = "";
  /** The malformed sequences that were replaced since the last call. */
  replaced = [];
  #isFatal;
  #maxPlaces;
  #parts;
  #errors = 0;
  #firstError = null;

  constructor({ encodings, isFatal, maxPlaces }) {
    this.encodings = encodings;
    this.#isFatal = isFatal;
    this.#maxPlaces = maxPlaces;
    this.#parts = encodings.map(({ name }) => ({ encoding: name, count: 0, places: [] }));
  }

  /** Counts parts of the first encoding, whose places are not kept. */
  addFirst(count) {
    this.#parts[0].count += count;
  }

  /** Counts a part that the encoding with this index decodes. */
  add(index, line, start, end) {
    const part = this.#parts[index];
    part.count++;
    if (index > 0 && part.places.length < this.#maxPlaces) part.places.push({ line, start, end });
  }

  /** Counts a sequence that fits no encoding. */
  addMalformed(error) {
    if (this.#isFatal) throw new MixedError(error);
    this.#errors++;
    this.#firstError ??= error;
    this.replaced.push(error);
  }

  /** Returns a copy of what was counted. */
  summary() {
    const copy = (object) => object && { ...object };
    return {
      parts: this.#parts.map(({ places, ...part }) => ({ ...part, places: places.map(copy) })),
      isMixed: this.#parts.some(({ count }, index) => index > 0 && count > 0),
      errors: this.#errors,
      firstError: copy(this.#firstError),
    };
  }
}
