// A worker that calls every function of an entry with every name: names.test.js starts it. It posts each call before it makes it, so
// that a call that does not return is known, and then the list of mistakes.

import { readFileSync } from "node:fs";
import { register } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import original from "iconv-lite";
import * as main from "textcodec-wasm";
import { aliasesIn, encodingList, readPages } from "../../oem-pages.mjs";

const { entry } = workerData;
const { names } = JSON.parse(readFileSync(new URL("../../generated/vectors.json", import.meta.url), "utf8"));

// Strings that are too long for the file of names.
const spaces = " ".repeat(1e5);
names.push([`${spaces}GBK${spaces}`, "GBK"], [`${spaces}GBK${spaces}.`, null], ["k".repeat(1e5), null]);

/** Bytes that decoders of different encodings read differently, and text that encoders write differently. */
const BYTES = Uint8Array.from({ length: 1024 }, (_, n) => (n < 256 ? n : (n * 167 + (n >> 3)) & 0xff));
const TEXT = "aé€ñß¥ąşıžЖҐыאبกảあ漢字韓한↑\u0300ﾊ\uf780\u{1f600}\u{20021}";
const ASCII = Uint8Array.of(0x61, 0x62, 0x63);

const hex = (bytes) => Array.from(bytes ?? [], (byte) => byte.toString(16).padStart(2, "0")).join("");
const decodeWith = (decoder) => decoder.write(BYTES) + (decoder.end() ?? "");
const encodeWith = (encoder) => hex(encoder.write(TEXT)) + hex(encoder.end());

/** Passes a chunk through a stream of Node, and returns what it gives at once. */
function through(stream, chunk) {
  stream.end(chunk);
  return stream.read();
}

/**
 * The functions of an entry, by their names: those that return the name of a label's encoding, and others. What others return for
 * the names of encodings is tested elsewhere.
 */
const api = (entry) => ({
  naming: {
    getEncoding: entry.getEncoding,
    Decoder: (label) => new entry.Decoder(label).encoding,
    DecoderStream: (label) => new entry.DecoderStream(label).encoding,
    Encoder: (label) => new entry.Encoder(label).encoding,
    EncoderStream: (label) => new entry.EncoderStream(label).encoding,
    TextDecoder: (label) => new entry.TextDecoder(label).encoding,
    TextDecoderStream: (label) => new entry.TextDecoderStream(label).encoding,
    decodeAndReport: (label) => entry.decodeAndReport(BYTES, label).encoding,
  },
  others: {
    "Decoder.write": (label) => decodeWith(new entry.Decoder(label)),
    "Encoder.write": (label) => encodeWith(new entry.Encoder(label)),
    "TextDecoder.decode": (label) => new entry.TextDecoder(label).decode(BYTES),
    decode: (label) => entry.decode(BYTES, label),
    encode: (label) => hex(entry.encode(TEXT, label)),
    encodeOrFail: (label) => hex(entry.encodeOrFail("abc", label)),
    getOutputEncoding: entry.getOutputEncoding,
    percentEncodeAfterEncoding: (label) => entry.percentEncodeAfterEncoding(TEXT, label),
  },
  nameless: ["DecodeError", "EncodeError", "TextEncoder", "TextEncoderStream", "bomSniff", "encodings", "install", "default"],
});

const lower = (name) => name.toLowerCase().replace(/[_ ]/g, "-");
/** The names of the oem entry, in the form in which they are compared. */
const oemNames = new Set([
  ...main.encodings.flatMap(({ labels }) => labels),
  ...encodingList(new URL("../../../../crates/textcodec/encodings.txt", import.meta.url)).flatMap(([, , , , aliases]) => aliasesIn(aliases)),
  ...readPages().flatMap(({ name, aliases }) => [name, ...aliases]),
].map(lower));

const ENTRIES = {
  ".": api,
  "./slim": api,
  "./js": api,
  "./workers": api,
  "./whatwg": (whatwg) => ({
    naming: {
      TextDecoder: (label) => new whatwg.TextDecoder(label).encoding,
      TextDecoderStream: (label) => new whatwg.TextDecoderStream(label).encoding,
      labelToName: whatwg.labelToName,
      normalizeEncoding: whatwg.normalizeEncoding,
    },
    others: {
      legacyHookDecode: (label) => whatwg.legacyHookDecode(BYTES, label),
      percentEncodeAfterEncoding: (label) => whatwg.percentEncodeAfterEncoding(label, TEXT, ""),
    },
    nameless: ["TextEncoder", "TextEncoderStream", "getBOMEncoding", "isomorphicDecode", "isomorphicEncode"],
  }),
  "./node": (node) => ({
    naming: {
      DecoderStream: (label) => new node.DecoderStream(label).encoding,
      EncoderStream: (label) => new node.EncoderStream(label).encoding,
    },
    others: {
      "DecoderStream.write": (label) => through(new node.DecoderStream(label), BYTES),
      "EncoderStream.write": (label) => hex(through(new node.EncoderStream(label), TEXT)),
    },
    nameless: [],
  }),
  "./oem": (oem) => {
    // Other tests say what these names mean.
    const known = ([label, name]) => name !== null || !oemNames.has(lower(label.trim()));
    names.splice(0, names.length, ...names.filter(known));
    const { naming, others } = api(oem);
    const is = (what) => oem[what.split(".")[0]] !== undefined;
    const only = (calls) => Object.fromEntries(Object.entries(calls).filter(([what]) => is(what)));
    return {
      naming: only(naming),
      others: { ...only(others), encodingForName: (label) => oem.encodingForName(label)?.name ?? null },
      nameless: ["DecodeError", "EncodeError", "encodingForCodePage", "encodings", "singleByte"],
    };
  },
  "./detect": ({ Detector, detect }) => ({
    naming: {
      detect: (label) => detect(ASCII, { transport: label }).declarations[0].encoding,
      Detector: (label) => {
        const detector = new Detector({ transport: label });
        detector.write(ASCII);
        return detector.end().declarations[0].encoding;
      },
    },
    others: { "detect: fallback": (label) => JSON.stringify(detect(Uint8Array.of(0xff, 0x81), { guess: false, fallback: label })) },
    nameless: [],
  }),
  // Not all encodings can be mixed, so the results are not names.
  "./mixed": ({ Mixed, decodeMixed }) => ({
    naming: {},
    others: {
      Mixed: (label) => new Mixed([label, "x-user-defined"]).summary.parts[0].encoding,
      decodeMixed: (label) => decodeMixed(BYTES, ["utf-8", label]).text,
    },
    nameless: ["MixedError"],
  }),
};

