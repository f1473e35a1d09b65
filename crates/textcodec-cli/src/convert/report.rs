//! The report on an input: what happened to it, and the messages about it.
//!
//! Over 600 lines because all messages about an input are in one place.

use std::{
    fmt::{self, Write as _},
    path::Path,
};

use textcodec::{DecodeError, EncodeError, REPLACEMENT, UTF_8, oem};
use textcodec_detect::{
    Confidence,
    declaration::{Declaration, Form, HEAD_LEN},
};

use super::{Settings, doubt::Doubt, mixed, outside};
use crate::{
    Outcome,
    characters::{code_point, hex},
    charset::Charset,
    detect,
    engine::{ConvertError, Declarations, Malformed, Tally, Unmappable},
    errors::reason,
    input::Input,
    labels,
    location::Location,
    records::LongLine,
    screen::shown,
    source::{InputEncoding, Opened},
};

/// The result for one input.
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(super) struct Report {
    /// The position among all reports.
    pub(super) order: usize,
    pub(super) input: Input,
    pub(super) output: String,
    pub(super) from: Option<Charset>,
    /// The evidence for `from`, if it was not given.
    pub(super) why: Option<String>,
    /// Whether `why` is a guess.
    guessed: bool,
    pub(super) confidence: Option<Confidence>,
    /// How likely `from` is right, if it was detected.
    pub(super) probability: Option<f64>,
    /// Why `from` is too uncertain.
    pub(super) doubt: Option<Doubt>,
    /// The length in bytes of the byte order mark that was removed.
    pub(super) bom: u64,
    pub(super) tally: Tally,
    /// What was done, unless there is an error.
    pub(super) done: Done,
    /// The first name of the file, if this is another one.
    pub(super) same_file_as: Option<String>,
    /// Whether the report on the first name has losses. They are not counted a second time.
    first_has_losses: bool,
    /// The output that this input belongs to was not written, because another input failed.
    pub(super) output_missing: bool,
    pub(super) failure: Option<Failure>,
    /// What the text declares, although it was right before.
    pub(super) stale_declaration: Option<String>,
    /// Whether the user does not expect that the input was skipped: it was named.
    pub(super) is_unexpected: bool,
    /// What was converted, if each part of a mail was.
    pub(super) mail: Option<String>,
    /// What else the user should know, without the name of the input.
    pub(super) warnings: Vec<String>,
}

/// Why an input was not converted.
pub(super) struct Failure {
    /// What went wrong, without the name of the input or output.
    pub(super) what: String,
    pub(super) subject: Subject,
}

/// What a failure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Input,
    /// The only malformed sequence of the input, which could not be replaced.
    Replacement,
    Output,
}

/// What was done with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// It was converted.
    Converted,
    /// It is the same in both encodings and was not touched.
    Unchanged,
    /// It is in the encoding of the output already, although the user gave another one, and was not touched.
    Already,
    /// The same, and it was copied to the output directory.
    Copied,
    /// It can be read in the encoding that was given and in that of the output, or its result could be, and was not touched.
    Undecided,
    /// It does not look like text and was skipped.
    NotText,
    /// It is the backup of an earlier run, and was skipped.
    Backup,
    /// It is another name of an input.
    SameFile,
}

impl Report {
    pub(super) fn new(order: usize, input: Input, output: String) -> Self {
        Self {
            order,
            input,
            output,
            from: None,
            why: None,
            guessed: false,
            confidence: None,
            probability: None,
            doubt: None,
            bom: 0,
            tally: Tally::default(),
            done: Done::Converted,
            same_file_as: None,
            first_has_losses: false,
            output_missing: false,
            failure: None,
            stale_declaration: None,
            is_unexpected: false,
            mail: None,
            warnings: Vec::new(),
        }
    }

    /// Creates a report for a file whose path is also the path of its output.
    pub(super) fn in_place(order: usize, path: &Path) -> Self {
        Self::new(order, Input::File(path.to_owned()), path.display().to_string())
    }

