// Bytes that are kept, and what is in them.

export const FEED = 0x0a;

/** Returns the number of line feeds. */
export function countFeeds(bytes) {
  let count = 0;
  for (let at = bytes.indexOf(FEED); at >= 0; at = bytes.indexOf(FEED, at + 1)) count++;
  return count;
}

/** Bytes that are kept between calls. Both ends move. */
export class Kept {
  #buffer = new Uint8Array(0);
  #start = 0;
  #end = 0;

  get length() {
    return this.#end - this.#start;
  }

  /** A view, which is valid until bytes are added. */
  get bytes() {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  add(bytes) {
    const length = this.length + bytes.length;
    if (this.#start + length > this.#buffer.length) {
      const kept = this.bytes;
      if (2 * length > this.#buffer.length) this.#buffer = new Uint8Array(2 * length);
      this.#buffer.set(kept);
      [this.#start, this.#end] = [0, kept.length];
    }
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Removes bytes at the start. */
  remove(count) {
    this.#start += count;
  }
}
