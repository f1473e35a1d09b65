//! Patterns that searches have found, in `found.txt`. Ordinary recorded runs also measure these cells.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use bench_abi::{Errors, Operation};

use super::{Case, Conversion, Shape, characters, classes};

/// Lines of `DIRECTION ENCODING FORM ERRORS: RECIPE`. A line that starts with `#` is a comment.
const FOUND: &str = include_str!("found.txt");

/// Returns the cases in the file.
pub(crate) fn cases() -> Result<Vec<Case>> {
    let lines = FOUND.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| parse(line).with_context(|| format!("found.txt: {line}"))).collect()
}

fn parse(line: &str) -> Result<Case> {
    let (conversion, recipe) = line.split_once(": ").context("the line has no colon")?;
    let [direction, encoding, form, errors] = conversion.split(' ').collect::<Vec<_>>()[..] else {
        anyhow::bail!("the line must have four words before the colon");
    };
    let operation = match (direction, form) {
        ("decode", "utf-8") => Operation::DecodeToUtf8,
        ("decode", "utf-16") => Operation::DecodeToUtf16,
        ("encode", "utf-8") => Operation::EncodeFromUtf8,
        ("encode", "utf-16") => Operation::EncodeFromUtf16,
        _ => anyhow::bail!("unknown direction or form"),
    };
    let errors = match errors {
        "replace" => Errors::Replace,
        "html" => Errors::Html,
        "report" => Errors::Report,
        _ => anyhow::bail!("unknown error policy"),
    };
    let encodings = classes::ALL.iter().map(|all| all.encoding).chain(characters::ALL.iter().map(|all| all.encoding));
    let encoding = encodings.into_iter().find(|name| *name == encoding).context("unknown encoding")?;
    let conversion = Conversion { operation, encoding, errors, shape: Shape::Whole };
    let case = if conversion.decodes() {
        Case::found::<u8>(conversion, &recipe.parse()?)
    } else {
        Case::found::<u16>(conversion, &recipe.parse()?)
    };
    case.context("UTF-8 cannot have unpaired surrogates")
}

/// Returns the line for a case.
pub(crate) fn line(case: &Case) -> String {
    let (direction, form) = match case.conversion.operation {
        Operation::DecodeToUtf8 => ("decode", "utf-8"),
        Operation::DecodeToUtf16 => ("decode", "utf-16"),
        Operation::EncodeFromUtf8 => ("encode", "utf-8"),
        _ => ("encode", "utf-16"),
    };
    let errors = match case.conversion.errors {
        Errors::Html => "html",
        Errors::Report => "report",
        _ => "replace",
    };
    format!("{direction} {} {form} {errors}: {}", case.conversion.encoding, case.recipe)
}

/// Returns the file with new cases. Cases of encodings that were not searched remain.
pub(crate) fn file(new: &[&Case]) -> Result<String> {
    let old = cases()?;
    let searched = |case: &&Case| new.iter().any(|new| new.conversion.encoding == case.conversion.encoding);
    let kept = old.iter().filter(|case| !searched(case));
    let lines: BTreeSet<String> = new.iter().copied().chain(kept).map(line).collect();
    let lines = lines.into_iter().collect::<Vec<_>>().join("\n");
    Ok(format!(
        "# Written by `cargo xtask bench --worst --record`: for each encoding the patterns that cost most.\n{lines}\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_round_trip() {
        for text in ["decode Big5 utf-8 replace: ~7 a4a1*21 8161", "encode gb18030 utf-16 html: d83d | 4e2d*3 e5e5"] {
            assert_eq!(line(&parse(text).unwrap()), text);
        }
        for text in ["decode Big5 utf-8 replace", "decode Big6 utf-8 replace: 61", "encode Big5 utf-8 html: d83d", "x"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_file_parses() {
        cases().unwrap();
    }
}
