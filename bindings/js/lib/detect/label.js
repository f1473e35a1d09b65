// Labels that are not in the standard: what looks like one, and what does not.

const PLACEHOLDERS = ["charset", "encoding"];

/** Returns whether text in the place of a label looks like the name of an encoding, and not like a template or a placeholder. */
export const looksLikeLabel = (label) =>
  label.length <= 40 && /^[a-z\d][\w.:+-]*$/i.test(label) && /[a-z]/i.test(label) && !PLACEHOLDERS.includes(label.toLowerCase());

const OPEN = [
  "unknown", "unknown-8bit", "x-unknown", "8bit", "auto", "binary", "default", "no-conversion", "none", "prefer-utf-8", "raw-text",
  "sql_ascii", "undecided",
];

/** Returns whether a label is known, but says that the encoding is not. */
export const leavesOpen = (label) => OPEN.includes(label.toLowerCase());

const FAMILY = /^(?:x-)?(?:cp|ibm|iso|latin|win|dos|mac|koi|utf|ucs|big|gb|euc|jis|tis|kz|tcvn|ebcdic)/i;

/** Returns whether an unknown label is the name of an encoding even where the text around it may be prose. */
export const isUnmistakable = (label) => (/\d/.test(label) && FAMILY.test(label)) || /^(?:x-)?mac[-_]/i.test(label);

/** Returns whether an unknown label is a name of UTF-8, such as Python's `utf-8-sig`. */
export const isVariantOfUtf8 = (label) => /^utf8(?!\d)/i.test(label.replace(/[^a-z\d]+/gi, ""));
