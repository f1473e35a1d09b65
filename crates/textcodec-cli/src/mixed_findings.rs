//! Finds the lines or sequences of an input that are not in the first of several encodings.

use textcodec::{DecodeError, DecodeOptions, Malformed};
use textcodec_detect::{Mixed, MixedError, Per, Place};

use crate::{
    charset::Charset,
    findings::{Checker, Finding, Kind},
    location::Location,
    mix::Mix,
    narrow,
};

/// Checks one input in which several encodings may be mixed, in chunks of any length.
pub(crate) enum MixedChecker {
    Lines(Lines),
    Sequences(Box<Checker>, Mix),
}

pub(crate) struct Lines {
    /// `None` after the end of the input.
    mixed: Option<Mixed>,
    first: Charset,
    bom_len: u64,
    text: String,
}

impl MixedChecker {
    /// Creates a checker for text after a byte order mark of `bom_len` bytes, which is that of `from` if there is one.
    pub(crate) fn new(mix: Mix, from: Charset, bom_len: u64) -> Self {
        match mix.per() {
            Per::Line => Self::Lines(Lines {
                mixed: Some(mix.decoder(from).max_places(usize::MAX)),
                first: mix.encodings()[0].into(),
                bom_len,
                text: String::new(),
            }),
            Per::Sequence => Self::Sequences(Checker::new(from, bom_len, None, narrow::Labels::default()).into(), mix),
        }
    }

    /// Checks the next bytes. `last` ends the input.
    pub(crate) fn check(&mut self, bytes: &[u8], last: bool, findings: &mut Vec<Finding>) {
        match self {
            Self::Lines(lines) => lines.check(bytes, last, findings),
            Self::Sequences(checker, mix) => {
                let start = findings.len();
                checker.check(bytes, last, findings);
                for finding in &mut findings[start..] {
                    if let Kind::Malformed(error) = &finding.kind
                        && let Some(kind) = other(*mix, error)
                    {
                        finding.kind = kind;
                    }
                }
            }
        }
    }
}

/// Returns what a malformed sequence of the first encoding is in another one.
fn other(mix: Mix, error: &DecodeError) -> Option<Kind> {
    let options = DecodeOptions::new().bom(textcodec::Bom::Keep).malformed(Malformed::Fail);
    mix.encodings()[1..].iter().find_map(|encoding| {
        let (mut text, mut decoder) = (String::new(), encoding.decoder_with(options));
        decoder.push(error.bytes(), &mut text).ok()?;
        decoder.finish(&mut text).ok()?;
        let first = mix.encodings()[0].into();
        Some(Kind::Other {
            encoding: (*encoding).into(),
            first,
            len: error.bytes().len() as u64,
            sequence: Some((error.clone(), text)),
        })
    })
}

impl Lines {
    fn check(&mut self, bytes: &[u8], last: bool, findings: &mut Vec<Finding>) {
        let Self { mixed, first, bom_len, text } = self;
        let Some(mut decoder) = mixed.take() else { return };
        let start = findings.len();
        let on_error = |findings: &mut Vec<Finding>, error: &MixedError| {
            let (byte, location) = (*bom_len + error.range().start, Location::of_line(error.line()));
            findings.push(Finding { byte, location, kind: Kind::Malformed(error.decode_error().clone()) });
            Some("".into())
        };
        // Cannot fail: what is malformed is replaced.
        let _ = decoder.push_with(bytes, text, |error| on_error(findings, error));
        let mut places = decoder.take_places();
        if last {
            if let Ok(summary) = decoder.finish_with(text, |error| on_error(findings, error)) {
                places.extend(summary.parts().iter().flat_map(|parts| parts.first().to_vec()));
            }
        } else {
            *mixed = Some(decoder);
        }
        text.clear();
        findings.extend(places.iter().map(|place: &Place| {
            let (range, encoding) = (place.range(), place.encoding().into());
            let kind = Kind::Other { encoding, first: *first, len: range.end - range.start, sequence: None };
            Finding { byte: *bom_len + range.start, location: Location::of_line(place.line()), kind }
        }));
        findings[start..].sort_by_key(|finding| finding.byte);
    }
}
