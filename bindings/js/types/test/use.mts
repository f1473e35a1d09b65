// Uses of the package from TypeScript. Compiled, never run.

import {
  DecodeError,
  EncodeError,
  TextDecoder,
  TextDecoderStream,
  TextEncoder,
  TextEncoderStream,
  bomSniff,
  decode,
  decodeAndReport,
  encode,
  encodeOrFail,
  encodings,
  getEncoding,
  getOutputEncoding,
  install,
  percentEncodeAfterEncoding,
  type BytesLike,
  type EncodingName,
} from "textcodec";
import iconv, {
  decodeStream,
  encodeStream,
  encodings as names,
  fromEncoding,
  getCodec,
  supportsStreams,
  type Bytes,
  type Codec,
  type DecoderStream,
  type EncodeOptions,
} from "textcodec/iconv-lite";
import { Detector, detect, type Confidence, type Detection } from "textcodec/detect";
import { Mixed, MixedError, decodeMixed, type MixedSummary } from "textcodec/mixed";
import * as oem from "textcodec/oem";
import init, * as slim from "textcodec/slim";

const decoder = new TextDecoder("shift_jis", { fatal: true, ignoreBOM: false });
const text: string = decoder.decode(new Uint8Array(2), { stream: true }) + decoder.decode();
const flags: [string, boolean, boolean] = [decoder.encoding, decoder.fatal, decoder.ignoreBOM];
const bytes: Uint8Array<ArrayBuffer> = new TextEncoder().encode(text);
const { read, written }: { read: number; written: number } = new TextEncoder().encodeInto("a", bytes);
const inputs: BytesLike[] = [bytes, bytes.buffer, new DataView(bytes.buffer), new SharedArrayBuffer(1)];

const name: EncodingName | null = getEncoding("latin1");
const output: EncodingName = getOutputEncoding("utf-16");
const mark: "UTF-8" | "UTF-16BE" | "UTF-16LE" | null = bomSniff(inputs[0]!);
const labels: readonly string[] = encodings[0]!.labels;
const report = decodeAndReport(bytes, "gbk", { bom: "own", limit: 3 });
const starts: number[] = report.errors.map(({ start }) => start);
const all: Uint8Array[] = [
  encode("a", "big5", { unmappable: "fail", surrogates: "fail" }),
  encode("a", "big5", { unmappable: (codePoint) => String.fromCodePoint(codePoint) }),
  encodeOrFail("a"),
];
const query: string = percentEncodeAfterEncoding(decode(bytes, "utf-8", { fatal: true }), "euc-kr", { set: "query" });
install(globalThis);
install();

try {
  encodeOrFail("a", "koi8-r");
} catch (error) {
  if (error instanceof EncodeError) console_(error.codePoint, error.index, error.encoding);
  if (error instanceof DecodeError) console_(error.start, error.end, error.encoding);
}
declare function console_(...values: (number | string | null | boolean | undefined)[]): void;

new TextEncoderStream().readable.pipeThrough(new TextDecoderStream("utf-8"));

const buffer: Bytes = iconv.encode("a", "cp932", { addBOM: true });
const back: string = iconv.decode(buffer, "cp932", { stripBOM: () => undefined });
const chunks: (string | undefined)[] = [iconv.getDecoder("utf16").write(buffer), iconv.getDecoder("utf16").end()];
iconv.defaultCharSingleByte = "*";
iconv.getCodec = getCodec;
const codec: Codec = getCodec("cp437");
const byHand: DecoderStream = new codec.decoder();
const marked: EncodeOptions = { addBOM: true };
const again: string = fromEncoding(iconv.toEncoding("a", "utf-16", marked), "utf-16") + byHand.write(buffer);
const meaning = names["latin1"];
const known: boolean = supportsStreams && typeof meaning === "string" && iconv.encodingExists(meaning);
// @ts-expect-error: an import cannot be set, only a field of the default export
supportsStreams = true;
decodeStream("gbk", { stripBOM: false, highWaterMark: 1 }).pipe(encodeStream("big5")).collect((error: Error | null, bytes: Bytes) => void [error, bytes]);

