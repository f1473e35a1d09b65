// The platform's own functions that behave exactly as the standard requires. Each is tested once, when this file is
// loaded, and is not used if the test fails. Native functions are never used for legacy encodings.

const { TextDecoder: NativeDecoder, TextEncoder: NativeEncoder } = globalThis;

/**
 * Returns a native object, or `undefined` if its test returns false or throws. The named methods are bound to the
 * object, so that scripts which patch the prototype later have no effect here.
 */
function ifExact(make, isExact, ...methods) {
  try {
    const native = make();
    if (!isExact(native)) return undefined;
    for (const name of methods) native[name] = native[name].bind(native);
    return native;
  } catch {
    return undefined;
  }
}

const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Node's Buffer, which copies Latin-1 and UTF-16 to strings and back without validating them, and swaps bytes. */
export const nativeBuffer = ifExact(
  () => globalThis.Buffer,
  (Buffer) => {
    if (!littleEndian || !globalThis.process?.versions?.node) return false;
    const all = Buffer.from(Uint8Array.from({ length: 512 }, (_, n) => n & 0xff).buffer);
    const units = new Uint16Array(256);
    const buffer = Buffer.from(units.buffer);
    const text = "a\ud800\u0000\udfff\ufeff\uffff\u65e5".repeat(9);
    const written = buffer.ucs2Write(text, 2, 2 * text.length);
    return (
      written === 2 * text.length &&
      text === String.fromCharCode(...units.subarray(1, 1 + text.length)) &&
      buffer.ucs2Slice(2, 2 + written) === text &&
      all.latin1Slice(0, 256) === String.fromCharCode(...all.subarray(0, 256)) &&
      // Short and long input.
      [all.subarray(0, 4), all].every((bytes) => Buffer.from(bytes).swap16().every((byte, n) => byte === bytes[n ^ 1]))
    );
  },
);

/** Node's test for ASCII. */
export const nativeIsAscii = ifExact(
  () => nativeBuffer && globalThis.process.getBuiltinModule("node:buffer").isAscii,
  (isAscii) => {
    const bytes = new Uint8Array(200);
    const is = (at, byte) => {
      bytes[at] = byte;
      const answer = isAscii(bytes.subarray(at & 7));
      bytes[at] = 0x7f;
      return answer;
    };
    return bytes.every((_, at) => is(at, 0x7f) && !is(at, 0x80) && !is(at, 0xff));
  },
);

const REPLACED = [
  [[], ""],
  [[0x61], "a"],
  [[0xef, 0xbb, 0xbf, 0x61], "\ufeffa"],
  [[0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], "\ufeff\ufeff"],
  [[0xf0, 0x9f, 0x98, 0x80, 0xc3, 0xa9, 0xe2, 0x82, 0xac], "\u{1f600}\u00e9\u20ac"],
  [[0xf0, 0x90, 0x80], "\ufffd"],
  [[0xf0, 0x80, 0x80, 0x41], "\ufffd\ufffd\ufffdA"],
  [[0xed, 0xa0, 0x80, 0xed, 0xbf, 0xbf], "\ufffd".repeat(6)],
  [[0xc0, 0x80, 0xc1, 0xbf, 0xfe, 0xff], "\ufffd".repeat(6)],
  [[0xf4, 0x8f, 0xbf, 0xbf, 0xf4, 0x90, 0x80, 0x80], "\u{10ffff}\ufffd\ufffd\ufffd\ufffd"],
  [[0xe2, 0x82, 0x41, 0xe2], "\ufffdA\ufffd"],
  [[0x00, 0x7f, 0xc2, 0x80], "\u0000\u007f\u0080"],
  [[0xef, 0xbf, 0xbf, 0xef, 0xb7, 0x90], "\uffff\ufdd0"],
];

const BEFORE = Array(61).fill(0x62);

/** Tests short and long input, because engines have separate code for each. */
function decodes(decoder, bytes, expected) {
  const text = (bytes) => decoder.decode(Uint8Array.from(bytes));
  const wide = [0xe6, 0x97, 0xa5];
  return (
    text(bytes) === expected &&
    text([...BEFORE, ...bytes]) === "b".repeat(61) + expected &&
    text([...BEFORE, ...wide, ...bytes]) === "b".repeat(61) + "\u65e5" + expected
  );
}

function throws(decoder, bytes) {
  try {
    decoder.decode(Uint8Array.from(bytes));
    return false;
  } catch (error) {
    return error instanceof TypeError;
  }
}

/** A decoder of UTF-8 that keeps a byte order mark. */
export const nativeUtf8 = ifExact(
  () => new NativeDecoder("utf-8", { ignoreBOM: true }),
  (decoder) => REPLACED.every(([bytes, expected]) => decodes(decoder, bytes, expected)),
  "decode",
);

/** A fatal decoder of UTF-8 that keeps a byte order mark. */
export const nativeUtf8Fatal = ifExact(
  () => new NativeDecoder("utf-8", { ignoreBOM: true, fatal: true }),
  (decoder) =>
    REPLACED.every(([bytes, expected]) =>
      expected.includes("\ufffd")
        ? throws(decoder, bytes) && throws(decoder, [...BEFORE, ...bytes])
        : decodes(decoder, bytes, expected),
    ),
  "decode",
);

/**
 * A decoder of UTF-16LE that keeps a byte order mark. It is tested with well-formed input only. Node does not need it, and
 * its start-up snapshots cannot contain it.
 */
export const nativeUtf16 = ifExact(
  () => (nativeBuffer === undefined ? new NativeDecoder("utf-16le", { ignoreBOM: true }) : undefined),
  (decoder) => {
    const text = "\ufeffa\u{10ffff}\u{1f600}\u65e5\u0000\ufeff\uffff";
    return (
      littleEndian &&
      [text, text.repeat(40)].every(
        (text) => decoder.decode(Uint16Array.from({ length: text.length }, (_, n) => text.charCodeAt(n))) === text,
      )
    );
  },
  "decode",
);

/** The expected `read.written` of `encodeInto` in the test below, by capacity. */
const ENCODE_INTO = "0.0,0.0,0.0,1.3,2.4,2.4,3.6,3.6,3.6,3.6,5.10,5.10,5.10,6.13,6.13";

/** An encoder of UTF-8. */
export const nativeEncoder = ifExact(
  () => new NativeEncoder(),
  (encoder) => {
    // In two parts: swc, which other tools contain, does not parse an unpaired surrogate before a pair.
    const text = ["a\ud800b\udc00\ud800", "\ud800\udc00\u0000\u00e9\u07ff\u0800\uffff\u{10ffff}\ud83d"].join("");
    const bytes = "61efbfbd62efbfbdefbfbdf090808000c3a9dfbfe0a080efbfbff48fbfbfefbfbd";
    const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const long = "x".repeat(100);
    const into = (capacity) => {
      const { read, written } = encoder.encodeInto("\udc00a\u00e9\u{1f600}\ud800", new Uint8Array(capacity));
      return `${read}.${written}`;
    };
    if (Array.from({ length: 15 }, (_, capacity) => into(capacity)).join() !== ENCODE_INTO) return false;
    return hex(encoder.encode(text)) === bytes && hex(encoder.encode(long + text)) === "78".repeat(100) + bytes;
  },
  "encode",
  "encodeInto",
);
