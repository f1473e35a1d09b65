//! `cargo xtask import DIR`: converts the standard's data to the project's text form.

use std::{fs, path::Path};

use anyhow::{Context as _, Result, ensure};
use project::root;

use crate::index::{Index, Labels};

/// Reads `index-*.txt` and `encodings.json` in `dir` and rewrites `indexes/`. With `check`, fails if a file would change.
pub(crate) fn run(dir: &Path, check: bool) -> Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let Some(name) = name.strip_prefix("index-").and_then(|name| name.strip_suffix(".txt")) else { continue };
        let index = Index::parse_standard(name, &read(&path)?).with_context(|| path.display().to_string())?;
        println!("{name}: {} entries, {}, SHA-256 {}", index.entries.len(), index.date, index.sha256());
        files.push((format!("{name}.txt"), index.to_text()));
    }
    ensure!(!files.is_empty(), "no index-*.txt in {}", dir.display());
    let labels = Labels::parse_standard(&read(&dir.join("encodings.json"))?).context("encodings.json")?;
    println!("labels: {} of {} encodings", labels.0.iter().map(|row| row.1.len()).sum::<usize>(), labels.0.len());
    files.push(("labels.txt".to_owned(), labels.to_text()));
    files.sort();
    write_or_check(&root().join("indexes"), &files, check)
}

/// Makes `files` the whole content of `dir`. With `check`, changes nothing and fails with the names of the files that differ.
pub(crate) fn write_or_check(dir: &Path, files: &[(String, impl AsRef<[u8]>)], check: bool) -> Result<()> {
    let mut stale = Vec::new();
    fs::create_dir_all(dir)?;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !files.iter().any(|(known, _)| *known == name) {
            if !check {
                fs::remove_file(entry.path())?;
            }
            stale.push(name);
        }
    }
    stale.extend(changed(dir, files, check)?);
    report(dir, stale, check)
}

/// Writes `files` into `dir`, which also has others. With `check`, changes nothing and fails with the names of the files that
/// differ.
pub(crate) fn write_or_check_some(dir: &Path, files: &[(String, impl AsRef<[u8]>)], check: bool) -> Result<()> {
    report(dir, changed(dir, files, check)?, check)
}

/// Returns the names of the files that differ, and writes them without `check`.
fn changed(dir: &Path, files: &[(String, impl AsRef<[u8]>)], check: bool) -> Result<Vec<String>> {
    let mut stale = Vec::new();
    for (name, content) in files {
        let path = dir.join(name);
        if fs::read(&path).ok().as_deref() != Some(content.as_ref()) {
            if !check {
                fs::write(&path, content).with_context(|| path.display().to_string())?;
            }
            stale.push(name.clone());
        }
    }
    Ok(stale)
}

fn report(dir: &Path, mut stale: Vec<String>, check: bool) -> Result<()> {
    stale.sort();
    if check {
        ensure!(stale.is_empty(), "not up to date in {}: {}", dir.display(), stale.join(", "));
    } else if !stale.is_empty() {
        println!("changed in {}: {}", dir.display(), stale.join(", "));
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
