import { BytesLike, DecodeOptions, DecodeReportOptions, DecoderOptions, EncodeOptions, EncoderOptions, EncodingName } from "./api.js";
import { CodePageName, CodedEncodingName } from "./code-page-name.js";

export { DecodeError, EncodeError } from "./api.js";
export { CodePageName, CodedEncodingName };

/** A single-byte encoding outside the Encoding Standard. */
export interface CodePage {
  /** The name: that of IANA, IBM or Windows, or the name passed to {@link singleByte}. */
  readonly name: string;
  /** Other names, in lower case. */
  readonly aliases: readonly string[];
  /** The numbers of code pages: that of Windows first, if it has one. */
  readonly codePages: readonly number[];
  /** The characters of all 256 bytes. An unassigned byte has U+FFFD. */
  readonly characters: string;
  /** Whether the bytes below 0x80 are ASCII. */
  readonly isAsciiCompatible: boolean;
}

/** An encoding outside the Encoding Standard that has an algorithm instead of a table, such as UTF-7. */
export interface CodedEncoding {
  /** The name. It starts with `true-` if it would mean another encoding without that. */
  readonly name: CodedEncodingName;
  /** Other names, in lower case. */
  readonly aliases: readonly string[];
  /** The numbers of code pages: that of Windows first, if it has one. */
  readonly codePages: readonly number[];
  /** Only a {@link CodePage} has a table. */
  readonly characters?: undefined;
  /** Whether the bytes below 0x80 are ASCII. */
  readonly isAsciiCompatible: boolean;
}

/** An encoding outside the Encoding Standard. */
export type OemEncoding = CodePage | CodedEncoding;

/**
 * What the functions of this entry take: a label of the Encoding Standard, another name of its encodings, such as "cp932", the name
 * of another encoding, or an {@link OemEncoding}. Labels mean what they mean in the main entry. Names ignore ASCII case, surrounding ASCII
 * white space, and whether words are separated by `-`, `_` or a space.
 */
export type AnyEncoding = CodePageName | CodedEncodingName | EncodingName | (string & {}) | OemEncoding;

/** All encodings of this entry that the Encoding Standard does not have. */
export const encodings: readonly OemEncoding[];

/** Returns the code page with this name. */
export function encodingForName(name: CodePageName): CodePage;
/** Returns the encoding with this name, or `null`: also for names of the standard's encodings. */
export function encodingForName(name: string): OemEncoding | null;

/** Returns the encoding with this number of Windows or IBM, or `null`. */
export function encodingForCodePage(number: number): OemEncoding | null;

/**
 * Creates a code page from a table.
 * @param name for messages.
 * @param characters those of all 256 bytes, or of the 128 bytes from 0x80 on if the others are ASCII. U+FFFD is an unassigned byte. If
 *   several bytes have a character, it is encoded as the first one.
 * @throws RangeError for another length, a surrogate, or U+FFFF.
 */
export function singleByte(name: string, characters: string): CodePage;

/**
 * Decodes bytes. Unassigned bytes are malformed. A byte order mark overrides a code page, unless its bytes below 0x80 are not ASCII,
 * or it is a table from {@link singleByte}: there, it is text, as in a {@link CodedEncoding}. UTF-32 has a mark of its own.
 * @throws RangeError for an unknown name.
 */
export function decode(bytes: BytesLike, encoding: AnyEncoding, options?: DecodeOptions): string;

export interface DecodeReport {
  text: string;
  /** The encoding that was used. */
  encoding: string;
  /** Whether a byte order mark determined the encoding. */
  bom: boolean;
  /** The offsets of malformed bytes, `start` to `end` (exclusive), and the index of their U+FFFD in the text, in code units. */
  errors: { start: number; end: number; index: number }[];
}

/** Decodes bytes like {@link decode}, and lists the malformed ones. */
export function decodeAndReport(bytes: BytesLike, encoding: AnyEncoding, options?: DecodeReportOptions): DecodeReport;

/**
 * Encodes a string. What replaces unmappable characters is encoded, too: in EBCDIC, also `&#…;`. The option `bom` has no effect:
 * UTF-32 always starts with a mark, and true-iso-2022-kr with its header.
 * @throws RangeError for an unknown name.
 */
export function encode(string: string, encoding: AnyEncoding, options?: EncodeOptions): Uint8Array<ArrayBuffer>;

/** Encodes like {@link encode}, but throws an {@link EncodeError} for unmappable characters and unpaired surrogates. */
export function encodeOrFail(
  string: string,
  encoding: AnyEncoding,
  options?: Pick<EncodeOptions, "surrogates" | "bom">,
): Uint8Array<ArrayBuffer>;

/** Decodes a text in chunks. */
export class Decoder {
  /** @throws RangeError for an unknown name. */
  constructor(encoding: AnyEncoding, options?: DecoderOptions);
  /** The name of the encoding: that of a byte order mark, once one was found. */
  readonly encoding: string;
  /** Decodes a chunk. */
  write(bytes: BytesLike): string;
  /** Ends the text, and returns the rest of it. The next chunk starts a new text. */
  end(): string;
}

/** Encodes a text in chunks. A call that throws has no effect. */
export class Encoder {
  /** @throws RangeError for an unknown name. */
  constructor(encoding: AnyEncoding, options?: EncoderOptions);
  /** The name of the encoding. */
  readonly encoding: string;
  /** Encodes a chunk. Half a surrogate pair at its end is kept for the next one. */
  write(string: string): Uint8Array<ArrayBuffer>;
  /** Ends the text, and returns the rest of its bytes. The next chunk starts a new text. */
  end(): Uint8Array<ArrayBuffer>;
}

/** A {@link Decoder} as a stream. */
export class DecoderStream {
  constructor(encoding: AnyEncoding, options?: DecoderOptions);
  readonly encoding: string;
  // @ts-ignore: `any` if the platform has no types for streams.
  readonly readable: ReadableStream<string>;
  // @ts-ignore: `any` if the platform has no types for streams.
  readonly writable: WritableStream<BytesLike>;
}

/** An {@link Encoder} as a stream. */
export class EncoderStream {
  constructor(encoding: AnyEncoding, options?: EncoderOptions);
  readonly encoding: string;
  // @ts-ignore: `any` if the platform has no types for streams.
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  // @ts-ignore: `any` if the platform has no types for streams.
  readonly writable: WritableStream<string>;
}
