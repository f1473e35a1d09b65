// Decoders and encoders as streams of the platform.

import { internal } from "../core.js";
import { Decoder } from "./decode.js";
import { Encoder } from "./encode.js";

const { CoderStream } = internal;

export class DecoderStream extends CoderStream {
  constructor(encoding, options = undefined) {
    super(new Decoder(encoding, options));
  }
}

export class EncoderStream extends CoderStream {
  constructor(encoding, options = undefined) {
    super(new Encoder(encoding, options));
  }
}
