//! The tables, and their record in the docs.

use std::{fmt::Write as _, fs, path::Path};

use anyhow::Result;

use super::{Figures, GIB, KIB, LENGTHS, MIB, OUTPUT, Point, RING, Series, plot};
use crate::record;

/// Prints the tables.
pub(crate) fn print(figures: &[Figures]) {
    println!("{}", tables(figures));
}

const BEGIN: &str = "<!-- cargo xtask bench --growth --record -->";
const END: &str = "<!-- end of growth -->";

/// Writes `docs/growth.csv`, `docs/growth.svg` and the section in `docs/performance.md`.
pub(crate) fn record(root: &Path, figures: &[Figures]) -> Result<()> {
    let machine = record::machine()?;
    fs::write(root.join("docs/growth.csv"), csv(figures))?;
    fs::write(root.join("docs/growth.svg"), plot::draw(figures, &machine))?;
    record::section(root, BEGIN, END, &format!("{}{machine}.\n\n{}", preamble(), tables(figures)))?;
    println!("\nwritten: docs/growth.csv, docs/growth.svg, docs/performance.md");
    Ok(())
}

fn preamble() -> String {
    format!(
        "
## Cost as work grows

Streams of 1 KiB to 16 GiB, decoded in chunks of 65,521 bytes by one decoder. The chunks end anywhere, also within characters.
The time for a byte should not depend on the length, and the memory not at all. [bench/README.md](../bench/README.md#growth) has
the method, [growth.csv](growth.csv) all figures.

![Speed of eight conversions for streams of 1 KiB to 16 GiB, compared with the fastest peer and with a copy](growth.svg)

Streams of up to 1 MiB are decoded again and again in the caches. Longer ones are read from a ring of {} MiB and written to one
of {} MiB, so that both are in memory; a copy of the same chunks in the same way shows the speed of memory. A conversion whose
output is shorter than its input can be faster than the copy, because it writes less. A peer is not measured for 16 GiB if that
would take more than twelve seconds. A figure is the lower quartile of turns of 16 MiB, in CPU time, because the machine is
shared; the file also has the mean. All lengths take turns, so the load is the same for all. For two streams or copies, a turn
counts only if both threads ran at the same time.

",
        RING / MIB,
        OUTPUT / MIB
    )
}

/// Formats a length.
pub(super) fn size(len: usize) -> String {
    match len {
        GIB.. => format!("{} GiB", len / GIB),
        MIB.. => format!("{} MiB", len / MIB),
        _ => format!("{} KiB", len / KIB),
    }
}

fn tables(figures: &[Figures]) -> String {
    let sizes = LENGTHS.map(size).join(" | ");
    let mut tables = format!(
        "Nanoseconds for each byte of input, one stream, and the difference between the lengths beyond the caches:\n\n\
         | conversion, text | {sizes} | difference |\n|---|{}\n",
        "---:|".repeat(LENGTHS.len() + 1)
    );
    for row in figures {
        let _ = write!(tables, "| {} |", row.row.title);
        for len in LENGTHS {
            let _ = write!(tables, " {} |", row.ns(Series::One, len).map(digits).unwrap_or_default());
        }
        let _ = writeln!(tables, " {} |", percent(row.spread(Series::One)));
    }
    tables += "\nStreams of 1 GiB, GB/s of input. “One input” is split with `Encoding::split_point` into parts for two threads.\n\n\
               | conversion | one stream | two streams | one input, two threads | fastest peer | copy | two copies |\n\
               |---|---:|---:|---:|---:|---:|---:|\n";
    for row in figures {
        let speed = |series| row.speed(series, GIB).map(digits).unwrap_or_default();
        let [one, two, split, peer, copy, two_copies] = Series::ALL.map(speed);
        let name = row.peer.as_deref().unwrap_or_default();
        let _ =
            writeln!(tables, "| {} | {one} | {two} | {split} | {name} {peer} | {copy} | {two_copies} |", row.row.title);
    }
    tables += "\nMemory of the process, with all rings, before the streams beyond the caches, and by how many KiB its peak is higher \
               when the longest stream has reached a length:\n\n| conversion | before, MiB |";
    let lengths = || figures.iter().take(1).flat_map(|row| &row.peaks);
    for (len, _) in lengths() {
        let _ = write!(tables, " {} |", size(*len));
    }
    let _ = writeln!(tables, "\n|---|---:|{}", "---:|".repeat(lengths().count()));
    for row in figures {
        let _ = write!(tables, "| {} | {} |", row.row.title, row.before / 1024);
        for (_, peak) in &row.peaks {
            let _ = write!(tables, " {} |", peak.saturating_sub(row.before));
        }
        tables.push('\n');
    }
    for left_out in figures.iter().flat_map(|row| &row.left_out) {
        let _ = write!(tables, "\n- {left_out}");
    }
    tables
}

fn csv(figures: &[Figures]) -> String {
    let mut csv = "conversion,series,engine,bytes,ns_per_byte,mean_ns_per_byte,turns\n".to_owned();
    for row in figures {
        for Point { series, len, ns, mean, turns } in &row.points {
            let engine = match series {
                Series::One | Series::Two | Series::Split => &row.ours,
                Series::Peer => row.peer.as_deref().unwrap_or_default(),
                Series::Copy | Series::TwoCopies => "memcpy",
            };
            let title = row.row.title.replace(',', ";");
            let _ = writeln!(csv, "{title},{},{engine},{len},{ns:.5},{mean:.5},{turns}", series.name());
        }
    }
    csv
}

/// Formats a number with three significant digits.
pub(super) fn digits(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        1.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

fn percent(value: Option<f64>) -> String {
    value.map(|value| format!("{:.1} %", 100.0 * value)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{super::LONGEST, *};

    #[test]
    fn a_record_replaces_only_its_own_section() -> Result<()> {
        let root = tempfile::tempdir()?;
        fs::create_dir(root.path().join("docs"))?;
        let page = root.path().join("docs/performance.md");
        let others = ["# Performance\n", "<!-- cargo xtask other --record -->\n\nA table.\n\n<!-- end of other -->\n"];
        fs::write(&page, others.join("\n"))?;
        let figures = |ns: f64| {
            let points = LENGTHS.map(|len| Point {
                series: Series::One,
                len,
                ns: ns * (1.0 + len as f64 / 1e12),
                mean: ns,
                turns: 9,
            });
            let row = &super::super::ROWS[0];
            let (points, peaks) = (points.into(), vec![(LONGEST, 2060)]);
            [Figures { row, ours: "ours".to_owned(), peer: None, points, before: 2048, peaks, left_out: Vec::new() }]
        };
        record(root.path(), &figures(7.0))?;
        record(root.path(), &figures(5.0))?;
        let text = fs::read_to_string(&page)?;
        assert!(others.iter().all(|other| text.contains(other)));
        assert_eq!((text.matches(BEGIN).count(), text.matches(END).count()), (1, 1));
        // The time for a byte grows by 1.7 % between 64 MiB and 16 GiB, and the memory by 12 KiB.
        let row = "| UTF-8 → UTF-16, Japanese | 5.00 | 5.00 | 5.00 | 5.00 | 5.01 | 5.09 | 1.7 % |";
        assert!(text.contains(row) && text.contains("| UTF-8 → UTF-16, Japanese | 2 | 12 |"), "{text}");
        assert!(
            fs::read_to_string(root.path().join("docs/growth.csv"))?.contains(",one stream,ours,1073741824,5.00537,")
        );
        Ok(())
    }
}
