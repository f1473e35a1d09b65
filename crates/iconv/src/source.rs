//! Bytes to UTF-16, with exact positions: a source reads whole characters only, and gives back incomplete ones.

use textcodec::{
    BIG5, Bom, DecodeError, DecodeOptions, DecodeReason, Decoder, ISO_2022_JP, Malformed, Progress, Status, UTF_8, utf,
};

use crate::{
    form::{Form, Order, has_shifts},
    utf7,
};

/// Reads bytes. Between two calls, it is always between two characters.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Encoding(Decoder),
    /// UTF-16 or UTF-32 before the place of the byte order mark. Without a mark, the text is in `order`.
    Marked {
        wide: bool,
        order: Order,
    },
    Utf32(Order),
    Ucs2(Order),
    Utf7(utf7::Reader),
}

/// The result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The number of bytes read.
    pub(crate) read: usize,
    /// The number of code units written.
    pub(crate) written: usize,
    /// The number of malformed sequences that were skipped.
    pub(crate) skipped: usize,
    pub(crate) stop: Stop,
}

/// Why a call returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Empty,
    /// The next character does not fit.
    Full,
    /// The remaining bytes are the start of a character.
    Incomplete,
    /// The next bytes are malformed.
    Malformed,
}

impl Step {
    fn new(read: usize, written: usize, stop: Stop) -> Self {
        Self { read, written, skipped: 0, stop }
    }
}

impl Source {
    /// Creates a source at the start of a text.
    pub(crate) fn new(form: Form) -> Self {
        match form {
            Form::Encoding(encoding) => {
                let options = DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Pause);
                let decoder = encoding.decoder_with(options);
                // Otherwise, all bytes would be malformed.
                assert!(form.prepare(), "not enough memory for the tables of {encoding}");
                Self::Encoding(decoder)
            }
            Form::MarkedUtf16 => Self::Marked { wide: false, order: Order::NATIVE },
            Form::MarkedUtf32 => Self::Marked { wide: true, order: Order::NATIVE },
            Form::Utf32(order) => Self::Utf32(order),
            Form::Ucs2(order) => Self::Ucs2(order),
            Form::Utf7 => Self::Utf7(utf7::Reader::new(utf7::Variant::Utf7)),
            Form::Utf7Imap => Self::Utf7(utf7::Reader::new(utf7::Variant::Imap)),
        }
    }

    /// Returns whether the meaning of bytes depends on those before them.
    pub(crate) fn is_stateful(&self) -> bool {
        match self {
            Self::Encoding(decoder) => has_shifts(decoder.encoding()),
            Self::Utf32(_) | Self::Ucs2(_) => false,
            Self::Marked { .. } | Self::Utf7(_) => true,
        }
    }

    /// Starts a new text. It is in the byte order of the last one, unless a mark says otherwise.
    pub(crate) fn reset(&mut self, form: Form) {
        // Programs reset descriptors before each string, so this must cost little.
        if !self.is_stateful() && !form.has_mark() {
            return;
        }
        *self = match (form, &*self) {
            (Form::MarkedUtf16, Self::Encoding(decoder)) => {
                Self::Marked { wide: false, order: Order::of_utf16(decoder.encoding()) }
            }
            (Form::MarkedUtf32, &Self::Utf32(order)) => Self::Marked { wide: true, order },
            (_, &Self::Marked { wide, order }) => Self::Marked { wide, order },
            _ => Self::new(form),
        };
    }

    /// Prepares for a caller that may skip the next character, because it is unmappable. `next` starts with it.
    pub(crate) fn stop_before_character(&mut self, next: &[u8]) {
        if let Self::Encoding(decoder) = self {
            forget_escape(decoder, next);
        }
    }

    /// Reads bytes until one of the reasons to stop. With `skip`, malformed sequences are skipped.
    pub(crate) fn read(&mut self, src: &[u8], dst: &mut [u16], skip: bool) -> Step {
        match self {
            Self::Encoding(decoder) => {
                if decoder.encoding() == UTF_8 && src.len() <= dst.len() {
                    // Short texts are converted faster without the decoder's state. All of a text fits, unless it is malformed.
                    let progress = utf::utf8_to_utf16(src, dst);
                    if progress.read == src.len() {
                        return Step::new(src.len(), progress.written, Stop::Empty);
                    }
                }
                decode(decoder, src, dst, Decoder::decode_to_utf16, skip)
            }
            Self::Marked { wide, order } => {
                let Some((len, after)) = mark(*wide, *order, src) else {
                    let stop = if src.is_empty() { Stop::Empty } else { Stop::Incomplete };
                    return Step::new(0, 0, stop);
                };
                *self = after;
                let step = self.read(&src[len..], dst, skip);
                Step { read: len + step.read, ..step }
            }
            Self::Utf32(order) => skipping(src, dst, skip, |src, dst| {
                // A large block takes longer to initialise.
                let step =
                    if src.len() <= 256 { utf32::<64>(*order, src, dst) } else { utf32::<256>(*order, src, dst) };
                (step, 4)
            }),
            Self::Ucs2(order) => skipping(src, dst, skip, |src, dst| (ucs2(*order, src, dst), 2)),
            Self::Utf7(reader) => skipping(src, dst, skip, |src, dst| utf7(reader, src, dst, skip)),
        }
    }
}

