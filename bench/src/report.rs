//! Ratios, means and cells that miss their targets.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    alike::Alike,
    cells::{Cell, NOISE, ROWS, Row},
    clock,
    engines::{DROP_IN, Level, Loaded, OURS},
};

/// The API of the library that is compared, and its level.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Side {
    /// [`OURS`] or [`DROP_IN`].
    pub(crate) family: &'static str,
    pub(crate) level: Level,
}

impl Side {
    /// Returns the side's label, like the engine's.
    fn label(self) -> String {
        format!("{}@{}", self.family, self.level.name())
    }
}

/// A cell's times.
pub(crate) struct Figures {
    pub(crate) cell: Cell,
    /// The number of bytes of input.
    pub(crate) bytes: usize,
    /// The number of calls.
    pub(crate) calls: usize,
    /// The index of each engine, and its time for all inputs in nanoseconds.
    pub(crate) times: Vec<(usize, f64)>,
}

/// The results of a run.
pub(crate) struct Run {
    pub(crate) engines: Vec<Loaded>,
    pub(crate) missing: Vec<String>,
    pub(crate) figures: Vec<Figures>,
    pub(crate) alike: BTreeMap<(&'static str, &'static str), Alike>,
    pub(crate) left_out: Vec<(String, String, String)>,
    pub(crate) passes: usize,
    pub(crate) corpus: bool,
}

/// The library compared with its fastest peer, in one cell and at one level.
#[derive(Clone, Copy)]
pub(crate) struct Ratio<'a> {
    pub(crate) figures: &'a Figures,
    /// The peer's time divided by the library's.
    pub(crate) times: f64,
    pub(crate) ours: f64,
    pub(crate) best: f64,
    pub(crate) peer: &'a str,
}

impl Figures {
    /// Formats the speed in GB/s, or the time of one call in ns if inputs are short; or the number of instructions per byte.
    pub(crate) fn speed(&self, ns: f64) -> String {
        if clock::counts() {
            format!("{:.3}", ns / self.bytes as f64)
        } else if self.cell.size.is_small() {
            format!("{:.1} ns", ns / self.calls as f64)
        } else {
            let speed = self.bytes as f64 / ns;
            if speed < 10.0 { format!("{speed:.2} GB/s") } else { format!("{speed:.1} GB/s") }
        }
    }
}

impl Run {
    /// Returns the sides that have targets, or those of the only level that was measured.
    pub(crate) fn sides(&self) -> Vec<Side> {
        let own: Vec<&Loaded> = self.engines.iter().filter(|engine| engine.is_ours()).collect();
        let is_single = own.iter().all(|engine| engine.level == own[0].level);
        let sides = [OURS, DROP_IN].into_iter().flat_map(|family| Level::ALL.map(|level| Side { family, level }));
        sides
            .filter(|side| is_single || side.level >= Level::Avx2)
            .filter(|side| own.iter().any(|engine| engine.family == side.family && engine.level == side.level))
            .collect()
    }

    /// Compares a side with the fastest peer that needs no higher level, in one cell. With `family`, only this family's engines
    /// are peers.
    fn ratio<'a>(&'a self, figures: &'a Figures, side: Side, family: Option<&str>) -> Option<Ratio<'a>> {
        let engine = |&(at, ns): &(usize, f64)| (&self.engines[at], ns);
        let (_, ours) =
            figures.times.iter().map(engine).find(|(e, _)| e.family == side.family && e.level == side.level)?;
        let (peer, best) = figures
            .times
            .iter()
            .map(engine)
            .filter(|(e, _)| !e.is_ours() && e.level <= side.level)
            .filter(|(e, _)| family.is_none_or(|family| e.family.starts_with(family)))
            .min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        Some(Ratio { figures, times: best / ours, ours, best, peer: &peer.label })
    }

    /// Returns the best time of some engines in one cell.
    pub(crate) fn best(&self, figures: &Figures, wanted: &dyn Fn(&Loaded) -> bool) -> Option<f64> {
        let times = figures.times.iter().filter(|(at, _)| wanted(&self.engines[*at]));
        times.map(|&(_, ns)| ns).min_by(f64::total_cmp)
    }

    /// Returns a side's ratios in all cells, worst first.
    pub(crate) fn ratios(&self, side: Side) -> Vec<Ratio<'_>> {
        worst_first(self.figures.iter().filter_map(|figures| self.ratio(figures, side, None)))
    }

    /// Returns a side's result in a row, or `None` if no cell of the row was measured.
    pub(crate) fn verdict(&self, row: usize, side: Side) -> Option<Verdict<'_>> {
        let cells = self.figures.iter().filter(|figures| figures.cell.row == Some(row));
        let ratios = worst_first(cells.filter_map(|figures| self.ratio(figures, side, ROWS[row].peer)));
        let worst = *ratios.first()?;
        let target = ROWS[row].target(side.level);
        let (mean, cells) = (mean(&ratios), ratios.len());
        let below = ratios.into_iter().filter(|ratio| !reaches(ratio.times, target.each)).collect();
        Some(Verdict { mean, worst, below, cells, target })
    }
}

