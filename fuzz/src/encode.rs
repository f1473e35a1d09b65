//! Compares encoding with the model, from both forms of text and at every level.

use std::ops::Range;

use fastrand::Rng;
use spec_model::{hooks::encode_or_fail, io_queue::IoQueue};
use textcodec::{EncodeError, EncodeReason, Encoder, Encoding, TextUnit, Unmappable, hooks, testing::Level};

use crate::{
    Case, Check, Texts, model, shorter,
    stream::{self, Cuts, Source},
};

/// Text for an encoder.
#[derive(Clone, Debug, arbitrary::Arbitrary)]
pub struct Encode {
    encoding: u8,
    replacement: char,
    cuts: Cuts,
    units: Vec<u16>,
}

impl Case for Encode {
    const NAME: &'static str = "encode_oracle";

    fn random(texts: &mut Texts, rng: &mut Rng) -> Self {
        let encoding = rng.u8(..42);
        let units = texts.units(model::encoding(encoding), rng);
        let replacement = ['?', 'あ', '¥', '\u{FFFD}', '😀', '\u{1B}', 'é'][rng.usize(..7)];
        Self { encoding, replacement, cuts: Cuts::random(rng), units }
    }

    fn check(&self) -> Check {
        let encoding = model::encoding(self.encoding);
        let scalars = spec_model::scalar_values(&self.units);
        let Some(expected) = model::encode(encoding, &scalars) else {
            let reason = encoding.encoder().push("", &mut Vec::new()).err().map(|error| error.reason());
            same!("an encoder", Some(EncodeReason::NoEncoder), reason);
            return Ok(());
        };
        let text: String = scalars.iter().collect();
        let skipped = model::encode_instead(encoding, &scalars, None).unwrap_or_default();
        let replaced = model::encode_instead(encoding, &scalars, Some(self.replacement));
        let each = |check: &dyn Fn(&Run<'_>) -> Check| {
            for level in Level::all() {
                for source in [Source::Utf8(&text), Source::Utf16(&self.units)] {
                    let ranges = ranges(source, &scalars);
                    let run =
                        Run { case: self, encoding, level, source, expected: &expected, scalars: &scalars, ranges };
                    let form = if let Source::Utf8(_) = source { "UTF-8" } else { "UTF-16" };
                    check(&run).map_err(|error| format!("{} from {form}: {error}", level.name()))?;
                }
            }
            Ok(())
        };
        each(&|run| run.check(&skipped))?;
        self.whole(&text, &scalars, &expected)?;
        self.hooks(&text, &scalars)?;
        each(&|run| run.replaced(replaced.as_deref()))
    }

    fn simpler(&self) -> Vec<Self> {
        let units = shorter(&self.units).into_iter().map(|units| Self { units, ..self.clone() });
        let cuts = self.cuts.simpler().into_iter().map(|cuts| Self { cuts, ..self.clone() });
        let plain = (self.replacement != '?').then(|| Self { replacement: '?', ..self.clone() });
        units.chain(cuts).chain(plain).collect()
    }

    fn describe(&self) -> String {
        let Self { replacement, cuts, units, .. } = self;
        format!("{} {units:04X?} replacement {replacement:?} {cuts:?}", model::encoding(self.encoding))
    }
}

/// Returns the range of each scalar value in the text.
fn ranges(source: Source<'_>, scalars: &[char]) -> Vec<Range<u64>> {
    let len = |character: &char| match source {
        Source::Utf8(_) => character.len_utf8() as u64,
        Source::Utf16(_) => character.len_utf16() as u64,
    };
    scalars
        .iter()
        .scan(0, |end, character| {
            let start = *end;
            *end += len(character);
            Some(start..*end)
        })
        .collect()
}

/// The check of one level and one form of the text, with the expected results.
struct Run<'a> {
    case: &'a Encode,
    encoding: Encoding,
    level: Level,
    source: Source<'a>,
    expected: &'a model::Encoded,
    scalars: &'a [char],
    ranges: Vec<Range<u64>>,
}

