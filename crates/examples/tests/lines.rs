//! Counts lines of code: each program must be shorter than its counterpart with encoding_rs.
//!
//! Lines that are blank, comments or part of a `use` declaration do not count. The programs are formatted by rustfmt with the
//! settings of this workspace.

use std::{fs, path::Path};

/// Counts the lines of code in a program.
fn lines(source: &str) -> usize {
    let (mut count, mut in_use) = (0, false);
    for line in source.lines().map(str::trim) {
        in_use |= line.starts_with("use ");
        if !in_use && !line.is_empty() && !line.starts_with("//") {
            count += 1;
        }
        in_use &= !line.ends_with(';');
    }
    count
}

#[test]
fn each_program_is_shorter_than_with_encoding_rs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".rs")?.to_owned()))
        .filter(|name| !name.ends_with("_encoding_rs"))
        .collect();
    names.sort();
    assert_eq!(names.len(), 10, "{names:?}");
    let count = |name: &str| lines(&fs::read_to_string(folder.join(format!("{name}.rs"))).unwrap());
    let counts = names.iter().map(|name| (name, count(name), count(&format!("{name}_encoding_rs"))));
    println!("lines of code     textcodec  encoding_rs");
    for (name, ours, theirs) in counts.clone() {
        println!("{name:<18}{ours:>9}{theirs:>13}");
    }
    for (name, ours, theirs) in counts {
        assert!(ours < theirs, "{name}: {ours} lines next to {theirs}");
    }
}

#[test]
fn what_counts() {
    let source = "//! A program.\n\nuse std::{\n    fs,\n    io,\n};\nuse x::y;\n\nfn main() {\n    // Why.\n    let a = 1; // One.\n}\n";
    assert_eq!(lines(source), 3);
}
