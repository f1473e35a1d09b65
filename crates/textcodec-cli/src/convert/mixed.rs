//! What was in which encoding, of several that were mixed in an input.

use std::fmt::Write as _;

use textcodec_detect::{Parts, Per};

use super::{Settings, report::Report};

/// The maximum number of lines that are named for each encoding.
const NAMED_LINES: usize = 8;

/// Returns the encoding of the input, or what is in which encoding: `UTF-8 with 2 lines in GBK (3, 17)`.
pub(super) fn encodings(report: &Report, settings: &Settings) -> String {
    let from = report.encoding();
    let mut text = from.to_string();
    let (Some((_, summary)), Some(mix)) = (&report.tally.mixed, settings.recipe.mix) else { return text };
    let mut before = " with ";
    for parts in summary.parts().iter().filter(|parts| parts.count() > 0 && from != parts.encoding()) {
        let _ = write!(text, "{before}{}", described(parts, mix.per()));
        before = " and ";
    }
    text
}

fn described(parts: &Parts, per: Per) -> String {
    let count = parts.count();
    let mut lines: Vec<_> = parts.first().iter().map(|place| place.line().to_string()).collect();
    lines.dedup();
    if lines.len() > NAMED_LINES || (parts.first().len() as u64) < count {
        lines.truncate(NAMED_LINES);
        lines.push("…".to_owned());
    }
    let (what, of_lines) = match per {
        Per::Line => (if count == 1 { "line" } else { "lines" }, ""),
        Per::Sequence => {
            (if count == 1 { "sequence" } else { "sequences" }, if lines.len() == 1 { "line " } else { "lines " })
        }
    };
    format!("{count} {what} in {} ({of_lines}{})", parts.encoding(), lines.join(", "))
}
