import { BytesLike, EncodingName } from "./api.js";

export { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream } from "./api.js";

/** Returns the name of a label's encoding, or `null`. */
export function labelToName(label: string): EncodingName | null;

/** Returns the name of a label's encoding in lower case, or `null`. */
export function normalizeEncoding(label: string): string | null;

/** The Encoding Standard's [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff). */
export function getBOMEncoding(input: BytesLike): "utf-8" | "utf-16le" | "utf-16be" | null;

/**
 * The Encoding Standard's [decode](https://encoding.spec.whatwg.org/#decode): a byte order mark overrides the encoding, and is
 * removed.
 * @param fallbackEncoding "utf-8" by default.
 * @throws RangeError for an unknown label.
 */
export function legacyHookDecode(input: BytesLike, fallbackEncoding?: string): string;

/**
 * The URL Standard's [percent-encode after encoding](https://url.spec.whatwg.org/#string-percent-encode-after-encoding).
 * @param percentEncodeSet the printable ASCII characters beyond the C0 control percent-encode set.
 * @throws RangeError for an unknown label, and for UTF-16 and replacement.
 */
export function percentEncodeAfterEncoding(
  encoding: string,
  input: string,
  percentEncodeSet: string,
  spaceAsPlus?: boolean,
): string;

/** The Infra Standard's [isomorphic decode](https://infra.spec.whatwg.org/#isomorphic-decode). */
export function isomorphicDecode(input: BytesLike): string;

/**
 * The Infra Standard's [isomorphic encode](https://infra.spec.whatwg.org/#isomorphic-encode).
 * @throws TypeError if a code unit is greater than U+00FF.
 */
export function isomorphicEncode(string: string): Uint8Array<ArrayBuffer>;
