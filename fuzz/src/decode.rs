//! Compares decoding with the model, at every level and in both output forms.

use fastrand::Rng;
use textcodec::{DecodeError, DecodeOptions, DecodeTarget, Decoder, Encoding, Malformed, UTF_8, hooks, testing::Level};

use crate::{
    Case, Check, Texts, hex, model, shorter,
    stream::{self, Cuts, Unit},
};

/// An input for a decoder.
#[derive(Clone, Debug, arbitrary::Arbitrary)]
pub struct Decode {
    encoding: u8,
    bom: u8,
    cuts: Cuts,
    bytes: Vec<u8>,
}

impl Case for Decode {
    const NAME: &'static str = "decode_oracle";

    fn random(texts: &mut Texts, rng: &mut Rng) -> Self {
        let encoding = rng.u8(..42);
        let bytes = texts.bytes(model::encoding(encoding), rng);
        Self { encoding, bom: rng.u8(..3), cuts: Cuts::random(rng), bytes }
    }

    fn check(&self) -> Check {
        let whole = model::decode(self.encoding(), &self.bytes, model::bom(self.bom));
        let fatal = model::decode_fatal(self.encoding(), &self.bytes, model::bom(self.bom));
        for level in Level::all() {
            let run = Run { case: self, level, whole: &whole, fatal: &fatal };
            run.slices::<u8>().map_err(|error| format!("{} to UTF-8: {error}", level.name()))?;
            run.slices::<u16>().map_err(|error| format!("{} to UTF-16: {error}", level.name()))?;
            run.targets::<Vec<u8>>(u8::of).map_err(|error| format!("{} to Vec<u8>: {error}", level.name()))?;
            run.targets::<Vec<u16>>(u16::of).map_err(|error| format!("{} to Vec<u16>: {error}", level.name()))?;
        }
        self.whole(&whole)?;
        self.hooks()
    }

    fn simpler(&self) -> Vec<Self> {
        let bytes = shorter(&self.bytes).into_iter().map(|bytes| Self { bytes, ..self.clone() });
        let cuts = self.cuts.simpler().into_iter().map(|cuts| Self { cuts, ..self.clone() });
        bytes.chain(cuts).collect()
    }

    fn describe(&self) -> String {
        format!("{} {:?} [{}] {:?}", self.encoding(), model::bom(self.bom), hex(&self.bytes), self.cuts)
    }
}

/// The check of one level, with the expected results.
struct Run<'a> {
    case: &'a Decode,
    level: Level,
    whole: &'a model::Decoded,
    fatal: &'a model::Decoded,
}

impl Run<'_> {
    fn decoder(&self, malformed: Malformed) -> Decoder {
        self.level.decoder(self.case.encoding().decoder_with(self.case.options(malformed)))
    }

    /// Checks a decoder at the end of the input.
    fn end(&self, decoder: &Decoder) -> Check {
        same!("encoding", self.whole.encoding, decoder.encoding().name());
        same!("bom_removed", self.whole.bom, decoder.bom_removed());
        same!("position at the end", self.case.bytes.len() as u64, decoder.position());
        Ok(())
    }

    /// Checks the range, bytes and encoding of an error.
    fn error(&self, error: &DecodeError, number: usize) -> Check {
        let Some(range) = self.whole.errors.get(number) else {
            return Err(format!("an unexpected error: {error:?}"));
        };
        same!("range of an error", *range, error.range());
        same!("bytes of an error", self.case.bytes[range.start as usize..range.end as usize], *error.bytes());
        same!("encoding of an error", self.whole.encoding, error.encoding().name());
        Ok(())
    }

    /// Checks decoding into fixed buffers.
    fn slices<U: Unit>(&self) -> Check {
        let Self { case, whole, fatal, .. } = self;
        let mut decoder = self.decoder(Malformed::Replace);
        // Twice, because a new input starts after the end.
        for turn in ["text", "text of the second input"] {
            let text = stream::decode(&mut decoder, &case.bytes, &case.cuts, |_, _: &mut Vec<U>| false)?;
            same!(turn, U::of(&whole.text), text);
            same!("count of errors", whole.errors.len() as u64, decoder.errors().count());
            if let Some(error) = decoder.errors().first() {
                self.error(error, 0)?;
            }
            self.end(&decoder)?;
        }

        let mut decoder = self.decoder(Malformed::Pause);
        let (mut number, mut wrong) = (0, Ok(()));
        let replacement = U::of("\u{FFFD}");
        let text = stream::decode(&mut decoder, &case.bytes, &case.cuts, |error, text: &mut Vec<U>| {
            if wrong.is_ok() {
                wrong = self.error(error, number);
            }
            number += 1;
            text.extend(&replacement);
            number <= case.bytes.len()
        })?;
        wrong?;
        same!("text with reports", U::of(&whole.text), text);
        same!("number of reports", whole.errors.len(), number);
        same!("count of errors with reports", 0, decoder.errors().count());
        self.end(&decoder)?;

        let mut decoder = self.decoder(Malformed::Fail);
        let mut failed = None;
        let text = stream::decode(&mut decoder, &case.bytes, &case.cuts, |error, _: &mut Vec<U>| {
            failed = Some(error.clone());
            false
        })?;
        same!("text before the first error", U::of(&fatal.text), text);
        same!("whether there is an error", fatal.errors.is_empty(), failed.is_none());
        if let Some(error) = failed {
            self.error(&error, 0)?;
            // A handler may have read and restored up to three more bytes.
            let (end, position) = (error.range().end, decoder.position());
            ensure!((end..=end + 3).contains(&position), "position {position} at an error that ends at {end}");
            let again = U::decode(&mut decoder, b"a", &mut [U::CANARY; 8], false);
            same!("a call after a fatal error", (0, 0), (again.read, again.written));
            same!("its status", textcodec::Status::Error(error), again.status);
            decoder.reset();
            let first = fatal.errors[0].start as usize;
            let valid = &case.bytes[..first];
            let text = stream::decode(&mut decoder, valid, &case.cuts, |_, _: &mut Vec<U>| false)?;
            same!("text after a reset", U::of(&fatal.text), text);
        }
        Ok(())
    }

    /// Checks `push`, `finish` and their variants with a function.
    fn targets<T>(&self, of: impl Fn(&str) -> T) -> Check
    where
        T: DecodeTarget + Default + PartialEq + std::fmt::Debug,
    {
        let Self { case, whole, fatal, .. } = self;
        let ranges = || case.cuts.ranges(case.bytes.len(), |_| true).into_iter();
        let mut text = T::default();
        let mut decoder = self.decoder(Malformed::Replace);
        for range in ranges() {
            decoder.push(&case.bytes[range], &mut text).map_err(|error| format!("push fails: {error:?}"))?;
        }
        let summary = decoder.finish(&mut text).map_err(|error| format!("finish fails: {error:?}"))?;
        same!("pushed text", of(&whole.text), text);
        same!("count of errors in the summary", whole.errors.len() as u64, summary.errors.count());
        same!("encoding in the summary", whole.encoding, summary.encoding.name());
        same!("bom_removed in the summary", whole.bom, summary.bom_removed);

        let mut text = T::default();
        let mut decoder = self.decoder(Malformed::Fail);
        let (mut number, mut wrong) = (0, Ok(()));
        let mut on_error = |error: &DecodeError| {
            if wrong.is_ok() {
                wrong = self.error(error, number);
            }
            number += 1;
            Some("\u{FFFD}".into())
        };
        for range in ranges() {
            let pushed = decoder.push_with(&case.bytes[range], &mut text, &mut on_error);
            pushed.map_err(|error| format!("push_with fails: {error:?}"))?;
        }
        let summary = decoder.finish_with(&mut text, &mut on_error);
        let summary = summary.map_err(|error| format!("finish_with fails: {error:?}"))?;
        wrong?;
        same!("text pushed with a function", of(&whole.text), text);
        same!("calls of the function", whole.errors.len(), number);
        same!("count of errors in its summary", whole.errors.len() as u64, summary.errors.count());

        let mut text = T::default();
        let mut decoder = self.decoder(Malformed::Fail);
        let pushed = ranges().try_for_each(|range| decoder.push(&case.bytes[range], &mut text));
        match pushed.and_then(|()| decoder.finish(&mut text)) {
            Ok(_) => same!("errors when none failed", 0, fatal.errors.len()),
            Err(error) => self.error(&error, 0)?,
        }
        same!("text pushed before the first error", of(&fatal.text), text);
        Ok(())
    }
}

