// Sections 7.5 and 7.6: TextDecoderStream and TextEncoderStream, on the platform's TransformStream.

import { DecoderCommon } from "./decoder.js";
import { encodeUtf8 } from "./encoder.js";
import { isHighSurrogate } from "./strings.js";
import { bytesOf, checkBufferSource, shape, toDOMString } from "./webidl.js";

const { TransformStream } = globalThis;

export class TextDecoderStream {
  #common;
  #transform;

  constructor(label = "utf-8", options = undefined) {
    const common = new DecoderCommon(label, options);
    this.#common = common;
    this.#transform = new TransformStream({
      transform(chunk, controller) {
        const text = common.decode(bytesOf(chunk, checkBufferSource(chunk)), true);
        if (text !== "") controller.enqueue(text);
      },
      flush(controller) {
        const text = common.decode(new Uint8Array(0), false);
        if (text !== "") controller.enqueue(text);
      },
    });
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
    return this.#transform.readable;
  }

  get writable() {
    return this.#transform.writable;
  }
}

export class TextEncoderStream {
  #transform;

  constructor() {
    let pendingHighSurrogate = "";
    this.#transform = new TransformStream({
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
  }

  get encoding() {
    this.#transform;
    return "utf-8";
  }

  get readable() {
    return this.#transform.readable;
  }

  get writable() {
    return this.#transform.writable;
  }
}

shape(TextDecoderStream, "TextDecoderStream");
shape(TextEncoderStream, "TextEncoderStream");
