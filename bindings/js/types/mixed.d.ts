import { BytesLike, DecodeError, EncodingName } from "./api.js";

export interface MixedOptions {
  /**
   * What is decoded with one encoding. "line": each line, with the first encoding of the list in which it is well-formed. "sequence":
   * well-formed characters of the first encoding stay, and each malformed sequence is decoded with the first other encoding that has
   * its bytes. These must be single-byte encodings. It is the default if they are.
   */
  per?: "line" | "sequence";
  /** Throw a {@link MixedError} for bytes that fit no encoding instead of replacing them with U+FFFD. */
  fatal?: boolean;
  /**
   * Called with each malformed sequence that was replaced. If it throws, the text of the chunk is lost, and the next chunk continues
   * after it.
   */
  onMalformed?: (error: MixedPlace & { encoding: EncodingName }) => void;
  /** The maximum number of places that the summary lists for each encoding: 16 by default. NaN and negative numbers are a RangeError. */
  maxPlaces?: number;
}

/** A part of the input. */
export interface MixedPlace {
  /** The number of the line, from 1. */
  line: number;
  /** The offset of the first byte in the whole input. */
  start: number;
  /** The offset one past the last byte. Of a line that is longer than 1 MiB, only the first MiB may be listed. */
  end: number;
}

/** What was decoded, apart from the text. */
export interface MixedSummary {
  /** What each encoding has decoded, in the order of the list. */
  parts: {
    encoding: EncodingName;
    /** The number of lines or sequences. 0 for the first encoding if `per` is "sequence". */
    count: number;
    /** Where the first of them are. None are listed for the first encoding. */
    places: MixedPlace[];
  }[];
  /** Whether any part was not decoded with the first encoding. */
  isMixed: boolean;
  /** The number of sequences that fit no encoding and were replaced. */
  errors: number;
  /** The first of them, and the encoding that was tried last. */
  firstError: (MixedPlace & { encoding: EncodingName }) | null;
}

/** Thrown for bytes that fit no encoding of the list. `encoding` is the one that was tried last. */
export class MixedError extends DecodeError {
  /** The number of the line, from 1. */
  readonly line: number;
}

/**
 * Decodes text in chunks in which several known encodings are mixed, in the order of a list. Nothing is guessed. The chunks do not
 * change the result. Byte order marks, which files that were joined have anywhere, are kept as U+FEFF.
 *
 * A line ends after a line feed. Its first MiB decides about it.
 *
 * A list for lines may have UTF-16LE and UTF-16BE. A line with zero bytes is UTF-16, whatever the place in the list, if that is the more
 * likely text. Such a part may also start within a line.
 */
export class Mixed {
  /**
   * @param encodings at least two labels, the first encoding first.
   * @throws RangeError for an unknown label, and for encodings that cannot be mixed: ISO-2022-JP, replacement, the same one twice, UTF-16
   *   alone, or an encoding that needs lines if `per` is "sequence".
   */
  constructor(encodings: readonly string[], options?: MixedOptions);
  /** What is decoded with one encoding. */
  readonly per: "line" | "sequence";
  /** A copy of what was counted so far. It stays after the end of a text until the next chunk. */
  readonly summary: MixedSummary;
  /**
   * Decodes a chunk. The start of a line or of a character is kept until the rest is known.
   * @throws MixedError if `fatal` is set, and again in each further call until `end`.
   */
  write(bytes: BytesLike): string;
  /** Ends the text, and returns the rest of it. The next chunk starts a new text. */
  end(): string;
}

/**
 * Decodes a whole text like {@link Mixed}.
 * @throws RangeError for encodings that cannot be mixed.
 */
export function decodeMixed(
  bytes: BytesLike,
  encodings: readonly string[],
  options?: MixedOptions,
): { text: string; summary: MixedSummary };
