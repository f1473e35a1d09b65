// Bytes whose number is not known before.

export class Output {
  #bytes;
  #length = 0;

  /** @param {number} capacity the expected number of bytes */
  constructor(capacity) {
    this.#bytes = new Uint8Array(capacity);
  }

  push(byte) {
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#length++] = byte;
  }

  /** Adds the two bytes of a number, the higher one first. */
  pushTwo(bytes) {
    this.push(bytes >>> 8);
    this.push(bytes & 0xff);
  }

  bytes() {
    return this.#bytes.slice(0, this.#length);
  }
}