/// Decodes to UTF-8 or UTF-16 with one of the decoder's functions.
pub(crate) fn decode<T>(
    decoder: &mut Decoder,
    src: &[u8],
    dst: &mut [T],
    run: fn(&mut Decoder, &[u8], &mut [T], bool) -> Progress<DecodeError>,
    skip: bool,
) -> Step {
    let mut step = Step::new(0, 0, Stop::Empty);
    loop {
        let (rest, room) = (&src[step.read..], &mut dst[step.written..]);
        // In ISO-2022-JP, an error changes the state: an escape sequence may come before it, or be part of it. In Big5, some
        // sequences are two characters, of which the second may not fit.
        let before = matches!(decoder.encoding(), BIG5 | ISO_2022_JP).then(|| decoder.clone());
        let base = decoder.position();
        let mut progress = run(decoder, rest, room, false);
        if let Some(before) = &before
            && decoder.encoding() == BIG5
            && decoder.state().is_none()
        {
            *decoder = before.clone();
            progress = run(decoder, rest, &mut room[..progress.written - 1], false);
        }
        match progress.status {
            Status::Error(error) => {
                let range = error.range();
                decoder.discard_pending_bytes();
                // Two shifts without a character between them. glibc and libiconv read them.
                if error.reason() == DecodeReason::EmptyEscape && decoder.encoding() != ISO_2022_JP {
                    step.read += (range.end - base) as usize;
                    step.written += progress.written;
                    continue;
                }
                if skip {
                    step.read += (range.end - base) as usize;
                    step.written += progress.written;
                    step.skipped += 1;
                    continue;
                }
                let valid = (range.start - base) as usize;
                if let Some(before) = before {
                    *decoder = before;
                    let _ = run(decoder, &rest[..valid], room, false);
                    forget_escape(decoder, &rest[valid..]);
                }
                step.read += valid;
                step.written += progress.written;
                step.stop = Stop::Malformed;
            }
            status => {
                let pending = decoder.pending_bytes().len();
                decoder.discard_pending_bytes();
                step.read += progress.read - pending;
                step.written += progress.written;
                step.stop = match status {
                    Status::OutputFull => Stop::Full,
                    _ if pending != 0 => Stop::Incomplete,
                    _ => Stop::Empty,
                };
            }
        }
        return step;
    }
}

/// In ISO-2022-JP, an escape sequence directly after another one is malformed. Lets a decoder forget that it has just read one,
/// because a caller that skips the next bytes may continue at another.
fn forget_escape(decoder: &mut Decoder, next: &[u8]) {
    if decoder.encoding() == ISO_2022_JP
        && let [first, ..] = *next
        && first != 0x1B
    {
        // Neither a character nor an error changes the character set.
        let _ = decoder.decode_to_utf16(&[first], &mut [0; 2], false);
        decoder.discard_pending_bytes();
    }
}

/// Reads with a function that stops at malformed units, and returns their length. Skips these units if that is wanted.
fn skipping(src: &[u8], dst: &mut [u16], skip: bool, mut read: impl FnMut(&[u8], &mut [u16]) -> (Step, usize)) -> Step {
    let mut step = Step::new(0, 0, Stop::Empty);
    loop {
        let (next, malformed) = read(&src[step.read..], &mut dst[step.written..]);
        step = Step { read: step.read + next.read, written: step.written + next.written, stop: next.stop, ..step };
        if !(skip && next.stop == Stop::Malformed) {
            return step;
        }
        step.read += malformed;
        step.skipped += 1;
    }
}

