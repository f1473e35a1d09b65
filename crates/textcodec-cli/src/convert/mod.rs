//! `textcodec convert`: settings, and the choice between one output for all inputs and one output for each file.

mod already;
mod arguments;
mod backups;
mod doubt;
mod each;
mod joined;
mod json;
mod mail;
mod mixed;
mod outside;
mod plan;
mod report;
mod reports;
mod second_run;

use textcodec::{
    UTF_8, UTF_16BE, UTF_16LE,
    oem::{UTF_32, UTF_32BE, UTF_32LE},
};
use textcodec_detect::Confidence;

pub(crate) use arguments::Arguments;
use arguments::{Binary, Bom};
use plan::Item;
pub(crate) use report::{
    character, decode_reason, how_to_decode, malformed, malformed_sequences, not_decoded, unmappable_characters,
};
use reports::Reports;
pub(crate) use second_run::SecondRun;

use crate::{
    Outcome, Stop,
    characters::code_point,
    charset::Charset,
    engine::{self, Declarations, Malformed, Recipe, Records, Unmappable},
    labels,
    mix::Mix,
    narrow,
    output::Destination,
    records::{self, RecordLength},
    source::{InputBom, InputEncoding},
    table::Names,
    terminal::print_message,
};

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Stop> {
    arguments.check()?;
    let settings = Settings::new(arguments)?;
    let reports = Reports::new(&settings);
    match plan::plan(arguments, &reports)? {
        Some(items) => {
            reports.plan(items.iter().map(Item::names).sum());
            if reports.planned() == 0 {
                print_message("no files were found");
            }
            each::run(&settings, &items, &reports);
        }
        None => joined::run(&settings, arguments, &reports)?,
    }
    reports.finish()
}

/// Settings that apply to all inputs.
#[expect(clippy::struct_excessive_bools, reason = "they are options of the command line")]
struct Settings {
    recipe: Recipe,
    from: InputEncoding,
    /// The probability that a detected encoding must have at least.
    min_probability: f64,
    input_bom: InputBom,
    /// The label of `--from`, if it was given.
    from_label: Option<String>,
    to_label: String,
    bom: Bom,
    threads: usize,
    /// Whether inputs are converted although they are in the encoding of the output, or backups.
    force: bool,
    /// What happens to inputs that are not text. By default, they are skipped.
    binary: Option<Binary>,
    /// Whether new files are forced to the disk.
    sync: bool,
    dry_run: bool,
    quiet: bool,
    verbose: bool,
    json: bool,
    /// Whether the text goes to standard output.
    to_stdout: bool,
    /// Whether each file has its own output.
    each: bool,
    /// Whether each part of a mail is converted by its own header.
    mail: bool,
}

