// The entry for encodings that are not in the Encoding Standard: code pages, such as those of MS-DOS and EBCDIC, and encodings with an
// algorithm, such as UTF-7. Its functions are those of the main entry, but with more names. It is JavaScript: the module contains
// neither the tables nor the algorithms.

export { Decoder, decode, decodeAndReport } from "./oem/decode.js";
export { Encoder, encode, encodeOrFail } from "./oem/encode.js";
export { encodingForCodePage, encodingForName, encodings } from "./oem/encodings.js";
export { singleByte } from "./oem/page.js";
export { DecoderStream, EncoderStream } from "./oem/streams.js";
export { DecodeError, EncodeError } from "./core.js";
