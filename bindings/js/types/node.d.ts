import { Transform } from "node:stream";
import { DecoderOptions, EncoderOptions, EncodingName } from "./api.js";

/** The options of Node's streams that these classes have. */
export interface StreamOptions {
  allowHalfOpen?: boolean;
  autoDestroy?: boolean;
  emitClose?: boolean;
  highWaterMark?: number;
  readableHighWaterMark?: number;
  writableHighWaterMark?: number;
  signal?: AbortSignal;
}

/** The offsets of a malformed sequence in the whole input. */
export interface Malformed {
  start: number;
  end: number;
}

/** A character that the encoding cannot represent, and its index in the whole text in code units. */
export interface Unmappable {
  codePoint: number;
  index: number;
}

type Listener<Arguments extends unknown[]> = (...values: Arguments) => void;

/**
 * Decodes bytes to strings, in any encoding. Each malformed sequence that is replaced is an event "malformed". With `fatal`, the
 * first one ends the stream with a `DecodeError`.
 */
export class DecoderStream extends Transform {
  /** @param label "utf-8" by default. @throws RangeError for an unknown label. */
  constructor(label?: string, options?: DecoderOptions & StreamOptions);
  /** The encoding: that of a byte order mark, once one was found. */
  readonly encoding: EncodingName;
  on(event: "malformed", listener: (error: Malformed) => void): this;
  on(event: "data", listener: (text: string) => void): this;
  on(event: "error", listener: (error: Error) => void): this;
  on(event: string | symbol, listener: Listener<any[]>): this;
  once(event: "malformed", listener: (error: Malformed) => void): this;
  once(event: "data", listener: (text: string) => void): this;
  once(event: "error", listener: (error: Error) => void): this;
  once(event: string | symbol, listener: Listener<any[]>): this;
}

/**
 * Encodes strings to bytes, in any encoding except replacement. Each character that the encoding cannot represent and that is
 * replaced or omitted is an event "unmappable". With `unmappable: "fail"`, the first one ends the stream with an `EncodeError`.
 */
export class EncoderStream extends Transform {
  /** @param label "utf-8" by default. @throws RangeError for an unknown label, and for labels for replacement. */
  constructor(label?: string, options?: EncoderOptions & StreamOptions);
  readonly encoding: EncodingName;
  on(event: "unmappable", listener: (character: Unmappable) => void): this;
  on(event: "data", listener: (bytes: Buffer) => void): this;
  on(event: "error", listener: (error: Error) => void): this;
  on(event: string | symbol, listener: Listener<any[]>): this;
  once(event: "unmappable", listener: (character: Unmappable) => void): this;
  once(event: "data", listener: (bytes: Buffer) => void): this;
  once(event: "error", listener: (error: Error) => void): this;
  once(event: string | symbol, listener: Listener<any[]>): this;
}