    /// Records the encoding of the input, which is open now.
    pub(super) fn opened(&mut self, settings: &Settings, opened: &Opened) {
        self.from = Some(opened.source.encoding);
        self.bom = opened.bom;
        self.tally.read = opened.bom;
        self.doubt = Doubt::of(settings, opened);
        if opened.bom > 0 && self.doubt.is_none() {
            self.why = Some("byte order mark".into());
        } else if let Some(detection) = &opened.detection {
            self.why = Some(detect::why(detection).into_owned());
            self.guessed = detect::is_guess(detection);
            self.confidence = Some(detection.confidence);
            self.probability = Some(detection.probability);
        }
    }

    /// Returns the encoding of the input.
    pub(super) fn encoding(&self) -> Charset {
        self.from.unwrap_or(UTF_8.into())
    }

    /// Returns the name of the encoding in which a sequence is malformed.
    fn name_of(&self, error: &DecodeError, settings: &Settings) -> String {
        match settings.recipe.mix.filter(|mix| mix.has(self.encoding())) {
            None => self.encoding().to_string(),
            Some(_) => format!("{}, and in each other encoding of -f,", error.encoding()),
        }
    }

    /// Records that the input is in the encoding of the output, and not in the one that was given.
    pub(super) fn is_already(&mut self, to: Charset) {
        let given = self.from.replace(to).unwrap_or(UTF_8.into());
        self.why = Some(format!("already {to}, not {given}"));
        self.done = Done::Already;
        self.doubt = None;
    }

    /// Records that nothing was done: neither of two encodings is far more likely, or there are several.
    pub(super) fn is_undecided(&mut self, why: String) {
        self.doubt = None;
        self.why = Some(why);
        self.done = Done::Undecided;
        self.tally = Tally::default();
        self.warnings.clear();
    }

    /// Records that nothing was done, because the encoding is too uncertain.
    pub(super) fn is_refused(&mut self, doubt: Doubt) {
        self.is_undecided(doubt.refusal.clone());
        self.doubt = Some(doubt);
    }

    /// Records that this is another name of a file.
    pub(super) fn is_same_file_as(&mut self, first: &Path, done: Done) {
        self.same_file_as = Some(first.display().to_string());
        self.done = done;
    }

    /// Records that the input is a backup, for this reason, and is skipped.
    pub(super) fn is_backup(&mut self, why: String) {
        self.why = Some(why);
        self.done = Done::Backup;
    }

    /// Records that this is another name of a file with losses, and is now a link to the new file.
    pub(super) fn shares_losses(&mut self) {
        self.first_has_losses = true;
    }

