//! Tells whether the same command would change a new file once more.
//!
//! Nothing on a file shows that it was converted. So before a new file replaces the original, it is judged as a second run would
//! judge it.

use textcodec::{GB18030, GBK, UTF_8, WINDOWS_1252};
use textcodec_detect::{Confidence, Detection, Detector, Evidence};

use super::Settings;
use crate::{
    charset::Charset,
    engine::{Records, SecondPass},
    sample::{Reading, Sampler},
    source::{InputBom, InputEncoding},
};

/// Examines a new file while it is written.
pub(crate) struct SecondRun {
    to: Charset,
    /// The encoding that `--from` names.
    given: Option<Charset>,
    input_bom: InputBom,
    /// Whether text with a byte order mark keeps it.
    keeps_bom: bool,
    records: Records,
    /// The start of the file, which may be a byte order mark.
    head: Vec<u8>,
    /// The length of the file.
    len: u64,
    judge: Judge,
}

/// What determines the encoding of a file without a byte order mark.
enum Judge {
    /// `--from`, or a declaration in the file, unless the file is more likely to be in the encoding of the output.
    Likelihood(Box<Sampler>),
    Detection(Box<Detected>),
    /// Several encodings are mixed: the conversion itself. `None` if it cannot start.
    Conversion(Option<Box<SecondPass>>),
}

struct Detected {
    detector: Detector,
    sampler: Sampler,
    /// The bytes that the file has, if `to` is a single-byte encoding.
    has: [bool; 256],
    /// A file of a lower probability is left unchanged.
    min_probability: f64,
}

/// The maximum length of a byte order mark.
const BOM_LEN: usize = 3;

impl SecondRun {
    /// `detection` is the one of the original.
    pub(super) fn new(settings: &Settings, detection: Option<&Detection>) -> Self {
        let to = settings.recipe.to;
        let judge = match (settings.from, detection) {
            (InputEncoding::Fixed(from), _) if settings.recipe.mix.is_some() => {
                Judge::Conversion(SecondPass::new(settings.recipe, from).ok().map(Into::into))
            }
            (InputEncoding::Fixed(from), _) => Judge::Likelihood(Sampler::new(from, to).into()),
            (InputEncoding::Auto(_), Some(detection)) if detection.evidence == Evidence::Declaration => {
                Judge::Likelihood(Sampler::new(detection.encoding.into(), to).into())
            }
            (InputEncoding::Auto(options), _) => Judge::Detection(Box::new(Detected {
                detector: Detector::with(options.clone()),
                // Any other encoding makes the sample begin with the first byte that is not ASCII.
                sampler: Sampler::new(if to == UTF_8 { WINDOWS_1252 } else { UTF_8 }.into(), to),
                has: [false; 256],
                min_probability: settings.min_probability,
            })),
        };
        Self {
            to,
            given: settings.from.given(),
            input_bom: settings.input_bom,
            keeps_bom: settings.writes_bom(true),
            records: settings.recipe.records,
            head: Vec::new(),
            len: 0,
            judge,
        }
    }

    /// Adds a part of the file.
    pub(crate) fn feed(&mut self, chunk: &[u8]) {
        let head = chunk.len().min(BOM_LEN - self.head.len());
        self.head.extend_from_slice(&chunk[..head]);
        self.len += chunk.len() as u64;
        match &mut self.judge {
            Judge::Likelihood(sampler) => {
                sampler.feed(chunk);
            }
            Judge::Conversion(pass) => {
                if let Some(pass) = pass {
                    pass.feed(chunk);
                }
            }
            Judge::Detection(detected) => {
                detected.detector.feed(chunk);
                detected.sampler.feed(chunk);
                if self.to.is_single_byte() {
                    for &byte in chunk {
                        detected.has[usize::from(byte)] = true;
                    }
                }
            }
        }
    }

    /// Returns why a second run could change the text of the file, or `None` if it would not.
    pub(super) fn could_change(self) -> Option<String> {
        let to = self.to;
        if let Some((encoding, _)) = self.input_bom.removed(&self.head, self.given) {
            let is_kept = encoding == to && self.keeps_bom;
            return (!is_kept)
                .then(|| format!("in {to}, its start would be taken for the byte order mark of {encoding}"));
        }
        // The bytes are the same in both encodings, so nothing shows that lines were records.
        let would_read_records = self.records.read.is_some_and(|(form, _)| {
            let is_same_form = self.records.write.is_some_and(|other| other.len == form.len);
            self.len > 0 && self.len.is_multiple_of(form.len.into()) && !is_same_form
        });
        let changes = match self.judge {
            Judge::Likelihood(sampler) => match sampler.reading() {
                Reading::From => true,
                Reading::Same => would_read_records,
                Reading::To | Reading::Utf8 | Reading::Undecided => false,
            },
            Judge::Detection(detected) => detected.could_be_another_text(to),
            Judge::Conversion(pass) => pass.is_none_or(|pass| pass.changes()),
        };
        changes.then(|| format!("in {to}, it could be taken for text to convert again"))
    }
}

impl Detected {
    /// Returns whether detection finds an encoding in which the file is not the text that it is in `to`.
    fn could_be_another_text(self, to: Charset) -> bool {
        let Self { detector, sampler, has, min_probability } = self;
        let Detection { encoding, confidence, probability, .. } = detector.finish();
        let encoding = Charset::from(encoding);
        if encoding == to || confidence == Confidence::None || probability < min_probability {
            return false;
        }
        let is_same = match [encoding, to] {
            [one, other] if one.is_single_byte() && other.is_single_byte() => (0..=255_u8)
                .filter(|&byte| has[usize::from(byte)])
                .all(|byte| one.decode(&[byte]) == other.decode(&[byte])),
            // One decoder.
            [one, other] if [one, other].iter().all(|it| *it == GBK || *it == GB18030) => true,
            [one, _] => sampler.is_same_text_in(one),
        };
        !is_same
    }
}
