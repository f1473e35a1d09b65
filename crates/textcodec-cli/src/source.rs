//! Opening an input and determining its encoding.

use std::{
    fmt,
    fs::Metadata,
    io::{self, Read},
};

use clap::ValueEnum;
use textcodec::{
    Encoding, UTF_8, UTF_16BE, UTF_16LE,
    oem::{UTF_32, UTF_32BE, UTF_32LE},
};
use textcodec_detect::{
    DetectOptions, Detection,
    text::{Format, unlikely_units},
};

use crate::{
    Stop,
    characters::hex,
    charset::Charset,
    detect::{self, Extent, Guessing, START, detect, is_binary, why_binary},
    engine::Source,
    input::{Input, RegularFile, Stream, fill},
    mix::Mix,
    narrow,
    sample::Examination,
    table::Names,
};

/// The encoding of the inputs, unless an input has a byte order mark.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InputEncoding {
    /// Given by the user, or UTF-8 by default.
    Fixed(Charset),
    /// Detected for each input, with these options.
    Auto(&'static DetectOptions),
}

impl InputEncoding {
    /// Returns the encoding that the user gave.
    pub(crate) fn given(self) -> Option<Charset> {
        match self {
            Self::Fixed(encoding) => Some(encoding),
            Self::Auto(_) => None,
        }
    }

    /// Returns the name of the encoding that this label of `--from` names exactly: see [`narrow::exact_name`].
    pub(crate) fn exact_name(self, label: Option<&str>) -> Option<&'static str> {
        match self {
            Self::Fixed(encoding) => narrow::exact_name(label?, encoding.encoding()),
            Self::Auto(_) => None,
        }
    }

    /// Returns whether the user gave this encoding.
    pub(crate) fn is(self, encoding: Option<Charset>) -> bool {
        encoding.is_some() && self.given() == encoding
    }

    /// Parses the option `--from`. `guessing` has the options about detection.
    pub(crate) fn from_option(label: Option<&str>, names: &Names, guessing: &Guessing) -> Result<Self, Stop> {
        Ok(match label {
            None => Self::Fixed(UTF_8.into()),
            // Once for each command line.
            Some(label) if label.trim().eq_ignore_ascii_case("auto") => {
                Self::Auto(Box::leak(Box::new(guessing.options(names.aliases())?)))
            }
            Some(label) => Self::Fixed(names.find("--from", label)?.0),
        })
    }
}

/// What a byte order mark at the start of an input means: the library's [`Bom`](textcodec::Bom).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputBom {
    /// It determines the encoding, whatever -f says, and is removed
    #[default]
    Sniff,
    /// It is removed only if it is that of the encoding that -f names; any other one is text
    Own,
    /// It is text
    Keep,
    /// That of UTF-8, or of UTF-16 in either byte order, is removed from text of that kind, as the names of iconv say that include a
    /// mark.
    #[value(skip)]
    OwnInAnyOrder,
}

impl InputBom {
    /// Returns the encoding and the length of the byte order mark that is removed from text in an encoding. `None` means an
    /// encoding that is detected.
    pub(crate) fn removed(self, head: &[u8], from: Option<Charset>) -> Option<(Charset, usize)> {
        let found = Encoding::for_bom(head).map(|(encoding, len)| (Charset::from(encoding), len));
        found.filter(|&(encoding, _)| match self {
            // In EBCDIC, the bytes are letters and digits.
            Self::Sniff => from.is_none_or(|from| !from.is_single_byte() || from.is_ascii_compatible()),
            Self::Own => from.is_none_or(|from| from == encoding),
            Self::Keep => false,
            Self::OwnInAnyOrder => from.is_none_or(|from| (from == UTF_8) == (encoding == UTF_8)),
        })
    }
}

/// An open input.
pub(crate) struct Opened {
    pub(crate) source: Source,
    /// The length in bytes of the byte order mark that was removed.
    pub(crate) bom: u64,
    /// The result of detection, if the encoding was detected, or if a byte order mark contradicts the one that was given.
    pub(crate) detection: Option<Detection>,
    /// What a file was examined for while its encoding was detected: see [`open_to_convert`].
    pub(crate) examined: Option<Examination>,
    /// The metadata of a regular file.
    pub(crate) metadata: Option<Metadata>,
}

