//! UTF-16 to bytes, in whole characters.

use textcodec::{EncodeError, Encoder, Encoding, Progress, Status, UTF_16BE, UTF_16LE, Unmappable, oem, utf};

use crate::{
    form::{Form, Order, has_shifts},
    utf7,
};

/// Writes bytes. Between two calls, it is always between two characters.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Encoding(Encoder),
    Utf32(Order),
    Ucs2(Order),
    Utf7(utf7::Writer),
    /// The form has no encoder.
    None,
}

/// The result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The number of code units read.
    pub(crate) read: usize,
    /// The number of bytes written.
    pub(crate) written: usize,
    pub(crate) stop: Stop,
}

/// Why a call returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Empty,
    /// The next character does not fit.
    Full,
    /// The next character is unmappable.
    Unmappable(char),
}

/// No character takes more bytes: in ISO-2022-JP, an escape sequence and a pair.
pub(crate) const MAX_LEN: usize = 8;

/// The maximum length of a text for [`Target::encode_few`]: one character, or several short ones.
pub(crate) const FEW: usize = 4;

/// The maximum number of bytes of such a text: each byte of it becomes a unit of UTF-32.
pub(crate) const MAX_FEW: usize = 4 * FEW;

impl Target {
    /// Creates a target at the start of a text, after a byte order mark.
    pub(crate) fn new(form: Form) -> Self {
        match form {
            Form::Encoding(encoding) => Self::encoding(encoding),
            Form::MarkedUtf16 => Self::encoding(Order::NATIVE.utf16()),
            Form::MarkedUtf32 => Self::Utf32(Order::NATIVE),
            Form::Utf32(order) => Self::Utf32(order),
            Form::Ucs2(order) => Self::Ucs2(order),
            Form::Utf7 => Self::Utf7(utf7::Writer::new(utf7::Variant::Utf7)),
            Form::Utf7Imap => Self::Utf7(utf7::Writer::new(utf7::Variant::Imap)),
        }
    }

    fn encoding(encoding: Encoding) -> Self {
        if !encoding.has_encoder() {
            return Self::None;
        }
        // Otherwise, all characters would be unmappable.
        assert!(Form::Encoding(encoding).prepare(), "not enough memory for the tables of {encoding}");
        Self::Encoding(encoding.encoder_with(Unmappable::Pause))
    }

    /// Returns whether the bytes of a character depend on those before it.
    pub(crate) fn is_stateful(&self) -> bool {
        match self {
            Self::Encoding(encoder) => has_shifts(encoder.encoding()),
            Self::Utf7(_) => true,
            Self::Utf32(_) | Self::Ucs2(_) | Self::None => false,
        }
    }

    /// Returns the minimum number of bytes for a code unit.
    pub(crate) fn min_unit_len(&self) -> usize {
        match self {
            Self::Encoding(encoder) if matches!(encoder.encoding(), UTF_16BE | UTF_16LE) => 2,
            Self::Utf32(_) | Self::Ucs2(_) => 2,
            Self::Encoding(_) | Self::Utf7(_) | Self::None => 1,
        }
    }

    /// Writes whole characters until one of the reasons to stop. `units` are well-formed.
    pub(crate) fn write(&mut self, units: &[u16], dst: &mut [u8]) -> Step {
        match self {
            Self::Encoding(encoder) => encode(encoder, units, dst),
            // A large block takes longer to initialise.
            Self::Utf32(order) if units.len() <= 64 => utf32::<64>(*order, units, dst),
            Self::Utf32(order) => utf32::<256>(*order, units, dst),
            Self::Ucs2(order) => ucs2(*order, units, dst),
            Self::Utf7(writer) => utf7(writer, units, dst),
            Self::None => match char::decode_utf16(units.iter().copied()).next() {
                Some(Ok(character)) => Step { read: 0, written: 0, stop: Stop::Unmappable(character) },
                _ => Step { read: units.len(), written: 0, stop: Stop::Empty },
            },
        }
    }

    /// Returns whether [`encode_few`](Self::encode_few) can encode most characters. For other targets, a call would take time in
    /// vain.
    pub(crate) fn is_simple(&self) -> bool {
        match self {
            Self::Encoding(_) => !self.is_stateful(),
            Self::Utf32(_) => true,
            Self::Ucs2(_) | Self::Utf7(_) | Self::None => false,
        }
    }

