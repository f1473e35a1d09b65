// Surrogates in strings.

/** Unpaired surrogates. */
export const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Returns whether the code unit at an index is a high surrogate, paired or not. */
export function isHighSurrogate(string, at) {
  return (string.charCodeAt(at) & 0xfc00) === 0xd800;
}
