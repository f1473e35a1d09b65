//! The tables of `detection measure`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use textcodec_detect::{Confidence, Detection};

use crate::{
    judge::{Verdict, may_refuse},
    kinds::{KINDS, SIZES, Text, is_ordinary},
    texts::Half,
};

pub(crate) fn about(texts: &[Text], half: Half) -> String {
    let languages: BTreeSet<_> = texts.iter().map(|text| text.language).collect();
    let encodings: BTreeSet<_> = texts.iter().map(|text| &text.encoding).collect();
    let (count, half) = (texts.len(), if half == Half::HeldOut { "held-out" } else { "training" });
    format!("{count} {half} texts in {} languages and {} encodings and mixtures.\n", languages.len(), encodings.len())
}

pub(crate) fn by_kind(texts: &[Text], verdicts: &[Verdict]) -> String {
    let mut table =
        "| kind | texts | right, % | converted rightly, % | wrong, high | wrong, medium | destroyed | none | µs |\n\
        |---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
            .to_owned();
    let mut row = |name: &str, fits: &dyn Fn(&Text) -> bool| {
        let fitting: Vec<&Verdict> = fitting(texts, verdicts, fits).map(|(_, verdict)| verdict).collect();
        if fitting.is_empty() {
            return;
        }
        let count = |is: &dyn Fn(&Verdict) -> bool| fitting.iter().filter(|verdict| is(verdict)).count();
        let all = fitting.len();
        let _ = writeln!(
            table,
            "| {name} | {all} | {} | {} | {} | {} | {} | {} | {} |",
            percentage(count(&|verdict| verdict.is_right), all),
            percentage(count(&|verdict| verdict.is_exact && verdict.confidence >= Confidence::High), all),
            count(&|verdict| verdict.is_wrong_with(Confidence::High)),
            count(&|verdict| verdict.is_wrong_with(Confidence::Medium)),
            count(&|verdict| verdict.is_destroyed),
            count(&|verdict| verdict.confidence == Confidence::None),
            fitting.iter().map(|verdict| verdict.time).sum::<u64>() / all as u64 / 1000,
        );
    };
    for (kind, _) in KINDS {
        row(kind, &|text| text.kind == kind);
    }
    row("**all hard kinds**", &|text| !is_ordinary(text.kind));
    row("**hard, in one available encoding**", &|text| !is_ordinary(text.kind) && !may_refuse(text));
    row("**all**", &|_| true);
    table
}

fn fitting<'a>(
    texts: &'a [Text],
    verdicts: &'a [Verdict],
    fits: impl Fn(&Text) -> bool + 'a,
) -> impl Iterator<Item = (&'a Text, &'a Verdict)> {
    texts.iter().zip(verdicts).filter(move |(text, _)| fits(text))
}

/// Rounded down, so that 100 means all.
pub(crate) fn percentage(count: usize, all: usize) -> String {
    if all == 0 {
        return String::new();
    }
    let tenths = count * 1000 / all;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// The name of a row or column, and which texts are in it.
type Part<'a> = (String, &'a dyn Fn(&Text) -> bool);

/// A table with the percentages of right answers: a row for each name, a column for each origin or size.
fn right(texts: &[Text], verdicts: &[Verdict], first: &str, rows: &[Part<'_>], columns: &[Part<'_>]) -> String {
    let names: Vec<&str> = columns.iter().map(|(name, _)| &**name).collect();
    let mut table = format!("| {first} | {} |\n|---|{}\n", names.join(" | "), "---:|".repeat(names.len()));
    for (name, is_in_row) in rows {
        let _ = write!(table, "| {name} |");
        for (_, is_in_column) in columns {
            let cell: Vec<bool> = fitting(texts, verdicts, |text| is_in_row(text) && is_in_column(text))
                .map(|(_, verdict)| verdict.is_right)
                .collect();
            let right = cell.iter().filter(|right| **right).count();
            let _ = if cell.is_empty() {
                write!(table, " |")
            } else {
                write!(table, " {} of {} |", percentage(right, cell.len()), cell.len())
            };
        }
        table.push('\n');
    }
    table
}

pub(crate) fn by_origin(texts: &[Text], verdicts: &[Verdict]) -> String {
    let origins: BTreeSet<&str> = texts.iter().map(|text| &*text.origin).collect();
    let is_ordinary: [fn(&Text) -> bool; 4] = [
        |text| text.kind == "ordinary" && !is_unicode(text),
        |text| text.kind == "ordinary-more",
        |text| text.kind == "dos",
        |text| !is_ordinary(text.kind),
    ];
    let names = ["ordinary, legacy encodings", "ordinary-more", "dos", "all hard kinds"].map(str::to_owned);
    let rows: Vec<Part<'_>> = names.into_iter().zip(is_ordinary.iter().map(|fits| fits as _)).collect();
    let columns: Vec<_> =
        origins.iter().map(|origin| ((*origin).to_owned(), move |text: &Text| text.origin == *origin)).collect();
    let columns: Vec<Part<'_>> = columns.iter().map(|(name, fits)| (name.clone(), fits as _)).collect();
    right(texts, verdicts, "right by origin, %", &rows, &columns)
}

