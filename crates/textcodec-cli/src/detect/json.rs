//! A line of JSON of `detect`.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use serde::Serialize;
use textcodec::Encoding;
use textcodec_detect::{Candidate, Detection, Evidence, mail::Group};

use super::{is_guess, why};
use crate::{input::Input, labels, reading::JsonPath};

#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    path: JsonPath<'a>,
    #[serde(flatten)]
    found: Found<'a>,
}

/// Writes a line.
pub(super) fn write_json(input: &Input, found: Found<'_>, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Line { path: JsonPath::new(input), found })?;
    out.write_all(b"\n")
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Found<'a> {
    Detection {
        encoding: Option<&'static str>,
        bom: bool,
        confidence: &'static str,
        probability: f64,
        evidence: &'static str,
        reason: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        language: Option<&'static str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        mixed_with: Option<&'static str>,
        bytes: u64,
        candidates: Vec<Tried>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        charsets: Vec<InMail<'a>>,
    },
    Error {
        error: String,
    },
}

#[derive(Serialize)]
pub(super) struct Tried {
    encoding: &'static str,
    probability: f64,
    malformed: u64,
    complete: bool,
    beyond_ascii: u64,
    unlikely: u64,
}

impl<'a> Found<'a> {
    /// `answer` is the encoding, if it is certain enough.
    pub(super) fn new(detection: &'a Detection, answer: Option<Encoding>) -> Self {
        Self::Detection {
            encoding: answer.map(labels::name),
            bom: detection.evidence == Evidence::Bom,
            confidence: detection.confidence.name(),
            probability: detection.probability,
            evidence: if is_guess(detection) { Evidence::Guess.name() } else { detection.evidence.name() },
            reason: why(detection),
            language: detection.language,
            mixed_with: detection.mixed_with.map(labels::name),
            bytes: detection.bytes,
            candidates: detection.candidates.iter().map(Tried::new).collect(),
            charsets: detection.charsets.iter().map(InMail::new).collect(),
        }
    }
}

/// A charset of a mail that has several.
#[derive(Serialize)]
pub(super) struct InMail<'a> {
    charset: &'a str,
    parts: u64,
    first: &'a str,
}

impl<'a> InMail<'a> {
    fn new(group: &'a Group) -> Self {
        Self { charset: &group.charset, parts: group.count, first: &group.first }
    }
}

impl Tried {
    fn new(candidate: &Candidate) -> Self {
        let Candidate { probability, malformed, non_ascii: beyond_ascii, unlikely, is_complete: complete, .. } =
            *candidate;
        let encoding = labels::name(candidate.encoding);
        Self { encoding, probability, malformed, complete, beyond_ascii, unlikely }
    }
}
