//! Messages about characters outside the encoding that a label names.

use super::{Settings, report::Report};
use crate::{
    characters::{code_point, hex},
    charset::Charset,
    engine::{ConvertError, Tally},
    location::Location,
    source::{Opened, byte_order_mark},
};

/// Warns of a byte order mark that overrides the label of `--from`, if that names another encoding exactly. With strict labels,
/// this is an error.
pub(super) fn check_bom(settings: &Settings, opened: &Opened, report: &mut Report) -> Result<(), ConvertError> {
    let label = settings.from_label.as_deref();
    let (Some(label), Some(name)) = (label, settings.from.exact_name(label).filter(|_| opened.bom > 0)) else {
        return Ok(());
    };
    if settings.recipe.labels.strict {
        return Err(ConvertError::OutsideFrom(0, Vec::new()));
    }
    let (what, label) = (bom_is_not_in(name, opened.source.encoding), label.trim());
    report.warn(format!("{what} and overrides '{label}'; with --strict-labels, this is an error"));
    Ok(())
}

/// Like [`error_in_input`], for a byte order mark of this encoding.
pub(super) fn error_in_bom(settings: &Settings, means: Charset, after: &str) -> String {
    let name = settings.from.exact_name(settings.from_label.as_deref()).unwrap_or_default();
    format!("{}; {after}; if that is meant, use -f {means}", bom_is_not_in(name, means))
}

fn bom_is_not_in(name: &str, means: Charset) -> String {
    format!("not in {name} at byte 0: byte order mark {}, which means {means}", byte_order_mark(means))
}

/// Returns messages about an input and about its output.
pub(super) fn warnings(settings: &Settings, tally: &Tally) -> Vec<String> {
    let mut warnings = Vec::new();
    if let (Some((offset, bytes)), Some((name, advice))) = (&tally.outside_from.first, from(settings)) {
        let are = match tally.outside_from.count {
            1 => format!("1 character is not in {name},"),
            n => format!("{n} characters are not in {name}, the first"),
        };
        warnings.push(format!("{are} at byte {offset} ({}); {advice}", hex(bytes)));
    }
    if let (Some((location, character)), Some((name, advice))) = (&tally.outside_to.first, to(settings)) {
        let are = match tally.outside_to.count {
            1 => format!("1 character of the output is not in {name},"),
            n => format!("{n} characters of the output are not in {name}, the first"),
        };
        warnings.push(format!("{are} at {location}: {} {character:?}; {advice}", code_point(*character)));
    }
    warnings
}

/// Describes the character of the input at which strict labels stopped the conversion. `after` is the state of the output.
pub(super) fn error_in_input(settings: &Settings, offset: u64, bytes: &[u8], after: &str) -> String {
    let (name, advice) = from(settings).unwrap_or_default();
    format!("not in {name} at byte {offset} ({}); {after}; {advice}", hex(bytes))
}

/// Like [`error_in_input`], for a character of the output.
pub(super) fn error_in_output(settings: &Settings, location: Location, character: char, after: &str) -> String {
    let (name, advice) = to(settings).unwrap_or_default();
    format!("not in {name} at {location}: {} {character:?}; {after}; {advice}", code_point(character))
}

/// Returns the name of the encoding that the label of `--from` names, and advice.
fn from(settings: &Settings) -> Option<(&'static str, String)> {
    let narrow = settings.recipe.labels.from?;
    Some((narrow.name, narrow.advice(settings.from_label.as_ref()?)))
}

/// Like [`from`], for `--to`.
fn to(settings: &Settings) -> Option<(&'static str, String)> {
    let narrow = settings.recipe.labels.to?;
    Some((narrow.name, narrow.advice(&settings.to_label)))
}