/// Looks for a byte order mark at the start of a text. Returns its length and the source for what follows, or `None` if the
/// input is too short.
fn mark(wide: bool, default: Order, src: &[u8]) -> Option<(usize, Source)> {
    let marked = if wide {
        match src.first_chunk::<4>()? {
            [0xFF, 0xFE, 0, 0] => Some(Order::Little),
            [0, 0, 0xFE, 0xFF] => Some(Order::Big),
            _ => None,
        }
    } else {
        match src.first_chunk::<2>()? {
            [0xFF, 0xFE] => Some(Order::Little),
            [0xFE, 0xFF] => Some(Order::Big),
            _ => None,
        }
    };
    let unit = if wide { 4 } else { 2 };
    let form = |order: Order| if wide { Form::Utf32(order) } else { Form::Encoding(order.utf16()) };
    Some((marked.map_or(0, |_| unit), Source::new(form(marked.unwrap_or(default)))))
}

fn utf32<const BLOCK: usize>(order: Order, src: &[u8], dst: &mut [u16]) -> Step {
    let (mut read, mut written) = (0, 0);
    let mut block = [0; BLOCK];
    loop {
        let (chunks, _) = src[4 * read..].as_chunks::<4>();
        let len = chunks.len().min(block.len());
        for (code_point, bytes) in block.iter_mut().zip(chunks) {
            *code_point = order.u32(*bytes);
        }
        let progress = utf::utf32_to_utf16(&block[..len], &mut dst[written..]);
        read += progress.read;
        written += progress.written;
        if progress.read == len && len != 0 {
            continue;
        }
        let next = block[..len].get(progress.read);
        let stop = match next {
            Some(&code_point) if char::from_u32(code_point).is_none() => Stop::Malformed,
            Some(_) => Stop::Full,
            None if 4 * read == src.len() => Stop::Empty,
            None => Stop::Incomplete,
        };
        return Step::new(4 * read, written, stop);
    }
}

fn ucs2(order: Order, src: &[u8], dst: &mut [u16]) -> Step {
    let (chunks, rest) = src.as_chunks::<2>();
    let len = chunks.len().min(dst.len());
    for (unit, bytes) in dst.iter_mut().zip(chunks) {
        *unit = order.u16(*bytes);
    }
    let valid = utf::surrogate_free_up_to(&dst[..len]);
    let next_is_surrogate = chunks.get(valid).is_some_and(|bytes| matches!(order.u16(*bytes), 0xD800..=0xDFFF));
    let stop = if next_is_surrogate {
        Stop::Malformed
    } else if valid < chunks.len() {
        Stop::Full
    } else if rest.is_empty() {
        Stop::Empty
    } else {
        Stop::Incomplete
    };
    Step::new(2 * valid, valid, stop)
}

/// Also returns the length of a malformed sequence. With `skip`, the reader continues after it.
fn utf7(reader: &mut utf7::Reader, src: &[u8], dst: &mut [u16], skip: bool) -> (Step, usize) {
    // The last place without an incomplete character.
    let (mut rest_read, mut written, mut rest_reader) = (0, 0, *reader);
    let (mut stop, mut malformed) = (None, 0);
    for (at, &byte) in src.iter().enumerate() {
        match reader.read(byte, src.get(at + 1).copied()) {
            None => {
                stop = Some(Stop::Incomplete);
                break;
            }
            Some(utf7::Read::Malformed) => {
                stop = Some(Stop::Malformed);
                malformed = at + 1 - rest_read;
                if skip {
                    rest_reader = *reader;
                }
                break;
            }
            Some(utf7::Read::Nothing) => {}
            Some(utf7::Read::Character(character)) => {
                let mut units = [0; 2];
                let units = character.encode_utf16(&mut units);
                let Some(place) = dst.get_mut(written..written + units.len()) else {
                    stop = Some(Stop::Full);
                    break;
                };
                place.copy_from_slice(units);
                written += units.len();
            }
        }
        if reader.is_at_rest() {
            (rest_read, rest_reader) = (at + 1, *reader);
        }
    }
    let stop = stop.unwrap_or(if rest_read == src.len() { Stop::Empty } else { Stop::Incomplete });
    *reader = rest_reader;
    (Step::new(rest_read, written, stop), malformed)
}
