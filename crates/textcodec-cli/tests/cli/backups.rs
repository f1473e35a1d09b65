//! Backups of earlier runs: the only copies of the original texts.

use std::fs;

use crate::common::{Dir, RunResult};

const ORIGINAL: &[u8] = b"\xCF\xF0\xE8\xE2\xE5\xF2 \xE2\xF1\xE5\xEC, \xFD\xF2\xEE \xF2\xE5\xEA\xF1\xF2\n";
const TEXT: &str = "Привет всем, это текст\n";

/// Creates files in a directory `d`.
fn files() -> Dir {
    let dir = Dir::new();
    fs::create_dir(dir.path("d")).unwrap();
    for name in ["d/a.txt", "d/b", "d/c.tar.txt"] {
        fs::write(dir.path(name), ORIGINAL).unwrap();
    }
    dir
}

const NAMES: [&str; 3] = ["d/a.txt", "d/b", "d/c.tar.txt"];

#[test]
fn the_backups_of_an_earlier_run_are_not_converted_by_any_other_run() {
    for first in [".bak", ".orig", "~", ".old", "-before", ".1", ".windows-1251.txt", ".BAK", "_x"] {
        for second in ["", "=.bak", "=.orig", "=.2", "=~"] {
            let dir = files();
            assert_eq!(dir.convert(&format!("-f windows-1251 -r --in-place={first} d")).status, 0);
            for run in 0..2 {
                let result = dir.convert(&format!("-f windows-1251 -r --in-place{second} d"));
                let context = format!("{first} {second} {run}: {}", result.stderr);
                assert_eq!(result.status, 0, "{context}");
                for name in NAMES {
                    assert_eq!(dir.read(&format!("{name}{first}")), ORIGINAL, "{context}");
                    assert_eq!(dir.read(name), TEXT.as_bytes(), "{context}");
                    let is_named = format!("\n  skipped: {name}{first}: it");
                    assert!(result.stderr.contains(&is_named), "{context}");
                }
                assert!(result.stderr.contains("3 skipped, because they are backups of an earlier run"), "{context}");
                // Nor is a backup made of a backup.
                assert_eq!(fs::read_dir(dir.path("d")).unwrap().count(), 6, "{context}");
            }
        }
    }
}

#[test]
fn a_backup_is_known_after_its_file_was_edited_or_removed() {
    for suffix in [".bak", ".orig", "~", ".old"] {
        for second in [String::new(), "=.new".to_owned(), format!("={suffix}")] {
            let dir = files();
            assert_eq!(dir.convert(&format!("-f windows-1251 -r --in-place={suffix} d")).status, 0);
            fs::write(dir.path("d/a.txt"), "edited: é\n").unwrap();
            fs::remove_file(dir.path("d/b")).unwrap();
            let result = dir.convert(&format!("-f windows-1251 -r --in-place{second} d"));
            for name in NAMES {
                assert_eq!(dir.read(&format!("{name}{suffix}")), ORIGINAL, "{suffix} {second}: {}", result.stderr);
            }
        }
    }
}

#[test]
fn the_suffix_of_this_run_says_so_if_it_hides_files() {
    let dir = files();
    let message = "3 files: 1 converted, 2 skipped, because they are backups of an earlier run\n  \
                   skipped: d/a.txt: its name ends with .txt, like a backup\n  \
                   skipped: d/c.tar.txt: its name ends with .txt, like a backup";
    dir.convert("-f windows-1251 -r --in-place=.txt d").assert_message(0, message);
}

#[test]
fn files_that_only_have_similar_names_are_converted() {
    let dir = files();
    // With the same text, but not converted, and with another text.
    let names = ["d/b.c", "d/b.in", "d/a.txt.de", "d/b.backup.txt", "d/a.bakery"];
    for name in names {
        fs::write(dir.path(name), ORIGINAL).unwrap();
    }
    dir.convert("-f windows-1251 -r --in-place d").assert_message(0, "8 files: 8 converted");
    let other = [ORIGINAL, b"\xF2\xE5\xEA\xF1\xF2\n"].concat();
    for (n, name) in names.into_iter().enumerate() {
        fs::write(dir.path(name), if n % 2 == 0 { &other } else { &other[1..] }).unwrap();
    }
    let result = dir.convert("-f windows-1251 -r --in-place d");
    assert!(result.status == 0 && result.stderr.contains("8 files: 5 converted, 3 already UTF-8"), "{}", result.stderr);
}

