// @ts-ignore: without Node's types, the streams are `any`.
import type { Transform, TransformOptions } from "node:stream";

/** Node's Buffer where there is one, else a Uint8Array. */
export type Bytes = typeof globalThis extends { Buffer: { alloc(size: number): infer B } } ? B : Uint8Array;

export interface DecodeOptions {
  /** `false` leaves a byte order mark in the text; a function is called when one is removed. */
  stripBOM?: boolean | (() => void);
  /** For "utf-16", where neither a byte order mark nor ASCII characters tell the byte order: "utf-16le" by default. */
  defaultEncoding?: string;
}

export interface EncodeOptions {
  /** Puts a byte order mark first. Only "utf-16" does so by default. */
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

/** The text that bytes are; U+FFFD for malformed ones. @throws Error for an unknown encoding. */
export function decode(buffer: Uint8Array, encoding: string, options?: DecodeOptions): string;
/** The bytes of a string; "?" for what the encoding lacks. @throws Error for an unknown encoding. */
export function encode(string: string, encoding: string, options?: EncodeOptions): Bytes;
/** Whether there is an encoding with this name. */
export function encodingExists(encoding: string): boolean;
/** Decodes chunks. */
export function getDecoder(encoding: string, options?: DecodeOptions): DecoderStream;
/** Encodes chunks. */
export function getEncoder(encoding: string, options?: EncodeOptions): EncoderStream;
/** A stream of Node's that takes bytes and gives text. */
export function decodeStream(encoding: string, options?: DecodeOptions & TransformOptions): Transform;
/** A stream of Node's that takes text and gives bytes. */
export function encodeStream(encoding: string, options?: EncodeOptions & TransformOptions): Transform;
/** Gives Node's streams, or others like them, to a platform that has none. */
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
  /** What malformed bytes become: U+FFFD. It can be set. */
  defaultCharUnicode: string;
  /** What characters become that an encoding lacks: "?". It can be set. */
  defaultCharSingleByte: string;
};

export default iconv;
