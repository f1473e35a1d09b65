//! The state of a decoder or encoder between two characters, as a number: [`DecoderState`] and [`EncoderState`].

use core::{error::Error, fmt, ops::Deref};

use crate::{
    codec::{Decode as _, any::AnyDecoder, drive::Phase},
    conversion::{
        DecodeOptions, Decoder, EncodeOptions, Encoder,
        bom::{self, Verdict},
    },
    names::{Encoding, UTF_8, UTF_16BE, UTF_16LE},
};

/// The bytes that a [`Decoder`] has read and not decoded yet: at most three, or seven in encodings of feature `oem`. See [`Decoder::pending_bytes`].
///
/// ```
/// let mut decoder = textcodec::UTF_8.decoder();
/// decoder.push(b"ab\xE2\x82", &mut String::new())?;
/// assert_eq!(*decoder.pending_bytes(), *b"\xE2\x82");
/// # Ok::<(), textcodec::DecodeError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PendingBytes {
    /// The bytes, followed by zeros.
    bytes: [u8; Self::MAX],
    len: u8,
}

impl PendingBytes {
    /// The length of the longest incomplete sequence. In UTF-7, it has six bytes: the digits of a surrogate pair.
    const MAX: usize = if cfg!(feature = "oem") { 7 } else { 3 };

    /// `bytes.len() <= Self::MAX`.
    #[cfg_attr(not(textcodec_small), inline)]
    pub(crate) fn new(bytes: &[u8]) -> Self {
        debug_assert!(bytes.len() <= Self::MAX, "no incomplete sequence is longer");
        let mut pending = Self::default();
        for (to, byte) in pending.bytes.iter_mut().zip(bytes) {
            *to = *byte;
            pending.len += 1;
        }
        pending
    }
}

impl Deref for PendingBytes {
    type Target = [u8];

    #[cfg_attr(not(textcodec_small), inline)]
    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }
}

impl fmt::Debug for PendingBytes {
    #[cfg_attr(not(textcodec_small), inline)]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02X?}", &**self)
    }
}

/// The state of a [`Decoder`] before its [pending bytes](Decoder::pending_bytes): all that affects how the following bytes
/// decode, apart from the encoding and the options.
///
/// [`Decoder::state`] returns it, and [`Encoding::decoder_at`] continues from it. So a program that remembers a state and an
/// offset can later decode from there, without the input before. The state is a number, which can be stored. The numbers of a
/// later version of this library may differ.
///
/// ```
/// use textcodec::{DecoderState, ISO_2022_JP, Malformed};
///
/// let bytes = b"\x1B$BF|K\\8l\x1B(B";
/// let mut decoder = ISO_2022_JP.decoder();
/// decoder.push(&bytes[..6], &mut String::new())?;
/// // The first byte of a pair is read, so the state is that after five bytes.
/// let offset = decoder.position() - decoder.pending_bytes().len() as u64;
/// let state: u8 = decoder.state().unwrap().into();
///
/// let state = DecoderState::try_from(state)?;
/// let mut text = String::new();
/// ISO_2022_JP.decoder_at(state, Malformed::Fail)?.push(&bytes[offset as usize..], &mut text)?;
/// assert_eq!((offset, text.as_str()), (5, "本語"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("mbstate_t", "getstate", "setstate", "tell"))]
pub struct DecoderState(u8);

impl DecoderState {
    /// In the text, without anything to remember: the start of the input is past, so a byte order mark is text, and no escape
    /// sequence applies. As a number, this is 0.
    ///
    /// ```
    /// use textcodec::{Bom, DecoderState, UTF_8};
    ///
    /// assert_eq!(u8::from(DecoderState::TEXT), 0);
    /// assert_eq!(UTF_8.decoder_with(Bom::Keep).state(), Some(DecoderState::TEXT));
    /// assert_ne!(UTF_8.decoder_with(Bom::StripOwn).state(), Some(DecoderState::TEXT));
    /// ```
    pub const TEXT: Self = Self(0);
    /// At the start of an input, where a byte order mark is still possible.
    const START: Self = Self(1);
    /// After a byte order mark of another encoding than the requested one.
    const MARKS: [(Self, Encoding); 3] = [(Self(2), UTF_8), (Self(3), UTF_16BE), (Self(4), UTF_16LE)];
    /// After the error of `replacement`.
    const REPLACED: u8 = 5;
    /// The first of eight states of ISO-2022-JP. It is [`TEXT`](Self::TEXT), so its number is not used.
    const ISO_2022_JP: u8 = 8;
    /// The first of the states of the encodings of feature `oem` that have states. It is [`TEXT`](Self::TEXT), so its number is not
    /// used.
    #[cfg(feature = "oem")]
    const RARE: u8 = 16;
    #[cfg(feature = "oem")]
    const LAST_RARE: u8 = Self::RARE + 22;
}

