// The known differences from iconv-lite. docs/javascript-iconv-lite.md explains each rule.

const UNKNOWN = "\ufffd";
const QUESTION_MARK = "3f";

const isSurrogate = (char) => char >= "\ud800" && char <= "\udfff";
const isOneOf =
  (...names) =>
  ({ encoding }) =>
    names.includes(encoding);
const isPage = ({ encoding }) => !/^(utf|ucs|cesu|shiftjis|eucjp|gb|cp9[345][69]|cp950|big5)/.test(encoding);

/**
 * @typedef {import("./iconv-lite-differences.js").Difference} Difference
 * @type {{ name: string, is: (difference: Difference) => boolean }[]} The first rule that fits is the explanation.
 */
export const RULES = [
  {
    name: "one question mark",
    is: (d) => d.what === "encode" && d.input.length === 2 && d.theirs === "3f3f" && d.ours === QUESTION_MARK,
  },
  {
    name: "U+FFFD",
    is: (d) => isPage(d) && d.what === "encode" && d.input === UNKNOWN && d.ours === QUESTION_MARK,
  },
  {
    name: "surrogates",
    is: (d) => d.what === "encode" && isSurrogate(d.input) && d.encoding === "gb18030" && d.ours === "8431a437",
  },
  {
    name: "malformed",
    is: (d) => d.what === "decode" && d.input.length > 2 && d.theirs.startsWith(UNKNOWN) && d.ours.startsWith(UNKNOWN),
  },
  {
    name: "larger tables",
    is: (d) =>
      d.what === "decode"
        ? isOneOf("cp936", "cp950", "shiftjis", "gbk")(d) && d.theirs.startsWith(UNKNOWN)
        : isOneOf("cp936", "cp950")(d) && d.theirs === QUESTION_MARK,
  },
  { name: "minus", is: (d) => isOneOf("shiftjis", "eucjp")(d) && d.input === "\u2212" && d.theirs === QUESTION_MARK },
  {
    name: "two bytes",
    is: (d) => d.encoding === "eucjp" && d.what === "encode" && /^8f....$/.test(d.theirs) && /^....$/.test(d.ours),
  },
  { name: "GB18030-2022", is: (d) => isOneOf("gbk", "gb18030")(d) && is2022(d) },
  {
    name: "beyond Unicode",
    is: (d) =>
      d.encoding === "gb18030" &&
      /^(8[4-9a-f]|e[3-9a-f]|f)/.test(d.input) &&
      d.input.length === 8 &&
      d.ours === UNKNOWN,
  },
  {
    name: "Big5",
    is: (d) =>
      d.encoding === "cp950" &&
      (d.input === "f9fe" || "\u2550\u255e\u2561\u256a\u2593\u4edd\u5341\u5345".includes(d.input)),
  },
  { name: "zero at the end", is: (d) => d.encoding === "cesu8" && d.what === "decode" && d.theirs === `0${d.ours}` },
];

/** What GB18030-2022 changed: some private-use characters have others in their place. */
function is2022({ encoding, what, input, theirs, ours }) {
  if (what === "decode")
    return input.length === 4 && /^[\ue000-\uf8ff]$/.test(theirs) && /^[\u9fb4-\u9fbb\ufe10-\ufe19]$/.test(ours);
  if (input === (encoding === "gbk" ? "\ue7c7" : "\ue5e5")) return ours === QUESTION_MARK;
  return /^[\u9fb4-\u9fbb\ufe10-\ufe19]$/.test(input);
}
