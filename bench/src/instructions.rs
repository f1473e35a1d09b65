//! Records the numbers of instructions in `docs/performance-neon.csv` and `docs/performance.md`.

use std::{fmt::Write as _, fs, path::Path};

use anyhow::Result;

use crate::{
    engines::{Level, Loaded, OURS},
    record::{self, SHOWN, csv, number, source, target_table},
    report::{Run, Side, omissions},
};

const BEGIN: &str = "<!-- cargo xtask instructions --record -->";
const END: &str = "<!-- end of instructions -->";

const NEON: Side = Side { family: OURS, level: Level::Neon };

/// Writes the CSV file, and the section of the page.
pub(crate) fn record(run: &Run, root: &Path) -> Result<()> {
    fs::write(root.join("docs/performance-neon.csv"), csv(run))?;
    record::section(root, BEGIN, END, &section(run)?)?;
    println!("\nwritten: docs/performance-neon.csv, docs/performance.md");
    Ok(())
}

fn section(run: &Run) -> Result<String> {
    let versions: Vec<String> =
        run.engines.iter().map(|engine| format!("{} ({})", engine.label, engine.version)).collect();
    let mut section = format!(
        "## NEON: instructions\n\nThe instructions that aarch64 programs execute per byte of input, counted by an emulator. Instructions \
         are not time: a processor executes several at once, some take longer than others, and mispredicted branches and caches do \
         not count. A ratio is the number of the best peer, divided by that of the library. \
         [performance-neon.csv](performance-neon.csv) has the instructions of each cell, for all its calls.\n\n{} cells, {}: {}.\n",
        run.figures.len(),
        source(run),
        versions.join(", ")
    );
    for omission in omissions(run) {
        write!(section, "\n- {omission}")?;
    }
    section.push_str("\n| conversion, text, 4 KiB | textcodec | encoding_rs | simdutf |\n|---|---:|---:|---:|\n");
    for (cell, name) in SHOWN {
        let Some(figures) = run.figures.iter().find(|figures| figures.cell.name == cell) else { continue };
        let best = |wanted: &dyn Fn(&Loaded) -> bool| {
            run.best(figures, wanted).map(|count| number(count / figures.bytes as f64)).unwrap_or_default()
        };
        writeln!(
            section,
            "| {name} | {} | {} | {} |",
            best(&Loaded::is_ours),
            best(&|engine| engine.family.starts_with("encoding_rs")),
            best(&|engine| engine.family == "simdutf"),
        )?;
    }
    let table = target_table(run, NEON)?;
    writeln!(section, "\nThe geometric mean of the ratios, and the lowest one:\n\n{table}")?;
    let ratios = run.ratios(NEON);
    let more: Vec<_> = ratios.iter().filter(|ratio| ratio.times < 1.0).collect();
    writeln!(
        section,
        "\nCells in which the best peer needs fewer instructions: {} of {}.\n",
        more.len(),
        ratios.len()
    )?;
    for ratio in more {
        writeln!(section, "- {:.2} `{}`, {}", ratio.times, ratio.figures.cell.name, ratio.peer)?;
    }
    Ok(section)
}
