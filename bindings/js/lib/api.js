// The exports that all entries share.

export { bomSniff, decode, decodeAndReport, Decoder } from "./decode.js";
export { TextDecoder } from "./decoder.js";
export { encode, encodeOrFail, Encoder, getEncoding, getOutputEncoding } from "./encode.js";
export { TextEncoder } from "./encoder.js";
export { DecodeError, EncodeError } from "./errors.js";
export { install } from "./install.js";
export { encodings } from "./labels.js";
export { DecoderStream, EncoderStream, TextDecoderStream, TextEncoderStream } from "./streams.js";
export { percentEncodeAfterEncoding } from "./url.js";
