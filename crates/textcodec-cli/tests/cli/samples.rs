//! Every file of samples/, there and back.

use std::fs;

use crate::common::{Place, Ran, encoded_samples, samples};

#[test]
fn every_sample_is_its_original_and_the_other_way_round() {
    let place = Place::new();
    for (path, encoding, original_path) in encoded_samples() {
        let bytes = fs::read(&path).unwrap();
        let original = fs::read(&original_path).unwrap_or_else(|_| panic!("{} has no original", path.display()));

        let convert = |options: &str, path| Ran::of(place.command(&format!("--strict {options}")).arg(path));
        convert(&format!("-f {encoding}"), &path).is_clean(&original);
        // UTF-16 may have a byte order mark, which is not written.
        let without_mark = bytes.strip_prefix(b"\xFF\xFE").unwrap_or(&bytes);
        convert(&format!("-t {encoding}"), &original_path).is_clean(without_mark);
        // From any encoding to its own, and through UTF-16.
        convert(&format!("-f {encoding} -t {encoding}"), &path).is_clean(without_mark);
        let wide = convert(&format!("-f {encoding} -t utf-16be"), &path);
        fs::write(place.path("wide"), &wide.stdout).unwrap();
        place.run(&format!("-f utf-16be -t {encoding} wide")).is_clean(without_mark);
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
    let place = Place::new();
    let ran = Ran::of(place.command("-f utf-8 -o repaired").arg(&path));
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains(": 9 malformed sequences replaced by U+FFFD; the first at byte 159 (E9): "));
    let expected = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
    assert_eq!(place.read("repaired"), expected.as_bytes());
    place.run("--strict repaired").is_clean(expected);
}