const mistakes = [];

const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
const shown = (value) => JSON.stringify(`${value}`.slice(0, 60)).replace(/[^ -~]/g, escaped);

function expect(what, label, actual, expected) {
  if (actual !== expected) mistakes.push(`${what}, ${shown(label)}: ${shown(actual)} instead of ${shown(expected)}`);
}

/** Returns the result of a call, or the class of its error: messages contain the label. */
function outcome(call, what, label) {
  parentPort.postMessage(`${what} with ${shown(label)}`);
  try {
    return call(label);
  } catch (error) {
    return `${error?.constructor?.name}`;
  }
}

function check({ naming, others }) {
  for (const [what, call] of Object.entries({ ...naming, ...others })) {
    const named = new Map();
    for (const [label, name] of names) {
      const actual = outcome(call, what, label);
      if (name === null) {
        // Functions that look a label up return null.
        if (actual !== null) expect(what, label, actual, "RangeError");
        continue;
      }
      if (!named.has(name)) {
        named.set(name, outcome(call, what, name));
        // Functions that have no result for replacement throw.
        const isName = naming[what] !== undefined && !(name === "replacement" && named.get(name) === "RangeError");
        if (isName) expect(what, name, named.get(name).toLowerCase(), name.toLowerCase());
      }
      expect(what, label, actual, named.get(name));
    }
  }
}

/** The functions of iconv-lite, which reduce each name to letters and digits. */
function checkIconvLite(iconv) {
  const functions = {
    encodingExists: (name) => iconv.encodingExists(name) || "Error",
    getCodec: (name) => iconv.getCodec(name),
    decode: (name) => iconv.decode(BYTES, name),
    encode: (name) => hex(iconv.encode(TEXT, name)),
    getDecoder: (name) => decodeWith(iconv.getDecoder(name)),
    getEncoder: (name) => encodeWith(iconv.getEncoder(name)),
    decodeStream: (name) => through(iconv.decodeStream(name), BYTES),
    encodeStream: (name) => hex(through(iconv.encodeStream(name), TEXT)),
  };
  const canonical = (name) => original._canonicalizeEncoding(name);
  const labels = new Map(main.encodings.flatMap(({ name, labels }) => labels.map((label) => [canonical(label), name])));
  original.encodingExists("utf-8"); // loads the list
  const listed = [original, iconv].flatMap(({ encodings }) => Object.keys(encodings).filter((name) => !name.startsWith("_")));
  for (const [what, call] of Object.entries(functions)) {
    for (const name of [...names.map(([label]) => label), ...listed]) {
      expect(what, name, outcome(call, what, name), sameAs(name) ?? "Error");

      /** Returns what another name means that this one must be the same as. */
      function sameAs(name) {
        let key = canonical(name);
        // iconv-lite is right about its names. Other labels mean what the name of their encoding means.
        if (!original.encodingExists(name)) key = labels.get(key);
        else while (typeof original.encodings[key] === "string") key = original.encodings[key];
        return key === undefined || key === "replacement" ? undefined : outcome(call, what, key);
      }
    }
  }
  for (const { name } of main.encodings) {
    if (name === "replacement" || original.encodingExists(name)) continue;
    // iconv-lite does not have these encodings, so they are those of the standard.
    expect("decode", name, iconv.decode(BYTES, name), main.decode(BYTES, name));
    expect("encode", name, hex(iconv.encode(TEXT, name)), hex(main.encode(TEXT, name, { unmappable: "replace" })));
  }
}

if (entry === "./workers") register("./wasm-loader.js", import.meta.url);
const imported = await import(`textcodec-wasm${entry.slice(1)}`);
if (entry === "./slim") await imported.default();
if (entry === "./iconv-lite") {
  checkIconvLite(imported.default);
} else {
  const { naming, others, nameless } = ENTRIES[entry](imported);
  check({ naming, others });
  const called = [...Object.keys({ ...naming, ...others }), ...nameless];
  const missed = Object.keys(imported).filter((name) => !called.includes(name));
  if (missed.length > 0) mistakes.push(`not called: ${missed}`);
}
parentPort.postMessage({ mistakes, names: names.length });