const detection: Detection = detect(bytes, { contentType: "text/html", partial: true });
const sure: Confidence[] = [detection.confidence, "high"];
const likely: number[] = [detection.probability, ...detection.candidates.map(({ probability }) => probability)];
detect(bytes, { candidates: ["koi8-r"], languages: new Set(["ru"]), topLevelDomain: "ru" });
const detector = new Detector({ guess: false, fallback: "koi8-r" });
detector.write(bytes.buffer);
const detected: EncodingName = detector.end({ partial: false }).candidates[0]?.encoding ?? detection.encoding;

const mixed = new Mixed(["utf-8", "latin1"], { per: "line", maxPlaces: 3, onMalformed: ({ line, encoding }) => console_(line, encoding) });
const pieces: string = mixed.write(bytes.buffer) + mixed.end() + mixed.per;
const { summary }: { summary: MixedSummary } = decodeMixed(bytes, ["gbk", "utf-8"], { fatal: true });
const lines: number[] = summary.parts.flatMap(({ places }) => places.map(({ line }) => line));
try {
  mixed.end();
} catch (error) {
  if (error instanceof MixedError && error instanceof DecodeError) console_(error.line, error.start);
}

const found: oem.OemEncoding = oem.encodingForName("cp850") ?? oem.encodingForCodePage(437) ?? oem.singleByte("icons", "♥".repeat(128));
const page: oem.CodePage = found.characters === undefined ? oem.encodingForName("IBM850") : found;
const coded: oem.CodedEncodingName = found.characters === undefined ? found.name : "UTF-7";
const pages: readonly string[] = oem.encodings.flatMap(({ name, aliases, codePages }) => [name, ...aliases, ...codePages.map(String)]);
const ebcdic: oem.CodePageName = "IBM037";
const encoded: Uint8Array<ArrayBuffer> = oem.encode("a", page, { unmappable: "replace", replacement: "*" });
const texts: string[] = [oem.decode(encoded, ebcdic), oem.decode(encoded, "cp437", { fatal: true }), oem.decode(encoded, "Shift_JIS"), oem.decode(encoded, coded)];
const piecewise: string = new oem.Decoder("mik", { onMalformed: ({ start }) => void start }).write(encoded);
const offsets: number[] = oem.decodeAndReport(encoded, "IBM864", { limit: 3 }).errors.map(({ start }) => start);
new oem.EncoderStream(page).readable.pipeThrough(new oem.DecoderStream("ibm437"));
try {
  oem.encodeOrFail(page.characters, page);
} catch (error) {
  if (error instanceof oem.EncodeError && error instanceof EncodeError && error.encoding === "IBM437") console_(error.index);
}

const loaded: Promise<void> = init();
const another: Promise<void> = init(new URL("file:///textcodec.wasm")).then(() => init(new Uint8Array(1)));
const same: string = slim.decode(bytes);

// Uses that must not compile.
// @ts-expect-error: no such option
encode("a", "big5", { unmappable: "ignore" });
// @ts-expect-error: a string is not a buffer source
decode("a");
// @ts-expect-error: a label, not the name of an encoding
const wrong: EncodingName = "latin1";
// @ts-expect-error: read-only
decoder.encoding = "utf-8";

// @ts-expect-error: not the name of a code page
const unknown: oem.CodePageName = "cp437";
// @ts-expect-error: a label, and not the name of an encoding with an algorithm
const label: oem.CodedEncodingName = "iso-2022-kr";
// @ts-expect-error: the standard's class has no code pages
oem.TextDecoder;
// @ts-expect-error: read-only
oem.encodings.push(page);

// @ts-expect-error: an array of labels, not a list in a string
decodeMixed(bytes, "utf-8,latin1");
// @ts-expect-error: no such option
detect(bytes, { language: "ja" });

export { label, offsets, pages, piecewise, texts, unknown };
export { again, all, lines, pieces, detected, sure, another, back, known, flags, labels, likely, loaded, mark, name, output, chunks, query, read, same, starts };
export { written, wrong };
