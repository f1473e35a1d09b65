//! Records the figures in `docs/performance.csv` and `docs/performance.md`.

use std::{fmt::Write as _, fs, path::Path, process::Command};

use anyhow::{Context as _, Result};

use crate::{
    cells::{NOISE, ROWS},
    engines::{DROP_IN, Level, Loaded, OURS},
    report::{Figures, Run, Side, Verdict, omissions},
};

/// Writes the CSV file and the page.
pub(crate) fn write(run: &Run, root: &Path) -> Result<()> {
    let docs = root.join("docs");
    fs::create_dir_all(&docs)?;
    fs::write(docs.join("performance.csv"), csv(run))?;
    let page = format!("{}\n{}", page(run)?, other_sections(root));
    fs::write(docs.join("performance.md"), page)?;
    println!(
        "\nwritten: docs/performance.csv, docs/performance.md; `cargo xtask lint` names the copies that are now out of date"
    );
    Ok(())
}

/// Returns the sections of the page that other commands write. Each is between two comments.
fn other_sections(root: &Path) -> String {
    let page = fs::read_to_string(root.join("docs/performance.md")).unwrap_or_default();
    page.find("<!-- cargo xtask ").map_or_else(String::new, |at| page[at..].to_owned())
}

/// Writes a section of the page, between two comments.
pub(crate) fn section(root: &Path, begin: &str, end: &str, section: &str) -> Result<()> {
    let path = root.join("docs/performance.md");
    let page = fs::read_to_string(&path)?;
    let before = page.split_once(begin).map_or(&*page, |(before, _)| before).trim_end();
    let after = page.split_once(end).map_or("", |(_, after)| after.trim_start_matches('\n'));
    let gap = if after.is_empty() { "" } else { "\n" };
    fs::write(&path, format!("{before}\n\n{begin}\n{section}\n{end}\n{gap}{after}")).context("the docs")
}

/// Returns a line for each cell: its number of bytes and calls, and each engine's time for all calls in nanoseconds, or its
/// number of instructions.
pub(crate) fn csv(run: &Run) -> String {
    let labels: Vec<&str> = run.engines.iter().map(|engine| engine.label.as_str()).collect();
    let mut csv = format!("cell,bytes,calls,{}\n", labels.join(","));
    for Figures { cell, bytes, calls, times } in &run.figures {
        let _ = write!(csv, "{},{bytes},{calls}", cell.name);
        for at in 0..labels.len() {
            let time = times.iter().find(|(engine, _)| *engine == at);
            let _ = write!(csv, ",{}", time.map(|(_, ns)| format!("{ns:.0}")).unwrap_or_default());
        }
        csv.push('\n');
    }
    csv
}

/// The text before the tables.
const PREAMBLE: &str = "\
# Performance

`cargo xtask bench --record` writes this page. [performance.csv](performance.csv) has the nanoseconds of every cell, for all
calls of the cell. [bench/README.md](../bench/README.md) describes the method. To run it, on Debian:

```sh
apt-get install g++ pkg-config libicu-dev
cargo xtask bench --corpus DIR    # a folder with ja.txt, ja.html, …; without it, the project's samples
```

A cell is one conversion of one text at one size. A ratio is the time of the fastest peer in a cell, divided by the time of the
library: above 1, the library is faster. Ratios hold within one run; speeds do not carry over to another machine. Differences
below 3 % are noise.

";

fn page(run: &Run) -> Result<String> {
    let mut page = PREAMBLE.to_owned();
    let cells = run.figures.len();
    writeln!(page, "{cells} cells, {}, medians of {} interleaved passes, {}.", machine()?, run.passes, source(run))?;
    writeln!(page, "\n| engine | version |\n|---|---|")?;
    for engine in &run.engines {
        writeln!(page, "| {} | {} |", engine.label, engine.version)?;
    }
    page.push('\n');
    for omission in omissions(run) {
        writeln!(page, "- {omission}")?;
    }
    write!(page, "\n## At a glance\n\nGB/s of input, in calls of 4 KiB.\n\n{}", summary(run)?)?;
    targets(run, &mut page)?;
    losses(run, &mut page)?;
    page.push_str(
        "\n## Speed\n\n`encoding_rs` is its default build, `encoding_rs+` the fastest of its builds, and `simdutf` the fastest of its \
         kernels.\n",
    );
    page.push_str("\nCalls of 4 KiB, GB/s of input.\n\n");
    speeds(run, &mut page, "/4KiB", |figures, ns| number(figures.bytes as f64 / ns));
    page.push_str("\nStrings of 64 bytes, nanoseconds per call.\n\n");
    speeds(run, &mut page, "/64B", |figures, ns| number(ns / figures.calls as f64));
    Ok(page)
}

