//! The worst cases: by ratio to encoding_rs, and by time for each byte.

use super::Outcome;
use crate::engines::{Level, Loaded};

/// A case at one level.
struct Row<'a> {
    outcome: &'a Outcome,
    /// Nanoseconds for a byte of input decoded, or for a unit of text encoded.
    ours: f64,
    peer: f64,
}

impl Row<'_> {
    /// How many times as fast as encoding_rs.
    fn ratio(&self) -> f64 {
        self.peer / self.ours
    }
}

/// Rows of a level, the worst first.
fn rows<'a>(engines: &[Loaded], outcomes: &'a [Outcome], level: Level) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = outcomes.iter().filter_map(|outcome| row(engines, outcome, level)).collect();
    rows.sort_by(|one, other| one.ratio().total_cmp(&other.ratio()));
    rows
}

fn row<'a>(engines: &[Loaded], outcome: &'a Outcome, level: Level) -> Option<Row<'a>> {
    let units = outcome.case.src.len() as f64;
    let best = |wanted: &dyn Fn(&Loaded) -> bool| {
        let times = outcome.times.iter().filter(|(at, _)| wanted(&engines[*at]));
        times.map(|&(_, ns)| ns / units).min_by(f64::total_cmp)
    };
    let ours = best(&|engine| engine.is_ours() && engine.level == level)?;
    let peer = best(&|engine| engine.family.starts_with("encoding_rs"))?;
    Some(Row { outcome, ours, peer })
}

/// Prints the worst cases of each level; all of them where `detail` is asked for.
pub(crate) fn print(engines: &[Loaded], outcomes: &[Outcome], detail: bool) {
    let levels = Level::ALL.into_iter().filter(|level| engines.iter().any(|e| e.is_ours() && e.level == *level));
    for level in levels {
        let rows = rows(engines, outcomes, level);
        let below = rows.iter().filter(|row| row.ratio() < 1.0 / 1.5).count();
        println!(
            "\n== {}: {} hostile cells, {below} of them take more than 1.5 times encoding_rs's time",
            level.name(),
            rows.len()
        );
        println!("{:>6} {:>8} {:>11}  cell", "ratio", "ns/unit", "encoding_rs");
        let shown = if detail { rows.len() } else { rows.len().min(60) };
        for row in &rows[..shown] {
            let case = &row.outcome.case;
            println!("{:6.2} {:8.2} {:11.2}  {}  [{}]", row.ratio(), row.ours, row.peer, case.name, case.recipe);
        }
    }
}
