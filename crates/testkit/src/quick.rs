//! [`Quick`]: comparisons that reuse their buffers, for tests over millions of inputs.

use std::{
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering},
};

use textcodec::{Bom, DecodeOptions, Encoding, Malformed, Status, TextUnit, Unmappable, testing::Level};

use crate::{
    drive::Unit,
    oracle::{self, Decoded},
};

/// Compares the library with the oracle on short inputs. Each conversion is a single call.
#[derive(Debug)]
pub struct Quick {
    encoding: Encoding,
    oracle: spec_model::Encoding,
    level: Level,
    expected: Decoded,
    fatal: Decoded,
    units: Vec<u16>,
    html: spec_model::Encoded,
    fatal_bytes: spec_model::Encoded,
    /// The number of inputs compared so far, each in all modes and forms.
    pub inputs: u64,
}

impl Quick {
    /// Creates a comparison for an encoding of the standard, with the fastest kernels.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        Self {
            encoding,
            oracle: oracle::encoding(encoding),
            level: crate::levels()[0],
            expected: Decoded::default(),
            fatal: Decoded::default(),
            units: Vec::new(),
            html: spec_model::Encoded::default(),
            fatal_bytes: spec_model::Encoded::default(),
            inputs: 0,
        }
    }

    /// Decodes at most 16 `bytes` to UTF-8 and UTF-16, with each policy for malformed bytes. Compares the text, the error
    /// ranges, the encoding used and whether a byte order mark was removed with the oracle's.
    ///
    /// # Panics
    /// If they differ.
    pub fn decode(&mut self, bytes: &[u8], bom: Bom) {
        oracle::decode(&mut self.expected, self.oracle, bytes, bom, false);
        if self.expected.errors.is_empty() {
            self.fatal.clone_from(&self.expected);
        } else {
            oracle::decode(&mut self.fatal, self.oracle, bytes, bom, true);
        }
        self.units.clear();
        self.units.extend(self.expected.text.encode_utf16());
        self.decode_to(bytes, bom, self.expected.text.as_bytes());
        self.decode_to(bytes, bom, &self.units);
        self.inputs += 1;
    }

    fn decode_to<U: Unit>(&self, bytes: &[u8], bom: Bom, text: &[U]) {
        let Self { encoding, expected, fatal, .. } = self;
        let what = || format!("{encoding} {bytes:02X?} {bom:?}");
        let options = DecodeOptions::new().bom(bom);
        let mut buffer = [U::UNWRITTEN; 64];

        let mut decoder = self.level.decoder(encoding.decoder_with(options));
        let progress = U::decode(&mut decoder, bytes, &mut buffer, true);
        assert_eq!((progress.read, &progress.status), (bytes.len(), &Status::InputEmpty), "{}", what());
        assert!(&buffer[..progress.written] == text, "text of {}: {:02X?}", what(), &buffer[..progress.written]);
        assert_eq!(decoder.errors().count(), expected.errors.len() as u64, "errors of {}", what());
        assert_eq!(decoder.encoding().name(), expected.encoding.name(), "encoding used: {}", what());
        assert_eq!(decoder.bom_removed(), expected.bom, "BOM removed: {}", what());

        let mut decoder = self.level.decoder(encoding.decoder_with(options.malformed(Malformed::Pause)));
        let (mut read, mut written, mut errors) = (0, 0, expected.errors.iter());
        loop {
            let progress = U::decode(&mut decoder, &bytes[read..], &mut buffer[written..], true);
            read += progress.read;
            written += progress.written;
            match progress.status {
                Status::Error(error) => {
                    let replacement = U::REPLACEMENT;
                    buffer[written..written + replacement.len()].copy_from_slice(replacement);
                    written += replacement.len();
                    assert_eq!(Some(error.range()), errors.next().map(wide), "range in {}", what());
                    assert_eq!(error.bytes(), &bytes[narrow(&error.range())], "bytes of an error in {}", what());
                }
                status => break assert_eq!(status, Status::InputEmpty, "{}", what()),
            }
        }
        assert_eq!(errors.next(), None, "range in {}", what());
        assert!(&buffer[..written] == text, "reported text of {}: {:02X?}", what(), &buffer[..written]);

        if let Some(first) = fatal.errors.first() {
            let mut decoder = self.level.decoder(encoding.decoder_with(options.malformed(Malformed::Fail)));
            let progress = U::decode(&mut decoder, bytes, &mut buffer, true);
            let Status::Error(error) = progress.status else { panic!("no error in {}", what()) };
            assert_eq!(error.range(), wide(first), "fatal error of {}", what());
            let before = U::from_str(&fatal.text);
            assert!(buffer[..progress.written] == before, "text before the error of {}", what());
        }
    }

    /// Encodes one character from UTF-8 and UTF-16, with the policies `Html` and `Fail`. Compares the bytes and errors with the
    /// oracle's. Does nothing if the standard has no encoder.
    ///
    /// # Panics
    /// If they differ.
    pub fn encode(&mut self, character: char) {
        if !spec_model::encode_into(&mut self.html, self.oracle, [character], spec_model::EncodeMode::Html) {
            return;
        }
        spec_model::encode_into(&mut self.fatal_bytes, self.oracle, [character], spec_model::EncodeMode::Fatal);
        let (mut utf8, mut utf16) = ([0; 4], [0; 2]);
        let text: &str = character.encode_utf8(&mut utf8);
        let units: &[u16] = character.encode_utf16(&mut utf16);
        let what = || format!("{} U+{:04X}", self.encoding, u32::from(character));
        let mut buffer = [0; 32];
        for (unmappable, expected) in [(Unmappable::Html, &self.html), (Unmappable::Fail, &self.fatal_bytes)] {
            for from_utf16 in [false, true] {
                let encoder = self.encoding.encoder_with(unmappable);
                let mut encoder = self.level.encoder(encoder);
                let (progress, len) = if from_utf16 {
                    (encoder.encode_from_utf16(units, &mut buffer, true), units.len())
                } else {
                    (encoder.encode_from_utf8(text, &mut buffer, true), text.len())
                };
                assert_eq!(progress.read, len, "{}", what());
                assert_eq!(buffer[..progress.written], expected.bytes, "bytes of {}", what());
                match (unmappable, expected.errors.first(), progress.status) {
                    (Unmappable::Fail, Some(expected), Status::Error(error)) => {
                        let errors = (error.character(), error.code_point());
                        assert_eq!(errors, (Some(character), Some(expected.1)), "{}", what());
                        let unit = if from_utf16 { TextUnit::Utf16 } else { TextUnit::Utf8 };
                        assert_eq!((error.range(), error.unit()), (0..len as u64, unit), "range of {}", what());
                    }
                    (_, first, status) => {
                        assert_eq!(status, Status::InputEmpty, "{}", what());
                        assert_eq!(encoder.errors().count(), u64::from(first.is_some()), "{}", what());
                    }
                }
            }
        }
        self.inputs += 1;
    }
}

/// Calls `work` for each part of `0..parts` on all cores. Each core has its own state; returns all states.
///
/// # Panics
/// If `work` panics.
pub fn in_parallel<S: Send>(parts: usize, state: impl Fn() -> S + Sync, work: impl Fn(&mut S, usize) + Sync) -> Vec<S> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut state = state();
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                return state;
            }
            work(&mut state, part);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores == 1 {
        // Some platforms have no threads.
        return vec![run()];
    }
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a case has failed")).collect()
    })
}

fn wide(range: &Range<usize>) -> Range<u64> {
    range.start as u64..range.end as u64
}

fn narrow(range: &Range<u64>) -> Range<usize> {
    range.start as usize..range.end as usize
}
