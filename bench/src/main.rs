//! Compares the speed of textcodec with other libraries. All engines run in one process, interleaved.
//!
//! `cargo xtask bench` builds the engines and runs this.

use std::{
    collections::BTreeMap,
    fs,
    io::{IsTerminal as _, stderr},
    path::PathBuf,
};

use anyhow::{Context as _, Result, ensure};
use clap::Parser;

mod alike;
mod cells;
mod clock;
mod compare;
mod emit;
mod engines;
mod growth;
mod hostile;
mod inputs;
mod instructions;
mod measure;
mod record;
mod report;
mod texts;
mod units;

use alike::Alike;
use cells::{Cell, Damage};
use engines::{Level, Loaded};
use inputs::Prepared;
use measure::Contender;
use report::{Figures, Run};
use texts::Texts;

/// The arguments, from `cargo xtask bench`.
#[derive(Parser)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
struct Arguments {
    /// A folder with articles and pages: `ja.txt`, `ja.html`, ….
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// The cells to measure: comma-separated parts of their names, or patterns with `*`.
    #[arg(long)]
    cells: Option<String>,
    /// Measure only this level of the library, with peers limited to it.
    #[arg(long)]
    level: Option<String>,
    /// The number of passes, of which the medians are reported.
    #[arg(long, default_value_t = 21)]
    passes: usize,
    /// Search for the hostile input that costs most.
    #[arg(long)]
    worst: bool,
    /// How long to search, in minutes.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Search only with this encoding.
    #[arg(long)]
    encoding: Option<String>,
    /// The seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Measure streams of growing length.
    #[arg(long)]
    growth: bool,
    /// Check every output once. The times are meaningless.
    #[arg(long)]
    smoke: bool,
    /// Write the figures into the docs.
    #[arg(long)]
    record: bool,
    /// Count instructions instead of time. The plug-in of qemu writes their number to this file.
    #[arg(long)]
    counter: Option<PathBuf>,
    /// Measure nothing, and write the cells with their inputs and outputs to this file.
    #[arg(long)]
    emit: Option<PathBuf>,
    /// The project's folder.
    #[arg(long)]
    root: PathBuf,
    /// An engine: `NAME[@LEVEL]=PATH`.
    #[arg(long)]
    engine: Vec<String>,
    /// An engine that could not be built, and why: `NAME: WHY`.
    #[arg(long)]
    missing: Vec<String>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let only = arguments.level.as_deref().map(|name| {
        Level::from_name(name).ok_or_else(|| anyhow::anyhow!("the levels are avx512, avx2, sse4.1 and scalar"))
    });
    let only = only.transpose()?;
    if let Some(counter) = &arguments.counter {
        clock::count(counter)?;
    }
    reference_level();
    let copies = tempfile::tempdir()?;
    let mut missing = arguments.missing.clone();
    let mut engines = Vec::new();
    for argument in &arguments.engine {
        match Loaded::load(argument, copies.path()) {
            Ok(engine) => engines.push(engine),
            Err(error) => missing.push(format!("{}: {error:#}", argument.split('=').next().unwrap_or_default())),
        }
    }
    if let Some(only) = only {
        // Two versions of the library at the same level: after a pass of another one, vector units may have to be powered up
        // again.
        let is_exact = |engine: &Loaded| engine.is_ours() || engine.family == engines::BASELINE;
        engines.retain(|engine| if is_exact(engine) { engine.level == only } else { engine.level <= only });
    }
    ensure!(engines.iter().any(Loaded::is_ours), "the library itself is not among the engines: {missing:?}");
    if arguments.worst {
        return search(&engines, &missing, &arguments);
    }
    if arguments.cells.as_deref().is_some_and(|wanted| wanted.starts_with("hostile")) {
        return hostile(&engines, &missing, &arguments);
    }
    let texts = Texts::read(arguments.corpus.as_deref(), &arguments.root.join("samples"))?;
    if arguments.growth {
        return growth(&engines, &texts, &arguments);
    }
    let cells = cells::all().into_iter();
    let cells: Vec<Cell> =
        cells.filter(|cell| arguments.cells.as_ref().is_none_or(|wanted| cells::matches(wanted, &cell.name))).collect();
    ensure!(!cells.is_empty(), "no cell has such a name");

