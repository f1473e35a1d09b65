//! The public API as text, so that its changes are visible in review, and a comparison of the drop-in's API with encoding_rs.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use project::root;
use public_api::Builder;

/// The package ID of encoding_rs itself, because the drop-in has the same name.
const REAL: &str = "registry+https://github.com/rust-lang/crates.io-index#encoding_rs@0.8.44";

/// `cargo xtask api`: writes the API with all features to `docs/api/`. With `check`, compares it instead.
pub(crate) fn run(check: bool) -> Result<()> {
    for package in [
        "textcodec",
        "textcodec-detect",
        "textcodec-iconv",
        "textcodec-language",
        "textcodec-oem",
        "textcodec-tokio",
        "textcodec-web",
        "encoding_rs",
    ] {
        let items = items("Cargo.toml", package, &["--all-features"])?;
        let path = root().join(format!("docs/api/{package}.txt"));
        if check {
            let old = fs::read_to_string(&path).unwrap_or_default();
            let differences = differences(&old.lines().map(str::to_owned).collect::<Vec<_>>(), &items);
            ensure!(
                differences.is_empty(),
                "the API differs from docs/api/{package}.txt; if this is intended, run `cargo xtask api`:\n{differences}"
            );
        } else {
            fs::create_dir_all(root().join("docs/api"))?;
            fs::write(&path, items.join("\n") + "\n")?;
        }
        println!("docs/api/{package}.txt: {} items", items.len());
    }
    same_as_encoding_rs()
}

/// Checks that the drop-in has exactly the items of encoding_rs, including the names of parameters.
fn same_as_encoding_rs() -> Result<()> {
    let normalise = |items: Vec<String>| items.iter().map(|item| normalise(item)).collect::<Vec<_>>();
    // The features are those of encoding_rs in difftest.
    let ours = normalise(items("Cargo.toml", "encoding_rs", &["--features", "serde"])?);
    let theirs = normalise(items("difftest/Cargo.toml", REAL, &[])?);
    let differences = differences(&theirs, &ours);
    ensure!(differences.is_empty(), "the drop-in's API differs from that of encoding_rs:\n{differences}");
    println!("the drop-in has the {} items of encoding_rs", theirs.len());
    Ok(())
}

/// Returns the public items of a package. Leaves out blanket and automatic implementations, and the methods of trait
/// implementations, which the line of the `impl` covers.
fn items(manifest: &str, package: &str, features: &[&str]) -> Result<Vec<String>> {
    let folder = format!("target/api/{}", manifest.trim_end_matches("Cargo.toml"));
    let arguments =
        ["rustdoc", "--quiet", "--lib", "--manifest-path", manifest, "--target-dir", &folder, "--package", package];
    let mut rustdoc = project::command("cargo", &[&arguments[..], features].concat());
    // The flag is unstable.
    project::finish(rustdoc.env("RUSTC_BOOTSTRAP", "1").args([
        "--",
        "-Z",
        "unstable-options",
        "--output-format",
        "json",
    ]))?;

    let name = if package == REAL { "encoding_rs" } else { package };
    let json = root().join(folder).join("doc").join(name.replace('-', "_")).with_extension("json");
    let api = Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .include_function_parameter_names(true)
        .build()
        .context(
            "public-api cannot read rustdoc's JSON; a new Rust may need another version of it in tools/packages/Cargo.toml",
        )?;
    let mut items = Vec::new();
    // The type of the current `impl` of a trait.
    let mut implementing = None;
    for item in api.items().map(ToString::to_string) {
        if item.starts_with("impl") {
            let of = item.split_once(" for ").map(|(_, of)| of.split(" where ").next().unwrap_or(of));
            implementing = of.map(|of| format!(" {of}::"));
        } else if item.contains(" fn ") && implementing.as_ref().is_some_and(|of| item.contains(of)) {
            continue;
        }
        if !item.contains("StructuralPartialEq") {
            items.push(item);
        }
    }
    Ok(items)
}

/// Returns an item without parts that have several spellings: `Self`, names of lifetimes, private fields.
fn normalise(item: &str) -> String {
    let mut item = item.replace("(_)", "").replace("&'static Self", "&'static encoding_rs::Encoding");
    for lifetime in ["<'a>", "'a, ", "'_, ", "'a "] {
        item = item.replace(lifetime, "");
    }
    item
}

/// Returns the lines that are only in one of two lists.
fn differences(old: &[String], new: &[String]) -> String {
    let gone = old.iter().filter(|item| !new.contains(item)).map(|item| format!("- {item}\n"));
    let added = new.iter().filter(|item| !old.contains(item)).map(|item| format!("+ {item}\n"));
    gone.chain(added).collect()
}
