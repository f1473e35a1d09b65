// The types of the iconv-lite entry, which its types for ES modules and for CommonJS share.

// @ts-ignore: `any` without Node's types.
import type { Transform, TransformOptions } from "node:stream";

/** Node's Buffer if the platform has one, otherwise a Uint8Array. */
export type Bytes = typeof globalThis extends { Buffer: { alloc(size: number): infer B } } ? B : Uint8Array;

/** The name of an encoding. Case, all characters except letters and digits, and a year at the end are ignored. */
export type Encoding = string;

export interface DecodeOptions {
  /** `false` keeps a byte order mark in the text; a function is called when one is removed. */
  stripBOM?: boolean | (() => void) | undefined;
  /** The encoding for "utf-16" and "utf-32" if the byte order cannot be detected: little-endian by default. */
  defaultEncoding?: string | undefined;
}

export interface EncodeOptions {
  /** Adds a byte order mark. On by default for "utf-16" and "utf-32" only. */
  addBOM?: boolean | undefined;
  /** The encoding that "utf-32" writes: "utf-32le" by default. */
  defaultEncoding?: string | undefined;
}

/** The options of both directions. */
export interface Options extends DecodeOptions, EncodeOptions {}

/** A decoder for chunks. */
export interface DecoderStream {
  write(buffer: Uint8Array): string;
  /** Returns the remaining text. */
  end(): string | undefined;
}

/** An encoder for chunks. */
export interface EncoderStream {
  write(string: string): Bytes;
  /** Returns the remaining bytes. */
  end(): Bytes | undefined;
}

/** What an encoding is made of. */
export interface Codec {
  encoder: new (options?: EncodeOptions, codec?: Codec) => EncoderStream;
  decoder: new (options?: DecodeOptions, codec?: Codec) => DecoderStream;
  /** Whether byte order marks are added and removed. */
  bomAware?: boolean | undefined;
  [key: string]: any;
}

/** What a name means: another name, the options of a type, or the type itself. */
export type Definition =
  | string
  | { type: string; [key: string]: any }
  | (new (options: { encodingName: string; [key: string]: any }, iconv: Iconv) => Codec);

/** A Node stream that decodes bytes. `collect` calls back with the whole text. */
export type DecodingStream = Transform & {
  collect(callback: (error: Error | null, text: string) => void): DecodingStream;
};

/** A Node stream that encodes text. `collect` calls back with all bytes. */
export type EncodingStream = Transform & {
  collect(callback: (error: Error | null, bytes: Bytes) => void): EncodingStream;
};

/** The functions and fields of the entry. Applications may set them. */
export interface Iconv {
  /** Encodes a string. Unmappable characters become `defaultCharSingleByte`. @throws Error for an unknown encoding. */
  encode(string: string, encoding: Encoding, options?: EncodeOptions): Bytes;
  /** Decodes bytes. Malformed bytes become `defaultCharUnicode`. @throws Error for an unknown encoding. */
  decode(buffer: Uint8Array, encoding: Encoding, options?: DecodeOptions): string;
  /** Returns whether an encoding with this name is supported. */
  encodingExists(encoding: Encoding): boolean;
  /** The older name of `encode`. */
  toEncoding(string: string, encoding: Encoding, options?: EncodeOptions): Bytes;
  /** The older name of `decode`. */
  fromEncoding(buffer: Uint8Array, encoding: Encoding, options?: DecodeOptions): string;
  /** Returns the codec of an encoding, the same for all of its names. @throws Error for an unknown encoding. */
  getCodec(encoding: Encoding): Codec;
  /** Creates an encoder for chunks. @throws Error for an unknown encoding. */
  getEncoder(encoding: Encoding, options?: EncodeOptions): EncoderStream;
  /** Creates a decoder for chunks. @throws Error for an unknown encoding. */
  getDecoder(encoding: Encoding, options?: DecodeOptions): DecoderStream;
  /** Creates a Node stream that encodes text. */
  encodeStream(encoding: Encoding, options?: EncodeOptions & TransformOptions): EncodingStream;
  /** Creates a Node stream that decodes bytes. */
  decodeStream(encoding: Encoding, options?: DecodeOptions & TransformOptions): DecodingStream;
  /** Enables streams on platforms other than Node, with a module like Node's `stream`. */
  enableStreamingAPI(stream: { Transform: typeof Transform }): void;
  /** The class of the streams that `encodeStream` creates. Missing while streams are not enabled. */
  IconvLiteEncoderStream: new (encoder: EncoderStream, options?: TransformOptions) => EncodingStream;
  /** The class of the streams that `decodeStream` creates. Missing while streams are not enabled. */
  IconvLiteDecoderStream: new (decoder: DecoderStream, options?: TransformOptions) => DecodingStream;
  /** Whether streams are enabled. */
  readonly supportsStreams: boolean;
  /** Converts a name to lower case, and removes all but letters and digits, and a year at the end. */
  _canonicalizeEncoding(encoding: Encoding): string;
  /** What each name means. */
  encodings: Record<string, Definition>;
  /** The codecs that have been used. */
  _codecDataCache: Record<string, Codec>;
  /** The replacement for malformed bytes: U+FFFD by default. */
  defaultCharUnicode: string;
  /** The replacement for unmappable characters: "?" by default. */
  defaultCharSingleByte: string;
  /** Whether `decode` does not warn when it is called with a string. */
  skipDecodeWarning: boolean;
}