    let passes = if arguments.smoke { 1 } else { arguments.passes.max(1) };
    let compares = engines.iter().any(|engine| engine.family == engines::BASELINE);
    let mut bench = Bench { engines, texts, alike: BTreeMap::new(), left_out: Vec::new(), passes, compares };
    if let Some(file) = &arguments.emit {
        let line = |cell| Ok(emit::line(cell, &bench.prepare(cell)?));
        return Ok(fs::write(file, cells.iter().map(line).collect::<Result<String>>()?)?);
    }
    let mut figures = Vec::new();
    for (done, cell) in cells.iter().enumerate() {
        show(&format!("{}/{} {}", done + 1, cells.len(), cell.name));
        figures.push(bench.measure(cell)?);
    }
    if compares {
        show("");
        compare::print(&bench.engines, &figures);
        return Ok(());
    }
    let mut found = if clock::counts() { Vec::new() } else { hostile::found()? };
    found.retain(|case| arguments.cells.as_ref().is_none_or(|wanted| cells::matches(wanted, &case.name)));
    let (outcomes, _) = hostile::run(&bench.engines, found, passes, |_, name| show(name))?;
    figures.extend(hostile::figures(outcomes));
    show("");
    let Bench { engines, texts, alike, left_out, .. } = bench;
    let run = Run { engines, missing, figures, alike, left_out, passes, corpus: arguments.corpus.is_some() };
    if arguments.smoke {
        println!("{} cells: all outputs are correct, except for the engines that are left out below", cells.len());
        for omission in report::omissions(&run) {
            println!("{omission}");
        }
        if arguments.cells.is_some() {
            return Ok(());
        }
        growth(&run.engines, &texts, &arguments)?;
        return hostile(&run.engines, &[], &arguments);
    }
    report::print(&run, arguments.cells.is_some());
    if arguments.record {
        if clock::counts() {
            instructions::record(&run, &arguments.root)?;
        } else {
            record::write(&run, &arguments.root)?;
        }
    }
    Ok(())
}

/// Measures the cells of hostile input.
fn hostile(engines: &[Loaded], missing: &[String], arguments: &Arguments) -> Result<()> {
    let mut cases = hostile::all()?;
    cases.retain(|case| arguments.cells.as_ref().is_none_or(|wanted| cells::matches(wanted, &case.name)));
    ensure!(!cases.is_empty(), "no cell has such a name");
    let (count, passes) = (cases.len(), if arguments.smoke { 0 } else { arguments.passes.max(1) });
    let (outcomes, wrong) =
        hostile::run(engines, cases, passes, |done, name| show(&format!("{}/{count} {name}", done + 1)))?;
    show("");
    if arguments.smoke {
        println!(
            "{count} cells of hostile input: all outputs are correct, except for the engines that are left out below"
        );
    } else {
        hostile::print(engines, &outcomes, arguments.cells.as_ref().is_some_and(|cells| cells != "hostile"));
        let csv = arguments.root.join("bench/target/hostile.csv");
        fs::write(&csv, hostile::all_times(engines, &outcomes))?;
        println!("all times: {}", csv.display());
    }
    for line in wrong.into_iter().chain(missing.iter().map(|missing| format!("left out: {missing}"))) {
        println!("{line}");
    }
    if arguments.record && !arguments.smoke {
        hostile::record(&arguments.root, engines, &outcomes, passes)?;
    }
    Ok(())
}

/// Measures streams of growing length.
fn growth(engines: &[Loaded], texts: &Texts, arguments: &Arguments) -> Result<()> {
    if arguments.smoke {
        let (count, left_out) = growth::smoke(engines, texts)?;
        println!("{count} streams: all outputs are correct, except for the engines that are left out below");
        for line in left_out {
            println!("{line}");
        }
        return Ok(());
    }
    let figures = growth::run(engines, texts, show)?;
    show("");
    growth::print(&figures);
    if arguments.record { growth::record(&arguments.root, &figures) } else { Ok(()) }
}

