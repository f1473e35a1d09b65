// The exports that all entries share.

export { TextDecoder } from "./decoder.js";
export { TextEncoder } from "./encoder.js";
export {
  DecodeError,
  EncodeError,
  bomSniff,
  decode,
  decodeAndReport,
  encode,
  encodeOrFail,
  getEncoding,
  getOutputEncoding,
  install,
  percentEncodeAfterEncoding,
} from "./functions.js";
export { encodings } from "./labels.js";
export { TextDecoderStream, TextEncoderStream } from "./streams.js";