    /// Encodes at most [`FEW`] bytes of UTF-8. Returns `None`, and changes nothing, if a character is unmappable. The target
    /// [is simple](Self::is_simple).
    pub(crate) fn encode_few(&mut self, text: &str, bytes: &mut [u8; MAX_FEW]) -> Option<usize> {
        match self {
            Self::Encoding(encoder) if matches!(encoder.encoding(), UTF_16BE | UTF_16LE) => {
                let order = Order::of_utf16(encoder.encoding());
                let mut len = 0;
                for (to, unit) in bytes.as_chunks_mut().0.iter_mut().zip(text.encode_utf16()) {
                    *to = order.bytes_of_u16(unit);
                    len += 2;
                }
                Some(len)
            }
            Self::Encoding(encoder) => {
                let progress = encoder.encode_from_utf8(text, bytes, false);
                matches!(progress.status, Status::InputEmpty).then_some(progress.written)
            }
            Self::Utf32(order) => {
                let mut len = 0;
                for (unit, character) in bytes.as_chunks_mut().0.iter_mut().zip(text.chars()) {
                    *unit = order.bytes_of_u32(character.into());
                    len += 4;
                }
                Some(len)
            }
            Self::Ucs2(_) | Self::Utf7(_) | Self::None => None,
        }
    }

    /// Writes the bytes that end a text. Returns their number, or `None` if they do not fit.
    pub(crate) fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        if !self.is_stateful() {
            return Some(0);
        }
        let mut bytes = [0; MAX_LEN];
        let mut after = self.clone();
        let len = match &mut after {
            Self::Encoding(encoder) => {
                let written = encoder.encode_from_utf16(&[], &mut bytes, true).written;
                encoder.reset();
                written
            }
            Self::Utf7(writer) => {
                let end = writer.finish();
                let mut len = 0;
                for (place, byte) in bytes.iter_mut().zip(end.into_iter().flatten()) {
                    *place = byte;
                    len += 1;
                }
                len
            }
            Self::Utf32(_) | Self::Ucs2(_) | Self::None => 0,
        };
        dst.get_mut(..len)?.copy_from_slice(&bytes[..len]);
        *self = after;
        Some(len)
    }
}

/// Text for an encoder, in one of its two forms. Both are well-formed.
pub(crate) trait Text {
    /// Returns the number of units.
    fn len(&self) -> usize;

    /// Returns the first character.
    fn first(&self) -> Option<char>;

    /// Returns the text before and after a number of units, or that before if it is within a character.
    fn split(&self, at: usize) -> (&Self, &Self);

    /// Returns the number of units of a character.
    fn len_of(character: char) -> usize;

    /// Encodes as much as fits.
    fn encode(&self, encoder: &mut Encoder, dst: &mut [u8]) -> Progress<EncodeError>;

    /// Writes whole characters to a target until one of the reasons to stop.
    fn write(&self, target: &mut Target, dst: &mut [u8]) -> Step;
}

impl Text for [u16] {
    fn len(&self) -> usize {
        self.len()
    }

    fn first(&self) -> Option<char> {
        char::decode_utf16(self.iter().copied()).next()?.ok()
    }

    fn split(&self, at: usize) -> (&Self, &Self) {
        let at = at.min(self.len());
        let is_within = matches!(self[..at], [.., 0xD800..=0xDBFF]);
        self.split_at(at - usize::from(is_within))
    }

    fn len_of(character: char) -> usize {
        character.len_utf16()
    }

    fn encode(&self, encoder: &mut Encoder, dst: &mut [u8]) -> Progress<EncodeError> {
        encoder.encode_from_utf16(self, dst, false)
    }

    fn write(&self, target: &mut Target, dst: &mut [u8]) -> Step {
        target.write(self, dst)
    }
}

impl Text for str {
    fn len(&self) -> usize {
        self.len()
    }

    fn first(&self) -> Option<char> {
        self.chars().next()
    }

    fn split(&self, at: usize) -> (&Self, &Self) {
        let is_boundary = |at: &usize| self.is_char_boundary(*at);
        self.split_at((0..=at.min(self.len())).rev().find(is_boundary).unwrap_or(0))
    }

    fn len_of(character: char) -> usize {
        character.len_utf8()
    }

    fn encode(&self, encoder: &mut Encoder, dst: &mut [u8]) -> Progress<EncodeError> {
        encoder.encode_from_utf8(self, dst, false)
    }

    fn write(&self, target: &mut Target, dst: &mut [u8]) -> Step {
        // Only encodings are written from UTF-8.
        let Target::Encoding(encoder) = target else { return Step { read: 0, written: 0, stop: Stop::Full } };
        encode(encoder, self, dst)
    }
}