impl From<DecoderState> for u8 {
    #[cfg_attr(not(textcodec_small), inline)]
    fn from(state: DecoderState) -> Self {
        state.0
    }
}

impl TryFrom<u8> for DecoderState {
    type Error = InvalidState;

    /// Returns the state of a number.
    ///
    /// # Errors
    /// Returns [`InvalidState`] if no decoder can have this state.
    #[cfg_attr(not(textcodec_small), inline)]
    fn try_from(state: u8) -> Result<Self, InvalidState> {
        match state {
            0..=5 | 9..=15 => Ok(Self(state)),
            #[cfg(feature = "oem")]
            17..=Self::LAST_RARE => Ok(Self(state)),
            _ => Err(InvalidState { state, of: Of::Any }),
        }
    }
}

/// The state of an [`Encoder`] between two characters: all that affects how the following text is encoded, apart from the
/// encoding and the options.
///
/// [`Encoder::state`] returns it, and [`Encoding::encoder_at`] continues from it. The state is a number, which can be stored. The
/// numbers of a later version of this library may differ.
///
/// To insert bytes that are already encoded, end the text before them, and continue in [`TEXT`](Self::TEXT). ISO-2022-JP then
/// returns to ASCII before the bytes:
///
/// ```
/// use textcodec::{EncoderState, ISO_2022_JP, Unmappable};
///
/// let mut bytes = Vec::new();
/// let mut encoder = ISO_2022_JP.encoder();
/// encoder.push("日", &mut bytes)?;
/// encoder.finish(&mut bytes)?;
/// bytes.extend(b"\xFF");
/// let mut encoder = ISO_2022_JP.encoder_at(EncoderState::TEXT, Unmappable::Fail)?;
/// encoder.push("本", &mut bytes)?;
/// assert_eq!(bytes, b"\x1B$BF|\x1B(B\xFF\x1B$BK\\");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Without allocation, a call with `last` ends the text. Its call of [`encode_from_utf8`](Encoder::encode_from_utf8) or
/// [`encode_from_utf16`](Encoder::encode_from_utf16) needs no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("mbstate_t", "getstate", "setstate"))]
pub struct EncoderState(u8);

impl EncoderState {
    /// In the text, without anything to remember: no byte order mark will be written, and ISO-2022-JP is in ASCII. As a number,
    /// this is 0.
    ///
    /// ```
    /// use textcodec::{EncodeOptions, EncoderState, UTF_16LE};
    ///
    /// assert_eq!(u8::from(EncoderState::TEXT), 0);
    /// let mut encoder = UTF_16LE.encoder_with(EncodeOptions::new().bom(true));
    /// assert_ne!(encoder.state(), Some(EncoderState::TEXT));
    /// encoder.push("a", &mut Vec::new())?;
    /// assert_eq!(encoder.state(), Some(EncoderState::TEXT));
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub const TEXT: Self = Self(0);
    /// Before a byte order mark that is still to be written.
    const BOM: Self = Self(1);
    /// The last state of an encoder. Those after [`BOM`](Self::BOM) are the character sets of ISO-2022-JP, and then the states of other
    /// encodings.
    const LAST: u8 = if cfg!(feature = "oem") { 3 + 21 } else { 3 };
    /// The number before the states of the encodings of feature `oem` that have states.
    #[cfg(feature = "oem")]
    pub(crate) const RARE: u8 = 3;
}