/// Returns the byte order mark of an encoding that has one, in hexadecimal.
pub(crate) fn byte_order_mark(encoding: Charset) -> String {
    encoding.encode("\u{FEFF}").map(|bytes| hex(&bytes)).unwrap_or_default()
}

/// Opens an input. Its encoding comes from a byte order mark, from the option, or from detection.
///
/// A byte order mark of UTF-32 is one, too: decoded as UTF-16, the text would be full of zeros.
pub(crate) fn open_text(input: &Input, from: InputEncoding, bom: InputBom) -> io::Result<Opened> {
    open_with(input, from, bom, true, None)
}

/// Opens an input like [`open_text`]. If the encoding of a file is detected, also examines whether the file is in `to` already, so
/// that it need not be read again.
pub(crate) fn open_to_convert(input: &Input, from: InputEncoding, bom: InputBom, to: Charset) -> io::Result<Opened> {
    open_with(input, from, bom, true, Some(Examination::new(None, to)))
}

/// Opens an input in UTF-8 or UTF-16 that may have a byte order mark, as iconv does: any text may follow the mark, even U+0000.
pub(crate) fn open_marked(input: &Input, from: Charset) -> io::Result<Opened> {
    open_with(input, InputEncoding::Fixed(from), InputBom::OwnInAnyOrder, false, None)
}

fn open_with(
    input: &Input,
    from: InputEncoding,
    bom: InputBom,
    is_text: bool,
    mut examined: Option<Examination>,
) -> io::Result<Opened> {
    let (mut stream, given) = (input.open()?, from.given());
    let options = match from {
        InputEncoding::Fixed(_) => &DetectOptions::new(),
        InputEncoding::Auto(options) => options,
    };
    let metadata = match &stream {
        Stream::File(file) => Some(file.metadata().clone()),
        Stream::Other(_) => None,
    };
    let (head, mut ended) = start_of(&mut stream)?;
    let mut removed = bom.removed(&head, given);
    if is_text && let Some(name) = utf_32_mark(&head, removed, given, bom) {
        if bom == InputBom::Keep {
            return Err(io::Error::other(Utf32 { name }));
        }
        removed = Some((utf_32(name), UTF_32_BOM_LEN));
    }
    let (rest, detection) = match stream {
        Stream::File(mut file) => {
            let start = file.position() - head.len() as u64;
            file.seek(start)?;
            let detection = match (removed, given) {
                (Some((encoding, _)), None) if is_utf_32(encoding) => None,
                // A binary file may start like a byte order mark.
                (_, None) => {
                    let mut file = Examined(&mut file, examined.as_mut());
                    Some(detect_or_fail(&mut file, Extent::Whole, options, &head)?)
                }
                // So may text in the encoding that was given. In UTF-8, its bytes would be malformed.
                (Some((encoding, _)), Some(from))
                    if encoding != from && matches!(encoding.encoding(), UTF_16LE | UTF_16BE) =>
                {
                    Some(detect(&mut file, Extent::Whole, options)?)
                }
                _ => None,
            };
            file.seek(start + removed.map_or(0, |(_, len)| len as u64))?;
            (Stream::File(file), detection)
        }
        Stream::Other(mut stream) => {
            let mut head = head;
            let mut detection = None;
            if given.is_none() && !removed.is_some_and(|(encoding, _)| is_utf_32(encoding)) {
                // Nothing after a byte order mark and the first block changes the result.
                let limit = if removed.is_some() { START as u64 } else { DETECTION_LIMIT };
                let more = limit.saturating_sub(head.len() as u64);
                ended = ended || ((&mut stream).take(more).read_to_end(&mut head)? as u64) < more;
                let extent = if ended { Extent::Whole } else { Extent::Beginning };
                detection = Some(detect_or_fail(&mut &*head, extent, options, &head)?);
            }
            let head = io::Cursor::new(head.split_off(removed.map_or(0, |(_, len)| len)));
            // After the end of the input, a terminal must not be read again.
            (Stream::Other(if ended { Box::new(head) } else { Box::new(head.chain(stream)) }), detection)
        }
    };
    let detected = Charset::from(detection.as_ref().map_or(UTF_8, |detection| detection.encoding));
    let (encoding, bom) = removed.map_or((given.unwrap_or(detected), 0), |(encoding, len)| (encoding, len as u64));
    Ok(Opened { source: Source { encoding, reader: rest }, bom, detection, examined, metadata })
}