fn targets(run: &Run, page: &mut String) -> Result<()> {
    page.push_str("\n## Targets\n\nThe geometric mean of the ratios, and the lowest one.\n");
    for side in run.sides() {
        writeln!(page, "\n### {}\n\n{}", title(side), target_table(run, side)?)?;
    }
    Ok(())
}

/// Returns a table of the rows, with their targets and ratios.
pub(crate) fn target_table(run: &Run, side: Side) -> Result<String> {
    let mut table = "| cells | target | mean | worst | cells below | the worst cell, and its fastest peer |\n|---|---|---|---|---|---|".to_owned();
    for (at, row) in ROWS.iter().enumerate() {
        let Some(Verdict { mean, worst, below, cells, target }) = run.verdict(at, side) else { continue };
        let in_the_mean = if target.each < target.mean { format!(", mean {}", target.mean) } else { String::new() };
        write!(
            table,
            "\n| {} | {}{in_the_mean} | {mean:.2} | {:.2} | {} of {cells} | {}, {} |",
            row.title,
            target.each,
            worst.times,
            below.len(),
            worst.figures.cell.name,
            worst.peer
        )?;
    }
    Ok(table)
}

fn losses(run: &Run, page: &mut String) -> Result<()> {
    page.push_str("\n## Losses\n\nCells in which the fastest peer is faster by more than 3 %, the worst first.\n");
    for side in run.sides() {
        let ratios = run.ratios(side);
        let losses: Vec<_> = ratios.iter().filter(|ratio| ratio.times < NOISE).collect();
        writeln!(page, "\n### {}: {} of {}\n", title(side), losses.len(), ratios.len())?;
        for loss in losses {
            writeln!(page, "- {:.2} `{}`, {}", loss.times, loss.figures.cell.name, loss.peer)?;
        }
    }
    Ok(())
}

/// Adds a table of the cells whose names end with `size`.
fn speeds(run: &Run, page: &mut String, size: &str, format: impl Fn(&Figures, f64) -> String) {
    page.push_str(TABLE_HEAD);
    for figures in run.figures.iter().filter(|figures| figures.cell.name.ends_with(size)) {
        page.push_str(&line(run, figures, figures.cell.name.trim_end_matches(size), &format));
    }
}

const TABLE_HEAD: &str = "\
| cell | AVX-512 | AVX2 | SSE4.1 | scalar | encoding_rs | encoding_rs+ | simdutf | others |
|---|---|---|---|---|---|---|---|---|
";

/// Returns a line with a cell's figures for each engine.
fn line(run: &Run, figures: &Figures, name: &str, format: impl Fn(&Figures, f64) -> String) -> String {
    let best =
        |wanted: &dyn Fn(&Loaded) -> bool| run.best(figures, wanted).map(|ns| format(figures, ns)).unwrap_or_default();
    let ours = |level| best(&|engine| engine.family == OURS && engine.level == level);
    let others: Vec<String> = run
        .engines
        .iter()
        .filter(|engine| !engine.is_ours() && !engine.family.starts_with("encoding_rs") && engine.family != "simdutf")
        .map(|engine| (best(&|other| other.label == engine.label), &engine.label))
        .filter(|(speed, _)| !speed.is_empty())
        .map(|(speed, label)| format!("{label} {speed}"))
        .collect();
    format!(
        "| `{name}` | {} | {} | {} | {} | {} | {} | {} | {} |\n",
        ours(Level::Avx512),
        ours(Level::Avx2),
        ours(Level::Sse41),
        ours(Level::Scalar),
        best(&|engine| engine.label == "encoding_rs"),
        best(&|engine| engine.family.starts_with("encoding_rs")),
        best(&|engine| engine.family == "simdutf"),
        others.join(", ")
    )
}