impl Settings {
    fn new(arguments: &Arguments) -> Result<Self, Stop> {
        let names = Names::new(&arguments.tables, arguments.aliases)?;
        let mix = Mix::from_options(arguments.from.as_deref(), arguments.per, &names)?;
        let from = match mix {
            Some(mix) => InputEncoding::Fixed(mix.first()),
            None => InputEncoding::from_option(arguments.from.as_deref(), &names, &arguments.guessing)?,
        };
        arguments.guessing.require_auto(from)?;
        let (to, to_bom) = names.find("--to", &arguments.to)?;
        names.check(from.given().into_iter().chain([to]))?;
        if mix.is_some() {
            check_mixed(arguments)?;
        }
        let records = records(arguments, from, to)?;
        let malformed = match arguments.malformed {
            Some(arguments::Malformed::Error) => Malformed::Fail,
            Some(arguments::Malformed::Replace) => Malformed::Replace,
            Some(arguments::Malformed::Skip) => Malformed::Skip,
            Some(arguments::Malformed::Escape) => Malformed::Escape,
            None if arguments.strict => Malformed::Fail,
            // A replacement in the only copy could not be undone.
            None if arguments.in_place == Some(None) => Malformed::Fail,
            None => Malformed::Replace,
        };
        let each = arguments.each();
        if arguments.update_declaration && to.is_table() {
            return Err(Stop::Usage(format!("--update-declaration: {to} is not a label that a declaration can have")));
        }
        if arguments.mail {
            check_mail(from, to)?;
        }
        Ok(Self {
            recipe: Recipe {
                forms: None,
                to: can_encode(to, arguments, malformed)?,
                malformed,
                unmappable: arguments.unmappable,
                write_back: false,
                declarations: match (arguments.mail, arguments.update_declaration) {
                    // Their labels are corrected one by one.
                    (true, _) => Declarations::Ignore,
                    (false, true) => Declarations::Update,
                    (false, false) => Declarations::Find,
                },
                labels: narrow::Labels {
                    from: arguments.from.as_deref().filter(|_| !arguments.mail).and_then(narrow::find),
                    to: narrow::find(&arguments.to),
                    strict: arguments.strict_labels,
                },
                normalize: arguments.normalize.map(Into::into),
                records,
                mix,
                remove_marks: arguments.remove_marks,
            },
            from,
            min_probability: arguments.guessing.min_probability().unwrap_or(Confidence::High.least()),
            // The bytes of a record are all text.
            input_bom: if records.read.is_some() { InputBom::Keep } else { arguments.input_bom },
            from_label: arguments.from.clone(),
            to_label: arguments.to.clone(),
            bom: bom(to, to_bom, arguments.bom)?,
            threads: arguments.jobs.map_or_else(engine::processors, |jobs| jobs.get() as usize),
            force: arguments.force,
            binary: arguments.binary,
            sync: !arguments.no_sync,
            dry_run: arguments.dry_run,
            quiet: arguments.quiet,
            verbose: arguments.verbose,
            json: arguments.report.is_some(),
            to_stdout: !each && !arguments.dry_run && Destination::is_stdout(arguments.output.as_deref()),
            each,
            mail: arguments.mail,
        })
    }

    /// Returns whether the output begins with a byte order mark.
    fn writes_bom(&self, had_bom: bool) -> bool {
        match self.bom {
            Bom::Strip => false,
            Bom::Keep => had_bom && has_bom(self.recipe.to),
            Bom::Add => true,
        }
    }
}

/// Fails if an option is given that has no meaning for inputs in which several encodings are mixed.
fn check_mixed(arguments: &Arguments) -> Result<(), Stop> {
    let options = [
        (arguments.record_length.is_some(), "--record-length", "all records of an input have one encoding"),
        (arguments.strict_labels, "--strict-labels", "it is about the one encoding that a label names"),
    ];
    match options.into_iter().find(|(is_given, ..)| *is_given) {
        Some((_, option, why)) => {
            Err(Stop::Usage(format!("{option} cannot be used with several encodings in -f: {why}")))
        }
        None => Ok(()),
    }
}

/// Returns the encoding if it has an encoder and can represent all that is written for malformed sequences and unmappable characters.
fn can_encode(to: Charset, arguments: &Arguments, malformed: Malformed) -> Result<Charset, Stop> {
    labels::require_encoder("--to", &arguments.to, to)?;
    let lacks = |written: &str| written.chars().find(|&character| !to.can_encode(character));
    if let Malformed::Escape = malformed
        && let Some(lacked) = lacks("\\x0123456789ABCDEF")
    {
        return Err(Stop::Usage(format!(
            "--malformed: escape writes {} {lacked:?}, which is unmappable in {to}; use skip",
            code_point(lacked)
        )));
    }
    let (how, lacked) = match arguments.unmappable {
        Unmappable::Fail | Unmappable::Skip => return Ok(to),
        Unmappable::Html => ("html writes", lacks("&#0123456789;")),
        Unmappable::Xml => ("xml writes", lacks("&#x0123456789ABCDEF;")),
        Unmappable::Replace(replacement) => ("replace writes", lacks(replacement.encode_utf8(&mut [0; 4]))),
        Unmappable::Translit => ("if there is no similar text, translit writes", lacks("?")),
    };
    let Some(lacked) = lacked else { return Ok(to) };
    let other = ['?', '_', '*', '.', '-'].into_iter().find(|&character| to.can_encode(character));
    let advice = other.map(|other| format!("replace={other} or ")).unwrap_or_default();
    Err(Stop::Usage(format!(
        "--unmappable: {how} {} {lacked:?}, which is unmappable in {to}; use {advice}skip",
        code_point(lacked)
    )))
}

