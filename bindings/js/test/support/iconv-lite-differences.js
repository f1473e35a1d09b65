// All differences between the iconv-lite entry and iconv-lite itself in what single characters and short sequences
// mean.

/**
 * @typedef {object} Difference
 * @property {string} encoding its name in `encodings`
 * @property {"decode" | "encode"} what
 * @property {string} input the bytes in hexadecimal, or the character
 * @property {string} theirs the result of iconv-lite: text, or bytes in hexadecimal
 * @property {string} ours
 */

import { Buffer } from "node:buffer";

const NEWLINE = 0x0a;
const CHARS = Array.from({ length: 0x110000 }, (_, n) => String.fromCodePoint(n)).filter((char) => char !== "\n");
/** All characters with one code unit, and some with two. */
const FEW_CHARS = [...CHARS.slice(0, 0xffff), "\u{10000}", "\u{1f600}", "\u{10ffff}"];
const BYTES = Array.from({ length: 256 }, (_, n) => n);
const PAIRS = BYTES.slice(0x80).flatMap((lead) => BYTES.map((trail) => [lead, trail]));
/** Pairs with the bytes that start something in encodings other than these, and all pairs as one input. */
const FEW_PAIRS = [0x26, 0x2b, 0x41, 0x80, 0xd8, 0xdc, 0xfe, 0xff].flatMap((lead) =>
  BYTES.map((trail) => [lead, trail]),
);
const ALL_PAIRS = BYTES.flatMap((lead) => BYTES.flatMap((trail) => [lead, trail]));
/** A part of the sequences of three bytes in EUC-JP, and of four bytes in GB18030. */
const THREE = [0xa1, 0xa2, 0xb0, 0xed, 0xfe].flatMap((lead) => BYTES.slice(0x80).map((trail) => [0x8f, lead, trail]));
const FOUR = [0x81, 0x82, 0x84, 0x90, 0x95, 0xe3, 0xfe].flatMap((first) =>
  [0x30, 0x31, 0x35, 0x39].flatMap((second) =>
    BYTES.slice(0x81, 0xff).flatMap((third) =>
      [0x30, 0x32, 0x37, 0x39].map((fourth) => [first, second, third, fourth]),
    ),
  ),
);

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const latin1 = (bytes) => Buffer.from(bytes).toString("latin1");

/** Returns the names of all encodings of iconv-lite, without those that are other names of the same encoding. */
export function rootsOf(original) {
  original.encodingExists("utf-8"); // loads the list
  const { encodings } = original;
  return Object.keys(encodings).filter((name) => !name.startsWith("_") && typeof encodings[name] !== "string");
}

/** Encodings whose bytes can be compared line by line: a newline is a newline, whatever comes before. */
const isByLine = (name) => !/^(utf16|utf32|ucs2|utf7|base64|hex)/.test(name);

/** @returns {Difference[]} */
export function differencesIn(encoding, ours, original) {
  const found = [];
  const compare = (what, input, theirs, mine) => {
    if (theirs !== mine) found.push({ encoding, what, input, theirs, ours: mine });
  };

  const decodeOne = (bytes) => {
    const input = Buffer.from(bytes);
    compare("decode", hex(input), original.decode(input, encoding), ours.decode(input, encoding));
  };
  /** Decodes sequences one per line, which is faster than a call for each. */
  const decodeLines = (all) => {
    const sequences = all.filter((bytes) => !bytes.includes(NEWLINE));
    const input = Buffer.from(sequences.flatMap((bytes) => [...bytes, NEWLINE]));
    const [theirs, mine] = [original, ours].map((iconv) => iconv.decode(input, encoding).split("\n"));
    sequences.forEach((bytes, n) => compare("decode", hex(bytes), theirs[n], mine[n]));
    for (const bytes of all) if (bytes.includes(NEWLINE)) decodeOne(bytes);
  };
  const encodeLines = (chars) => {
    const lines = chars.join("\n");
    const [theirs, mine] = [original, ours].map((iconv) => latin1(iconv.encode(lines, encoding)).split("\n"));
    chars.forEach((char, n) => {
      if (theirs[n] !== mine[n])
        compare("encode", char, hex(Buffer.from(theirs[n], "latin1")), hex(Buffer.from(mine[n], "latin1")));
    });
  };
  /** Compares the bytes of all characters in one string. */
  const encodeTogether = () => {
    const all = encoding === "hex" || encoding === "base64" ? "0123456789abcdefABCDEF+/-_=" : CHARS.join("");
    compare("encode", "all characters", hex(original.encode(all, encoding)), hex(ours.encode(all, encoding)));
  };

  for (const byte of BYTES) decodeOne([byte]);
  if (!isByLine(encoding)) {
    for (const pair of FEW_PAIRS) decodeOne(pair);
    decodeOne(ALL_PAIRS);
    encodeTogether();
  } else if (original.encodings[encoding].type === "_sbcs") {
    encodeLines(FEW_CHARS);
  } else {
    decodeLines([...PAIRS, ...THREE, ...FOUR]);
    encodeLines(CHARS);
  }
  return found;
}
