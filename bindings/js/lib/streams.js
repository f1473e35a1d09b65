// Sections 7.5 and 7.6: TextDecoderStream and TextEncoderStream, on the platform's TransformStream. DecoderStream and
// EncoderStream, which are not in the standard, have the options of `decode` and `encode`.

import { Decoder } from "./decode.js";
import { DecoderCommon } from "./decoder.js";
import { Encoder } from "./encode.js";
import { encodeUtf8 } from "./utf8.js";
import { isHighSurrogate } from "./surrogates.js";
import { shape, toBytes, toDOMString } from "./webidl.js";

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
        const text = common.decode(toBytes(chunk), true);
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

/** A decoder or an encoder of this package as a stream. */
export class CoderStream {
  #coder;
  #readable;
  #writable;

  constructor(coder) {
    const enqueue = (result, controller) => {
      if (result.length > 0) controller.enqueue(result);
    };
    this.#coder = coder;
    const transform = new TransformStream({
      __proto__: null,
      transform: (chunk, controller) => enqueue(coder.write(chunk), controller),
      flush: (controller) => enqueue(coder.end(), controller),
    });
    this.#readable = transform.readable;
    this.#writable = transform.writable;
  }

  get encoding() {
    return this.#coder.encoding;
  }

  get readable() {
    return this.#readable;
  }

  get writable() {
    return this.#writable;
  }
}

export class DecoderStream extends CoderStream {
  constructor(label = "utf-8", options = undefined) {
    super(new Decoder(label, options));
  }
}

export class EncoderStream extends CoderStream {
  constructor(label = "utf-8", options = undefined) {
    super(new Encoder(label, options));
  }
}
