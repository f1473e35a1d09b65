// Formats of files that are not text, by the bytes at their start. They and the words are those of the crate textcodec-detect.

import { internal } from "../core.js";

const { isomorphicDecode } = internal;

/** The number of bytes that are examined. */
const LENGTH = 1024;

/** Returns what a file looks like that has the signature of a known format, and what to do. */
export function formatOf(bytes) {
  const start = isomorphicDecode(bytes.subarray(0, LENGTH));
  const found = SIGNATURES.find(([offset, signature]) => start.startsWith(signature, offset));
  if (found === undefined) return undefined;
  const [, , what, advice = ""] = found;
  // Text may begin with the letters or the bytes of a signature, but has no control characters.
  const fits = CHECKS[what] ?? ((start) => /[\0-\x07\x0e-\x1a\x1c-\x1f\x7f]/.test(start));
  return fits(start) ? `looks like ${what}${advice}` : undefined;
}

/** Returns the kind of UTF-32 that the first bytes look like, if they do. */
export function looksLikeUtf32(bytes) {
  const start = bytes.subarray(0, LENGTH);
  const count = start.length >> 2;
  const view = new DataView(start.buffer, start.byteOffset, start.length);
  // In UTF-16, a line feed or a tab is the high half of such a unit, which is then in plane 9 or 10.
  const isCharacter = (unit) => (unit > 0 && unit < 0xd800) || (unit > 0xdfff && unit < 0x40000) || unit >> 16 === 0xe;
  const isText = (first, littleEndian) => {
    for (let n = first; n < count; n++) if (!isCharacter(view.getUint32(4 * n, littleEndian))) return false;
    return true;
  };
  if (count > 0 && view.getUint32(0, true) === 0xfeff) return isText(1, true) ? "UTF-32LE" : undefined;
  if (count > 0 && view.getUint32(0) === 0xfeff) return isText(1, false) ? "UTF-32BE" : undefined;
  if (count < 2) return undefined;
  return isText(0, true) ? "UTF-32LE" : isText(0, false) ? "UTF-32BE" : undefined;
}

const PDF = "a PDF document";
const BMP = "a BMP image";
const WINDOWS = "a program for Windows";

/** Tests of signatures that are too short, or need none. */
const CHECKS = {
  [PDF]: () => true,
  [BMP]: (start) => start.startsWith("\0\0\0\0", 6) && /^[\x0c(48@l|]\0\0\0/.test(start.slice(14, 18)),
  [WINDOWS]: (start) => {
    const at = [60, 61, 62, 63].reduce((sum, index, n) => sum + (start.charCodeAt(index) || 0) * 256 ** n, 0);
    return start.startsWith("PE\0\0", at);
  },
};

const COMPRESSED = "; decompress it first";
const ARCHIVE = "; extract its files first";

const SIGNATURES = [
  [0, "\x1f\x8b\x08", "gzip data", COMPRESSED],
  [0, "BZh", "bzip2 data", COMPRESSED],
  [0, "\xfd7zXZ\0", "xz data", COMPRESSED],
  [0, "\x28\xb5\x2f\xfd", "zstd data", COMPRESSED],
  [0, "\x04\x22\x4d\x18", "lz4 data", COMPRESSED],
  [0, "PK\x03\x04", "a ZIP archive, as are .docx, .xlsx and .odt files", ARCHIVE],
  [0, "PK\x05\x06", "a ZIP archive without files", ARCHIVE],
  [0, "7z\xbc\xaf\x27\x1c", "a 7z archive", ARCHIVE],
  [0, "Rar!\x1a\x07", "a RAR archive", ARCHIVE],
  [257, "ustar", "a tar archive", ARCHIVE],
  [0, "%PDF-", PDF],
  [0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of old Microsoft Office"],
  [0, "\x89PNG\r\n\x1a\n", "a PNG image"],
  [0, "\xff\xd8\xff", "a JPEG image"],
  [0, "GIF87a", "a GIF image"],
  [0, "GIF89a", "a GIF image"],
  [0, "BM", BMP],
  [0, "II*\0", "a TIFF image"],
  [0, "MM\0*", "a TIFF image"],
  [8, "WEBPVP8", "a WebP image"],
  [8, "WAVEfmt ", "a WAV recording"],
  [8, "AVI LIST", "an AVI video"],
  [4, "ftyp", "a video, a recording or an image in an MP4 container"],
  [0, "\x1a\x45\xdf\xa3", "a Matroska or WebM video"],
  [0, "OggS\0", "an Ogg recording or video"],
  [0, "fLaC\0", "a FLAC recording"],
  [0, "ID3\x02", "an MP3 recording"],
  [0, "ID3\x03", "an MP3 recording"],
  [0, "ID3\x04", "an MP3 recording"],
  [0, "\x7fELF", "an ELF program or library"],
  [0, "MZ", WINDOWS],
  [0, "\xcf\xfa\xed\xfe", "a program or library of macOS"],
  [0, "\xca\xfe\xba\xbe", "a Java class, or a program of macOS"],
  [0, "\0asm\x01\0\0\0", "a WebAssembly module"],
  [0, "SQLite format 3\0", "a SQLite database"],
  [0, "wOFF", "a font"],
  [0, "wOF2", "a font"],
  [0, "OTTO\0", "a font"],
  [0, "\0\x01\0\0\0", "a font"],
];
