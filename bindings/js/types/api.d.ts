/** What can be decoded: an ArrayBuffer, a SharedArrayBuffer, or a view of one, of a fixed length. */
export type BytesLike = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/** The name of an encoding, as the standard writes it. */
export type EncodingName =
  | "UTF-8" | "IBM866" | "ISO-8859-2" | "ISO-8859-3" | "ISO-8859-4" | "ISO-8859-5" | "ISO-8859-6" | "ISO-8859-7"
  | "ISO-8859-8" | "ISO-8859-8-I" | "ISO-8859-10" | "ISO-8859-13" | "ISO-8859-14" | "ISO-8859-15" | "ISO-8859-16"
  | "KOI8-R" | "KOI8-U" | "macintosh" | "windows-874" | "windows-1250" | "windows-1251" | "windows-1252"
  | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258"
  | "x-mac-cyrillic" | "GBK" | "gb18030" | "Big5" | "EUC-JP" | "ISO-2022-JP" | "Shift_JIS" | "EUC-KR"
  | "replacement" | "UTF-16BE" | "UTF-16LE" | "x-user-defined";

export interface TextDecoderOptions {
  /** Malformed bytes throw a TypeError instead of becoming U+FFFD. */
  fatal?: boolean;
  /** A byte order mark is U+FEFF instead of nothing. */
  ignoreBOM?: boolean;
}

export interface TextDecodeOptions {
  /** More input will follow. */
  stream?: boolean;
}

/** The standard's [TextDecoder](https://encoding.spec.whatwg.org/#interface-textdecoder). */
export class TextDecoder {
  /** @throws RangeError where the label is none, or one of `replacement`. */
  constructor(label?: string, options?: TextDecoderOptions);
  /** The name in lower case. */
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** @throws TypeError where `fatal` is set and the input is malformed. */
  decode(input?: BytesLike, options?: TextDecodeOptions): string;
}

export interface TextEncoderEncodeIntoResult {
  /** Code units of the source. */
  read: number;
  /** Bytes of the destination. */
  written: number;
}

/** The standard's [TextEncoder](https://encoding.spec.whatwg.org/#interface-textencoder). */
export class TextEncoder {
  constructor();
  readonly encoding: string;
  /** Surrogates without their other half become U+FFFD. */
  encode(input?: string): Uint8Array<ArrayBuffer>;
  /** Writes as many whole characters as fit. */
  encodeInto(source: string, destination: Uint8Array): TextEncoderEncodeIntoResult;
}

/** The standard's [TextDecoderStream](https://encoding.spec.whatwg.org/#interface-textdecoderstream). */
export class TextDecoderStream {
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  // @ts-ignore: `any` where the platform has no types for streams.
  readonly readable: ReadableStream<string>;
  // @ts-ignore: `any` where the platform has no types for streams.
  readonly writable: WritableStream<BytesLike>;
}

/** The standard's [TextEncoderStream](https://encoding.spec.whatwg.org/#interface-textencoderstream). */
export class TextEncoderStream {
  constructor();
  readonly encoding: string;
  // @ts-ignore: `any` where the platform has no types for streams.
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  // @ts-ignore: `any` where the platform has no types for streams.
  readonly writable: WritableStream<string>;
}

/** An encoding and its labels. */
export interface Encoding {
  readonly name: EncodingName;
  readonly labels: readonly string[];
}

/** All encodings, in the order of the standard. */
export const encodings: readonly Encoding[];

/** The name of the encoding that a label stands for, or `null`. Case and ASCII whitespace around it do not matter. */
export function getEncoding(label: string): EncodingName | null;

/**
 * The encoding that forms and URLs are encoded with: UTF-8 for UTF-16 and replacement.
 * @throws RangeError for an unknown label.
 */
export function getOutputEncoding(label: string): EncodingName;

/** The encoding that a byte order mark at the start stands for, or `null`. */
export function bomSniff(bytes: BytesLike): "UTF-8" | "UTF-16BE" | "UTF-16LE" | null;

/** Malformed bytes. */
export class DecodeError extends TypeError {
  readonly encoding: EncodingName;
  /** The offset of the first malformed byte. */
  readonly start: number;
  /** The offset behind the last one. */
  readonly end: number;
}

/** A character that an encoding cannot represent. */
export class EncodeError extends TypeError {
  readonly encoding: EncodingName;
  readonly codePoint: number;
  /** Where it is in the string, in code units. */
  readonly index: number;
}

export interface DecodeOptions {
  /** Malformed bytes throw a {@link DecodeError} instead of becoming U+FFFD. */
  fatal?: boolean;
}

/**
 * Decodes bytes as browsers decode a page: a byte order mark wins over the label, and is removed.
 * @throws RangeError for an unknown label.
 */
export function decode(bytes: BytesLike, label?: string, options?: DecodeOptions): string;

export interface DecodeReport {
  text: string;
  /** The encoding that was used. */
  encoding: EncodingName;
  /** Whether a byte order mark has said so. */
  bom: boolean;
  /** Malformed bytes from `start` to before `end`, and where their U+FFFD is in the text, in code units. */
  errors: { start: number; end: number; index: number }[];
}

export interface DecodeReportOptions {
  /** What a byte order mark does: it wins over the label, only the encoding's own is removed, or it is text. */
  bom?: "sniff" | "own" | "keep";
  /** How many errors are listed at most: 1000 by default. */
  limit?: number;
}

/** {@link decode}, and where the malformed bytes are. */
export function decodeAndReport(bytes: BytesLike, label?: string, options?: DecodeReportOptions): DecodeReport;

export interface EncodeOptions {
  /**
   * What becomes of characters that the encoding cannot represent: `&#…;` (the default, as forms on the web send), an
   * {@link EncodeError}, nothing, or the text that a function gives for the code point.
   */
  unmappable?: "html" | "fail" | "skip" | ((codePoint: number) => string);
  /** What becomes of surrogates without their other half: U+FFFD (the default), or an {@link EncodeError}. */
  surrogates?: "replace" | "fail";
}

/**
 * Encodes a string, in any encoding but replacement; UTF-16 is UTF-16, without a byte order mark.
 * @throws RangeError for an unknown label, and for one of replacement.
 */
export function encode(string: string, label?: string, options?: EncodeOptions): Uint8Array<ArrayBuffer>;

/** {@link encode} that throws an {@link EncodeError} for whatever it would have to change. */
export function encodeOrFail(
  string: string,
  label?: string,
  options?: Pick<EncodeOptions, "surrogates">,
): Uint8Array<ArrayBuffer>;

export interface PercentEncodeOptions {
  /** A percent-encode set of the URL Standard: "query" by default. */
  set?:
    | "c0" | "fragment" | "query" | "special-query" | "path" | "userinfo" | "component"
    | "application/x-www-form-urlencoded";
  /** U+0020 becomes `+`. */
  spaceAsPlus?: boolean;
}

/** The URL Standard's [percent-encode after encoding](https://url.spec.whatwg.org/#string-percent-encode-after-encoding). */
export function percentEncodeAfterEncoding(string: string, label?: string, options?: PercentEncodeOptions): string;

/** Puts the four classes in the place of an engine's own. */
export function install(target?: object): void;
