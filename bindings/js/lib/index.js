// The main entry. It contains the module, and is ready after the import.

export {
  DecodeError,
  Decoder,
  DecoderStream,
  EncodeError,
  Encoder,
  EncoderStream,
  TextDecoder,
  TextDecoderStream,
  TextEncoder,
  TextEncoderStream,
  bomSniff,
  decode,
  decodeAndReport,
  encode,
  encodeOrFail,
  encodings,
  getEncoding,
  getOutputEncoding,
  install,
  percentEncodeAfterEncoding,
} from "./core.js";
