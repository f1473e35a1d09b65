// Replaces the engine's classes.

import { TextDecoder } from "./decoder.js";
import { TextEncoder } from "./encoder.js";
import { TextDecoderStream, TextEncoderStream } from "./streams.js";

export function install(target = globalThis) {
  for (const interface_ of [TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream]) {
    Object.defineProperty(target, interface_.name, {
      value: interface_,
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }
}
