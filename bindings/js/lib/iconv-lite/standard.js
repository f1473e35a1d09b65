// The encodings of the standard, except UTF-16, which is in utf16.js.

import { TextDecoder, internal } from "../core.js";
import { NO_BYTES, UNKNOWN, asBuffer, asBytes } from "./bytes.js";
import { ChunkwiseEncoder } from "./encoder.js";
import { Extras } from "./extras.js";
import { ReplacingDecoder, replaceUnknown, replacementIn } from "./replacement.js";
import { PageDecoder } from "./single-byte.js";

const { ChunkEncoder, concat, encodeUtf8, encodeWhole, nativeBuffer, numberOf } = internal;

const unreachable = () => {
  throw new Error("The replacement cannot be encoded.");
};

const textDecoder = (label) => new TextDecoder(label, { ignoreBOM: true });

/** A codec for an encoding without state between its characters. */
class StandardCodec {
  encoder = ChunkwiseEncoder;
  #whole;
  #iconv;

  constructor(label, iconv) {
    this.number = numberOf(label);
    this.replacement = replacementIn(this.number, iconv);
    this.#whole = textDecoder(label);
    this.#iconv = iconv;
  }

  /** Decodes all bytes. The characters of `unassigned`, a regular expression, are malformed. */
  decodeAll(bytes, unassigned) {
    const text = this.#whole.decode(bytes);
    return replaceUnknown(unassigned === undefined ? text : text.replace(unassigned, UNKNOWN), this.#iconv);
  }

  encodeAll(text) {
    return asBuffer(encodeWhole(this.number, this.replacement(), text, unreachable));
  }
}

/** A codec for a single-byte encoding. */
export class StandardPageCodec extends StandardCodec {
  decoder = PageDecoder;
}

const CONTROLS = /[\x80-\x9f]/g;

/** The same for windows-1252 and others, whose unassigned bytes are controls in the standard, and malformed in iconv-lite. */
export class WindowsCodec extends StandardPageCodec {
  decodeAll(bytes) {
    return super.decodeAll(bytes, CONTROLS);
  }

  encodeAll(text) {
    return super.encodeAll(text.replace(CONTROLS, UNKNOWN));
  }
}

/** The bytes of U+FFFD in encodings that have it. */
const ENCODED_UNKNOWN = {
  "utf-8": Uint8Array.of(0xef, 0xbf, 0xbd),
  gbk: Uint8Array.of(0x84, 0x31, 0xa4, 0x37),
  gb18030: Uint8Array.of(0x84, 0x31, 0xa4, 0x37),
};

/** A codec for an encoding with several bytes per character. */
export class MultiByteCodec extends StandardCodec {
  decoder = MultiByteDecoder;
  #label;
  #iconv;
  #encodedUnknown;
  #extras;

  constructor(label, iconv, { bomAware = false, hasExtras = false } = {}) {
    super(label, iconv);
    this.#label = label;
    this.#iconv = iconv;
    this.#encodedUnknown = ENCODED_UNKNOWN[label] ?? NO_BYTES;
    this.bomAware = bomAware;
    /** After a byte below this one, no character is incomplete. */
    this.boundary = label === "gb18030" || label === "gbk" ? 0x30 : 0x80;
    if (hasExtras) this.#extras = new Extras(label);
    if (label === "iso-2022-jp") {
      this.boundary = 0;
      this.encoder = StatefulEncoder;
    }
  }

  decodeAll(bytes) {
    if (this.#iconv.defaultCharUnicode === UNKNOWN) return super.decodeAll(bytes);
    const decoder = this.chunkDecoder();
    return decoder.write(bytes) + decoder.end();
  }

  chunkDecoder() {
    return new ReplacingDecoder(textDecoder(this.#label), this.#encodedUnknown, this.#iconv);
  }

  encodeAll(text) {
    return this.#extras === undefined ? super.encodeAll(text) : asBuffer(this.#extras.encode(text, this.replacement));
  }

  /** Splits a chunk into the part that can be encoded, and the end, whose bytes depend on the next chunk. */
  split(string) {
    return this.#extras?.split(string);
  }
}

/** The length up to which Buffer's shared memory makes it faster than memory for each result. */
const SHORT = 256;

export class Utf8Codec extends MultiByteCodec {
  constructor(iconv) {
    super("utf-8", iconv, { bomAware: true });
  }

  encodeAll(text) {
    const isNative = nativeBuffer !== undefined && text.length <= SHORT;
    return isNative ? nativeBuffer.from(text, "utf8") : asBuffer(encodeUtf8(text));
  }
}

/** A decoder for chunks. It can be reused after `end`. */
class MultiByteDecoder {
  #codec;
  #decoder;
  /** Whether the decoder may have an incomplete character. */
  #isOpen = false;

  constructor(options, codec) {
    this.#codec = codec;
  }

  write(buffer) {
    const bytes = asBytes(buffer);
    if (bytes.length === 0) return "";
    if (!this.#isOpen && bytes[bytes.length - 1] < this.#codec.boundary) return this.#codec.decodeAll(bytes);
    this.#isOpen = true;
    this.#decoder ??= this.#codec.chunkDecoder();
    return this.#decoder.write(bytes);
  }

  end() {
    if (!this.#isOpen) return undefined;
    this.#isOpen = false;
    return this.#decoder.end() || undefined;
  }
}

/** An encoder for chunks of ISO-2022-JP. It can be reused after `end`. */
class StatefulEncoder {
  #codec;
  /** The engine's encoder. It exists from the first `write` to `end`. */
  #encoder;

  constructor(options, codec) {
    this.#codec = codec;
  }

  write(string) {
    return asBuffer(this.#encode(string, false));
  }

  end() {
    if (this.#encoder === undefined) return undefined;
    const bytes = this.#encode("", true);
    this.#encoder = undefined;
    return bytes.length === 0 ? undefined : asBuffer(bytes);
  }

  #encode(string, last) {
    if (this.#encoder === undefined) {
      const { number, replacement } = this.#codec;
      this.#encoder = new ChunkEncoder(number, replacement());
    }
    return concat(this.#encoder.encode(string, last, unreachable));
  }
}
