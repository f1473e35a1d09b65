//! `cargo xtask size`: measures how much the library adds to the size of a small program, by features.

use std::{env::consts::ARCH, fs};

use anyhow::Result;

use crate::{checks, record, root};

const FAMILIES: [&str; 4] = ["single-byte", "japanese", "korean", "chinese"];

/// Prints the table; `is_recorded` writes it to `docs/features.md`.
pub(crate) fn run(is_recorded: bool) -> Result<()> {
    let table = table()?;
    println!("{table}");
    if is_recorded { record::replace("docs/features.md", "size --record", &table) } else { Ok(()) }
}

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