impl Decode {
    fn encoding(&self) -> Encoding {
        model::encoding(self.encoding)
    }

    fn options(&self, malformed: Malformed) -> DecodeOptions {
        DecodeOptions::new().bom(model::bom(self.bom)).malformed(malformed)
    }

    /// Checks one-shot calls.
    fn whole(&self, expected: &model::Decoded) -> Check {
        let encoding = self.encoding();
        let options = self.options(Malformed::Replace);
        let decoded = encoding.decode_with(&self.bytes, options).map_err(|error| format!("decode_with: {error:?}"))?;
        same!("decode_with", expected.text, decoded.text);
        same!("its encoding", expected.encoding, decoded.encoding.name());
        same!("its bom_removed", expected.bom, decoded.bom_removed);
        same!("its count of errors", expected.errors.len() as u64, decoded.errors.count());
        same!("its first error", expected.errors.first().cloned(), decoded.errors.first().map(DecodeError::range));
        let units = encoding.decode_to_utf16_with(&self.bytes, options);
        let units = units.map_err(|error| format!("decode_to_utf16_with: {error:?}"))?;
        same!("decode_to_utf16_with", u16::of(&expected.text), units.text);
        same!("its count of errors", decoded.errors, units.errors);
        for malformed in [Malformed::Fail, Malformed::Pause] {
            let range = expected.errors.first().cloned();
            let strict = encoding.decode_with(&self.bytes, self.options(malformed));
            same!("error of decode_with", range, strict.as_ref().err().map(DecodeError::range));
            if let Ok(strict) = strict {
                same!("decode_with without errors", expected.text, strict.text);
            }
            let strict = encoding.decode_to_utf16_with(&self.bytes, self.options(malformed));
            same!("error of decode_to_utf16_with", range, strict.err().map(|error| error.range()));
        }
        Ok(())
    }

    /// Checks the hooks of section 6.
    fn hooks(&self) -> Check {
        use textcodec::Bom;

        let bytes = &*self.bytes;
        let sniffed = model::decode(self.encoding(), bytes, Bom::Sniff).text;
        same!("decode", sniffed, self.encoding().decode(bytes).text);
        same!("decode_to_utf16", u16::of(&sniffed), self.encoding().decode_to_utf16(bytes).text);
        same!("hooks::utf_8_decode", model::decode(UTF_8, bytes, Bom::StripOwn).text, hooks::utf_8_decode(bytes));
        let kept = model::decode(UTF_8, bytes, Bom::Keep);
        same!("hooks::utf_8_decode_without_bom", kept.text, hooks::utf_8_decode_without_bom(bytes));
        let text = kept.errors.is_empty().then_some(&*kept.text);
        let actual = hooks::utf_8_decode_without_bom_or_fail(bytes);
        same!("hooks::utf_8_decode_without_bom_or_fail", text, actual.as_deref());
        Ok(())
    }
}
