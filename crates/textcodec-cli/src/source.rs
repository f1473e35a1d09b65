//! Opening an input and determining its encoding.

use std::{
    fmt,
    fs::Metadata,
    io::{self, Read},
};

use textcodec::{Encoding, UTF_8};
use textcodec_detect::Detection;

use crate::{
    Stop,
    characters::hex,
    detect::{self, Extent, detect, is_binary, why_binary},
    engine::Source,
    input::{Input, RegularFile, Stream},
    labels, narrow,
};

/// The encoding of the inputs, unless an input has a byte order mark.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InputEncoding {
    /// Given by the user, or UTF-8 by default.
    Fixed(Encoding),
    /// Detected for each input.
    Auto,
}

impl InputEncoding {
    /// Returns the name of the encoding that this label of `--from` names exactly: see [`narrow::exact_name`].
    pub(crate) fn exact_name(self, label: Option<&str>) -> Option<&'static str> {
        match self {
            Self::Fixed(encoding) => narrow::exact_name(label?, encoding),
            Self::Auto => None,
        }
    }

    /// Parses the option `--from`.
    pub(crate) fn from_option(label: Option<&str>, aliases: bool) -> Result<Self, Stop> {
        Ok(match label {
            None => Self::Fixed(UTF_8),
            Some(label) if label.trim().eq_ignore_ascii_case("auto") => Self::Auto,
            Some(label) => Self::Fixed(labels::for_option("--from", label, aliases)?.encoding),
        })
    }
}

/// An open input.
pub(crate) struct Opened {
    pub(crate) source: Source,
    /// The length in bytes of the byte order mark that was removed.
    pub(crate) bom: u64,
    /// The result of detection, if the encoding was detected and not known from a byte order mark.
    pub(crate) detection: Option<Detection>,
    /// The metadata of a regular file.
    pub(crate) metadata: Option<Metadata>,
}

/// Returns the byte order mark of an encoding that has one, in hexadecimal.
pub(crate) fn byte_order_mark(encoding: Encoding) -> String {
    encoding.encode("\u{FEFF}").map(|bytes| hex(&bytes)).unwrap_or_default()
}

/// Opens an input. Its encoding comes from a byte order mark, from the option, or from detection.
pub(crate) fn open(input: &Input, from: InputEncoding) -> io::Result<Opened> {
    match input.open()? {
        Stream::File(file) => open_file(file, from),
        Stream::Other(stream) => open_stream(stream, from),
    }
}

fn open_file(mut file: RegularFile, from: InputEncoding) -> io::Result<Opened> {
    let metadata = Some(file.metadata().clone());
    let start = file.position();
    let mut head = Vec::new();
    (&mut file).take(3).read_to_end(&mut head)?;
    let (encoding, bom, detection) = match (Encoding::for_bom(&head), from) {
        (Some((encoding, len)), InputEncoding::Fixed(_)) => (encoding, len as u64, None),
        (None, InputEncoding::Fixed(encoding)) => (encoding, 0, None),
        (bom, InputEncoding::Auto) => {
            file.seek(start)?;
            // A binary file may start like a byte order mark.
            let detection = detect_or_fail(&mut file, Extent::Whole)?;
            match bom {
                Some((encoding, len)) => (encoding, len as u64, None),
                None => (detection.encoding, 0, Some(detection)),
            }
        }
    };
    file.seek(start + bom)?;
    Ok(Opened { source: Source { encoding, reader: Stream::File(file) }, bom, detection, metadata })
}

fn open_stream(mut stream: Box<dyn Read + Send>, from: InputEncoding) -> io::Result<Opened> {
    let mut head = Vec::new();
    // One byte at a time: a person at a terminal waits for the output.
    let mut ended = false;
    while !ended && is_bom_prefix(&head) {
        ended = (&mut stream).take(1).read_to_end(&mut head)? == 0;
    }
    let (encoding, bom, detection) = match (Encoding::for_bom(&head), from) {
        (Some((encoding, len)), _) => (encoding, len as u64, None),
        (None, InputEncoding::Fixed(encoding)) => (encoding, 0, None),
        (None, InputEncoding::Auto) => {
            if !ended {
                (&mut stream).take(DETECTION_LIMIT).read_to_end(&mut head)?;
                ended = (head.len() as u64) < DETECTION_LIMIT;
            }
            let extent = if ended { Extent::Whole } else { Extent::Beginning };
            let detection = detect_or_fail(&mut &*head, extent)?;
            (detection.encoding, 0, Some(detection))
        }
    };
    let head = io::Cursor::new(head.split_off(bom as usize));
    // After the end of the input, a terminal must not be read again.
    let reader = Stream::Other(if ended { Box::new(head) } else { Box::new(head.chain(stream)) });
    Ok(Opened { source: Source { encoding, reader }, bom, detection, metadata: None })
}

/// The number of bytes of a stream that detection reads.
const DETECTION_LIMIT: u64 = 1024 * 1024;

/// Detects an encoding, or fails if the input is not text.
fn detect_or_fail(text: &mut dyn Read, extent: Extent) -> io::Result<Detection> {
    let detection = detect(text, extent)?;
    if is_binary(&detection) {
        return Err(io::Error::other(NotText { why: detect::why(&detection).into_owned(), is_auto: true }));
    }
    Ok(detection)
}

/// Fails if a file does not look like text, although its encoding is known. The file is after its byte order mark, whose
/// length is `bom`, and returns to that position.
pub(crate) fn require_text(file: &mut RegularFile, bom: u64) -> io::Result<()> {
    let start = file.position();
    file.seek(start - bom)?;
    let why = why_binary(file)?;
    file.seek(start)?;
    why.map_or(Ok(()), |why| Err(io::Error::other(NotText { why, is_auto: false })))
}

/// The error about an input that is not text.
#[derive(Debug)]
struct NotText {
    why: String,
    /// Whether the encoding should have been detected.
    is_auto: bool,
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { why, is_auto: true } => {
                write!(f, "no encoding was detected ({why}); if you know it, give it with -f")
            }
            Self { why, is_auto: false } => f.write_str(why),
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
    [&b"\xEF\xBB\xBF"[..], b"\xFE\xFF", b"\xFF\xFE"].iter().any(|bom| bom.starts_with(head) && bom.len() > head.len())
}