    /// Records why the input was not converted. `after` is the state of the output.
    pub(super) fn fail(&mut self, settings: &Settings, error: &ConvertError, after: &str) {
        let subject = match error {
            ConvertError::Write(_) => Subject::Output,
            ConvertError::Unmappable(_, error, _) if self.has_unmappable_replacement(error) => Subject::Replacement,
            _ => Subject::Input,
        };
        let what = match error {
            ConvertError::Write(error) => reason(error),
            ConvertError::Read(error) => format!("{}; {after}", reason(error)),
            ConvertError::Malformed(_, error) if error.encoding() == REPLACEMENT => {
                let label = settings.from_label.as_deref();
                format!("{}; {after}{}", not_decoded(label), how_to_decode(label))
            }
            ConvertError::Malformed(offset, error) => {
                let (encoding, what) = (self.name_of(error, settings), malformed(*offset, error));
                format!("malformed {encoding} {what}{}; {after}", self.advice(settings))
            }
            ConvertError::Unmappable(..) if subject == Subject::Replacement => {
                let to = settings.recipe.to;
                let first = self.tally.malformed.first.as_ref();
                let encoding = first.map(|(_, error)| self.name_of(error, settings)).unwrap_or_default();
                let advice = self.advice(settings);
                // If the encoding is wrong, nothing else helps.
                let more = if advice.is_empty() {
                    "; to continue, use --malformed=skip or escape, or --unmappable=translit, html, replace or skip"
                } else {
                    ""
                };
                let what = first.map(|(offset, error)| malformed(*offset, error)).unwrap_or_default();
                format!(
                    "malformed {encoding} {what}{advice}; U+FFFD, which would replace it, is unmappable in {to}; {after}{more}"
                )
            }
            ConvertError::Unmappable(location, error, would_write) => format!(
                "unmappable in {} at {location}: {}; {after}; \
                 to continue, use {}--unmappable=translit, html, replace or skip",
                settings.recipe.to,
                character(error),
                if *would_write { "--normalize=encoding, which writes it in another composition, or " } else { "" }
            ),
            ConvertError::IncompleteRecord(offset, len, of) => format!(
                "the last record, at byte {offset}, has {len} bytes instead of {of}; {after}; if the records have another length, \
                 give it with --record-length"
            ),
            ConvertError::LongLine(LongLine { line, len }) => format!(
                "line {line} is longer than a record of {len} bytes; {after}; to continue, use a larger --record-length"
            ),
            // Only in `textcodec iconv`.
            ConvertError::Form(what) => format!("{what}; {after}"),
            ConvertError::Interrupted => format!("interrupted; {after}"),
            // The text after a byte order mark is never in the encoding that the label means.
            ConvertError::OutsideFrom(..) if self.bom > 0 => outside::error_in_bom(settings, self.encoding(), after),
            ConvertError::OutsideFrom(offset, bytes) => outside::error_in_input(settings, *offset, bytes, after),
            ConvertError::OutsideTo(location, character) => {
                outside::error_in_output(settings, *location, *character, after)
            }
        };
        self.failure = Some(Failure { what, subject });
    }

    /// Returns the message about the failure, with the name of the input or output.
    pub(super) fn error(&self) -> Option<String> {
        let Failure { what, subject } = self.failure.as_ref()?;
        Some(match subject {
            Subject::Output => format!("{}: {what}", self.output),
            Subject::Input | Subject::Replacement => format!("{}: {what}", self.input),
        })
    }

    /// Returns why the input failed or was skipped, in a few words.
    pub(super) fn why_left(&self) -> Option<&str> {
        match (&self.failure, self.done) {
            // Then follow the state of the output, and advice.
            (Some(Failure { what, .. }), _) => what.split("; ").next(),
            (None, Done::NotText | Done::Backup) => self.why.as_deref(),
            (None, Done::Undecided) => self.doubt.as_ref().map(|doubt| &*doubt.brief),
            (None, _) if self.is_doubtful() => self.doubt.as_ref().map(|doubt| &*doubt.brief),
            _ => None,
        }
    }

    /// Returns whether an unmappable character is the replacement of a malformed sequence.
    fn has_unmappable_replacement(&self, error: &EncodeError) -> bool {
        error.character() == Some(char::REPLACEMENT_CHARACTER) && self.tally.malformed.count > 0
    }

    /// Records that the input was not converted, for this reason.
    pub(super) fn fail_with(&mut self, reason: String) {
        self.failure = Some(Failure { what: reason, subject: Subject::Input });
    }

    pub(super) fn warn(&mut self, what: String) {
        self.warnings.push(what);
    }