/// The cells of the summary, each with a title.
pub(crate) const SHOWN: [(&str, &str); 12] = [
    ("validate/utf-8/ja/4KiB", "UTF-8 validation, Japanese"),
    ("convert/utf-8/utf-16/ru/4KiB", "UTF-8 → UTF-16, Russian"),
    ("convert/utf-16/utf-8/ja/4KiB", "UTF-16 → UTF-8, Japanese"),
    ("decode/windows-1252/utf-8/de/4KiB", "windows-1252 → UTF-8, German"),
    ("decode/windows-1251/utf-8/ru/4KiB", "windows-1251 → UTF-8, Russian"),
    ("encode/windows-1251/utf-8/ru/4KiB", "UTF-8 → windows-1251, Russian"),
    ("decode/shift_jis/utf-8/ja/4KiB", "Shift_JIS → UTF-8, Japanese"),
    ("encode/shift_jis/utf-8/ja/4KiB", "UTF-8 → Shift_JIS, Japanese"),
    ("decode/gb18030/utf-8/zh_cn/4KiB", "gb18030 → UTF-8, Chinese"),
    ("encode/gb18030/utf-8/zh_cn/4KiB", "UTF-8 → gb18030, Chinese"),
    ("decode/euc-kr/utf-8/ko/4KiB", "EUC-KR → UTF-8, Korean"),
    ("decode/shift_jis/utf-8/ja-page/4KiB", "Shift_JIS → UTF-8, a web page"),
];

fn summary(run: &Run) -> Result<String> {
    let mut table = "| conversion, text | AVX-512 | AVX2 | encoding_rs | simdutf | iconv | ICU |\n|---|---:|---:|---:|---:|---:|---:|\n".to_owned();
    for (cell, name) in SHOWN {
        let Some(figures) = run.figures.iter().find(|figures| figures.cell.name == cell) else { continue };
        let best = |wanted: &dyn Fn(&Loaded) -> bool| {
            run.best(figures, wanted).map(|ns| number(figures.bytes as f64 / ns)).unwrap_or_default()
        };
        let _ = writeln!(
            table,
            "| {name} | {} | {} | {} | {} | {} | {} |",
            best(&|engine| engine.family == OURS && engine.level == Level::Avx512),
            best(&|engine| engine.family == OURS && engine.level == Level::Avx2),
            best(&|engine| engine.family.starts_with("encoding_rs")),
            best(&|engine| engine.family == "simdutf"),
            best(&|engine| engine.family == "iconv"),
            best(&|engine| engine.family == "icu"),
        );
    }
    let versions: Vec<String> = ["encoding_rs", "simdutf", "iconv", "icu"]
        .into_iter()
        .filter_map(|family| run.engines.iter().find(|engine| engine.family == family))
        .map(|engine| format!("{} {}", engine.family, engine.version.split(',').next().unwrap_or_default()))
        .collect();
    writeln!(table, "\n{}; {}, each the fastest of its builds or kernels.", machine()?, versions.join(", "))?;
    Ok(table)
}

pub(crate) fn number(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.0}") }
}

fn title(side: Side) -> String {
    let level = match side.level {
        Level::Avx512 => "AVX-512, compared with the fastest kernels of each peer",
        Level::Avx2 => "AVX2, compared with peers limited to AVX2",
        Level::Sse41 => "SSE4.1",
        Level::Neon => "NEON",
        Level::Scalar => "Scalar",
    };
    if side.family == DROP_IN { format!("The drop-in for encoding_rs: {level}") } else { level.to_owned() }
}

pub(crate) fn source(run: &Run) -> &'static str {
    if run.corpus { "text from a corpus of articles" } else { "the project's samples as text" }
}

/// Returns the CPU and the date.
pub(crate) fn machine() -> Result<String> {
    let cpu = fs::read_to_string("/proc/cpuinfo")?;
    let field = |name: &str| {
        let line = cpu.lines().find(|line| line.split(':').next().is_some_and(|field| field.trim() == name))?;
        line.split(':').nth(1).map(|value| value.trim().to_owned())
    };
    let model = field("model name").unwrap_or_else(|| "unknown CPU".to_owned());
    let numbers =
        field("cpu family").zip(field("model")).map(|(family, model)| format!(" (family {family}, model {model})"));
    let date = Command::new("date").args(["-u", "+%Y-%m-%d"]).output()?;
    Ok(format!("{model}{}, {}", numbers.unwrap_or_default(), String::from_utf8(date.stdout)?.trim()))
}
