//! What an input is before it is converted: open, its byte order mark read, its encoding known.

use std::{
    fs::{File, Metadata},
    io::{self, Read, Seek as _, SeekFrom},
};

use textcodec::{Encoding, UTF_8};

use crate::{
    Stop,
    detect::{Confidence, Detection, Extent, detect},
    engine::Source,
    input::{Input, Stream},
    labels,
};

/// Which encoding an input is in, where no byte order mark says otherwise.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InputEncoding {
    /// The user says so; or nobody does, and it is UTF-8.
    Fixed(Encoding),
    /// Each input for itself.
    Auto,
}

impl InputEncoding {
    /// From the option `--from`.
    pub(crate) fn from_option(label: Option<&str>, aliases: bool) -> Result<Self, Stop> {
        Ok(match label {
            None => Self::Fixed(UTF_8),
            Some(label) if label.trim().eq_ignore_ascii_case("auto") => Self::Auto,
            Some(label) => Self::Fixed(labels::for_option("--from", label, aliases)?.encoding),
        })
    }
}

/// An input that is open.
pub(crate) struct Opened {
    pub(crate) source: Source,
    /// The byte order mark that was removed, in bytes.
    pub(crate) bom: u64,
    /// What was found out about its encoding, where that was asked for and no byte order mark tells it.
    pub(crate) detection: Option<Detection>,
    /// Of a regular file.
    pub(crate) metadata: Option<Metadata>,
}

/// Opens an input and reads as much of it as it takes to know its encoding.
pub(crate) fn open(input: &Input, from: InputEncoding) -> io::Result<Opened> {
    match input.open()? {
        Stream::File(file) => open_file(file, from),
        Stream::Other(stream) => open_stream(stream, from),
    }
}

fn open_file(mut file: File, from: InputEncoding) -> io::Result<Opened> {
    let metadata = Some(file.metadata()?);
    // Not zero where a shell has given what it has read from itself.
    let start = file.stream_position()?;
    let mut head = Vec::new();
    (&file).take(3).read_to_end(&mut head)?;
    let (encoding, bom, detection) = match (Encoding::for_bom(&head), from) {
        (Some((encoding, len)), _) => (encoding, len as u64, None),
        (None, InputEncoding::Fixed(encoding)) => (encoding, 0, None),
        (None, InputEncoding::Auto) => {
            file.seek(SeekFrom::Start(start))?;
            let detection = detect_or_fail(&mut file, Extent::Whole)?;
            (detection.encoding, 0, Some(detection))
        }
    };
    file.seek(SeekFrom::Start(start + bom))?;
    Ok(Opened { source: Source { encoding, reader: Stream::File(file) }, bom, detection, metadata })
}

fn open_stream(mut stream: Box<dyn Read + Send>, from: InputEncoding) -> io::Result<Opened> {
    let mut head = Vec::new();
    // One byte at a time: who types waits for an answer.
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
    // Who types the end of the input types it once.
    let reader = Stream::Other(if ended { Box::new(head) } else { Box::new(head.chain(stream)) });
    Ok(Opened { source: Source { encoding, reader }, bom, detection, metadata: None })
}

/// Bytes of a stream that are looked at to find its encoding.
const DETECTION_LIMIT: u64 = 1024 * 1024;

/// What is no text has no encoding.
fn detect_or_fail(text: &mut dyn Read, extent: Extent) -> io::Result<Detection> {
    let detection = detect(text, extent)?;
    if detection.confidence == Confidence::None {
        let why = detection.why();
        return Err(io::Error::other(format!("no encoding was found: {why}; if you know it, give it with -f")));
    }
    Ok(detection)
}

fn is_bom_prefix(head: &[u8]) -> bool {
    [&b"\xEF\xBB\xBF"[..], b"\xFE\xFF", b"\xFF\xFE"].iter().any(|bom| bom.starts_with(head) && bom.len() > head.len())
}