impl From<EncoderState> for u8 {
    #[cfg_attr(not(textcodec_small), inline)]
    fn from(state: EncoderState) -> Self {
        state.0
    }
}

impl TryFrom<u8> for EncoderState {
    type Error = InvalidState;

    /// Returns the state of a number.
    ///
    /// # Errors
    /// Returns [`InvalidState`] if no encoder can have this state.
    #[cfg_attr(not(textcodec_small), inline)]
    fn try_from(state: u8) -> Result<Self, InvalidState> {
        if state <= Self::LAST { Ok(Self(state)) } else { Err(InvalidState { state, of: Of::Any }) }
    }
}

/// The error for a number that is not a state, or a state that is not one of the encoding.
///
/// ```
/// use textcodec::{DecoderState, GBK, ISO_2022_JP, Malformed};
///
/// let error = DecoderState::try_from(255).unwrap_err();
/// assert_eq!(error.to_string(), "255 is not a state of a decoder or an encoder");
///
/// let mut decoder = ISO_2022_JP.decoder();
/// decoder.push(b"\x1B$B", &mut String::new())?;
/// let error = GBK.decoder_at(decoder.state().unwrap(), Malformed::Replace).unwrap_err();
/// assert_eq!(error.to_string(), "15 is not a state of a decoder of GBK");
/// # Ok::<(), textcodec::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidState {
    state: u8,
    of: Of,
}

/// What the state is not one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Any,
    Decoder(Encoding),
    Encoder(Encoding),
}

impl fmt::Display for InvalidState {
    #[cfg_attr(not(textcodec_small), inline)]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state;
        match self.of {
            Of::Any => write!(f, "{state} is not a state of a decoder or an encoder"),
            Of::Decoder(encoding) => write!(f, "{state} is not a state of a decoder of {encoding}"),
            Of::Encoder(encoding) => write!(f, "{state} is not a state of an encoder of {encoding}"),
        }
    }
}

impl Error for InvalidState {}

impl Decoder {
    /// Returns the bytes that were read and are not decoded yet, at most three.
    ///
    /// These bytes are a possible byte order mark, an incomplete character or escape sequence, or the bytes after an error that
    /// [`position`](Self::position) includes. [`discard_pending_bytes`](Self::discard_pending_bytes) discards them.
    ///
    /// ```
    /// use textcodec::{GB18030, Malformed};
    ///
    /// let mut text = String::new();
    /// let mut decoder = GB18030.decoder_with(Malformed::Pause);
    /// decoder.push(b"a\x810\x81", &mut text)?;
    /// assert_eq!(*decoder.pending_bytes(), *b"\x810\x81");
    /// // The byte 81 is malformed. The two bytes after it were read, and are decoded next.
    /// assert!(decoder.push(b"?", &mut text).is_err());
    /// assert_eq!(*decoder.pending_bytes(), *b"0\x81");
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[must_use]
    #[cfg_attr(not(textcodec_small), inline)]
    pub fn pending_bytes(&self) -> PendingBytes {
        match self.phase {
            Phase::Start => PendingBytes::new(self.mark.pending()),
            Phase::Finished => PendingBytes::default(),
            Phase::Text | Phase::Failed(_) => self.state.undecoded(self.codec.is_neutral()),
        }
    }

