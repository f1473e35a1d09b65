/** Bytes to decode: an ArrayBuffer, a SharedArrayBuffer, or a view of one, of fixed length. */
export type BytesLike = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

// By `cargo xtask tables`.
/** The name of an encoding, as the standard writes it. */
export type EncodingName =
  | "UTF-8" | "IBM866" | "ISO-8859-2" | "ISO-8859-3" | "ISO-8859-4" | "ISO-8859-5" | "ISO-8859-6" | "ISO-8859-7"
  | "ISO-8859-8" | "ISO-8859-8-I" | "ISO-8859-10" | "ISO-8859-13" | "ISO-8859-14" | "ISO-8859-15" | "ISO-8859-16"
  | "KOI8-R" | "KOI8-U" | "macintosh" | "windows-874" | "windows-1250" | "windows-1251" | "windows-1252"
  | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258"
  | "x-mac-cyrillic" | "GBK" | "gb18030" | "Big5" | "EUC-JP" | "ISO-2022-JP" | "Shift_JIS" | "EUC-KR" | "replacement"
  | "UTF-16BE" | "UTF-16LE" | "x-user-defined";

export interface TextDecoderOptions {
  /** Throw a TypeError for malformed bytes instead of replacing them with U+FFFD. */
  fatal?: boolean;
  /** Keep a byte order mark in the text, as U+FEFF. */
  ignoreBOM?: boolean;
}

export interface TextDecodeOptions {
  /** More input follows: keep an incomplete character at the end for the next call. */
  stream?: boolean;
}

/** The standard's [TextDecoder](https://encoding.spec.whatwg.org/#interface-textdecoder). */
export class TextDecoder {
  /** @throws RangeError if the label is unknown, or a label for `replacement`. */
  constructor(label?: string, options?: TextDecoderOptions);
  /** The encoding's name in lower case. */
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** Decodes bytes. @throws TypeError if `fatal` is set and the input is malformed. */
  decode(input?: BytesLike, options?: TextDecodeOptions): string;
}

export interface TextEncoderEncodeIntoResult {
  /** The number of code units read from the source. */
  read: number;
  /** The number of bytes written to the destination. */
  written: number;
}

/** The standard's [TextEncoder](https://encoding.spec.whatwg.org/#interface-textencoder). */
export class TextEncoder {
  constructor();
  readonly encoding: string;
  /** Encodes a string. Unpaired surrogates become U+FFFD. */
  encode(input?: string): Uint8Array<ArrayBuffer>;
  /** Encodes as many whole characters as fit into the destination. */
  encodeInto(source: string, destination: Uint8Array): TextEncoderEncodeIntoResult;
}

/** The standard's [TextDecoderStream](https://encoding.spec.whatwg.org/#interface-textdecoderstream). */
export class TextDecoderStream {
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  // @ts-ignore: `any` if the platform has no types for streams.
  readonly readable: ReadableStream<string>;
  // @ts-ignore: `any` if the platform has no types for streams.
  readonly writable: WritableStream<BytesLike>;
}

/** The standard's [TextEncoderStream](https://encoding.spec.whatwg.org/#interface-textencoderstream). */
export class TextEncoderStream {
  constructor();
  readonly encoding: string;
  // @ts-ignore: `any` if the platform has no types for streams.
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  // @ts-ignore: `any` if the platform has no types for streams.
  readonly writable: WritableStream<string>;
}

/** An encoding and its labels. */
export interface Encoding {
  readonly name: EncodingName;
  readonly labels: readonly string[];
}

/** All encodings, in the order of the standard. */
export const encodings: readonly Encoding[];

/** Returns the name of a label's encoding, or `null`. ASCII case and surrounding ASCII whitespace are ignored. */
export function getEncoding(label: string): EncodingName | null;

/**
 * Returns the encoding for forms and URLs: UTF-8 for UTF-16 and replacement, otherwise the label's encoding.
 * @throws RangeError for an unknown label.
 */
export function getOutputEncoding(label: string): EncodingName;

/** Returns the encoding of a byte order mark at the start of the input, or `null`. */
export function bomSniff(bytes: BytesLike): "UTF-8" | "UTF-16BE" | "UTF-16LE" | null;

/** Thrown for malformed bytes. */
export class DecodeError extends TypeError {
  /** The name of the encoding. */
  readonly encoding: string;
  /** The offset of the first malformed byte, in the whole input. */
  readonly start: number;
  /** The offset one past the last malformed byte. */
  readonly end: number;
}

/** Thrown for an unmappable character: one that the encoding cannot represent. */
export class EncodeError extends TypeError {
  /** The name of the encoding. */
  readonly encoding: string;
  readonly codePoint: number;
  /** The character's index in the whole text, in code units. */
  readonly index: number;
}

/**
 * How to handle a byte order mark: "sniff" lets it override the label and removes it, "own" removes only the mark of the
 * label's encoding, "keep" keeps it as text.
 */
export type BomOption = "sniff" | "own" | "keep";

export interface DecodeOptions {
  /** Throw a {@link DecodeError} for malformed bytes instead of replacing them with U+FFFD. */
  fatal?: boolean;
  /** How to handle a byte order mark: "sniff" by default. */
  bom?: BomOption;
}

/**
 * Decodes bytes as browsers decode a page: a byte order mark overrides the label and is removed.
 * @param label "utf-8" by default.
 * @throws RangeError for an unknown label.
 */
export function decode(bytes: BytesLike, label?: string, options?: DecodeOptions): string;

