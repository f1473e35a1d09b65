//! `cargo xtask size`: measures how much the library adds to the size of a small program, by features.

use std::{env::consts::ARCH, fs};

use anyhow::{Context as _, Result};

use crate::{checks, root};

const FAMILIES: [&str; 4] = ["single-byte", "japanese", "korean", "chinese"];

/// Prints the table; `record` writes it to `docs/features.md`, between two comments.
pub(crate) fn run(record: bool) -> Result<()> {
    let table = table()?;
    println!("{table}");
    if !record {
        return Ok(());
    }
    let path = root().join("docs/features.md");
    let page = fs::read_to_string(&path)?;
    let (before, rest) = page.split_once(BEGIN).context("docs/features.md has no start mark for the table")?;
    let (_, after) = rest.split_once(END).context("docs/features.md has no end mark for the table")?;
    fs::write(path, format!("{before}{BEGIN}\n{table}{END}{after}"))?;
    Ok(())
}

const BEGIN: &str = "<!-- cargo xtask size --record -->";
const END: &str = "<!-- end -->";

fn table() -> Result<String> {
    let always = added("")?;
    let mut rows = vec![("always: names, labels, UTF-8, UTF-16, …".to_owned(), always, always)];
    for family in FAMILIES {
        let both = added(&format!("{family},encoders"))?;
        rows.push((format!("`{family}` adds"), added(family)? - always, both - always));
    }
    let all = "`all-encodings`, all of the above".to_owned();
    rows.push((all, added("all-encodings")?, added("all-encodings,encoders")?));

    let kib = |bytes: u64| bytes.div_ceil(1024);
    let rows = rows.iter().map(|(name, decoding, both)| format!("| {name} | {} | {} |\n", kib(*decoding), kib(*both)));
    Ok(format!("| KiB on {ARCH} | decoding | and `encoders` |\n|---|---:|---:|\n{}", rows.collect::<String>()))
}

/// Returns by how many bytes a program that converts with these features is larger than one that does not convert.
fn added(features: &str) -> Result<u64> {
    let build = ["build", "--quiet", "--package", "slim", "--profile", "size", "--target-dir", "target"];
    checks::run("cargo", &[&build[..], &["--no-default-features", "--features", features]].concat())?;
    let size = |name| -> Result<u64> { Ok(fs::metadata(root().join("target/size").join(name))?.len()) };
    Ok(size("convert")? - size("empty")?)
}
