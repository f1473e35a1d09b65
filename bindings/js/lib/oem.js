// The entry for code pages that are not in the Encoding Standard, such as those of MS-DOS and EBCDIC. Its functions are those of
// the main entry, but with more names. It is JavaScript: the module does not contain the tables.

export { Decoder, decode, decodeAndReport } from "./oem/decode.js";
export { Encoder, encode, encodeOrFail } from "./oem/encode.js";
export { encodingForCodePage, encodingForName, encodings } from "./oem/encodings.js";
export { singleByte } from "./oem/page.js";
export { DecoderStream, EncoderStream } from "./oem/streams.js";
export { DecodeError, EncodeError } from "./core.js";
