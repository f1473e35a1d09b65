//! Checks the output of the library's examples.

use std::{collections::BTreeSet, fs, path::Path};

use anyhow::{Context as _, Result, ensure};
use project::root;

use crate::publish;

/// Each example's name, its arguments, and the sample that its output must equal.
const WHOLE: [(&str, &[&str], &str); 8] = [
    ("http_response", &[], "page.utf-8.html"),
    ("http_response", &["samples/page-with-bom.http"], "page.utf-8.html"),
    ("mail_part", &[], "postcard.utf-8.txt"),
    ("mail_part", &["samples/parcel.eml"], "parcel.utf-8.txt"),
    ("transcode_tokio", &[], "tea.utf-8.txt"),
    ("transcode_tokio", &["sjis", "iso-2022-jp", "samples/tea.shift_jis.txt"], "tea.iso-2022-jp.txt"),
    ("transcode_tokio", &["gbk", "gb18030", "samples/library.gbk.txt"], "library.gb18030.txt"),
    ("transcode_tokio", &["utf-16be", "utf-8", "samples/stars.utf-16be.txt"], "stars.utf-8.txt"),
];

const INVOICES: &str = "\
Nummer: 2041, Kunde: Bäckerei Grünwald, Ort: Köln, Straße: Löwengasse 3, Betrag: 48,50 €
Nummer: 2042, Kunde: Café Crème; Inh. Zoë Naßauer, Ort: Zürich, Straße: Rämistraße 12 – Hof, Betrag: 1 204,00 €
Nummer: 2043, Kunde: Jørgen Åkesson, Ort: Malmö, Straße: Östra Förstadsgatan 7, Betrag: 99,90 €
Nummer: 2044, Kunde: Buchladen „Die Möwe“, Ort: Lübeck, Straße: Große Petersgrube 21, Betrag: 15,75 €
";

/// The samples in which `grep_encodings` finds a line, and the line.
const FOUND: [(&str, &str); 3] = [
    ("weather.koi8-r.txt", "4:Завтра обещают ясный день, ветер слабый, температура до 18 градусов."),
    (
        "weather.ibm866.txt",
        "6:Дедушка смотрит на ласточек и говорит, что дождя не будет до субботы. Посмотрим, ещё увидим!",
    ),
    ("stars.utf-16le.txt", "6:Спокойной ночи, до завтра."),
];

/// `cargo xtask examples`: runs each example on samples and compares its output.
pub(crate) fn run() -> Result<()> {
    // The same build as for `cargo xtask test`.
    let arguments = ["build", "--workspace", "--all-features", "--examples", "--profile", "test"];
    project::run("cargo", &arguments)?;
    let examples = publish::published()?.iter().flat_map(|package| publish::targets(package, "example")).collect();
    let runs = check(&examples, root(), &root().join("target/debug"))?;
    println!("{runs} runs of examples print the expected output");
    Ok(())
}

/// Runs the examples with these names, built in the build folder `build`. They read the samples in `folder`. Returns how many
/// times an example was run.
pub(crate) fn check(examples: &BTreeSet<String>, folder: &Path, build: &Path) -> Result<usize> {
    let mut runs = Vec::new();
    let mut run = |example: &'static str, arguments: &[&str]| -> Result<Option<Vec<u8>>> {
        if !examples.contains(example) {
            return Ok(None);
        }
        runs.push(example);
        let program = build.join("examples").join(example).display().to_string();
        let output = project::command(&program, arguments).current_dir(folder).output().context(program)?;
        ensure!(output.status.success(), "{example} {arguments:?}: {output:?}");
        Ok(Some(output.stdout))
    };
    for (example, arguments, expected) in WHOLE {
        let expected = fs::read(folder.join("samples").join(expected))?;
        let printed = run(example, arguments)?;
        ensure!(printed.is_none_or(|text| text == expected), "{example} {arguments:?} printed unexpected output");
    }
    let printed = run("csv_windows_1252", &[])?;
    ensure!(printed.is_none_or(|text| text == INVOICES.as_bytes()), "csv_windows_1252 printed unexpected output");

    if let Some(found) = run("grep_encodings", &[])? {
        let found = String::from_utf8(found)?;
        ensure!(found.lines().count() == 6, "grep_encodings printed unexpected output: {found}");
        for (name, line) in FOUND {
            ensure!(found.contains(&format!("samples/{name}:{line}\n")), "grep_encodings did not find {name}:{line}");
        }
    }
    let arguments = ["明日", "samples/tea.shift_jis.txt", "samples/stars.utf-16be.txt"];
    let expected = "samples/stars.utf-16be.txt:7:おやすみなさい。また明日。\n";
    let printed = run("grep_encodings", &arguments)?;
    ensure!(printed.is_none_or(|text| text == expected.as_bytes()), "grep_encodings printed something else");

    let other = examples.iter().find(|name| !runs.contains(&name.as_str()));
    ensure!(other.is_none(), "the output of the example {other:?} is not compared");
    Ok(runs.len())
}