/// Searches for hostile input that costs more than the known cells.
fn search(engines: &[Loaded], missing: &[String], arguments: &Arguments) -> Result<()> {
    let Arguments { minutes, seed, .. } = *arguments;
    let limits = hostile::Limits { minutes, encoding: arguments.encoding.as_deref(), seed };
    let mut tried = 0;
    let outcomes = hostile::search(engines, &limits, arguments.passes.max(1), |count, name| {
        tried = count;
        show(&format!("{count} {name}"));
    })?;
    show("");
    println!("{tried} patterns tried, seed {seed}");
    hostile::print(engines, &outcomes, arguments.encoding.is_some());
    for missing in missing {
        println!("left out: {missing}");
    }
    if arguments.record {
        let worst = hostile::worst(engines, &outcomes);
        let path = arguments.root.join("bench/src/hostile/found.txt");
        fs::write(&path, hostile::found_file(&hostile::worst_cases(&worst))?)?;
        println!("written: {}", path.display());
    }
    Ok(())
}

/// Shows the progress on a terminal.
fn show(what: &str) {
    if stderr().is_terminal() {
        eprint!("\r\x1b[K{what}");
    }
}

/// Selects the scalar kernels for expected outputs. The project's tests compare these kernels with the oracle.
fn reference_level() {
    if let Some(scalar) = textcodec::testing::Level::all().last() {
        scalar.make_best();
    }
}

/// The minimum duration of an engine's pass when two versions are compared.
const COMPARED_PASS_NS: u64 = 40_000;

struct Bench {
    engines: Vec<Loaded>,
    texts: Texts,
    alike: BTreeMap<(&'static str, &'static str), Alike>,
    /// The engine, the cell and the reason.
    left_out: Vec<(String, String, String)>,
    passes: usize,
    /// Whether two versions of the library are compared, by minima.
    compares: bool,
}

impl Bench {
    /// Makes the inputs of a cell, of text that all engines map alike.
    fn prepare(&mut self, cell: &Cell) -> Result<Prepared> {
        let text = self.texts.get(cell.text)?;
        let alike = if cell.encoding.is_empty() {
            None
        } else {
            let key = (cell.encoding, cell.text);
            if !self.alike.contains_key(&key) {
                self.alike.insert(key, alike::restrict(&self.engines, cell.encoding, text)?);
            }
            self.alike.get(&key)
        };
        let latin1 = cell.is_latin1().then(|| text.replace(|c: char| c > '\u{FF}', ""));
        let text = latin1.as_deref().or(alike.map(|alike| alike.text.as_str())).unwrap_or(text);
        Prepared::new(cell, text).with_context(|| cell.name.clone())
    }

    fn measure(&mut self, cell: &Cell) -> Result<Figures> {
        let prepared = self.prepare(cell)?;
        let alike = self.alike.get(&(cell.encoding, cell.text));
        let mut dst = prepared.destination(cell.operation);
        let mut contenders = Vec::new();
        for (at, engine) in self.engines.iter().enumerate() {
            if alike.is_some_and(|alike| alike.out.contains(&engine.family)) {
                continue;
            }
            // Only engines that follow the Encoding Standard have the same output for malformed input.
            let follows_standard =
                engine.is_ours() || ["textcodec", "encoding_rs"].iter().any(|family| engine.family.starts_with(family));
            if cell.damage != Damage::None && !follows_standard {
                continue;
            }
            let Some(mut call) = engine.open(inputs::job(cell)) else { continue };
            if let Err(why) = prepared.check(&mut call, &mut dst, cell.name.starts_with("validate")) {
                ensure!(!engine.is_ours(), "{} is wrong in {}: {why}", engine.label, cell.name);
                self.left_out.push((engine.label.clone(), cell.name.clone(), why.to_string()));
                continue;
            }
            contenders.push(Contender { engine: at, ours: engine.is_ours(), level: engine.level, call });
        }
        let times = if clock::counts() {
            measure::count(&mut contenders, &prepared, &mut dst)
        } else if self.compares {
            measure::fastest(&mut contenders, &prepared, &mut dst, self.passes, COMPARED_PASS_NS)
        } else {
            measure::measure(&mut contenders, &prepared, &mut dst, self.passes)
        };
        let times = contenders.iter().zip(times).map(|(contender, ns)| (contender.engine, ns)).collect();
        Ok(Figures { cell: cell.clone(), bytes: prepared.bytes(), calls: prepared.inputs.len(), times })
    }
}
