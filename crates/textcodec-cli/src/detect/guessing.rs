//! The options about detection that several commands have.

use clap::Args;
use textcodec::{Encoding, REPLACEMENT, oem};
use textcodec_detect::{Confidence, DetectOptions, Language};

use crate::{Stop, labels, source::InputEncoding};

/// What the user knows about texts whose encoding is detected, and how certain an answer must be.
#[derive(Debug, Args)]
pub(crate) struct Guessing {
    /// Language that the text probably is in, for detection, such as fr; can be repeated
    ///
    /// A hint for the guess of the encoding, which is made if there is no other evidence. Other languages remain possible. A tag as in HTML
    /// (pt-BR) or an English name; several are separated by commas.
    #[arg(long, value_name = "TAG", value_delimiter = ',', value_parser = language)]
    language: Vec<Language>,

    /// Encodings between which to guess in detection, such as windows-1252,ibm850
    ///
    /// They change nothing if there is other evidence than a guess: a byte order mark, a declaration, or the structure of UTF-8, UTF-16
    /// or ISO-2022-JP. If another encoding is far likelier, the confidence is low.
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    candidates: Vec<String>,

    /// How certain -f auto must be: low, medium, high, or a number from 0 to 1 [default: high]
    ///
    /// With --in-place, a file whose detected encoding is less certain is left unchanged, named and counted. Other output is written,
    /// with a warning. The exit status is 1. The limit does not apply to text that stays the same, such as UTF-8 that is converted to
    /// UTF-8. `textcodec detect --json` has the number as `probability`. `low` accepts every answer.
    #[arg(long, value_name = "LEVEL", value_parser = min_confidence)]
    min_confidence: Option<f64>,
}

impl Guessing {
    /// Returns the options of the library. `aliases` is the option `--aliases`.
    pub(crate) fn options(&self, aliases: bool) -> Result<DetectOptions, Stop> {
        let candidates = self.candidates.iter().map(|label| {
            let encoding = labels::for_option("--candidates", label, aliases)?.encoding;
            require_detectable("--candidates", encoding)?;
            Ok(encoding)
        });
        let candidates: Vec<_> = candidates.collect::<Result<_, Stop>>()?;
        Ok(DetectOptions::new().languages(self.language.iter().copied()).candidates(candidates))
    }

    /// Returns the probability that an answer must have at least, if the user gave one.
    pub(crate) fn min_probability(&self) -> Option<f64> {
        self.min_confidence
    }

    /// Fails if one of the options is given, but no encoding is detected.
    pub(crate) fn require_auto(&self, from: InputEncoding) -> Result<(), Stop> {
        let options = [
            (!self.language.is_empty(), "--language"),
            (!self.candidates.is_empty(), "--candidates"),
            (self.min_confidence.is_some(), "--min-confidence"),
        ];
        match options.into_iter().find(|(is_given, _)| *is_given && from.given().is_some()) {
            Some((_, option)) => Err(Stop::Usage(format!("{option} requires -f auto: no encoding is detected"))),
            None => Ok(()),
        }
    }
}

/// Fails if an encoding is never detected.
pub(super) fn require_detectable(option: &str, encoding: Encoding) -> Result<(), Stop> {
    let why = if Encoding::EXTRA.contains(&encoding) {
        "; ASCII counts as UTF-8, and ISO-8859-1 as windows-1252".to_owned()
    } else if encoding == REPLACEMENT {
        ": it decodes nothing".to_owned()
    // Mail can declare UTF-7.
    } else if oem::ALL.contains(&encoding) && !encoding.is_ascii_compatible() && encoding != oem::UTF_7 {
        let declaration = "<meta charset=x>";
        let why = if encoding.decode(declaration.as_bytes()).text == declaration {
            "its bytes are also text in ASCII"
        } else {
            "no text in it can declare it in ASCII"
        };
        format!(", because {why}; to convert such text, use textcodec convert -f {encoding}")
    } else {
        return Ok(());
    };
    Err(Stop::Usage(format!("{option}: {encoding} is never detected{why}")))
}

fn language(tag: &str) -> Result<Language, String> {
    Language::for_tag(tag).ok_or_else(|| {
        let known: Vec<_> = Language::all().map(|language| format!("{} ({language})", language.tag())).collect();
        format!("no such language is known; known are {}", known.join(", "))
    })
}

fn min_confidence(level: &str) -> Result<f64, &'static str> {
    match level {
        "low" => Ok(Confidence::Low.least()),
        "medium" => Ok(Confidence::Medium.least()),
        "high" => Ok(Confidence::High.least()),
        _ => {
            let number = level.parse().ok().filter(|number| (0.0..=1.0).contains(number));
            number.ok_or("expected low, medium, high, or a number from 0 to 1")
        }
    }
}