/// A file whose bytes are examined when they are read.
struct Examined<'a>(&'a mut RegularFile, Option<&'a mut Examination>);

impl Read for Examined<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.0.read(buffer)?;
        if let Some(examination) = &mut self.1 {
            examination.feed(&buffer[..len]);
        }
        Ok(len)
    }
}

/// The number of bytes of a stream that detection reads.
const DETECTION_LIMIT: u64 = 1024 * 1024;

/// Reads the start of an input: of a file as much as [`Format::of`] needs, of a stream only what may be a byte order mark. Returns it,
/// and whether it is the whole input.
fn start_of(stream: &mut Stream) -> io::Result<(Vec<u8>, bool)> {
    let (mut head, mut ended) = (Vec::new(), false);
    if let Stream::Other(stream) = stream {
        // One byte at a time: a person at a terminal waits for the output.
        while !ended && is_bom_prefix(&head) {
            ended = stream.take(1).read_to_end(&mut head)? == 0;
        }
        if !matches!(*head, [0xFF, 0xFE, 0, 0] | [0, 0, 0xFE, 0xFF]) {
            return Ok((head, ended));
        }
    }
    let more = HEAD_LEN - head.len() as u64;
    let len = stream.take(more).read_to_end(&mut head)?;
    Ok((head, (len as u64) < more))
}

/// The number of bytes that show the format of a file.
const HEAD_LEN: u64 = 1024;

/// Returns what a file is that is not text, such as an image, if it has a known format. The file returns to its position.
pub(crate) fn format(file: &mut RegularFile) -> io::Result<Option<Format>> {
    let (start, mut head) = (file.position(), Vec::new());
    (&mut *file).take(HEAD_LEN).read_to_end(&mut head)?;
    file.seek(start)?;
    Ok(Format::of(&head))
}

/// Returns whether a file is text in UTF-32. For this, it is opened and read.
pub(crate) fn looks_like_utf_32(input: &Input) -> bool {
    let format = input.open().and_then(|mut stream| match &mut stream {
        Stream::File(file) => format(file),
        Stream::Other(_) => Ok(None),
    });
    matches!(format, Ok(Some(Format::Utf32(_))))
}

/// Returns the name of UTF-32 in the byte order of the mark at the start of an input, which would be the mark of UTF-16LE, or text.
/// With `--input-bom=own` and `keep`, it is text, unless a byte order mark is removed.
fn utf_32_mark(
    head: &[u8],
    removed: Option<(Charset, usize)>,
    given: Option<Charset>,
    bom: InputBom,
) -> Option<&'static str> {
    let Some(Format::Utf32(name)) = Format::of(head) else { return None };
    let is_ebcdic = given.is_some_and(|given| given.is_single_byte() && !given.is_ascii_compatible());
    let is_own =
        bom != InputBom::Keep && given.is_some_and(|given| ["UTF-32", name].contains(&given.encoding().name()));
    let is_marked = match head {
        [0xFF, 0xFE, 0, 0, ..] => removed.is_some() || is_own,
        [0, 0, 0xFE, 0xFF, ..] => given.is_none() || bom == InputBom::Sniff && !is_ebcdic || is_own,
        _ => false,
    };
    is_marked.then_some(name)
}

const UTF_32_BOM_LEN: usize = 4;

/// Returns UTF-32 in the byte order of a name of [`Format::Utf32`].
fn utf_32(name: &str) -> Charset {
    if name == UTF_32BE.name() { UTF_32BE.into() } else { UTF_32LE.into() }
}

/// Returns whether an encoding is UTF-32, in any byte order.
fn is_utf_32(encoding: Charset) -> bool {
    matches!(encoding.encoding(), UTF_32 | UTF_32BE | UTF_32LE)
}

