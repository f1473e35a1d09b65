//! The public API as text, so that a change of it shows in review; and the drop-in's beside that of encoding_rs.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use public_api::Builder;

use crate::{checks, root};

/// encoding_rs itself, where the drop-in has the same name.
const REAL: &str = "registry+https://github.com/rust-lang/crates.io-index#encoding_rs@0.8.44";

/// `cargo xtask api`: writes `docs/api/`, all features on; with `check` it compares instead.
pub(crate) fn run(check: bool) -> Result<()> {
    for package in ["textcodec", "encoding_rs"] {
        let items = items("Cargo.toml", package, &["--all-features"])?;
        let path = root().join(format!("docs/api/{package}.txt"));
        if check {
            let old = fs::read_to_string(&path).unwrap_or_default();
            let differences = differences(&old.lines().map(str::to_owned).collect::<Vec<_>>(), &items);
            ensure!(
                differences.is_empty(),
                "the API is not what docs/api/{package}.txt says; if that is meant: cargo xtask api\n{differences}"
            );
        } else {
            fs::create_dir_all(root().join("docs/api"))?;
            fs::write(&path, items.join("\n") + "\n")?;
        }
        println!("docs/api/{package}.txt: {} items", items.len());
    }
    same_as_encoding_rs()
}

/// The drop-in has every item of encoding_rs and no other, down to the names of parameters.
fn same_as_encoding_rs() -> Result<()> {
    let spelled_alike = |items: Vec<String>| items.iter().map(|item| spelled_alike(item)).collect::<Vec<_>>();
    // As difftest's encoding_rs has it.
    let ours = spelled_alike(items("Cargo.toml", "encoding_rs", &["--features", "serde"])?);
    let theirs = spelled_alike(items("difftest/Cargo.toml", REAL, &[])?);
    let differences = differences(&theirs, &ours);
    ensure!(differences.is_empty(), "the drop-in's API is not that of encoding_rs:\n{differences}");
    println!("the drop-in has the {} items of encoding_rs", theirs.len());
    Ok(())
}

/// What a package offers, an item a line: without what the compiler adds, and without the methods of traits, which the line of the
/// `impl` stands for.
fn items(manifest: &str, package: &str, features: &[&str]) -> Result<Vec<String>> {
    let folder = format!("target/api/{}", manifest.trim_end_matches("Cargo.toml"));
    let arguments =
        ["rustdoc", "--quiet", "--lib", "--manifest-path", manifest, "--target-dir", &folder, "--package", package];
    let mut rustdoc = checks::command("cargo", &[&arguments[..], features].concat());
    // The flag is no stable one.
    checks::finish(rustdoc.env("RUSTC_BOOTSTRAP", "1").args([
        "--",
        "-Z",
        "unstable-options",
        "--output-format",
        "json",
    ]))?;

    let name = if package == REAL { "encoding_rs" } else { package };
    let json = root().join(folder).join("doc").join(name).with_extension("json");
    let api = Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .include_function_parameter_names(true)
        .build()
        .context("a new Rust may have a new form of rustdoc's JSON: public-api in xtask/Cargo.toml must know it")?;
    let mut items = Vec::new();
    // The type of the `impl` of a trait, while its methods follow.
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

/// An item without what can be written in two ways: `Self`, names of lifetimes, a private field.
fn spelled_alike(item: &str) -> String {
    let mut item = item.replace("(_)", "").replace("&'static Self", "&'static encoding_rs::Encoding");
    for lifetime in ["<'a>", "'a, ", "'_, ", "'a "] {
        item = item.replace(lifetime, "");
    }
    item
}

/// The lines that only one of two lists has.
fn differences(old: &[String], new: &[String]) -> String {
    let gone = old.iter().filter(|item| !new.contains(item)).map(|item| format!("- {item}\n"));
    let added = new.iter().filter(|item| !old.contains(item)).map(|item| format!("+ {item}\n"));
    gone.chain(added).collect()
}