#[test]
fn a_pattern_of_a_shell_does_not_mean_the_backups_it_finds() {
    let dir = files();
    let with = |suffix: &str| NAMES.map(|name| format!("{name}{suffix}")).join(" ");
    assert_eq!(dir.convert(&format!("-f windows-1251 --in-place=.bak {}", with(""))).status, 0);
    for second in ["", "=.bak", "=.2"] {
        let result = dir.convert(&format!("-f windows-1251 --in-place{second} {} {}", with(""), with(".bak")));
        assert_eq!(result.status, 0, "{}", result.stderr);
        for name in NAMES {
            assert_eq!(dir.read(&format!("{name}.bak")), ORIGINAL, "{second}: {}", result.stderr);
        }
    }
    // So do find and xargs, without their files, and in other spellings.
    for second in ["", "=.bak", "=.2"] {
        let result = dir.convert(&format!("-f windows-1251 --in-place{second} ./d/b.bak d/a.txt.bak d/b"));
        assert_eq!((result.status, dir.read("d/b.bak")), (0, ORIGINAL.to_vec()), "{second}: {}", result.stderr);
    }
    // One whose file is missing is meant, and so are all with --force.
    fs::remove_file(dir.path("d/b")).unwrap();
    assert_eq!(dir.convert("-f windows-1251 --in-place d/b.bak").status, 0);
    assert_eq!(dir.read("d/b.bak"), TEXT.as_bytes());
    assert_eq!(dir.convert("-f windows-1251 -r --force --in-place --include *.bak --exclude b.bak d").status, 0);
    assert_eq!((dir.read("d/a.txt.bak"), dir.read("d/c.tar.txt.bak")), (TEXT.into(), TEXT.into()));
}

#[test]
fn a_backup_of_an_interrupted_run_is_a_backup_for_another_suffix() {
    // The run ended between the backup and the replacement.
    for suffix in [".bak", ".mine"] {
        for second in ["", "=.new", "=.bak"] {
            let dir = files();
            if fs::hard_link(dir.path("d/b"), dir.path(&format!("d/b{suffix}"))).is_err() {
                return;
            }
            let result = dir.convert(&format!("-f windows-1251 -r --in-place{second} d"));
            // Another suffix could be that of a second name.
            let status = i32::from(suffix == ".mine");
            assert_eq!(result.status, status, "{}", result.stderr);
            assert_eq!(dir.read(&format!("d/b{suffix}")), ORIGINAL, "{}", result.stderr);
            assert_eq!(dir.read("d/b"), TEXT.as_bytes(), "{suffix} {second}");
        }
    }
}

#[test]
fn another_name_that_could_be_a_backup_is_not_skipped_in_silence() {
    for name in ["d/b-2", "d/b.html", "d/b~1"] {
        let dir = files();
        if fs::hard_link(dir.path("d/b"), dir.path(name)).is_err() {
            return;
        }
        let result = dir.convert(&format!("-f windows-1251 -v --in-place d/b {name}"));
        let why = format!("{name}: it is another name, and perhaps a backup, of d/b; left unchanged");
        let messages = crate::common::as_on_unix(&result.stderr);
        assert!(result.status == 1 && messages.contains(&why), "{messages}");
        assert_eq!((dir.read("d/b"), dir.read(name)), (TEXT.into(), ORIGINAL.to_vec()));

        let dir = files();
        fs::hard_link(dir.path("d/b"), dir.path(name)).unwrap();
        assert_eq!(dir.convert(&format!("-f windows-1251 --force --in-place d/b {name}")).status, 0);
        assert_eq!((dir.read("d/b"), dir.read(name)), (TEXT.into(), TEXT.into()));
    }
}

#[test]
fn json_has_the_backups() {
    let dir = files();
    dir.convert("-f windows-1251 -r --in-place=.bak d");
    let result = RunResult::of(&mut dir.convert_command("-f windows-1251 -r --in-place --report=json d"));
    let json: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!(
        (&json["counts"]["backup"], &json["counts"]["already"], &json["exit_status"]),
        (&3.into(), &3.into(), &0.into())
    );
    assert!(
        json["files"].as_array().unwrap().iter().any(|file| file["outcome"] == "backup" && file["output"].is_null())
    );
}