    /// Warns of declarations that became wrong, that were wrong before, or that were not followed and are corrected.
    pub(super) fn warn_of_declarations(&mut self, settings: &Settings) {
        let (Some(from), to) = (self.from, settings.recipe.to) else { return };
        // Text that is the same in both encodings is mostly ASCII, for which both labels are right. In CESU-8, it may be any text.
        if self.tally.same && (to != oem::CESU_8 || from == to) {
            return;
        }
        let is_updated = settings.recipe.declarations == Declarations::Update;
        let advice = match (is_updated, settings.dry_run) {
            (false, _) => "; --update-declaration corrects it",
            (true, false) => "; its label is corrected",
            (true, true) => "; its label would be corrected",
        };
        // The user's encoding, if text is in that of the output already.
        let followed = settings.from.given().unwrap_or(from);
        let is_given = settings.from_label.is_some() && self.confidence.is_none();
        let contradicts = |declaration: &&Declaration| {
            !declaration.is_right_for(followed.encoding())
                && (is_updated || is_given && from != to && declaration.encoding().is_some())
        };
        let mut seen = Vec::new();
        for declaration in self.tally.declarations.iter().filter(contradicts) {
            let declared = declaration.meaning();
            if seen.contains(&declared) {
                continue;
            }
            let but = match (settings.dry_run, from == to) {
                (true, false) => format!("it would be converted from {from} to {to}"),
                (false, false) => format!("converted from {from}, and now it is {to}"),
                (_, true) => format!("it is {to}"),
            };
            self.warnings.push(format!("declared as {declared} by {declaration}, but {but}{advice}"));
            seen.push(declared);
            if !is_updated {
                break;
            }
        }
        for declaration in &self.tally.left {
            let declared = declaration.meaning();
            if !seen.contains(&declared) {
                self.warnings.push(format!(
                    "still declared as {declared} by {declaration}, which is not {followed}; its part may be damaged"
                ));
                seen.push(declared);
            }
        }
        if let Some(declaration) = self.tally.declarations.first().filter(|_| seen.is_empty() && !is_updated) {
            let declared = declaration.meaning();
            self.stale_declaration = Some(if settings.dry_run {
                format!("would still be declared as {declared} by {declaration}, but would be {to}{advice}")
            } else {
                format!("still declared as {declared} by {declaration}, but now it is {to}{advice}")
            });
        }
        if self.tally.declarations.iter().any(|declaration| declaration.form() == Form::Mail)
            && self.tally.written > HEAD_LEN as u64
        {
            let what = "only the first 64 KiB are searched for charsets of messages and their parts";
            self.warnings.push(what.to_owned());
        }
    }

    /// Returns the warnings, including those about labels that name a narrower encoding than they mean.
    pub(super) fn all_warnings(&self, settings: &Settings) -> Vec<String> {
        let doubt = self.doubt.as_ref().filter(|_| self.is_doubtful());
        let mut warnings: Vec<_> = doubt.map(|doubt| doubt.warning.clone()).into_iter().collect();
        warnings.extend_from_slice(&self.warnings);
        if self.tally.line_ends == [true, false] {
            let what =
                "has byte 15 (next line, U+0085) and no byte 25 (line feed); if lines end with 15, use --newline-at-15";
            warnings.push(what.to_owned());
        }
        match self.tally.with_newline {
            0 => {}
            1 => warnings.push("1 record has a line feed in it, and is several lines in the output".to_owned()),
            n => {
                warnings
                    .push(format!("{n} records have a line feed in them, and are several lines each in the output"));
            }
        }
        warnings.extend(outside::warnings(settings, &self.tally));
        warnings
    }

    /// Returns why nothing was done.
    pub(super) fn why_undecided(&self) -> &str {
        self.why.as_deref().unwrap_or_default()
    }

    /// Returns whether the input was converted from an encoding that is too uncertain.
    pub(super) fn is_doubtful(&self) -> bool {
        // A byte order mark that was removed may be text.
        let is_other = !self.tally.same || self.bom > 0;
        self.doubt.is_some() && self.done == Done::Converted && !self.has_failed() && is_other
    }

    pub(super) fn is_guessed(&self) -> bool {
        self.guessed
    }

