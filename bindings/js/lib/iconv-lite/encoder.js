// An encoder for chunks, for encodings whose bytes for a character do not depend on earlier characters.

import { splitAtSurrogate } from "./bytes.js";

/** Keeps a high surrogate at the end of a chunk for the next one. */
export class ChunkwiseEncoder {
  #codec;
  #held = "";

  constructor(options, codec) {
    this.#codec = codec;
  }

  write(string) {
    const codec = this.#codec;
    const [text, held] = codec.split?.(this.#held + string) ?? splitAtSurrogate(this.#held + string);
    this.#held = held;
    return codec.encodeAll(text);
  }

  end() {
    if (this.#held === "") return undefined;
    const last = this.#codec.encodeAll(this.#held);
    this.#held = "";
    return last;
  }
}
