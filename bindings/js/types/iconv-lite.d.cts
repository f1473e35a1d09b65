import type * as api from "./iconv-lite-api.cjs";

declare const iconv: api.Iconv & { default: api.Iconv };

declare namespace iconv {
  type Bytes = api.Bytes;
  type Encoding = api.Encoding;
  type DecodeOptions = api.DecodeOptions;
  type EncodeOptions = api.EncodeOptions;
  type Options = api.Options;
  type DecoderStream = api.DecoderStream;
  type EncoderStream = api.EncoderStream;
  type Codec = api.Codec;
  type Definition = api.Definition;
  type DecodingStream = api.DecodingStream;
  type EncodingStream = api.EncodingStream;
  type Iconv = api.Iconv;
}

export = iconv;
