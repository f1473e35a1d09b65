// @ts-ignore: `any` without Node's types.
import type { Transform, TransformOptions } from "node:stream";

/** Node's Buffer if the platform has one, otherwise a Uint8Array. */
export type Bytes = typeof globalThis extends { Buffer: { alloc(size: number): infer B } } ? B : Uint8Array;

export interface DecodeOptions {
  /** `false` keeps a byte order mark in the text; a function is called when one is removed. */
  stripBOM?: boolean | (() => void);
  /** The encoding for "utf-16" if the byte order cannot be detected: "utf-16le" by default. */
  defaultEncoding?: string;
}

export interface EncodeOptions {
  /** Adds a byte order mark. On by default for "utf-16" only. */
  addBOM?: boolean;
}

export interface DecoderStream {
  write(buffer: Uint8Array): string;
  end(): string | undefined;
}

export interface EncoderStream {
  write(string: string): Bytes;
  end(): Bytes | undefined;
}

/** Decodes bytes. Malformed bytes become U+FFFD. @throws Error for an unknown encoding. */
export function decode(buffer: Uint8Array, encoding: string, options?: DecodeOptions): string;
/** Encodes a string. Unmappable characters become "?". @throws Error for an unknown encoding. */
export function encode(string: string, encoding: string, options?: EncodeOptions): Bytes;
/** Returns whether an encoding with this name is supported. */
export function encodingExists(encoding: string): boolean;
/** Creates a decoder for chunks. */
export function getDecoder(encoding: string, options?: DecodeOptions): DecoderStream;
/** Creates an encoder for chunks. */
export function getEncoder(encoding: string, options?: EncodeOptions): EncoderStream;
/** Creates a Node stream that decodes bytes. */
export function decodeStream(encoding: string, options?: DecodeOptions & TransformOptions): Transform;
/** Creates a Node stream that encodes text. */
export function encodeStream(encoding: string, options?: EncodeOptions & TransformOptions): Transform;
/** Enables streams on platforms other than Node, with a module like Node's `stream`. */
export function enableStreamingAPI(module: { Transform: typeof Transform }): void;
/** The older name of {@link decode}. */
export function fromEncoding(buffer: Uint8Array, encoding: string, options?: DecodeOptions): string;
/** The older name of {@link encode}. */
export function toEncoding(string: string, encoding: string, options?: EncodeOptions): Bytes;

declare const iconv: {
  decode: typeof decode;
  encode: typeof encode;
  encodingExists: typeof encodingExists;
  getDecoder: typeof getDecoder;
  getEncoder: typeof getEncoder;
  decodeStream: typeof decodeStream;
  encodeStream: typeof encodeStream;
  enableStreamingAPI: typeof enableStreamingAPI;
  fromEncoding: typeof fromEncoding;
  toEncoding: typeof toEncoding;
  readonly supportsStreams: boolean;
  /** The replacement for malformed bytes: U+FFFD by default. Applications may set it. */
  defaultCharUnicode: string;
  /** The replacement for unmappable characters: "?" by default. Applications may set it. */
  defaultCharSingleByte: string;
};

export default iconv;
