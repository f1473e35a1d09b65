//! The worst cells of hostile input: for each encoding and direction the cell with the worst ratio to encoding_rs, and the cell
//! with the longest time.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use anyhow::Result;

use super::{BEFORE, Outcome, Shape};
use crate::{
    cells::{self, Cell, Damage, Size},
    engines::{Level, Loaded, OURS},
    record, report,
};

/// The maximum time of a cell, relative to encoding_rs.
const RATIO_LIMIT: f64 = 1.5;
/// The maximum times to decode a byte and to encode a unit of text, in nanoseconds, in whole calls at AVX2 or better.
const DECODE_LIMIT: f64 = 12.0;
const ENCODE_LIMIT: f64 = 30.0;

/// The measure by which a cell is the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The library's time divided by that of encoding_rs.
    Ratio,
    /// The library's time.
    Time,
}

impl Measure {
    pub(crate) const ALL: [Self; 2] = [Self::Ratio, Self::Time];

    fn name(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::Time => "time",
        }
    }
}

/// The times of the library and of the fastest encoding_rs in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) ours: f64,
    pub(crate) peer: f64,
}

/// Returns the times of the library (or of its baseline) at a level, and of encoding_rs.
pub(crate) fn pair(engines: &[Loaded], times: &[(usize, f64)], level: Level, family: &str) -> Option<Pair> {
    let best = |wanted: &dyn Fn(&Loaded) -> bool| {
        let times = times.iter().filter(|(at, _)| wanted(&engines[*at]));
        times.map(|&(_, ns)| ns).min_by(f64::total_cmp)
    };
    let ours = best(&|engine| engine.family == family && engine.level == level)?;
    let peer = best(&|engine| engine.family.starts_with("encoding_rs"))?;
    Some(Pair { ours, peer })
}

/// Returns the library's levels, without the scalar one unless it is the only one.
pub(crate) fn levels(engines: &[Loaded]) -> Vec<Level> {
    let has = |level: &Level| engines.iter().any(|engine| engine.is_ours() && engine.level == *level);
    let mut levels: Vec<Level> = Level::ALL.into_iter().filter(has).collect();
    if levels.len() > 1 {
        levels.retain(|level| *level != Level::Scalar);
    }
    levels
}

/// A cell at one level.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    outcome: &'a Outcome,
    /// The time to decode a byte or to encode a unit of text, in nanoseconds.
    ours: f64,
    peer: f64,
}

impl Row<'_> {
    /// Returns the time of encoding_rs divided by the library's.
    fn ratio(&self) -> f64 {
        self.peer / self.ours
    }

    fn is_above_limit(&self) -> bool {
        let conversion = self.outcome.case.conversion;
        conversion.shape == Shape::Whole && self.ours > if conversion.decodes() { DECODE_LIMIT } else { ENCODE_LIMIT }
    }

    /// Returns the value of a measure. Larger is worse.
    fn badness(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Ratio => self.ours / self.peer,
            Measure::Time => self.ours,
        }
    }
}

/// Returns the cells of a level, the worst ratio first.
fn rows<'a>(engines: &[Loaded], outcomes: &'a [Outcome], level: Level, family: &str) -> Vec<Row<'a>> {
    let row = |outcome: &'a Outcome| {
        let Pair { ours, peer } = pair(engines, &outcome.times, level, family)?;
        let units = outcome.case.src.len() as f64;
        Some(Row { outcome, ours: ours / units, peer: peer / units })
    };
    let mut rows: Vec<Row<'a>> = outcomes.iter().filter_map(row).collect();
    rows.sort_by(|one, other| one.ratio().total_cmp(&other.ratio()));
    rows
}

/// The worst cell of an encoding in one direction at one level, by one measure.
pub(crate) struct Worst<'a> {
    decodes: bool,
    encoding: &'static str,
    level: Level,
    family: &'static str,
    measure: Measure,
    row: Row<'a>,
}

impl Worst<'_> {
    fn direction(&self) -> &'static str {
        if self.decodes { "decode" } else { "encode" }
    }
}