impl Run<'_> {
    fn encoder(&self, unmappable: Unmappable) -> Encoder {
        self.level.encoder(self.encoding.encoder_with(unmappable))
    }

    /// Checks the range and the character of an error.
    fn error(&self, error: &EncodeError, number: usize) -> Check {
        let Some(&(at, code_point)) = self.expected.errors.get(number) else {
            return Err(format!("an unexpected error: {error:?}"));
        };
        let (character, range) = (self.scalars[at], self.ranges[at].clone());
        let unit = if let Source::Utf8(_) = self.source { TextUnit::Utf8 } else { TextUnit::Utf16 };
        let expected = (self.encoding, Some(character), Some(code_point), range, unit);
        let actual = (error.encoding(), error.character(), error.code_point(), error.range(), error.unit());
        same!("an error", expected, actual);
        Ok(())
    }

    fn stream(&self, encoder: &mut Encoder) -> Result<Vec<u8>, String> {
        stream::encode(encoder, self.source, &self.case.cuts, |_, _| false)
    }

    /// Returns the bytes with `Report`, which writes nothing for unmappable characters.
    fn reported(&self) -> Result<Vec<u8>, String> {
        let mut encoder = self.encoder(Unmappable::Pause);
        let (mut number, mut wrong) = (0, Ok(()));
        let bytes = stream::encode(&mut encoder, self.source, &self.case.cuts, |error, _| {
            if wrong.is_ok() {
                wrong = self.error(error, number);
            }
            number += 1;
            number <= self.scalars.len()
        })?;
        wrong?;
        same!("number of reports", self.expected.errors.len(), number);
        Ok(bytes)
    }

    fn check(&self, skipped: &[u8]) -> Check {
        let Self { expected, .. } = self;
        let count = expected.errors.len() as u64;
        let mut encoder = self.encoder(Unmappable::Html);
        // Twice, because a new text starts after the end.
        for turn in ["bytes with references", "bytes of the second text"] {
            same!(turn, expected.html, self.stream(&mut encoder)?);
            same!("count of errors", count, encoder.errors().count());
            if let Some(error) = encoder.errors().first() {
                self.error(error, 0)?;
            }
        }

        let mut encoder = self.encoder(Unmappable::Fail);
        let mut failed = None;
        let bytes = stream::encode(&mut encoder, self.source, &self.case.cuts, |error, _| {
            failed = Some(error.clone());
            false
        })?;
        same!("bytes before the first error", expected.fatal, bytes);
        same!("whether there is an error", expected.errors.is_empty(), failed.is_none());
        if let Some(error) = failed {
            self.error(&error, 0)?;
            let again = encoder.encode_from_utf8("a", &mut [0; 8], false);
            same!("a call after a fatal error", (0, 0), (again.read, again.written));
            same!("its status", textcodec::Status::Error(error), again.status);
        }

        same!("bytes with reports", *skipped, *self.reported()?);
        same!("bytes with Skip", *skipped, *self.stream(&mut self.encoder(Unmappable::Skip))?);

        self.pushed()
    }

    /// Checks `Replace`. If the replacement is unmappable, the first character that needs it is an error.
    fn replaced(&self, replaced: Option<&[u8]>) -> Check {
        let replacement = Unmappable::Replace(self.case.replacement);
        let mut failed = None;
        let bytes = stream::encode(&mut self.encoder(replacement), self.source, &self.case.cuts, |error, _| {
            failed = Some(error.clone());
            false
        })?;
        if !self.encoding.can_encode(self.case.replacement) {
            // As with `Fail`.
            same!("bytes before the first replacement", self.expected.fatal, bytes);
            let reason = (!self.expected.errors.is_empty()).then_some(EncodeReason::UnmappableReplacement);
            same!("the error of the replacement", reason, failed.as_ref().map(EncodeError::reason));
            return failed.map_or(Ok(()), |error| self.error(&error, 0));
        }
        match (replaced, failed) {
            (Some(replaced), None) => same!("bytes with Replace", *replaced, *bytes),
            (replaced, failed) => return Err(format!("Replace: expected {replaced:02X?}, got {failed:?}")),
        }
        Ok(())
    }

    /// Checks `push` and `finish`.
    fn pushed(&self) -> Check {
        let Self { case, expected, source, .. } = self;
        let ranges = || case.cuts.ranges(source.len(), |at| source.may_cut(at)).into_iter();
        let push = |encoder: &mut Encoder, range, bytes: &mut Vec<u8>| match source.slice(range) {
            Source::Utf8(text) => encoder.push(text, bytes),
            Source::Utf16(text) => encoder.push_utf16(text, bytes),
        };
        let mut encoder = self.encoder(Unmappable::Html);
        let mut bytes = Vec::new();
        for range in ranges() {
            push(&mut encoder, range, &mut bytes).map_err(|error| format!("push fails: {error:?}"))?;
        }
        let summary = encoder.finish(&mut bytes).map_err(|error| format!("finish fails: {error:?}"))?;
        same!("pushed bytes", expected.html, bytes);
        same!("count of errors in the summary", expected.errors.len() as u64, summary.errors.count());
        let unpaired = if let Source::Utf16(units) = source { unpaired(units) } else { 0 };
        same!("unpaired surrogates", unpaired, summary.unpaired_surrogates);

        let mut encoder = self.encoder(Unmappable::Fail);
        let mut bytes = Vec::new();
        let pushed = ranges().try_for_each(|range| push(&mut encoder, range, &mut bytes));
        match pushed.and_then(|()| encoder.finish(&mut bytes)) {
            Ok(_) => same!("errors when none failed", 0, expected.errors.len()),
            Err(error) => self.error(&error, 0)?,
        }
        same!("bytes pushed before the first error", expected.fatal, bytes);

        if let Source::Utf8(text) = source {
            let mut encoder = self.encoder(Unmappable::Fail);
            let mut bytes = Vec::new();
            for range in ranges() {
                let reference = |error: &EncodeError| Some(format!("&#{};", u32::from(error.code_point()?)).into());
                let pushed = encoder.push_with(&text[range], &mut bytes, reference);
                // Every encoder can encode the characters of a reference.
                pushed.map_err(|error| format!("push_with fails: {error:?}"))?;
            }
            let summary = encoder.finish(&mut bytes).map_err(|error| format!("finish fails: {error:?}"))?;
            same!("bytes pushed with a function", expected.html, bytes);
            same!("count of errors with a function", expected.errors.len() as u64, summary.errors.count());
        }
        Ok(())
    }
}

