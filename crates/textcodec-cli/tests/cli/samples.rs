//! Converts every file in samples/ in both directions.

use std::fs;

use crate::common::{Dir, RunResult, encoded_samples, samples};

#[test]
fn every_sample_converts_to_its_original_and_back() {
    let dir = Dir::new();
    for (path, encoding, original_path) in encoded_samples() {
        let bytes = fs::read(&path).unwrap();
        let original = fs::read(&original_path).unwrap_or_else(|_| panic!("{} has no original", path.display()));

        let convert =
            |options: &str, path| RunResult::of(dir.convert_command(&format!("--strict {options}")).arg(path));
        convert(&format!("-f {encoding}"), &path).assert_clean(&original);
        // A sample in UTF-16 may have a byte order mark, which the program does not write.
        let without_mark = bytes.strip_prefix(b"\xFF\xFE").unwrap_or(&bytes);
        convert(&format!("-t {encoding}"), &original_path).assert_clean(without_mark);
        // To the same encoding, and by way of UTF-16.
        convert(&format!("-f {encoding} -t {encoding}"), &path).assert_clean(without_mark);
        let wide = convert(&format!("-f {encoding} -t utf-16be"), &path);
        fs::write(dir.path("wide"), &wide.stdout).unwrap();
        dir.convert(&format!("-f utf-16be -t {encoding} wide")).assert_clean(without_mark);
    }
}

#[test]
fn samples_are_short() {
    for entry in fs::read_dir(samples()).unwrap().map(Result::unwrap) {
        let len = entry.metadata().unwrap().len();
        assert!(entry.file_name() == "README.md" || len < 2048, "{}: {len} bytes", entry.path().display());
    }
}

#[test]
fn the_broken_log_is_repaired() {
    let path = samples().join("broken-utf-8.log");
    let dir = Dir::new();
    let result = RunResult::of(dir.convert_command("-f utf-8 -o repaired").arg(&path));
    assert_eq!(result.status, 1);
    assert!(result.stderr.contains(": 9 malformed sequences replaced by U+FFFD; the first at byte 159 (E9): "));
    let expected = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
    assert_eq!(dir.read("repaired"), expected.as_bytes());
    dir.convert("--strict repaired").assert_clean(expected);
}
