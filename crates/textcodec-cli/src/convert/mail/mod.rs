//! `--mail`: each part of a mail or mailbox is converted by its own header.
//!
//! The input is read twice: the first pass finds the parts, and refuses the input if one of them has no known charset. The second
//! one copies everything, except for what [the plan](plan) changes.

mod plan;

use std::{
    fs::{File, Metadata},
    io::{self, Seek as _, Write as _},
    ops::Range,
};

use textcodec_detect::mail::Scanner;

use self::plan::{Change, Edit, Plan, Planner, list};
use super::{Settings, report::Report};
use crate::{
    detect,
    engine::{ConvertError, Engine, Source, Tally},
    input::{self, Input, RegularFile, Stream},
    interrupt,
    location::Location,
    output::Output,
    source::Opened,
};

/// An open mail or mailbox, with the changes that it needs.
pub(super) struct Mail {
    file: RegularFile,
    /// The position at which the input begins, and its length.
    start: u64,
    len: u64,
    plan: Plan,
    /// Whether the file is the input, and not a copy of a pipe.
    is_input: bool,
}

impl Mail {
    /// Opens an input and finds its parts.
    pub(super) fn open(settings: &Settings, input: &Input) -> Result<Self, ConvertError> {
        let (mut file, is_input) = match input.open().map_err(ConvertError::Read)? {
            Stream::File(file) => (file, true),
            Stream::Other(reader) => (spooled(reader)?, false),
        };
        let (start, mut len) = (file.position(), 0);
        let fallback = settings.from.given().filter(|_| settings.from_label.is_some());
        let mut planner = Planner::new(settings.recipe.to, fallback, settings.force);
        let mut scanner = Scanner::new();
        let mut block = vec![0; BLOCK_LEN];
        loop {
            let read = input::read(&mut file, &mut block).map_err(ConvertError::Read)?;
            interrupt::check()?;
            if read == 0 {
                break;
            }
            scanner.feed(&block[..read], &mut |part| planner.add(part));
            len += read as u64;
        }
        if !scanner.may_be_mail() {
            let what =
                "is not a mail: it does not begin with the header of one; without --mail, all of it is converted";
            return Err(ConvertError::Read(io::Error::other(what)));
        }
        scanner.finish(&mut |part| planner.add(part));
        Ok(Self { file, start, len, plan: planner.finish(), is_input })
    }

    /// Returns the metadata of the input, if it is a file.
    pub(super) fn metadata(&self) -> Option<Metadata> {
        self.is_input.then(|| self.file.metadata().clone())
    }

    /// Returns why nothing is converted: the parts whose charset is not known.
    pub(super) fn why_refused(&self) -> Option<String> {
        let refused = &self.plan.refused;
        let advice = match (refused.count, self.plan.needs_fallback) {
            (0, _) => return None,
            (_, true) => "; the encoding of text without a charset can be given with -f",
            (_, false) => "",
        };
        Some(format!("not every part has a charset to convert from: {}{advice}", list(refused)))
    }

    pub(super) fn is_unchanged(&self) -> bool {
        self.plan.edits.is_empty()
    }

    /// Adds what the user should know to the report.
    pub(super) fn describe(&self, report: &mut Report) {
        let Plan { signed, sealed, converted, .. } = &self.plan;
        report.mail = Some(if *converted == 1 { "1 part".to_owned() } else { format!("{converted} parts") });
        if signed.count > 0 {
            let parts = if signed.count == 1 { "1 part is" } else { &format!("{} parts are", signed.count) };
            report.warn(format!("{parts} signed, and left unchanged with the charset: {}", list(signed)));
        }
        if sealed.count > 0 {
            let messages = if sealed.count == 1 { "1 message" } else { &format!("{} messages", sealed.count) };
            report.warn(format!("{messages} with a DKIM signature, which no longer fits the text: {}", list(sealed)));
        }
    }

