// Node's streams that decode and encode.

import { asBuffer } from "./bytes.js";
import { internal } from "../core.js";

const { concat } = internal;

/** Makes the two classes from Node's `stream.Transform`, or that of a replacement. */
export function streamClasses({ Transform }) {
  /** A stream that passes chunks to the `write` and `end` of an encoder or a decoder. */
  class ConverterStream extends Transform {
    constructor(converter, options) {
      super(options);
      this.conv = converter;
    }

    _transform(chunk, encoding, done) {
      if (!this._accepts(chunk)) return done(new TypeError(this._complaint));
      this._pushResult(() => this.conv.write(chunk), done);
    }

    _flush(done) {
      this._pushResult(() => this.conv.end(), done);
    }

    _pushResult(convert, done) {
      let result;
      try {
        result = convert();
      } catch (error) {
        return done(error);
      }
      if (result?.length > 0) this.push(result, typeof result === "string" ? "utf8" : undefined);
      done();
    }

    /** Calls back with an error, or with `null` and the whole result. */
    collect(callback) {
      const chunks = [];
      this.on("error", callback);
      this.on("data", (chunk) => chunks.push(chunk));
      this.on("end", () => callback(null, this._join(chunks)));
      return this;
    }
  }

  class IconvLiteEncoderStream extends ConverterStream {
    constructor(encoder, options) {
      super(encoder, { ...options, decodeStrings: false });
    }

    get _complaint() {
      return "Iconv encoding stream needs strings as its input.";
    }

    _accepts(chunk) {
      return typeof chunk === "string";
    }

    _join(chunks) {
      return asBuffer(concat(chunks));
    }
  }

  class IconvLiteDecoderStream extends ConverterStream {
    constructor(decoder, options) {
      super(decoder, { ...options, encoding: "utf8" });
      this.encoding = "utf8";
    }

    get _complaint() {
      return "Iconv decoding stream needs buffers as its input.";
    }

    _accepts(chunk) {
      return ArrayBuffer.isView(chunk);
    }

    _join(chunks) {
      return chunks.join("");
    }
  }

  return { IconvLiteEncoderStream, IconvLiteDecoderStream };
}
