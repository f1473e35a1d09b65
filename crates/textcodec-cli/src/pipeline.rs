//! Bytes of any number of inputs to bytes of one output, block by block.

use std::io::{self, Read};

use textcodec::{DecodeError, DecodeStatus, Decoder, EncodeError, EncodeStatus, Encoder, Errors, UTF_8, Unmappable};

use crate::{labels::Named, output::Output, place::Place};

/// Bytes per block of input and of output. As much as a pipe holds, and small enough for all blocks to stay in the
/// cache.
const BLOCK: usize = 64 * 1024;

/// Why a conversion stops early. What comes before is written.
#[derive(Debug)]
pub(crate) enum Broken {
    Read(io::Error),
    Write(io::Error),
    Malformed(DecodeError),
    Unmappable(EncodeError, Place),
}

/// An output, and what is between the inputs and it.
pub(crate) struct Pipeline {
    input: Box<[u8]>,
    middle: Middle,
    sink: Sink,
}

/// The bytes of the output before they are written.
struct Sink {
    output: Output,
    bytes: Box<[u8]>,
}

impl Sink {
    fn write(&mut self, len: usize) -> Result<(), Broken> {
        if len == 0 { Ok(()) } else { self.output.write_all(&self.bytes[..len]).map_err(Broken::Write) }
    }
}

enum Middle {
    /// To UTF-8: the decoder's UTF-8 is the output.
    Nothing,
    /// To any other encoding: through UTF-16.
    Encoder(Box<ThroughUtf16>),
}

struct ThroughUtf16 {
    /// One for the whole output: a second input goes on in the mode in which the first one has left ISO-2022-JP.
    encoder: Encoder,
    text: Box<[u16]>,
    /// Behind what is encoded of the current input.
    place: Place,
    /// Of the first character that was replaced or skipped.
    first_loss: Option<Place>,
}

impl Pipeline {
    /// `replacement` has no encoder.
    pub(crate) fn new(to: Named, unmappable: Unmappable, output: Output) -> Result<Self, EncodeError> {
        let middle = if to.encoding == UTF_8 {
            Middle::Nothing
        } else {
            Middle::Encoder(Box::new(ThroughUtf16 {
                encoder: to.encoding.encoder_with(unmappable)?,
                text: vec![0; BLOCK].into(),
                place: Place::default(),
                first_loss: None,
            }))
        };
        Ok(Self { input: vec![0; BLOCK].into(), middle, sink: Sink { output, bytes: vec![0; BLOCK].into() } })
    }

    /// Writes a byte order mark in the encoding of the output.
    pub(crate) fn write_bom(&mut self) -> Result<(), Broken> {
        match &mut self.middle {
            Middle::Nothing => self.sink.output.write_all("\u{FEFF}".as_bytes()).map_err(Broken::Write),
            Middle::Encoder(through) => {
                through.text[0] = 0xFEFF;
                let bom = through.encode(1, &mut self.sink, false);
                // It is no part of the text that the user sees.
                through.place = Place::default();
                bom
            }
        }
    }

    /// Converts one input. Each read goes through to the output at once: whoever waits at the other end of a pipe sees
    /// what there is.
    pub(crate) fn convert(&mut self, mut input: impl Read, decoder: &mut Decoder) -> Result<(), Broken> {
        if let Middle::Encoder(through) = &mut self.middle {
            through.place = Place::default();
        }
        loop {
            let len = match input.read(&mut self.input) {
                Ok(len) => len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Broken::Read(error)),
            };
            self.decode(decoder, len)?;
            if len == 0 {
                return Ok(());
            }
        }
    }

    /// Decodes `len` bytes of the input block, where none means the end, and sends the text on.
    fn decode(&mut self, decoder: &mut Decoder, len: usize) -> Result<(), Broken> {
        let Self { input, middle, sink } = self;
        let mut src = &input[..len];
        loop {
            let progress = match middle {
                Middle::Nothing => decoder.decode_to_utf8(src, &mut sink.bytes, len == 0),
                Middle::Encoder(through) => decoder.decode_to_utf16(src, &mut through.text, len == 0),
            };
            src = &src[progress.read..];
            match middle {
                Middle::Nothing => sink.write(progress.written)?,
                Middle::Encoder(through) => through.encode(progress.written, sink, false)?,
            }
            match progress.status {
                DecodeStatus::InputEmpty => return Ok(()),
                DecodeStatus::OutputFull => {}
                DecodeStatus::Malformed(error) => return Err(Broken::Malformed(error)),
            }
        }
    }

    /// Ends the output and puts it in its place. Gives the characters that were replaced or skipped, if there were any,
    /// and where the first one was in its input.
    pub(crate) fn finish(mut self) -> Result<Option<(Errors<EncodeError>, Place)>, Broken> {
        let mut losses = None;
        if let Middle::Encoder(through) = &mut self.middle {
            through.encode(0, &mut self.sink, true)?;
            losses = through.first_loss.map(|place| (through.encoder.errors().clone(), place));
        }
        self.sink.output.commit().map_err(Broken::Write)?;
        Ok(losses)
    }

    /// Whether a character was replaced or skipped.
    pub(crate) fn has_losses(&self) -> bool {
        matches!(&self.middle, Middle::Encoder(through) if through.first_loss.is_some())
    }
}

impl ThroughUtf16 {
    /// Encodes the first `len` units of the text, which hold whole characters, and writes the bytes.
    fn encode(&mut self, len: usize, sink: &mut Sink, last: bool) -> Result<(), Broken> {
        let start = self.encoder.position();
        let place_of = |error: &EncodeError, mut place: Place| {
            let before = error.range().map_or(0, |range| range.start.saturating_sub(start) as usize);
            place.pass(&self.text[..before.min(len)]);
            place
        };
        let mut src = &self.text[..len];
        loop {
            let progress = self.encoder.encode_from_utf16(src, &mut sink.bytes, last);
            src = &src[progress.read..];
            sink.write(progress.written)?;
            match progress.status {
                EncodeStatus::InputEmpty => break,
                EncodeStatus::OutputFull => {}
                EncodeStatus::Unmappable(error) => {
                    let place = place_of(&error, self.place);
                    return Err(Broken::Unmappable(error, place));
                }
            }
        }
        if self.first_loss.is_none()
            && let Some(error) = self.encoder.errors().first()
        {
            self.first_loss = Some(place_of(error, self.place));
        }
        self.place.pass(&self.text[..len]);
        Ok(())
    }
}