/// Encodes whole characters until one of the reasons to stop.
pub(crate) fn encode<T: Text + ?Sized>(encoder: &mut Encoder, text: &T, dst: &mut [u8]) -> Step {
    let encoding = encoder.encoding();
    let single = encoding.is_single_byte();
    let shifts = has_shifts(encoding);
    // An encoder also writes a shift without the character after it, and in CESU-8 half of a surrogate pair.
    let in_parts = shifts || encoding == oem::CESU_8;
    let (mut read, mut written) = (0, 0);
    loop {
        let (mut rest, room) = (text.split(read).1, &mut dst[written..]);
        let before = in_parts.then(|| encoder.clone());
        // An encoder writes a part of the first character if not all of it fits.
        let stop = if single || room.len() >= 4 * MAX_LEN {
            if in_parts {
                // Let all fit. No character has more than four units.
                rest = rest.split(room.len() / MAX_LEN).0;
            }
            let progress = rest.encode(encoder, room);
            match progress.status {
                Status::Error(error) => {
                    let character = error.character().unwrap_or(char::REPLACEMENT_CHARACTER);
                    let valid = progress.read - T::len_of(character);
                    read += valid;
                    written += match before {
                        // Again, without the shift before the unmappable character.
                        Some(before) if shifts => {
                            *encoder = before;
                            rest.split(valid).0.encode(encoder, room).written
                        }
                        _ => progress.written,
                    };
                    Stop::Unmappable(character)
                }
                status => {
                    read += progress.read;
                    written += progress.written;
                    match status {
                        Status::OutputFull if single => Stop::Full,
                        Status::InputEmpty if read == text.len() => Stop::Empty,
                        _ => continue,
                    }
                }
            }
        } else {
            let Some(character) = rest.first() else { return Step { read, written, stop: Stop::Empty } };
            let mut bytes = [0; 2 * MAX_LEN];
            let mut progress = rest.split(T::len_of(character)).0.encode(encoder, &mut bytes);
            let is_unmappable = matches!(progress.status, Status::Error(_));
            if let (Some(before), true) = (&before, shifts && is_unmappable) {
                encoder.clone_from(before);
                // What starts a text, such as the header of ISO-2022-KR, comes before an unmappable character.
                progress = rest.split(0).0.encode(encoder, &mut bytes);
            }
            if progress.written > room.len() {
                if let Some(before) = before {
                    *encoder = before.clone();
                    // The header is written alone, so that a destination of its size makes progress.
                    let header = rest.split(0).0.encode(encoder, &mut bytes).written;
                    if (1..=room.len()).contains(&header) {
                        room[..header].copy_from_slice(&bytes[..header]);
                        written += header;
                        continue;
                    }
                    *encoder = before;
                }
                Stop::Full
            } else {
                room[..progress.written].copy_from_slice(&bytes[..progress.written]);
                written += progress.written;
                if is_unmappable {
                    Stop::Unmappable(character)
                } else {
                    read += T::len_of(character);
                    continue;
                }
            }
        };
        return Step { read, written, stop };
    }
}

fn utf32<const BLOCK: usize>(order: Order, units: &[u16], dst: &mut [u8]) -> Step {
    let (mut read, mut written) = (0, 0);
    let mut block = [0; BLOCK];
    loop {
        let places = dst[written..].len() / 4;
        let len = places.min(block.len());
        let progress = utf::utf16_to_utf32(&units[read..], &mut block[..len]);
        let (chunks, _) = dst[written..].as_chunks_mut::<4>();
        for (bytes, &code_point) in chunks.iter_mut().zip(&block[..progress.written]) {
            *bytes = order.bytes_of_u32(code_point);
        }
        read += progress.read;
        written += 4 * progress.written;
        if read == units.len() {
            return Step { read, written, stop: Stop::Empty };
        }
        if progress.written == 0 {
            return Step { read, written, stop: Stop::Full };
        }
    }
}

fn ucs2(order: Order, units: &[u16], dst: &mut [u8]) -> Step {
    let (chunks, _) = dst.as_chunks_mut::<2>();
    let len = utf::surrogate_free_up_to(units).min(chunks.len());
    for (bytes, &unit) in chunks.iter_mut().zip(&units[..len]) {
        *bytes = order.bytes_of_u16(unit);
    }
    let stop = match char::decode_utf16(units[len..].iter().copied()).next() {
        Some(Ok(character)) if len < chunks.len() => Stop::Unmappable(character),
        Some(_) => Stop::Full,
        None => Stop::Empty,
    };
    Step { read: len, written: 2 * len, stop }
}

fn utf7(writer: &mut utf7::Writer, units: &[u16], dst: &mut [u8]) -> Step {
    let (mut read, mut written) = (0, 0);
    for character in char::decode_utf16(units.iter().copied()).map_while(Result::ok) {
        let mut bytes = [0; utf7::MAX_LEN];
        let before = *writer;
        let len = writer.write(character, &mut bytes);
        let Some(place) = dst.get_mut(written..written + len) else {
            *writer = before;
            return Step { read, written, stop: Stop::Full };
        };
        place.copy_from_slice(&bytes[..len]);
        written += len;
        read += character.len_utf16();
    }
    Step { read, written, stop: Stop::Empty }
}