/// Returns the form of the records of the input and of the output.
fn records(arguments: &Arguments, from: InputEncoding, to: Charset) -> Result<Records, Stop> {
    let Some(length) = arguments.record_length else {
        if arguments.trim {
            return Err(Stop::Usage("--trim requires --record-length, for the records of the input".into()));
        }
        return Ok(Records::default());
    };
    let stop = |what: String| Stop::Usage(format!("--record-length: {what}"));
    let given = || from.given().ok_or_else(|| stop("records need an encoding; give it with -f".into()));
    let (read, write) = match length {
        RecordLength::Single(len) => match (from.given(), to.is_single_byte()) {
            (Some(from), true) if from.is_single_byte() => {
                return Err(stop(format!(
                    "{from} and {to} are both single-byte encodings; write in:{len} if the input has records, out:{len} if the \
                     output should have them, or in:{len},out:{len}"
                )));
            }
            (_, true) => (None, Some(len)),
            (Some(from), false) if !from.is_single_byte() => {
                return Err(stop(format!(
                    "neither {from} nor {to} is a single-byte encoding, so a record has no fixed number of characters"
                )));
            }
            _ => (Some(len), None),
        },
        RecordLength::In(len) => (Some(len), None),
        RecordLength::Out(len) => (None, Some(len)),
        RecordLength::Both(read, write) => (Some(read), Some(write)),
    };
    if arguments.trim && read.is_none() {
        return Err(Stop::Usage(
            "--trim: only records of the input are trimmed, and those of the output are not".into(),
        ));
    }
    if arguments.update_declaration && write.is_some() {
        return Err(stop("a declaration of another length would move what follows in its record".into()));
    }
    let read = read.map(|len| records::Form::new(given()?, len).map_err(stop)).transpose()?;
    let write = write.map(|len| records::Form::new(to, len).map_err(stop)).transpose()?;
    Ok(Records { read: read.map(|form| (form, arguments.trim)), write })
}

/// Fails if text in the encodings of `--from` and `--to` cannot be between headers in ASCII, or if no charset names that of `--to`.
fn check_mail(from: InputEncoding, to: Charset) -> Result<(), Stop> {
    let stop = |what: String| Err(Stop::Usage(format!("--mail: {what}")));
    let Some(from) = from.given() else {
        return stop(
            "the encodings are those of the headers; -f is that of text without a charset, and is not detected".into(),
        );
    };
    if let Some(other) = [from, to].into_iter().find(|charset| !charset.is_ascii_compatible()) {
        return stop(format!("text in {other} cannot be part of a mail, whose headers are ASCII"));
    }
    let label = to.encoding().mime_name().unwrap_or(to.encoding().name());
    if to.is_table() || labels::known(label, false).is_none_or(|named| named.encoding != to.encoding()) {
        return stop(format!("{to} has no name of its own as a charset; use windows-1252, or UTF-8"));
    }
    Ok(())
}

fn bom(to: Charset, adds: bool, requested: Option<Bom>) -> Result<Bom, Stop> {
    match requested {
        // Its encoder writes one.
        Some(Bom::Add) if to == UTF_32 => Ok(Bom::Strip),
        Some(Bom::Strip | Bom::Keep) if to == UTF_32 => Err(Stop::Usage(
            "--bom: UTF-32 always begins with a byte order mark; UTF-32BE and UTF-32LE are without one".into(),
        )),
        Some(Bom::Add) if !has_bom(to) => Err(Stop::Usage(format!(
            "--bom: {to} has no byte order mark of its own; UTF-8, UTF-16 and UTF-32 in a byte order have one"
        ))),
        Some(bom) => Ok(bom),
        None => Ok(if adds { Bom::Add } else { Bom::Strip }),
    }
}

/// Returns whether U+FEFF at the start of text in this encoding is a byte order mark.
fn has_bom(encoding: Charset) -> bool {
    matches!(encoding.encoding(), UTF_8 | UTF_16LE | UTF_16BE | UTF_32LE | UTF_32BE)
}
