import { BytesLike, EncodingName } from "./api.js";

export interface DetectOptions {
  /**
   * Look for declarations in the text: of HTML, XML, CSS, source code, PO files, mail, LaTeX, JSP, PHP, vCard, GEDCOM, desktop entries,
   * Vim and SQL. `true` by default.
   */
  declarations?: boolean;
  /** Guess if there is no other evidence. `true` by default. */
  guess?: boolean;
  /** A label: the encoding that the transport layer specifies. Like a declaration, it is the answer if the bytes do not contradict it. */
  transport?: string;
  /** The value of a `Content-Type` header, instead of `transport`. An unknown label in it is ignored. */
  contentType?: string;
  /** A label: the encoding to use if nothing is found. "windows-1252" by default. */
  fallback?: string;
  /**
   * Labels: the encodings of which the guess is one. By default, all that text has. They change nothing if there is other evidence. If
   * another encoding is far likelier, the confidence is low.
   */
  candidates?: Iterable<string>;
  /**
   * BCP 47 tags, such as "pt-BR", or English names: the text is probably in one of these languages. Others remain possible. Languages
   * that the model does not know are ignored.
   */
  languages?: Iterable<string>;
  /** The top-level domain from which the text comes, such as "jp", for the guess. Other names are ignored. */
  topLevelDomain?: string;
}

/** How the text ends. */
export interface EndOptions {
  /** More text follows, so an incomplete character at the end is not malformed. */
  partial?: boolean;
}

/**
 * How sure a result is: the level of its probability. "certain": a byte order mark, or an empty input. "high", at least 0.999: a
 * declaration, a structure that rarely occurs by chance, or a guess far ahead of all others. "medium", at least 0.98: a guess from enough
 * text, or evidence with some evidence against it. "low", less than that: do not replace the only copy of the text. "none": the input is
 * not text.
 */
export type Confidence = "none" | "low" | "medium" | "high" | "certain";

/** The kind of evidence. "fallback": nothing was found, and no guess was wanted. "none": the input is not text. */
export type Evidence = "empty" | "bom" | "declaration" | "structure" | "ascii" | "guess" | "fallback" | "none";

/** A declaration that was found in the text. */
export interface Declaration {
  /** The encoding that it demands. `null` if the label is unknown; then the declaration is at the end, and makes other answers uncertain. */
  encoding: EncodingName | null;
  form:
    | "meta" | "pragma" | "xml" | "wide-xml" | "css" | "comment" | "po" | "mail" | "transport"
    | "latex" | "jsp" | "php" | "card" | "gedcom" | "desktop" | "vim" | "sql" | "postgres";
  /** The label, as it is in the text. With the form "transport", the name of the encoding. */
  label: string;
  /** The offset of the declaration in bytes. */
  offset: number;
}

/** The result of decoding the text in one encoding. */
export interface Candidate {
  encoding: EncodingName;
  /** The number of malformed sequences. */
  malformed: number;
  /** The number of non-ASCII characters. */
  nonAscii: number;
  /** How many of these rarely occur in text: C1 controls, private use, unassigned code points. */
  unlikely: number;
  /** How likely it is that this is the encoding, from 0 to 1. Encodings in which the text is the same share their probability. */
  probability: number;
  /** Whether all bytes were decoded. Otherwise the numbers are lower bounds. */
  isComplete: boolean;
}

export interface Detection {
  /** The encoding. If the confidence is "none", it is only a last resort. */
  encoding: EncodingName;
  confidence: Confidence;
  /** How likely it is that the text decodes rightly in the encoding, from 0 to 1. For evidence other than a guess, it follows from the level. */
  probability: number;
  evidence: Evidence;
  /** The encoding, followed by other likely ones, the likeliest first. Those without malformed sequences come before all others. */
  candidates: Candidate[];
  /** The declarations that were found, in order of precedence, whether the bytes contradict them or not. */
  declarations: Declaration[];
  /** The language of the text in English, such as "French", if the evidence is a guess and a known language fits. */
  language: string | null;
  /**
   * The encoding in which some words of a guessed text seem to be, if that is another one. `decodeMixed` of `textcodec-wasm/mixed`
   * decodes text in both.
   */
  mixedWith: EncodingName | null;
  /** The number of bytes that were examined. */
  bytes: number;
  /** The evidence in one line, for people. It may change in any release. */
  reason: string;
}

/**
 * Finds the encoding of a text.
 * @throws RangeError for an unknown label in `transport`, `fallback` or `candidates`.
 */
export function detect(bytes: BytesLike, options?: DetectOptions & EndOptions): Detection;

/** Finds the encoding of text that comes in chunks. The chunks do not change the result. */
export class Detector {
  constructor(options?: DetectOptions);
  /** Whether more text will not change the result: after 64 KiB of text with a byte order mark. */
  readonly isDecided: boolean;
  /** Adds a chunk. */
  write(bytes: BytesLike): void;
  /** Ends the text and returns the result. The next chunk starts a new text. */
  end(options?: EndOptions): Detection;
}
