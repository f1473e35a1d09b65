// Examples of the standard's API and of the package's other functions. The build replaces PACKAGE by the package's name.

/** `{ id, title, about, code }` */
export const EXAMPLES = [
  {
    id: "strings",
    title: "Strings in one buffer",
    about:
      "Several strings in one ArrayBuffer: their number, then the length in bytes and the bytes of each string. " +
      "The same code works with encodings other than UTF-8.",
    code: `import { TextDecoder, TextEncoder, encode } from "${PACKAGE}";

function encodeArrayOfStrings(strings, toBytes = (string) => new TextEncoder().encode(string)) {
  const encoded = strings.map((string) => toBytes(string));
  const total = encoded.reduce((sum, bytes) => sum + 4 + bytes.length, 4);
  const buffer = new ArrayBuffer(total);
  const view = new DataView(buffer);
  view.setUint32(0, strings.length);
  let offset = 4;
  for (const bytes of encoded) {
    view.setUint32(offset, bytes.length);
    new Uint8Array(buffer).set(bytes, offset + 4);
    offset += 4 + bytes.length;
  }
  return buffer;
}

function decodeArrayOfStrings(buffer, label) {
  const decoder = new TextDecoder(label);
  const view = new DataView(buffer);
  const strings = [];
  let offset = 4;
  for (let left = view.getUint32(0); left > 0; left--) {
    const length = view.getUint32(offset);
    strings.push(decoder.decode(new DataView(buffer, offset + 4, length)));
    offset += 4 + length;
  }
  return strings;
}

const utf8 = encodeArrayOfStrings(["tea", "お茶", "🍵"]);
console.log(utf8);
console.log(decodeArrayOfStrings(utf8));

const shiftJis = encodeArrayOfStrings(["tea", "お茶"], (string) => encode(string, "shift_jis"));
console.log(decodeArrayOfStrings(shiftJis, "shift_jis"));
`,
  },
  {
    id: "chunks",
    title: "Decoding in chunks",
    about: "Bytes that arrive in chunks: a character may start in one chunk and end in the next.",
    code: `import { TextDecoder } from "${PACKAGE}";

const bytes = Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3, 0xa3, 0xac, 0xca, 0xc0, 0xbd, 0xe7);
const decoder = new TextDecoder("gbk");
let text = "";
for (let from = 0; from < bytes.length; from += 3) {
  const part = decoder.decode(bytes.subarray(from, from + 3), { stream: true });
  console.log(from, part);
  text += part;
}
text += decoder.decode(); // the end: an incomplete character would become U+FFFD
console.log(text, decoder.encoding);
`,
  },
  {
    id: "streams",
    title: "Streams",
    about: "Converts a stream of bytes in windows-1251 to text, and the text to UTF-8.",
    code: `import { TextDecoderStream, TextEncoderStream, encode } from "${PACKAGE}";

const file = new Blob([encode("Съешь же ещё этих мягких булок", "windows-1251")]);
const chunks = file
  .stream()
  .pipeThrough(new TextDecoderStream("windows-1251"))
  .pipeThrough(new TextEncoderStream());

let size = 0;
for await (const chunk of chunks) size += chunk.length;
console.log(\`\${file.size} bytes of windows-1251, \${size} bytes of UTF-8\`);

// With fatal, malformed bytes end the stream with an error.
const broken = new Blob([Uint8Array.of(0x41, 0xff, 0x42)]).stream();
try {
  for await (const text of broken.pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))) console.log(text);
} catch (error) {
  console.log(error);
}
`,
  },
  {
    id: "encode-into",
    title: "Encoding into a buffer",
    about: "A small buffer that is reused for each part of a string: encodeInto returns how much it read and wrote.",
    code: `import { TextEncoder } from "${PACKAGE}";

function* inChunks(string, buffer) {
  const encoder = new TextEncoder();
  while (string !== "") {
    const { read, written } = encoder.encodeInto(string, buffer);
    if (read === 0) throw new RangeError("The buffer is too small for a character.");
    yield buffer.subarray(0, written);
    string = string.slice(read);
  }
}

const buffer = new Uint8Array(8);
for (const chunk of inChunks("Grüße aus 東京 🗼", buffer)) console.log(chunk);
`,
  },
  {
    id: "errors",
    title: "Errors with offsets",
    about:
      "Functions that report which bytes are malformed, and which character an encoding cannot represent. " +
      "The standard’s classes do not say.",
    code: `import { TextDecoder, decodeAndReport, encode, encodeOrFail } from "${PACKAGE}";

const bytes = Uint8Array.of(0x82, 0xa0, 0xff, 0x82, 0xa2, 0x81);
console.log(decodeAndReport(bytes, "shift_jis"));

try {
  new TextDecoder("shift_jis", { fatal: true }).decode(bytes);
} catch (error) {
  console.log(error);
}

console.log(encode("naïve 🍵", "windows-1252"));
console.log(encode("naïve 🍵", "windows-1252", { unmappable: (codePoint) => "?" }));
try {
  encodeOrFail("naïve 🍵", "windows-1252");
} catch (error) {
  console.log(error);
}
`,
  },
  {
    id: "labels",
    title: "Labels and byte order marks",
    about:
      "The encoding of a label, the encoding that a byte order mark identifies, and the encoding of a URL’s query.",
    code: `import { bomSniff, decode, encodings, getEncoding, getOutputEncoding, percentEncodeAfterEncoding } from "${PACKAGE}";

console.log(encodings.length, "encodings,", encodings.flatMap(({ labels }) => labels).length, "labels");
for (const label of ["latin1", " SJIS ", "ks_c_5601-1987", "unicode", "klingon"]) console.log(label, getEncoding(label));
console.log(getOutputEncoding("utf-16le"));

const bytes = Uint8Array.of(0xff, 0xfe, 0x42, 0x30);
console.log(bomSniff(bytes), decode(bytes, "windows-1252"));
console.log(percentEncodeAfterEncoding("q=お茶 & ☕", "shift_jis", { set: "query" }));
`,
  },
];