    /// Returns the state before the [pending bytes](Self::pending_bytes), for [`Encoding::decoder_at`].
    ///
    /// It is [`DecoderState::TEXT`] if the decoder [has no pending state](Self::has_pending_state), unless a byte order mark has
    /// changed the encoding. Returns `None` if characters are decoded and did not fit into the destination, or if an error has
    /// ended the input.
    ///
    /// ```
    /// use textcodec::{DecoderState, UTF_16LE, WINDOWS_1252};
    ///
    /// let mut decoder = WINDOWS_1252.decoder();
    /// let start = decoder.state();
    /// decoder.push(b"\xFF", &mut String::new())?;
    /// assert_eq!(decoder.state(), start);
    /// decoder.push(b"\xFEa", &mut String::new())?;
    /// // The state includes the encoding of the byte order mark, but not the pending half of a code unit.
    /// let resumed = WINDOWS_1252.decoder_at(decoder.state().unwrap(), textcodec::Malformed::Replace)?;
    /// assert_eq!(resumed.encoding(), UTF_16LE);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[cfg_attr(not(textcodec_small), inline)]
    pub fn state(&self) -> Option<DecoderState> {
        match self.phase {
            Phase::Failed(_) => None,
            // After the end of an input, the next one starts.
            Phase::Start | Phase::Finished => {
                let verdict = bom::sniff(self.options.bom, self.requested, &[], false);
                Some(if verdict == Verdict::None { DecoderState::TEXT } else { DecoderState::START })
            }
            Phase::Text if self.state.held.len() > 0 => None,
            Phase::Text if self.encoding == self.requested => Some(DecoderState(match &self.codec {
                AnyDecoder::Iso2022Jp(codec) => match codec.0.selected() {
                    0 => DecoderState::TEXT.0,
                    selected => DecoderState::ISO_2022_JP + selected,
                },
                AnyDecoder::Replacement(codec) if !codec.is_initial_state() => DecoderState::REPLACED,
                #[cfg(feature = "oem")]
                AnyDecoder::Rare(codec) if codec.selected() > 0 => DecoderState::RARE + codec.selected(),
                _ => DecoderState::TEXT.0,
            })),
            Phase::Text => {
                DecoderState::MARKS.iter().find(|(_, encoding)| *encoding == self.encoding).map(|(state, _)| *state)
            }
        }
    }

    /// Continues from a state; returns false if it is not one of the encoding. This decoder must be new.
    #[cfg_attr(not(textcodec_small), inline)]
    fn resume(&mut self, state: DecoderState) -> bool {
        if state == DecoderState::START {
            return bom::may_have_mark(self.requested);
        }
        self.phase = Phase::Text;
        if state == DecoderState::TEXT {
            return true;
        }
        if let Some(&(_, encoding)) = DecoderState::MARKS.iter().find(|(of, _)| *of == state) {
            self.mark.removed = true;
            self.encoding = encoding;
            self.codec = AnyDecoder::unicode(encoding);
            return encoding != self.requested && bom::may_have_mark(self.requested);
        }
        match (&mut self.codec, state.0) {
            (AnyDecoder::Replacement(codec), DecoderState::REPLACED) => codec.resume(),
            (AnyDecoder::Iso2022Jp(codec), selected @ 9..=15) => codec.0.select(selected - DecoderState::ISO_2022_JP),
            #[cfg(feature = "oem")]
            (AnyDecoder::Rare(codec), selected @ DecoderState::RARE..) => {
                return codec.select(selected - DecoderState::RARE);
            }
            _ => return false,
        }
        true
    }
}

impl Encoder {
    /// Returns the state between two characters, for [`Encoding::encoder_at`].
    ///
    /// It is [`EncoderState::TEXT`] if the encoder [has no pending state](Self::has_pending_state). Returns `None` if a chunk of
    /// UTF-16 ended with a high surrogate, if bytes did not fit into the destination, or if an error has ended the text.
    ///
    /// ```
    /// use textcodec::{EncoderState, ISO_2022_JP, Unmappable};
    ///
    /// let mut bytes = Vec::new();
    /// let mut encoder = ISO_2022_JP.encoder();
    /// encoder.push("日", &mut bytes)?;
    /// let state = encoder.state().unwrap();
    /// assert_ne!(state, EncoderState::TEXT);
    ///
    /// bytes.clear();
    /// ISO_2022_JP.encoder_at(state, Unmappable::Fail)?.push("本a", &mut bytes)?;
    /// assert_eq!(bytes, b"K\\\x1B(Ba");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[cfg_attr(not(textcodec_small), inline)]
    pub fn state(&self) -> Option<EncoderState> {
        match self.phase {
            Phase::Failed(_) => None,
            Phase::Start | Phase::Finished if self.bom_len() > 0 => Some(EncoderState::BOM),
            // Until text is read, the bytes held are the mark, unless ISO-2022-JP was resumed and ended. It has no mark.
            _ if self.held_len() > 0 && self.position() == 0 && self.held_len() == bom::mark(self.encoding()).len() => {
                Some(EncoderState::BOM)
            }
            _ => self.state.is_idle().then(|| EncoderState(self.codec.selected())),
        }
    }
}