    /// Returns whether the input was opened.
    pub(super) fn is_open(&self) -> bool {
        self.from.is_some() || self.mail.is_some()
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Returns whether the input was converted with losses.
    pub(super) fn has_losses(&self) -> bool {
        let is_converted = !self.has_failed() && self.done != Done::Undecided && !self.output_missing;
        is_converted && !self.is_unexpected && (!self.tally.is_clean() || self.first_has_losses)
    }

    pub(super) fn outcome(&self) -> Outcome {
        match self.failure {
            Some(_) => Outcome::Failures,
            None if self.done == Done::Undecided => Outcome::Losses,
            None if self.output_missing => Outcome::Failures,
            None if self.is_unexpected => Outcome::Losses,
            None if self.has_losses() || self.is_doubtful() => Outcome::Losses,
            None => Outcome::Clean,
        }
    }

    /// Returns messages about malformed sequences and unmappable characters that were replaced or skipped.
    pub(super) fn losses(&self, settings: &Settings) -> Vec<String> {
        let would_be = if settings.dry_run { "would be " } else { "" };
        let mut lines = Vec::new();
        if let Some((offset, first)) = &self.tally.malformed.first {
            let action = match settings.recipe.malformed {
                Malformed::Skip => "skipped",
                Malformed::Escape => "written as '\\x…'",
                Malformed::Replace | Malformed::Fail => "replaced by U+FFFD",
            };
            let action = format!("{would_be}{action}");
            if first.encoding() == REPLACEMENT {
                let was = if settings.dry_run { "" } else { "was " };
                let label = settings.from_label.as_deref();
                let (why, advice) = (not_decoded(label), how_to_decode(label));
                lines.push(format!("{why}; all of the text {was}{action}{advice}"));
                return lines;
            }
            let what = malformed_sequences(self.tally.malformed.count, &action, *offset, first);
            lines.push(format!("{what}{}", self.advice(settings)));
        }
        if let Some((location, first)) = &self.tally.unmappable.first {
            let action = match settings.recipe.unmappable {
                Unmappable::Html => "written as '&#…;'".to_owned(),
                Unmappable::Xml => "written as '&#x…;'".to_owned(),
                Unmappable::Replace(replacement) => format!("replaced by {replacement:?}"),
                Unmappable::Translit => "transliterated".to_owned(),
                Unmappable::Skip | Unmappable::Fail => "skipped".to_owned(),
            };
            let action = format!("{would_be}{action}");
            let to = settings.recipe.to;
            lines.push(unmappable_characters(self.tally.unmappable.count, to, &action, *location, first));
        }
        lines
    }

    /// Returns the advice to check the encoding, unless the user has given it.
    fn advice(&self, settings: &Settings) -> String {
        let is_auto = matches!(settings.from, InputEncoding::Auto(_));
        if let Some(why) = self.why.as_ref().filter(|_| is_auto && self.confidence.is_some()) {
            return format!(" (detected as {}: {why})", self.encoding());
        }
        let advice = match &settings.from_label {
            // The encoding is that of the header.
            _ if settings.mail => "",
            Some(label) if self.bom > 0 && !is_auto && !settings.from.is(self.from) => {
                return format!(
                    " (its byte order mark overrides '{}'; with --input-bom=own, it is text)",
                    label.trim()
                );
            }
            None if self.from == Some(UTF_8.into()) && self.bom == 0 => {
                " (if this is not UTF-8, give its encoding with -f, or try -f auto)"
            }
            _ => "",
        };
        advice.to_owned()
    }

    /// Returns a message with the encodings and the lengths.
    pub(super) fn summary(&self, settings: &Settings) -> String {
        let mut line = String::new();
        if let Some(first) = &self.same_file_as {
            let first = Path::new(first);
            let _ = match self.done {
                Done::SameFile if matches!(&self.input, Input::File(path) if path == first) => {
                    write!(line, "is named twice, and ")
                }
                Done::SameFile => write!(line, "is another name of {}, and ", shown(first)),
                _ => write!(line, "the same file as {}, ", shown(first)),
            };
        }
        let (tally, to) = (&self.tally, settings.recipe.to);
        let would_be = if settings.dry_run { "would be " } else { "" };
        let _ = match self.done {
            Done::SameFile => write!(line, "is converted only once"),
            Done::Already | Done::Copied | Done::Undecided if self.same_file_as.is_some() => {
                write!(line, "{would_be}left unchanged with it")
            }
            Done::NotText | Done::Backup => {
                write!(line, "{would_be}skipped: {}", self.why.as_deref().unwrap_or_default())
            }
            Done::Already | Done::Undecided => {
                write!(line, "{}; {would_be}left unchanged", self.why.as_deref().unwrap_or_default())
            }
            Done::Copied => write!(line, "{}; {would_be}copied", self.why.as_deref().unwrap_or_default()),
            Done::Converted if self.same_file_as.is_some() => write!(line, "{would_be}converted with it"),
            Done::Unchanged if self.mail.is_some() => write!(line, "no part to convert: {would_be}unchanged"),
            Done::Converted if self.mail.is_some() => {
                let parts = self.mail.as_deref().unwrap_or_default();
                write!(line, "{parts} to {to}, {} to {} bytes", tally.read, tally.written)
            }
            Done::Converted | Done::Unchanged => {
                let why = self.why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
                let from = mixed::encodings(self, settings);
                if self.done == Done::Unchanged {
                    write!(line, "{from}{why}: {would_be}unchanged")
                } else {
                    write!(line, "{from}{why} to {to}, {} to {} bytes", tally.read, tally.written)
                }
            }
        };
        match tally.marks {
            0 => {}
            1 => line.push_str("; 1 byte order mark at the start of a line removed"),
            n => {
                let _ = write!(line, "; {n} byte order marks at the start of lines removed");
            }
        }
        if settings.recipe.declarations == Declarations::Update
            && let Some(declaration) = tally.declarations.first()
        {
            let _ = write!(line, "; {would_be}corrected: {declaration}");
        }
        line
    }
}

/// Says why text with this label is not decoded: the label means the encoding `replacement`.
pub(crate) fn not_decoded(label: Option<&str>) -> String {
    let label = label.unwrap_or("replacement").trim();
    format!("the Encoding Standard does not decode '{label}', for security reasons")
}

/// Returns advice for a label that means the encoding `replacement`, if the encoding that it names exists.
pub(crate) fn how_to_decode(label: Option<&str>) -> String {
    label.and_then(labels::outside).map(|other| format!("; to decode it, use -f {other}")).unwrap_or_default()
}

/// Formats a malformed sequence as `at byte OFFSET (BYTES): REASON`.
pub(crate) fn malformed(offset: u64, error: &DecodeError) -> String {
    format!("at byte {offset} ({}): {}", hex(error.bytes()), decode_reason(error))
}

/// Returns why a sequence is malformed.
pub(crate) fn decode_reason(error: &DecodeError) -> String {
    let reason = error.reason().to_string();
    match error.bytes() {
        b"\n" | b"\r" if error.encoding() == oem::UTF_7_IMAP => {
            format!("{reason}, because a line end is not part of the name of a mailbox")
        }
        _ => reason,
    }
}

/// Describes malformed sequences that were replaced or skipped, as `action` says, and where the first one is.
pub(crate) fn malformed_sequences(count: u64, action: &str, offset: u64, first: &DecodeError) -> String {
    let first = malformed(offset, first);
    match count {
        1 => format!("1 malformed sequence {action}, {first}"),
        n => format!("{n} malformed sequences {action}; the first {first}"),
    }
}

/// Describes characters that were replaced or skipped, as `action` says, and where the first one is.
pub(crate) fn unmappable_characters(
    count: u64,
    encoding: impl fmt::Display,
    action: &str,
    location: Location,
    first: &EncodeError,
) -> String {
    let first = format!("at {location}: {} is not in {encoding}", character(first));
    match count {
        1 => format!("1 unmappable character {action}, {first}"),
        n => format!("{n} unmappable characters {action}; the first {first}"),
    }
}

/// Formats an unmappable character as `U+5B57 '字'`. In the quotes, invisible characters are escaped.
pub(crate) fn character(error: &EncodeError) -> String {
    match error.character() {
        Some(c) => format!("{} {c:?}", code_point(c)),
        None => error.to_string(),
    }
}
