//! Files in directories: which ones `convert`, `check` and `detect` read.

use std::fs;

use crate::common::{Dir, RunResult};

fn run(dir: &Dir, arguments: &str) -> RunResult {
    RunResult::of(&mut dir.textcodec(arguments))
}

/// Creates directories with files of these contents.
fn tree(files: &[(&str, &[u8])]) -> Dir {
    let dir = Dir::new();
    for (name, bytes) in files {
        let path = dir.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    dir
}

#[test]
fn iglob_selects_and_excludes_files_in_any_case() {
    let dir = tree(&[("d/A.TXT", b"\xE9"), ("d/b.txt", b"\xE9"), ("d/Draft.Txt", b"\xE9"), ("d/c.csv", b"\xE9")]);
    let result = run(&dir, "convert -f latin1 -r --iglob *.TXT --iglob !draft.* --output-dir new d");
    assert_eq!(result.status, 0, "{result:?}");
    let mut names: Vec<_> =
        fs::read_dir(dir.path("new")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["A.TXT", "b.txt"]);
}

#[test]
fn a_wrong_pattern_is_explained() {
    let result = run(&Dir::new(), "convert -r --include [ --in-place .");
    let message = "error: invalid value '[' for '--include <GLOB>': unclosed character class; missing ']'\n";
    assert!(result.status == 2 && result.stderr.starts_with(message), "{}", result.stderr);
}
