// Byte order marks around the encoders and decoders of codecs that are `bomAware`.

import { BOM } from "./bytes.js";

/** Removes a byte order mark from the start of a text, unless `stripBOM` is false. Calls it if it is a function. */
export function stripBom(text, options) {
  const stripBOM = options?.stripBOM;
  if (stripBOM === false || !text.startsWith(BOM)) return text;
  if (typeof stripBOM === "function") stripBOM();
  return text.slice(1);
}

/** Removes a byte order mark from the first chunk that is not empty. */
export class StrippingDecoder {
  #decoder;
  #options;
  #atStart = true;

  constructor(decoder, options) {
    this.#decoder = decoder;
    this.#options = options;
  }

  write(buffer) {
    return this.#stripped(this.#decoder.write(buffer));
  }

  end() {
    return this.#stripped(this.#decoder.end());
  }

  #stripped(text) {
    if (!this.#atStart || !text) return text;
    this.#atStart = false;
    return stripBom(text, this.#options);
  }
}

/** Writes a byte order mark before the first chunk. */
export class MarkedEncoder {
  #encoder;
  #mark = BOM;

  constructor(encoder) {
    this.#encoder = encoder;
  }

  write(string) {
    const text = this.#mark + string;
    this.#mark = "";
    return this.#encoder.write(text);
  }

  end() {
    return this.#encoder.end();
  }
}