    /// Converts the input and adds its counts to the report.
    pub(super) fn convert(
        mut self,
        settings: &Settings,
        engine: &mut Engine,
        report: &mut Report,
    ) -> Result<(), ConvertError> {
        self.correct_lengths(settings, report)?;
        let edits = std::mem::take(&mut self.plan.edits);
        let mut at = 0;
        for Edit { range, line, change } in edits {
            self.copy(engine, at..range.start, &mut report.tally)?;
            at = range.end;
            match change {
                Change::Convert(from) => {
                    report.tally.location = Location::of_line(line);
                    let source = Source { encoding: from, reader: self.part(range)? };
                    if let Err(error) = engine.convert(source, &mut report.tally) {
                        report.from = Some(from);
                        return Err(error);
                    }
                }
                Change::Write(bytes) => {
                    engine.write_bytes(&bytes)?;
                    report.tally.read += range.end - range.start;
                    report.tally.written += bytes.len() as u64;
                    report.tally.same = false;
                }
            }
            self.check_read(at, &report.tally)?;
        }
        self.copy(engine, at..self.len, &mut report.tally)?;
        self.check_read(self.len, &report.tally)
    }

    fn copy(&mut self, engine: &mut Engine, range: Range<u64>, tally: &mut Tally) -> Result<(), ConvertError> {
        if range.is_empty() {
            return Ok(());
        }
        let part = self.part(range)?;
        engine.copy(part, tally)
    }

    fn part(&mut self, range: Range<u64>) -> Result<Stream, ConvertError> {
        self.file.part(self.start + range.start..self.start + range.end).map_err(ConvertError::Read)
    }

    /// Fails if the file has become shorter since the first pass.
    fn check_read(&self, expected: u64, tally: &Tally) -> Result<(), ConvertError> {
        if tally.read == expected {
            return Ok(());
        }
        let (now, before) = (tally.read, self.len);
        let message = format!("became shorter while it was read: {now} bytes instead of {before}");
        Err(ConvertError::Read(io::Error::other(message)))
    }

    /// Adds what bodies grow by to the fields `Content-Length`, with which some programs find the next message.
    fn correct_lengths(&mut self, settings: &Settings, report: &mut Report) -> Result<(), ConvertError> {
        let mut corrected = Vec::new();
        for length in std::mem::take(&mut self.plan.lengths) {
            let mut value = length.value;
            for n in length.edits {
                let Edit { range, change, .. } = &self.plan.edits[n];
                let (range, old) = (range.clone(), range.end - range.start);
                let new = match change {
                    Change::Write(bytes) => bytes.len() as u64,
                    Change::Convert(from) => {
                        let from = *from;
                        let mut tally = Tally { read: range.start, ..Tally::default() };
                        let mut engine = Engine::new(settings.recipe, Output::Discard, 1)
                            .map_err(|error| ConvertError::Write(io::Error::other(error)))?;
                        let source = Source { encoding: from, reader: self.part(range)? };
                        engine.convert(source, &mut tally).inspect_err(|_| report.from = Some(from))?;
                        tally.written + engine.finish()?.1
                    }
                };
                value = (value + new).saturating_sub(old);
            }
            if value != length.value {
                let change = Change::Write(value.to_string().into_bytes());
                corrected.push(Edit { range: length.range, line: length.line, change });
            }
        }
        self.plan.edits.extend(corrected);
        self.plan.edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        Ok(())
    }
}

/// Returns why a text whose encoding was detected is not converted as a whole: it is a mail whose parts have several charsets.
pub(super) fn why_not_one_text(settings: &Settings, opened: &Opened) -> Option<String> {
    let detection = opened.detection.as_ref().filter(|detection| !detection.charsets.is_empty() && !settings.force)?;
    Some(format!("is {}; --mail converts each part by its own header", detect::why(detection)))
}

/// The number of bytes per read.
const BLOCK_LEN: usize = 64 * 1024;

/// Copies a pipe to a temporary file without a name, because it is read twice.
fn spooled(mut reader: Box<dyn io::Read + Send>) -> Result<RegularFile, ConvertError> {
    let write = |error| ConvertError::Write(error);
    let mut file: File = tempfile::tempfile().map_err(write)?;
    let mut block = vec![0; BLOCK_LEN];
    loop {
        let len = input::read(&mut *reader, &mut block).map_err(ConvertError::Read)?;
        interrupt::check()?;
        if len == 0 {
            break;
        }
        file.write_all(&block[..len]).map_err(write)?;
    }
    file.rewind().map_err(write)?;
    let metadata = file.metadata().map_err(write)?;
    RegularFile::new(file, metadata).map_err(write)
}