export interface DecodeReport {
  text: string;
  /** The encoding that was used. */
  encoding: EncodingName;
  /** Whether a byte order mark determined the encoding. */
  bom: boolean;
  /** The offsets of malformed bytes, `start` to `end` (exclusive), and the index of their U+FFFD in the text, in code units. */
  errors: { start: number; end: number; index: number }[];
}

export interface DecodeReportOptions {
  /** How to handle a byte order mark: "sniff" by default. */
  bom?: BomOption;
  /**
   * The maximum number of errors to list: 1000 by default. A fraction is rounded down. NaN and negative numbers are a RangeError, and
   * so is a list of more than 4,194,304 errors.
   */
  limit?: number;
}

/**
 * Decodes bytes like {@link decode}, and lists the malformed ones.
 * @param label "utf-8" by default.
 */
export function decodeAndReport(bytes: BytesLike, label?: string, options?: DecodeReportOptions): DecodeReport;

export interface EncodeOptions {
  /**
   * How to handle unmappable characters, which the encoding cannot represent. "html" (the default) writes `&#…;`, as
   * browsers do for forms. "fail" throws an {@link EncodeError}. "skip" omits them. "replace" writes the
   * {@link EncodeOptions.replacement}. A function returns the replacement text for a code point.
   */
  unmappable?: "html" | "fail" | "skip" | "replace" | ((codePoint: number) => string);
  /** The text that replaces each unmappable character, with `unmappable: "replace"`: "?" by default. */
  replacement?: string;
  /** How to handle unpaired surrogates: "replace" (the default) encodes U+FFFD, "fail" throws an {@link EncodeError}. */
  surrogates?: "replace" | "fail";
  /** Write a byte order mark first, if the encoding is UTF-8 or UTF-16. */
  bom?: boolean;
}

/**
 * Encodes a string in any encoding except replacement. UTF-16 is supported, too, and written without a byte order mark.
 * @param label "utf-8" by default.
 * @throws RangeError for an unknown label, and for labels for replacement.
 */
export function encode(string: string, label?: string, options?: EncodeOptions): Uint8Array<ArrayBuffer>;

/**
 * Encodes like {@link encode}, but throws an {@link EncodeError} for unmappable characters and unpaired surrogates.
 * @param label "utf-8" by default.
 */
export function encodeOrFail(
  string: string,
  label?: string,
  options?: Pick<EncodeOptions, "surrogates" | "bom">,
): Uint8Array<ArrayBuffer>;

export interface DecoderOptions extends DecodeOptions {
  /**
   * Called with the offsets in the whole input of each malformed sequence that was replaced. If it throws, the text of the chunk is
   * lost, and the next chunk continues after it.
   */
  onMalformed?: (error: { start: number; end: number }) => void;
}

/** Decodes a text in chunks, in any encoding. */
export class Decoder {
  /** @param label "utf-8" by default. @throws RangeError for an unknown label. */
  constructor(label?: string, options?: DecoderOptions);
  /** The encoding: that of a byte order mark, once one was found. */
  readonly encoding: EncodingName;
  /** Decodes a chunk. An incomplete character at its end is kept for the next one. */
  write(bytes: BytesLike): string;
  /** Ends the text, and returns the rest of it. The next chunk starts a new text. */
  end(): string;
}

export interface EncoderOptions extends EncodeOptions {
  /** Called with each unmappable character that was replaced or omitted, and its index in the whole text in code units. */
  onUnmappable?: (error: { codePoint: number; index: number }) => void;
}

/**
 * Encodes a text in chunks, in any encoding except replacement. A call that throws, because of the text or in a function of the
 * options, has no effect.
 */
export class Encoder {
  /** @param label "utf-8" by default. @throws RangeError for an unknown label, and for labels for replacement. */
  constructor(label?: string, options?: EncoderOptions);
  readonly encoding: EncodingName;
  /** Encodes a chunk. Half a surrogate pair at its end is kept for the next one. */
  write(string: string): Uint8Array<ArrayBuffer>;
  /** Ends the text, and returns the rest of its bytes. The next chunk starts a new text. */
  end(): Uint8Array<ArrayBuffer>;
}

/** A {@link Decoder} as a stream. */
export class DecoderStream {
  constructor(label?: string, options?: DecoderOptions);
  readonly encoding: EncodingName;
  // @ts-ignore: `any` if the platform has no types for streams.
  readonly readable: ReadableStream<string>;
  // @ts-ignore: `any` if the platform has no types for streams.
  readonly writable: WritableStream<BytesLike>;
}

/** An {@link Encoder} as a stream. */
export class EncoderStream {
  constructor(label?: string, options?: EncoderOptions);
  readonly encoding: EncodingName;
  // @ts-ignore: `any` if the platform has no types for streams.
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  // @ts-ignore: `any` if the platform has no types for streams.
  readonly writable: WritableStream<string>;
}

export interface PercentEncodeOptions {
  /**
   * A percent-encode set of the URL Standard, "query" by default, or the printable ASCII characters of another set. Control
   * characters and all other bytes are in every set.
   */
  set?:
    | "c0" | "fragment" | "query" | "special-query" | "path" | "userinfo" | "component"
    | "application/x-www-form-urlencoded" | Iterable<string>;
  /** Write U+0020 as `+`. */
  spaceAsPlus?: boolean;
}

/**
 * The URL Standard's [percent-encode after encoding](https://url.spec.whatwg.org/#string-percent-encode-after-encoding).
 * @param label "utf-8" by default.
 */
export function percentEncodeAfterEncoding(string: string, label?: string, options?: PercentEncodeOptions): string;

/** Replaces the engine's four classes with those of this package. `target` is `globalThis` by default. */
export function install(target?: object): void;