impl Encoding {
    /// Creates a decoder that continues from a state, in any build. Its options should be those of the decoder that returned the
    /// state.
    ///
    /// If the [pending bytes](Decoder::pending_bytes) of that decoder and the rest of the input follow, the text and the errors are
    /// the same. Offsets count from the first of these bytes: [`Decoder::position`] starts at 0. The errors before the state are
    /// not counted. [`Decoder::bom_removed`] returns true only if the mark has changed the encoding. After the end of the input or
    /// [`Decoder::reset`], the next input starts as for any decoder with these options.
    ///
    /// # Errors
    /// Returns [`InvalidState`] if no decoder of this encoding can have the state, such as an escape sequence in an encoding without
    /// them. If this build [cannot decode](Self::is_available) the encoding, no state is an error here: the decoder fails, as any
    /// other does.
    ///
    /// ```
    /// use textcodec::{Bom, DecoderState, GBK, ISO_2022_JP};
    ///
    /// let mut text = String::new();
    /// GBK.decoder_at(DecoderState::TEXT, Bom::Sniff)?.push(b"\xC4\xE3", &mut text)?;
    /// assert_eq!(text, "你");
    ///
    /// let mut decoder = ISO_2022_JP.decoder();
    /// decoder.push(b"\x1B$B", &mut text)?;
    /// assert!(GBK.decoder_at(decoder.state().unwrap(), Bom::Sniff).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decoder_at(self, state: DecoderState, options: impl Into<DecodeOptions>) -> Result<Decoder, InvalidState> {
        let mut decoder = self.decoder_with(options);
        if decoder.check().is_err() || decoder.resume(state) {
            Ok(decoder)
        } else {
            Err(InvalidState { state: state.0, of: Of::Decoder(self) })
        }
    }

    /// Creates an encoder that continues from a state. Its options should be those of the encoder that returned the state.
    ///
    /// If the rest of the text follows, the bytes and the errors are the same. Offsets count from the start of that rest:
    /// [`Encoder::position`] starts at 0. The state decides whether a byte order mark is written first;
    /// [`EncodeOptions::bom`] applies after the end of the text and after [`Encoder::reset`].
    ///
    /// # Errors
    /// Returns [`InvalidState`] if no encoder of this encoding can have the state. If there [is no encoder](Self::has_encoder), no
    /// state is an error here: the encoder fails, as any other does.
    ///
    /// ```
    /// use textcodec::{EncodeOptions, EncoderState, KOI8_R, UTF_16LE};
    ///
    /// let mark = EncodeOptions::new().bom(true);
    /// let start = UTF_16LE.encoder_with(mark).state().unwrap();
    /// let mut bytes = Vec::new();
    /// UTF_16LE.encoder_at(start, mark)?.push("a", &mut bytes)?;
    /// UTF_16LE.encoder_at(EncoderState::TEXT, mark)?.push("b", &mut bytes)?;
    /// assert_eq!(bytes, b"\xFF\xFEa\0b\0");
    /// assert_eq!(KOI8_R.encoder_at(start, mark).unwrap_err().to_string(), "1 is not a state of an encoder of KOI8-R");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encoder_at(self, state: EncoderState, options: impl Into<EncodeOptions>) -> Result<Encoder, InvalidState> {
        let mut encoder = self.encoder_with(options);
        if encoder.check().is_err() {
            return Ok(encoder);
        }
        let mark = if state == EncoderState::BOM { bom::mark(self) } else { &[] };
        encoder.state.held.hold(mark);
        encoder.phase = Phase::Text;
        encoder.state.progress.is_ready = false;
        let is_valid = match state {
            EncoderState::TEXT => true,
            EncoderState::BOM => !mark.is_empty(),
            EncoderState(selected) => encoder.codec.select(selected),
        };
        if is_valid { Ok(encoder) } else { Err(InvalidState { state: state.0, of: Of::Encoder(self) }) }
    }
}