/// Returns the worst cells. Times are compared only in whole calls, because the cost of a call with one byte hardly depends on
/// the input.
pub(crate) fn worst<'a>(engines: &[Loaded], outcomes: &'a [Outcome]) -> Vec<Worst<'a>> {
    let mut all = Vec::new();
    for level in levels(engines) {
        for family in [OURS, BEFORE] {
            let rows = rows(engines, outcomes, level, family);
            let keys: BTreeSet<(bool, &'static str)> = rows
                .iter()
                .map(|row| (!row.outcome.case.conversion.decodes(), row.outcome.case.conversion.encoding))
                .collect();
            for (encodes, encoding) in keys {
                for measure in Measure::ALL {
                    let of_key = rows.iter().filter(|row| {
                        let conversion = row.outcome.case.conversion;
                        (conversion.decodes(), conversion.encoding) == (!encodes, encoding)
                            && (measure == Measure::Ratio || conversion.shape == Shape::Whole)
                    });
                    let row = of_key.max_by(|one, other| one.badness(measure).total_cmp(&other.badness(measure)));
                    all.extend(row.map(|&row| Worst { decodes: !encodes, encoding, level, family, measure, row }));
                }
            }
        }
    }
    all
}

/// Prints the worst cells of each level, with `detail` all cells.
pub(crate) fn print(engines: &[Loaded], outcomes: &[Outcome], detail: bool) {
    let worst = worst(engines, outcomes);
    for level in levels(engines) {
        let rows = rows(engines, outcomes, level, OURS);
        println!(
            "\n== {}: {} cells of hostile input; ns for a byte decoded or a unit encoded",
            level.name(),
            rows.len()
        );
        println!("{:>6} {:>8} {:>11}  cell, and its pattern", "ratio", "ns", "encoding_rs");
        let shown = if detail { rows.len() } else { rows.len().min(40) };
        for row in &rows[..shown] {
            let case = &row.outcome.case;
            println!("{:6.2} {:8.2} {:11.2}  {} [{}]", row.ratio(), row.ours, row.peer, case.name, case.recipe);
        }
        let (slow, long) = (misses(&rows), rows.iter().filter(|row| row.is_above_limit()).count());
        println!(
            "{slow} of {} cells take more than {RATIO_LIMIT} times encoding_rs's time; {long} take more than \
             {DECODE_LIMIT} ns a byte to decode or {ENCODE_LIMIT} ns a unit to encode",
            rows.len()
        );
        println!("\n== {}: worst cases\n{}", level.name(), table(&worst, level));
    }
}

