// Sections 7.5 and 7.6: TextDecoderStream and TextEncoderStream, on the platform's TransformStream.

import { DecoderCommon } from "./decoder.js";
import { encodeUtf8 } from "./encoder.js";
import { isHighSurrogate } from "./surrogates.js";
import { bytesOf, checkBufferSource, shape, toDOMString } from "./webidl.js";

const { TransformStream } = globalThis;

export class TextDecoderStream {
  #common;
  #readable;
  #writable;

  constructor(label = "utf-8", options = undefined) {
    const common = new DecoderCommon(label, options);
    this.#common = common;
    const transform = new TransformStream({
      __proto__: null,
      transform(chunk, controller) {
        const text = common.decode(bytesOf(chunk, checkBufferSource(chunk)), true);
        if (text !== "") controller.enqueue(text);
      },
      flush(controller) {
        const text = common.decode(new Uint8Array(0), false);
        if (text !== "") controller.enqueue(text);
      },
    });
    this.#readable = transform.readable;
    this.#writable = transform.writable;
  }

  get encoding() {
    return this.#common.encoding;
  }

  get fatal() {
    return this.#common.fatal;
  }

  get ignoreBOM() {
    return this.#common.ignoreBOM;
  }

  get readable() {
    return this.#readable;
  }

  get writable() {
    return this.#writable;
  }
}

export class TextEncoderStream {
  #readable;
  #writable;

  constructor() {
    let pendingHighSurrogate = "";
    const transform = new TransformStream({
      __proto__: null,
      transform(chunk, controller) {
        const text = pendingHighSurrogate + toDOMString(chunk);
        const end = text.length - (isHighSurrogate(text, text.length - 1) ? 1 : 0);
        pendingHighSurrogate = text.slice(end);
        if (end > 0) controller.enqueue(encodeUtf8(text.slice(0, end)));
      },
      flush(controller) {
        if (pendingHighSurrogate !== "") controller.enqueue(encodeUtf8(pendingHighSurrogate));
      },
    });
    this.#readable = transform.readable;
    this.#writable = transform.writable;
  }

  get encoding() {
    this.#readable;
    return "utf-8";
  }

  get readable() {
    return this.#readable;
  }

  get writable() {
    return this.#writable;
  }
}

shape(TextDecoderStream, "TextDecoderStream");
shape(TextEncoderStream, "TextEncoderStream");
