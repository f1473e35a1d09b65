// Errors that say where they are.

/** Thrown for malformed bytes. */
export class DecodeError extends TypeError {
  constructor(encoding, start, end) {
    super(`Malformed ${encoding} at ${end - start === 1 ? `byte ${start}` : `bytes ${start} to ${end - 1}`}.`);
    this.encoding = encoding;
    this.start = start;
    this.end = end;
  }
}

/** Thrown for a character that an encoding cannot represent. */
export class EncodeError extends TypeError {
  constructor(encoding, codePoint, index) {
    const hex = codePoint.toString(16).toUpperCase().padStart(4, "0");
    super(`${encoding} cannot represent U+${hex} at index ${index}.`);
    this.encoding = encoding;
    this.codePoint = codePoint;
    this.index = index;
  }
}

// Not the names of the classes, which bundlers shorten.
for (const [name, error] of Object.entries({ DecodeError, EncodeError })) {
  Object.defineProperty(error.prototype, "name", { value: name, configurable: true, writable: true });
}