fn is_unicode(text: &Text) -> bool {
    text.encoding.starts_with("UTF-")
}

pub(crate) fn by_size(texts: &[Text], verdicts: &[Verdict]) -> String {
    let rows: [Part<'_>; 4] = [
        ("ordinary, legacy encodings".into(), &|text| text.kind == "ordinary" && !is_unicode(text)),
        ("UTF-8 and UTF-16".into(), &|text| text.kind == "ordinary" && is_unicode(text)),
        ("ordinary-more".into(), &|text| text.kind == "ordinary-more"),
        ("dos".into(), &|text| text.kind == "dos"),
    ];
    let sizes: Vec<_> = SIZES.iter().map(|&(size, _)| (size, move |text: &Text| text.size == size)).collect();
    let mut columns: Vec<Part<'_>> = sizes.iter().map(|(size, fits)| (format!("{size} bytes"), fits as _)).collect();
    columns.push(("from 100 bytes on".into(), &|text| text.size >= 100));
    columns.push(("all".into(), &|_| true));
    right(texts, verdicts, "right by size, %", &rows, &columns)
}

pub(crate) fn by_encoding(texts: &[Text], verdicts: &[Verdict]) -> String {
    let names: BTreeSet<&str> =
        texts.iter().filter(|text| is_ordinary(text.kind)).map(|text| &*text.encoding).collect();
    let fits: Vec<_> = names
        .into_iter()
        .map(|name| (name, move |text: &Text| is_ordinary(text.kind) && text.encoding == name))
        .collect();
    let rows: Vec<Part<'_>> = fits.iter().map(|(name, fits)| ((*name).to_owned(), fits as _)).collect();
    let columns: [Part<'_>; 3] = [
        ("20 bytes".into(), &|text| text.size == 20),
        ("100 bytes and more".into(), &|text| text.size >= 100),
        ("all".into(), &|_| true),
    ];
    right(texts, verdicts, "ordinary text, right by encoding, %", &rows, &columns)
}

pub(crate) fn calibration(texts: &[Text], verdicts: &[Verdict]) -> String {
    let mut table =
        "| confidence | texts | exact, % | worst kind | exact there, % |\n|---|---:|---:|---|---:|\n".to_owned();
    for confidence in [Confidence::Certain, Confidence::High, Confidence::Medium, Confidence::Low, Confidence::None] {
        let of = |kind: Option<&str>| {
            let all = fitting(texts, verdicts, move |text| kind.is_none_or(|kind| text.kind == kind));
            let exact: Vec<bool> = all
                .filter(|(_, verdict)| verdict.confidence == confidence)
                .map(|(_, verdict)| verdict.is_exact)
                .collect();
            (exact.iter().filter(|exact| **exact).count(), exact.len())
        };
        let (exact, all) = of(None);
        // The kinds with a few answers say nothing.
        let kinds = KINDS.iter().map(|(kind, _)| (*kind, of(Some(kind)))).filter(|(_, (_, all))| *all >= 20);
        let worst = kinds.min_by_key(|(_, (exact, all))| exact * 10_000 / all);
        let (kind, (worst, of_kind)) = worst.unwrap_or(("", (0, 0)));
        if all > 0 {
            let [exact, worst] = [percentage(exact, all), percentage(worst, of_kind)];
            let _ = writeln!(table, "| {confidence} | {all} | {exact} | {kind} | {worst} |");
        }
    }
    table
}

pub(crate) fn print_wrong(texts: &[Text], answers: &[(Detection, u64)], verdicts: &[Verdict], all: bool) {
    for (n, ((text, (detection, _)), verdict)) in texts.iter().zip(answers).zip(verdicts).enumerate() {
        let least = if all { Confidence::None } else { Confidence::Medium };
        if verdict.is_exact || all && verdict.is_right || verdict.confidence < least {
            continue;
        }
        let start: String = verdict
            .encoding
            .decode_with(&text.bytes, crate::repertoire::keep_bom())
            .map(|decoded| {
                decoded.text.chars().filter(|c| !c.is_control()).skip_while(char::is_ascii).take(40).collect()
            })
            .unwrap_or_default();
        println!(
            "{} {n} {} {} {} ({} bytes, {}) as {}: {} [{start}]",
            verdict.confidence,
            text.kind,
            text.language,
            text.encoding,
            text.bytes.len(),
            text.origin,
            verdict.encoding,
            detection.reason()
        );
    }
}

/// Prints the numbers of wrong answers by kind, encoding and answer: those with confidence, or all.
pub(crate) fn print_sums(texts: &[Text], verdicts: &[Verdict], all: bool) {
    let mut counts: BTreeMap<(&str, &str, &str, &str), usize> = BTreeMap::new();
    for (text, verdict) in texts.iter().zip(verdicts) {
        let is_counted =
            if all { !verdict.is_right } else { !verdict.is_exact && verdict.confidence >= Confidence::Medium };
        if is_counted {
            let key = (text.kind, &*text.encoding, verdict.encoding.name(), verdict.confidence.name());
            *counts.entry(key).or_default() += 1;
        }
    }
    for ((kind, encoding, answer, confidence), count) in counts {
        println!("sum {count:4} {kind} {encoding} as {answer} {confidence}");
    }
}