/// A side's result in a row.
pub(crate) struct Verdict<'a> {
    pub(crate) mean: f64,
    pub(crate) worst: Ratio<'a>,
    /// Cells below the target, worst first.
    pub(crate) below: Vec<Ratio<'a>>,
    pub(crate) cells: usize,
    pub(crate) target: crate::cells::Target,
}

impl Verdict<'_> {
    pub(crate) fn word(&self) -> &'static str {
        match (self.below.is_empty(), reaches(self.mean, self.target.mean)) {
            (true, true) => "reached",
            (false, true) => "only the mean",
            (true, false) => "all but the mean",
            (false, false) => "missed",
        }
    }
}

/// Returns whether a ratio reaches a target. Ratios from [`NOISE`] on count as 1.
fn reaches(ratio: f64, target: f64) -> bool {
    ratio >= if target <= 1.0 { target.min(NOISE) } else { target }
}

fn worst_first<'a>(ratios: impl Iterator<Item = Ratio<'a>>) -> Vec<Ratio<'a>> {
    let mut ratios: Vec<_> = ratios.collect();
    ratios.sort_by(|a, b| a.times.total_cmp(&b.times));
    ratios
}

fn mean(ratios: &[Ratio<'_>]) -> f64 {
    (ratios.iter().map(|ratio| ratio.times.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// Prints the results, with `detail` also the figures of each engine.
pub(crate) fn print(run: &Run, detail: bool) {
    if detail {
        for figures in &run.figures {
            print_figures(run, figures);
        }
    }
    for side in run.sides() {
        print_side(run, side);
    }
    for omission in omissions(run) {
        println!("{omission}");
    }
    println!("\nEngines, medians of {} interleaved passes:", run.passes);
    for engine in &run.engines {
        println!("  {:24} {}", engine.label, engine.version);
    }
}

fn print_figures(run: &Run, figures: &Figures) {
    println!("{}", figures.cell.name);
    for &(at, ns) in &figures.times {
        println!("  {:24} {:>12}", run.engines[at].label, figures.speed(ns));
    }
}

fn print_side(run: &Run, side: Side) {
    let (ratios, label) = (run.ratios(side), side.label());
    let width = ratios.iter().map(|ratio| ratio.figures.cell.name.len()).max().unwrap_or_default();
    let losses = ratios.iter().filter(|ratio| ratio.times < NOISE).count();
    println!("\n== {label}: {} cells, {losses} losses; the worst first", ratios.len());
    for Ratio { figures, times, ours, best, peer } in &ratios {
        let mark = if *times < NOISE { "LOSS" } else { "" };
        let (ours, best) = (figures.speed(*ours), figures.speed(*best));
        println!("{times:6.2} {mark:4} {:width$} {ours:>10} {best:>10} {peer}", figures.cell.name);
    }
    println!("\n== {label}: row by row");
    println!("{:>7} {:>7} {:>6} {:>9}  {:15} row; the worst cell", "target", "mean", "worst", "below", "");
    for (at, Row { title, .. }) in ROWS.iter().enumerate() {
        let Some(verdict) = run.verdict(at, side) else { continue };
        let Verdict { mean, worst, below, cells, target } = &verdict;
        println!(
            "{:7.2} {mean:7.2} {:6.2} {:>9}  {:15} {title}; {} ({})",
            target.each,
            worst.times,
            format!("{}/{cells}", below.len()),
            verdict.word(),
            worst.figures.cell.name,
            worst.peer
        );
        for Ratio { figures, times, peer, .. } in below {
            println!("{:15}{times:6.2} {} ({peer})", "", figures.cell.name);
        }
    }
    let others: Vec<_> = ratios.into_iter().filter(|ratio| ratio.figures.cell.row.is_none()).collect();
    if let Some(worst) = others.first() {
        let (mean, cells) = (mean(&others), others.len());
        println!(
            "{:7} {mean:7.2} {:6.2} {cells:>9}  {:15} without a target; {}",
            "", worst.times, "", worst.figures.cell.name
        );
    }
}

/// Returns the engines that were left out, with reasons, and the numbers of characters removed from the texts.
pub(crate) fn omissions(run: &Run) -> Vec<String> {
    let mut lines: Vec<String> = run.missing.iter().map(|missing| format!("left out: {missing}")).collect();
    for ((encoding, text), alike) in &run.alike {
        let out: Vec<&str> = alike.out.iter().map(String::as_str).collect();
        if alike.differing > 0 {
            let share = 100.0 * alike.differing as f64 / (alike.differing + alike.text.chars().count()) as f64;
            lines.push(format!(
                "{encoding}, {text}: {} characters ({share:.2} %) removed, because engines map them differently",
                alike.differing
            ));
        }
        if !out.is_empty() {
            lines.push(format!("{encoding}, {text}: {} left out, because their tables differ", out.join(", ")));
        }
    }
    let mut reasons: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for (engine, cell, why) in &run.left_out {
        reasons.entry((engine, why)).or_default().insert(cell);
    }
    lines.extend(reasons.into_iter().map(|((engine, why), cells)| {
        let cells: Vec<&str> = cells.into_iter().collect();
        format!("{engine} left out, because {why}: {}", cells.join(", "))
    }));
    lines
}