/// Detects an encoding, or fails if the input, which starts with `head`, is not text.
fn detect_or_fail(text: &mut dyn Read, extent: Extent, options: &DetectOptions, head: &[u8]) -> io::Result<Detection> {
    let detection = detect(text, extent, options)?;
    if is_binary(&detection) {
        return Err(match Format::of(head) {
            Some(Format::Utf32(name)) => io::Error::other(Utf32 { name }),
            format => {
                let why = detect::why(&detection).into_owned();
                io::Error::other(NotText { why, may_be_text: format.is_none(), is_auto: true })
            }
        });
    }
    Ok(detection)
}

/// Fails if a file does not look like text, although its encoding is known, and is one of these. The file is after its byte order
/// mark, whose length is `bom`, and returns to that position.
pub(crate) fn require_text(
    file: &mut RegularFile,
    bom: u64,
    encodings: [Charset; 2],
    mix: Option<Mix>,
) -> io::Result<()> {
    let start = file.position();
    file.seek(start - bom)?;
    let (format, why) = (format(file)?, why_binary(file)?);
    file.seek(start)?;
    let Some(why) = why else { return Ok(()) };
    if let Some(Format::Utf32(name)) = format {
        if encodings.into_iter().any(is_utf_32) {
            return Ok(());
        }
        return Err(io::Error::other(Utf32 { name }));
    }
    for encoding in encodings {
        let may_look_binary = !encoding.is_ascii_compatible();
        if format.is_none() && bom == 0 && may_look_binary && is_text(file, |bytes| encoding.decode(bytes))? {
            return Ok(());
        }
    }
    if let Some(mix) = mix.filter(|mix| mix.has_wide() && format.is_none())
        && is_text(file, |bytes| mix.decode(bytes))?
    {
        return Ok(());
    }
    Err(io::Error::other(NotText { why, may_be_text: true, is_auto: false }))
}

/// Returns whether bytes that do not look like text are text in an encoding that is not ASCII-compatible, as UTF-16 of texts in
/// Chinese may be, and EBCDIC, or have parts in UTF-16: few of the characters are malformed, or rarely occur in text. The file returns
/// to its position.
fn is_text(file: &mut RegularFile, decode: impl FnOnce(&[u8]) -> String) -> io::Result<bool> {
    let start = file.position();
    let mut block = vec![0; START];
    let len = fill(file, &mut block)?;
    file.seek(start)?;
    let text = decode(&block[..len]);
    let malformed = text.matches(char::REPLACEMENT_CHARACTER).count();
    Ok((unlikely_units(&text) + malformed) * UNLIKELY_ONE_IN <= text.encode_utf16().count())
}

/// In such text, at most one in this many code units rarely occurs in text.
const UNLIKELY_ONE_IN: usize = 10;

/// The error about an input in UTF-32.
#[derive(Debug)]
struct Utf32 {
    name: &'static str,
}

impl fmt::Display for Utf32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name } = self;
        write!(f, "looks like {name}, which the Encoding Standard does not have; to convert it, use -f {name}")
    }
}

impl std::error::Error for Utf32 {}

/// The error about an input that is not text.
#[derive(Debug)]
struct NotText {
    why: String,
    /// Whether it may be text in an encoding that was not detected.
    may_be_text: bool,
    /// Whether the encoding should have been detected.
    is_auto: bool,
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { why, may_be_text: true, is_auto: true } => {
                write!(f, "no encoding was detected ({why}); if you know it, give it with -f")
            }
            Self { why, .. } => f.write_str(why),
        }
    }
}

impl std::error::Error for NotText {}

/// Returns why an input is not text, if that is the error.
pub(crate) fn why_not_text(error: &io::Error) -> Option<&str> {
    let error: &NotText = error.get_ref()?.downcast_ref()?;
    Some(&error.why)
}

fn is_bom_prefix(head: &[u8]) -> bool {
    // That of UTF-32LE starts with that of UTF-16LE.
    [&b"\xEF\xBB\xBF"[..], b"\xFE\xFF", b"\xFF\xFE\0\0", b"\0\0\xFE\xFF"]
        .iter()
        .any(|bom| bom.starts_with(head) && bom.len() > head.len())
}
