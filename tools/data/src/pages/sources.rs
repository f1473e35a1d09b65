//! `cargo xtask import-pages`: makes the pages from what installed programs print.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use anyhow::{Context as _, Result, ensure};
use project::root;

use super::{
    compare::{Decisions, compare},
    page::{self, CodePoints, parse_code},
    tables,
};
use crate::import::write_or_check;

/// Where the programs, the decisions and the built files are.
const FOLDER: &str = "tools/data/src/pages";
const BUILT: &str = "target/pages";

/// The packages of npm with tables.
const PACKAGES: [(&str, &str); 3] = [("codepage", "1.15.0"), ("iconv", "3.0.1"), ("iconv-lite", "0.7.3")];

/// Rewrites `crates/textcodec-oem/pages`. With `check`, fails if a file would change.
pub(crate) fn run(check: bool) -> Result<()> {
    let path = root().join(FOLDER).join("decisions.txt");
    let decisions = Decisions::parse(&fs::read_to_string(&path)?).with_context(|| path.display().to_string())?;
    let entries = tables::entries()?;
    let names = |names: Vec<&str>| names.join(" ");
    let decided = names(decisions.pages.iter().map(|page| page.name.as_str()).collect());
    let listed = names(entries.iter().map(|entry| entry.name.as_str()).collect());
    ensure!(
        decided == listed,
        "decisions.txt and encodings.txt have different pages, or another order:\n{decided}\n{listed}"
    );

    let tables = printed(&decisions)?;
    let (mut files, mut used, mut counts) = (Vec::new(), BTreeSet::new(), BTreeMap::<_, Vec<&str>>::new());
    for (entry, decision) in entries.iter().zip(&decisions.pages) {
        let of: Vec<_> = decision
            .sources
            .iter()
            .map(|(source, name)| (source.as_str(), &tables[&format!("{source}:{name}")]))
            .collect();
        let compared = compare(decision, &of, &decisions.known, &mut used).with_context(|| entry.name.clone())?;
        let header: Vec<String> = [entry.name.clone()].into_iter().chain(compared.header).collect();
        files.push((tables::file_name(entry), page::to_text(&header, &compared.page)));
        counts.entry(compared.sources).or_default().push(&entry.name);
    }
    ensure!(
        used.len() == decisions.known.len(),
        "{} known differences are in no page",
        decisions.known.len() - used.len()
    );
    for (sources, pages) in counts {
        let names = if sources < 2 { format!(": {}", pages.join(", ")) } else { String::new() };
        println!("{} pages with {sources} sources{names}", pages.len());
    }
    write_or_check(&root().join("crates/textcodec-oem/pages"), &files, check)
}

/// Returns the pages of which a source has another table, with their names in the source.
pub(crate) fn names_with_other_tables(source: &str) -> Result<BTreeMap<String, String>> {
    let decisions = Decisions::parse(&fs::read_to_string(root().join(FOLDER).join("decisions.txt"))?)?;
    let mut names = BTreeMap::new();
    for (entry, decision) in tables::entries()?.iter().zip(decisions.pages) {
        let Some((_, name)) = decision.sources.into_iter().find(|(other, _)| other == source) else { continue };
        let text = fs::read_to_string(root().join("crates/textcodec-oem/pages").join(tables::file_name(entry)))?;
        let differs = text.lines().filter_map(|line| line.strip_prefix("# Differs: ")?.split_once(": "));
        if differs.flat_map(|(sources, _)| sources.split(", ")).any(|other| other == source) {
            names.insert(entry.name.clone(), name);
        }
    }
    Ok(names)
}

/// Runs the programs, and returns the table of each `SOURCE:NAME`.
fn printed(decisions: &Decisions) -> Result<BTreeMap<String, CodePoints>> {
    prepare()?;
    let names = |sources: &[&str]| {
        let all = decisions.pages.iter().flat_map(|page| &page.sources);
        let of = all.filter(|(source, _)| sources.contains(&source.as_str()));
        of.map(|(source, name)| format!("{source}:{name}")).collect::<BTreeSet<_>>()
    };
    let program = |name: &str| root().join(FOLDER).join("sources").join(name);
    let mut tables = BTreeMap::new();
    let runs: [(&str, Option<&str>, &[&str]); 5] = [
        ("python3", Some("sources.py"), &["charmap", "cpython", "glibc", "icu"]),
        ("perl", Some("sources.pl"), &["perl"]),
        ("java", Some("Sources.java"), &["java"]),
        ("node", Some("sources.cjs"), &["iconv-lite", "sheetjs"]),
        ("target/pages/libiconv", None, &["libiconv"]),
    ];
    for (command, script, sources) in runs {
        let names = names(sources);
        let mut run = if script.is_some() { Command::new(command) } else { Command::new(root().join(command)) };
        run.args(script.map(program)).args(&names).env("NODE_PATH", root().join(BUILT).join("node_modules"));
        let output = run.output().with_context(|| format!("cannot run {command}"))?;
        ensure!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        for line in String::from_utf8(output.stdout)?.lines() {
            let (name, codes) = line.split_once('\t').with_context(|| format!("not a table: {line:?}"))?;
            let codes = codes.split(' ').map(parse_code).collect::<Result<Vec<_>>>()?;
            let table = CodePoints::try_from(codes).ok().with_context(|| format!("{name}: not 256 code points"))?;
            tables.insert(name.to_owned(), table);
        }
        if let Some(missing) = names.iter().find(|name| !tables.contains_key(*name)) {
            anyhow::bail!("{command} printed no table for {missing}");
        }
    }
    Ok(tables)
}

/// Installs the packages of npm, and builds the libiconv that one of them contains.
fn prepare() -> Result<()> {
    let folder = root().join(BUILT);
    fs::create_dir_all(&folder)?;
    let is_installed = |(name, version): (&str, &str)| {
        let manifest = folder.join("node_modules").join(name).join("package.json");
        fs::read_to_string(manifest).is_ok_and(|text| text.contains(&format!("\"version\": \"{version}\"")))
    };
    if !PACKAGES.into_iter().all(is_installed) {
        let packages = PACKAGES.map(|(name, version)| format!("{name}@{version}"));
        let mut npm = Command::new("npm");
        npm.current_dir(&folder).args([
            "install",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--no-save",
            "--prefix",
            ".",
        ]);
        project::finish(npm.args(packages))?;
    }
    let program = folder.join("libiconv");
    let package = folder.join("node_modules/iconv");
    let library = package.join("deps/libiconv/lib");
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-w", "-DENABLE_EXTRA=1", "-DICONV_CONST=const", "-I"]).arg(package.join("support"));
    compiler.arg("-I").arg(&library).arg("-o").arg(&program).arg(root().join(FOLDER).join("sources/sources.c"));
    compiler.args([library.join("iconv.c"), package.join("support/localcharset.c")]);
    if is_older(&program, &root().join(FOLDER).join("sources/sources.c")) {
        project::finish(&mut compiler)?;
    }
    Ok(())
}

/// Returns whether a file does not exist or is older than another one.
fn is_older(file: &Path, than: &Path) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    modified(file) < modified(than)
}
