//! Formats of files that are not text, by the bytes at their start.

use core::fmt;

/// What a file is that is not text in an encoding of the standard.
///
/// Text in a legacy encoding can have any bytes, so a converter would destroy such a file without an error.
///
/// ```
/// use textcodec_detect::text::Format;
///
/// let format = Format::of(b"\x1F\x8B\x08\0\0\0\0\0\0\x03");
/// assert_eq!(format, Some(Format::Compressed("gzip data")));
/// assert_eq!(format.unwrap().to_string(), "looks like gzip data; decompress it first");
/// assert_eq!(Format::of(b"GIF89a is an image format"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Text in UTF-32LE or UTF-32BE, which the standard does not have.
    Utf32(&'static str),
    /// Compressed data, which may be text: `gzip data`.
    Compressed(&'static str),
    /// An archive of files: `a tar archive`.
    Archive(&'static str),
    /// Anything else: `a JPEG image`.
    Other(&'static str),
}

impl Format {
    /// Returns the format of a file that starts with these bytes, if it is a known one. At most the first 1024 bytes are
    /// examined.
    ///
    /// ```
    /// use textcodec_detect::text::Format;
    ///
    /// assert_eq!(Format::of(b"\xFF\xFE\0\0A\0\0\0"), Some(Format::Utf32("UTF-32LE")));
    /// assert_eq!(Format::of(b"\xFF\xFEA\0"), None);
    /// ```
    #[must_use]
    pub fn of(start: &[u8]) -> Option<Self> {
        of_signature(start).or_else(|| utf_32(start).map(Self::Utf32))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Utf32(name) => write!(f, "looks like {name}, which the Encoding Standard does not have"),
            Self::Compressed(what) => write!(f, "looks like {what}; decompress it first"),
            Self::Archive(what) => write!(f, "looks like {what}; extract its files first"),
            Self::Other(what) => write!(f, "looks like {what}"),
        }
    }
}

/// The number of bytes that are examined.
const LEN: usize = 1024;

/// Returns the format whose signature is at the start of a file.
pub(crate) fn of_signature(start: &[u8]) -> Option<Format> {
    let start = &start[..start.len().min(LEN)];
    let &(.., format) = SIGNATURES.iter().find(|(offset, bytes, _)| has(start, *offset, bytes))?;
    // Text may begin with the letters or the bytes of a signature, but has no control characters.
    let is_binary = || start.iter().any(|&byte| crate::trial::is_odd_control(byte));
    let fits = match format {
        PDF => true,
        BMP => is_bmp(start),
        PROGRAM_OF_WINDOWS => is_program_of_windows(start),
        _ => is_binary(),
    };
    fits.then_some(format)
}

fn has(start: &[u8], offset: usize, bytes: &[u8]) -> bool {
    start.get(offset..).is_some_and(|rest| rest.starts_with(bytes))
}

/// A signature of two letters is not enough: the header also has a length that only a few values of are known.
fn is_bmp(start: &[u8]) -> bool {
    has(start, 6, &[0; 4]) && matches!(start.get(14..18), Some(&[12 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0]))
}

/// Returns whether the offset in the header of MS-DOS leads to the header of Windows.
fn is_program_of_windows(start: &[u8]) -> bool {
    let offset = start.get(60..64).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes);
    has(start, offset as usize, b"PE\0\0")
}

const PDF: Format = Format::Other("a PDF document");
const BMP: Format = Format::Other("a BMP image");
const PROGRAM_OF_WINDOWS: Format = Format::Other("a program for Windows");

/// The offset of each signature, its bytes, and the format.
const SIGNATURES: &[(usize, &[u8], Format)] = &[
    (0, b"\x1F\x8B\x08", Format::Compressed("gzip data")),
    (0, b"BZh", Format::Compressed("bzip2 data")),
    (0, b"\xFD7zXZ\0", Format::Compressed("xz data")),
    (0, b"\x28\xB5\x2F\xFD", Format::Compressed("zstd data")),
    (0, b"\x04\x22\x4D\x18", Format::Compressed("lz4 data")),
    (0, b"PK\x03\x04", Format::Archive("a ZIP archive, as are .docx, .xlsx and .odt files")),
    (0, b"PK\x05\x06", Format::Archive("a ZIP archive without files")),
    (0, b"7z\xBC\xAF\x27\x1C", Format::Archive("a 7z archive")),
    (0, b"Rar!\x1A\x07", Format::Archive("a RAR archive")),
    (257, b"ustar", Format::Archive("a tar archive")),
    (0, b"%PDF-", PDF),
    (0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", Format::Other("a document of old Microsoft Office")),
    (0, b"\x89PNG\r\n\x1A\n", Format::Other("a PNG image")),
    (0, b"\xFF\xD8\xFF", Format::Other("a JPEG image")),
    (0, b"GIF87a", Format::Other("a GIF image")),
    (0, b"GIF89a", Format::Other("a GIF image")),
    (0, b"BM", BMP),
    (0, b"II*\0", Format::Other("a TIFF image")),
    (0, b"MM\0*", Format::Other("a TIFF image")),
    (8, b"WEBPVP8", Format::Other("a WebP image")),
    (8, b"WAVEfmt ", Format::Other("a WAV recording")),
    (8, b"AVI LIST", Format::Other("an AVI video")),
    (4, b"ftyp", Format::Other("a video, a recording or an image in an MP4 container")),
    (0, b"\x1A\x45\xDF\xA3", Format::Other("a Matroska or WebM video")),
    (0, b"OggS\0", Format::Other("an Ogg recording or video")),
    (0, b"fLaC\0", Format::Other("a FLAC recording")),
    (0, b"ID3\x02", Format::Other("an MP3 recording")),
    (0, b"ID3\x03", Format::Other("an MP3 recording")),
    (0, b"ID3\x04", Format::Other("an MP3 recording")),
    (0, b"\x7FELF", Format::Other("an ELF program or library")),
    (0, b"MZ", PROGRAM_OF_WINDOWS),
    (0, b"\xCF\xFA\xED\xFE", Format::Other("a program or library of macOS")),
    (0, b"\xCA\xFE\xBA\xBE", Format::Other("a Java class, or a program of macOS")),
    (0, b"\0asm\x01\0\0\0", Format::Other("a WebAssembly module")),
    (0, b"SQLite format 3\0", Format::Other("a SQLite database")),
    (0, b"wOFF", Format::Other("a font")),
    (0, b"wOF2", Format::Other("a font")),
    (0, b"OTTO\0", Format::Other("a font")),
    (0, b"\0\x01\0\0\0", Format::Other("a font")),
];

/// Returns the name of UTF-32 if the text looks like it, with or without a byte order mark.
pub(crate) fn utf_32(start: &[u8]) -> Option<&'static str> {
    let (units, _) = start[..start.len().min(LEN)].as_chunks::<4>();
    // In UTF-16, a line feed or a tab is the high half of such a unit, which is then in plane 9 or 10.
    let is_character = |unit: u32| matches!(unit, 1..=0xD7FF | 0xE000..=0x3_FFFF | 0xE_0000..=0xE_FFFF);
    let is_text = |read: fn([u8; 4]) -> u32| units.iter().all(|&unit| is_character(read(unit)));
    // The mark alone may be the one of UTF-16, followed by U+0000.
    let rest_is_text = |read: fn([u8; 4]) -> u32| units[1..].iter().all(|&unit| is_character(read(unit)));
    match units {
        [[0xFF, 0xFE, 0, 0], ..] => rest_is_text(u32::from_le_bytes).then_some("UTF-32LE"),
        [[0, 0, 0xFE, 0xFF], ..] => rest_is_text(u32::from_be_bytes).then_some("UTF-32BE"),
        [] | [_] => None,
        _ if is_text(u32::from_le_bytes) => Some("UTF-32LE"),
        _ if is_text(u32::from_be_bytes) => Some("UTF-32BE"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use textcodec::{KOI8_R, UTF_16BE, UTF_16LE, WINDOWS_1251};

    use super::*;

    #[test]
    fn text_is_no_known_format() {
        for text in [
            "PK is a signature, BZh91AY&SY another one.",
            "GIF87a\n",
            "RIFF1234WAVEfmt \n",
            "wOFF\t",
            "MZ\nBM\nRar!\nftypftyp",
            "BM6789\n\n\n\n\n\n\n\n12",
        ] {
            assert_eq!(Format::of(text.as_bytes()), None, "{text}");
        }
        // These letters have the bytes of signatures.
        for (encoding, text) in [(WINDOWS_1251, "яШя, а не рисунок"), (KOI8_R, "йЗъЮ"), (WINDOWS_1251, "Пъэю")]
        {
            assert_eq!(Format::of(&encoding.encode(text).unwrap()), None, "{text}");
        }
        for encoding in [UTF_16LE, UTF_16BE] {
            for text in ["a\nb\nc\nd\n", "\na\nb\nc\n", "1\t2\t3\t4\t5", "日\n本\n", "\u{FEFF}a\n"] {
                assert_eq!(Format::of(&encoding.encode(text).unwrap()), None, "{encoding} {text:?}");
            }
        }
    }

    #[test]
    fn utf_32_is_known_by_its_mark_or_its_characters() {
        for text in ["", "a", "AB", "Привет", "日本語😀", "a\nb\n"] {
            for (is_marked, text) in [(true, format!("\u{FEFF}{text}")), (false, text.to_owned())] {
                let le: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
                let be: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
                let is_long = is_marked || text.chars().count() > 1;
                assert_eq!(Format::of(&le), is_long.then_some(Format::Utf32("UTF-32LE")), "{text}");
                assert_eq!(Format::of(&be), is_long.then_some(Format::Utf32("UTF-32BE")), "{text}");
            }
        }
        // A file of zeros, and UTF-16 that starts with U+0000.
        assert_eq!(Format::of(b"\xFF\xFE\0\0\0\0\0\0"), None);
        assert_eq!(Format::of(b"\xFF\xFE\0\0a\0b\0"), None);
    }

    #[test]
    fn signatures_need_their_whole_header() {
        assert_eq!(Format::of(b"MZ\x90\0\x03"), None);
        let mut program = [0; 72];
        program[..2].copy_from_slice(b"MZ");
        program[60] = 64;
        program[64..66].copy_from_slice(b"PE");
        assert_eq!(Format::of(&program), Some(PROGRAM_OF_WINDOWS));
        let mut tar = [0; 512];
        tar[0] = b'a';
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(Format::of(&tar).unwrap().to_string(), "looks like a tar archive; extract its files first");
    }
}