/// Returns the number of unpaired surrogates.
fn unpaired(units: &[u16]) -> u64 {
    char::decode_utf16(units.iter().copied()).filter(Result::is_err).count() as u64
}

impl Encode {
    /// Checks one-shot calls.
    fn whole(&self, text: &str, scalars: &[char], expected: &model::Encoded) -> Check {
        let encoding = model::encoding(self.encoding);
        let count = expected.errors.len() as u64;
        let encoded =
            encoding.encode_with(text, Unmappable::Html).map_err(|error| format!("encode_with: {error:?}"))?;
        same!("encode_with", expected.html, *encoded.bytes);
        same!("its count of errors", count, encoded.errors.count());
        let encoded = encoding.encode_from_utf16_with(&self.units, Unmappable::Html);
        let encoded = encoded.map_err(|error| format!("encode_utf16: {error:?}"))?;
        same!("encode_utf16", expected.html, *encoded.bytes);
        same!("its unpaired surrogates", unpaired(&self.units), encoded.unpaired_surrogates);
        match encoding.encode(text) {
            Ok(bytes) => {
                same!("errors of encode", 0, count);
                same!("encode", expected.fatal, *bytes);
            }
            Err(error) => {
                let first = expected.errors.first().map(|&(at, _)| scalars[at]);
                same!("character of encode's error", first, error.character());
            }
        }
        for &character in scalars {
            let alone = model::encode(encoding, &[character]).is_some_and(|encoded| encoded.errors.is_empty());
            same!(format!("can_encode({character:?})"), alone, encoding.can_encode(character));
        }
        Ok(())
    }

    /// Checks *encode or fail* up to the end of the text.
    fn hooks(&self, text: &str, scalars: &[char]) -> Check {
        let encoding = model::encoding(self.encoding);
        let Some(mut model) = model::model(encoding).and_then(spec_model::Encoding::encoder) else { return Ok(()) };
        let mut encoder = hooks::get_an_encoder(encoding).map_err(|error| format!("get_an_encoder: {error:?}"))?;
        let (mut queue, mut rest) = (IoQueue::from_list(scalars.iter().copied()), text);
        loop {
            let (mut expected, mut bytes) = (IoQueue::new(), Vec::new());
            let code_point = encode_or_fail(&mut queue, &mut model, &mut expected);
            let actual = hooks::encode_or_fail(&mut rest, &mut encoder, &mut bytes);
            same!("encode_or_fail", code_point, actual.map(u32::from));
            same!("its bytes", expected.to_list(), bytes);
            same!("its queue", scalars[queue.position()..].iter().collect::<String>(), rest);
            if code_point.is_none() {
                return Ok(());
            }
        }
    }
}
