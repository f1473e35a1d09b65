//! The register of special paths: `bench/paths.csv` names each, the file that it is in, and the cell that it is for.

use std::{collections::BTreeSet, fs, path::Path};

use anyhow::{Context as _, Result, ensure};

use crate::root;

/// The register.
pub const REGISTER: &str = "bench/paths.csv";

/// Returns the names in the register.
pub fn names() -> Result<BTreeSet<String>> {
    Ok(rows()?.into_iter().map(|[name, _]| name).collect())
}

/// Checks that every path of the library has a row, and that each row's path is in its file.
pub fn check() -> Result<()> {
    let registered: BTreeSet<[String; 2]> = rows()?.into_iter().collect();
    let mut found = BTreeSet::new();
    find(&root().join("crates/textcodec/src"), &mut found)?;
    let differences: Vec<_> = registered.symmetric_difference(&found).map(|row| row.join(",")).collect();
    ensure!(differences.is_empty(), "{REGISTER} and the calls of `path!` differ: {}", differences.join("; "));
    Ok(())
}

/// Returns the names and files of the register.
fn rows() -> Result<Vec<[String; 2]>> {
    let text = fs::read_to_string(root().join(REGISTER)).context(REGISTER)?;
    let rows = text.lines().skip(1).map(|line| {
        let mut fields = line.split(',').map(str::to_owned);
        Some([fields.next()?, fields.next()?])
    });
    rows.collect::<Option<_>>().with_context(|| format!("{REGISTER}: a row has too few fields"))
}

/// Collects the names and files of the paths in a folder.
fn find(folder: &Path, found: &mut BTreeSet<[String; 2]>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, found)?;
            continue;
        }
        let file = path.strip_prefix(root()).context("a path of the library")?.display().to_string();
        for call in fs::read_to_string(&path).unwrap_or_default().split("path!(\"").skip(1) {
            found.insert([call.split('"').next().unwrap_or_default().to_owned(), file.clone()]);
        }
    }
    Ok(())
}