fn misses(rows: &[Row<'_>]) -> usize {
    rows.iter().filter(|row| row.badness(Measure::Ratio) > RATIO_LIMIT).count()
}

/// Returns a table with a line for each encoding and direction.
fn table(worst: &[Worst<'_>], level: Level) -> String {
    let has_before = worst.iter().any(|worst| worst.family == BEFORE);
    let before = if has_before { (" before: ratio | ns | max ns |", "---:|---:|---:|") } else { ("", "") };
    let mut table = format!(
        "| | ratio | ns | encoding_rs ns | cell | max ns | cell |{}\n|---|---:|---:|---:|---|---:|---|{}\n",
        before.0, before.1
    );
    let at_level = |family, measure| {
        worst.iter().filter(move |worst| (worst.level, worst.family, worst.measure) == (level, family, measure))
    };
    for by_ratio in at_level(OURS, Measure::Ratio) {
        let same = |other: &&Worst<'_>| (other.decodes, other.encoding) == (by_ratio.decodes, by_ratio.encoding);
        let Some(by_time) = at_level(OURS, Measure::Time).find(same) else { continue };
        let Row { ours, peer, .. } = by_ratio.row;
        let _ = write!(
            table,
            "| {} {} | {:.2} | {ours:.2} | {peer:.2} | {} | {:.2} | {} |",
            by_ratio.direction(),
            by_ratio.encoding,
            by_ratio.row.ratio(),
            cell(by_ratio),
            by_time.row.ours,
            cell(by_time),
        );
        let then = |measure| at_level(BEFORE, measure).find(same);
        if let Some((by_ratio, by_time)) = then(Measure::Ratio).zip(then(Measure::Time)) {
            let _ =
                write!(table, " {:.2} | {:.2} | {:.2} |", by_ratio.row.ratio(), by_ratio.row.ours, by_time.row.ours);
        }
        table.push('\n');
    }
    table
}

/// Returns a cell's name without the parts that its line already contains.
fn cell(worst: &Worst<'_>) -> String {
    let case = &worst.row.outcome.case;
    let rest = case.name.splitn(4, '/').nth(3).unwrap_or(&case.name);
    // A bar would end the column.
    format!("`{}`", rest.replace('_', " ").replace('|', "\\|"))
}

/// Converts outcomes to ordinary figures, for the ordinary report.
pub(crate) fn figures(outcomes: Vec<Outcome>) -> impl Iterator<Item = report::Figures> {
    outcomes.into_iter().map(|Outcome { case, times }| {
        let size = Size::Bytes(super::LEN);
        let conversion = case.conversion;
        let cell = Cell {
            name: case.name,
            operation: conversion.operation,
            encoding: conversion.encoding,
            text: "hostile",
            damage: Damage::None,
            size,
            row: Some(cells::HOSTILE),
        };
        report::Figures { cell, bytes: case.src.bytes(), calls: 1, times }
    })
}

const BEGIN: &str = "<!-- cargo xtask bench --cells hostile --record -->";
const END: &str = "<!-- end of hostile input -->";

/// Writes `docs/hostile.csv`, and the section in `docs/performance.md`.
pub(crate) fn record(root: &Path, engines: &[Loaded], outcomes: &[Outcome], passes: usize) -> Result<()> {
    let worst = worst(engines, outcomes);
    fs::write(root.join("docs/hostile.csv"), csv(&worst))?;
    let mut section = format!(
        "\n## Hostile input\n\n{} cells, {}, minima of {passes} interleaved passes. The cells repeat well-formed and malformed \
         sequences of each encoding, in whole calls of 4 KiB, in chunks of one unit and with small output buffers. The target is \
         at most {RATIO_LIMIT} times the time of encoding_rs 0.8.44 (a ratio of {:.2}), the faster of its default build and its \
         build with `fast-legacy-encode`; and in whole calls at AVX2 or better, at most {DECODE_LIMIT} ns per byte decoded and \
         {ENCODE_LIMIT} ns per unit encoded. [hostile.csv](hostile.csv) has the bytes of each pattern.\n",
        outcomes.len(),
        record::machine()?,
        1.0 / RATIO_LIMIT
    );
    for level in levels(engines) {
        let rows = rows(engines, outcomes, level, OURS);
        let long = rows.iter().filter(|row| row.is_above_limit()).count();
        writeln!(section, "\n### {}: {} cells miss the ratio, {long} the time\n", level.name(), misses(&rows))?;
        section += &table(&worst, level);
    }
    record::section(root, BEGIN, END, &section)?;
    println!("\nwritten: docs/hostile.csv, docs/performance.md");
    Ok(())
}

fn csv(worst: &[Worst<'_>]) -> String {
    let mut csv = "direction,encoding,level,engine,worst,ratio,ns,encoding_rs_ns,cell,pattern\n".to_owned();
    for one in worst {
        let Row { outcome, ours, peer } = one.row;
        let _ = writeln!(
            csv,
            "{},{},{},{},{},{:.3},{ours:.3},{peer:.3},{},{}",
            one.direction(),
            one.encoding,
            one.level.name(),
            one.family,
            one.measure.name(),
            one.row.ratio(),
            outcome.case.name.replace(',', "+"),
            outcome.case.recipe
        );
    }
    csv
}

/// Returns all cells as CSV, with the times of all engines in nanoseconds for each unit.
pub(crate) fn all_times(engines: &[Loaded], outcomes: &[Outcome]) -> String {
    let labels: Vec<&str> = engines.iter().map(|engine| engine.label.as_str()).collect();
    let mut csv = format!("cell,pattern,units,{}\n", labels.join(","));
    for Outcome { case, times } in outcomes {
        let units = case.src.len();
        let _ = write!(csv, "{},{},{units}", case.name.replace(',', "+"), case.recipe);
        for at in 0..labels.len() {
            let time = times.iter().find(|(engine, _)| *engine == at).map(|(_, ns)| ns / units as f64);
            let _ = write!(csv, ",{}", time.map(|ns| format!("{ns:.3}")).unwrap_or_default());
        }
        csv.push('\n');
    }
    csv
}

/// Returns the cases for `found.txt`: the worst of each encoding, direction, level and measure.
pub(crate) fn cases<'a>(worst: &[Worst<'a>]) -> Vec<&'a super::Case> {
    worst.iter().filter(|worst| worst.family == OURS).map(|worst| &worst.row.outcome.case).collect()
}
