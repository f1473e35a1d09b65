//! Conversion of each file to its own output: `--in-place` and `--output-dir`.

use std::{
    fs,
    io::Write as _,
    process::{Child, Stdio},
    thread,
    time::Duration,
};

use crate::common::{Dir, RunResult, as_on_unix, pipe};

#[test]
fn files_are_converted_in_place() {
    let dir = Dir::with([("a", b"\x93\xFA"), ("b", b"\x96\x7B"), ("c", b"plain")]);
    dir.convert("-f shift_jis --in-place a").assert_clean("");
    assert_eq!((dir.read("a"), dir.read("b")), ("日".as_bytes().to_vec(), b"\x96\x7B".to_vec()));
    dir.convert("-f shift_jis --in-place b c").assert_message(0, "2 files: 1 converted, 1 unchanged");
    assert_eq!((dir.read("b"), dir.read("c")), ("本".as_bytes().to_vec(), b"plain".to_vec()));
    assert_eq!(dir.names(), ["a", "b", "c"]);
}

#[test]
fn a_suffix_keeps_a_backup_which_is_never_overwritten() {
    let dir = Dir::with([("a", b"\xE9"), ("b", b"\xE8")]);
    dir.convert("-f windows-1252 --in-place=.bak a").assert_clean("");
    assert_eq!((dir.read("a"), dir.read("a.bak")), ("é".as_bytes().to_vec(), b"\xE9".to_vec()));
    let result = dir.convert("-f windows-1252 -t utf-16le --force --in-place=.bak a b");
    assert_eq!(result.status, 3);
    let message = "a: the backup a.bak already exists and is never overwritten; choose another suffix";
    assert!(result.stderr.contains(message), "{}", result.stderr);
    assert_eq!((dir.read("a"), dir.read("a.bak")), ("é".as_bytes().to_vec(), b"\xE9".to_vec()));
    assert_eq!((dir.read("b"), dir.read("b.bak")), (b"\xE8\0".to_vec(), b"\xE8".to_vec()));
    dir.convert("--in-place=x/y a")
        .assert_usage("--in-place: the suffix is appended to the file name and cannot contain a path");
    assert_eq!(dir.names(), ["a", "a.bak", "b", "b.bak"]);
}

#[test]
fn malformed_bytes_in_the_only_copy_are_an_error() {
    let broken = b"fine \xFF";
    let dir = Dir::with([("a", broken)]);
    dir.convert("-f utf-8 --in-place a")
        .assert_message(3, "a: malformed UTF-8 at byte 5 (FF): {InvalidByte}; the file is unchanged");
    assert_eq!(dir.read("a"), broken);
    let message = "a: 1 malformed sequence replaced by U+FFFD, at byte 5 (FF): {InvalidByte}";
    dir.convert("-f utf-8 --in-place=.bak a").assert_message(1, message);
    assert_eq!((dir.read("a"), dir.read("a.bak")), ("fine \u{FFFD}".as_bytes().to_vec(), broken.to_vec()));
    fs::rename(dir.path("a.bak"), dir.path("a")).unwrap();
    dir.convert("-f utf-8 --in-place --malformed=replace a").assert_message(1, message);
    assert_eq!(dir.read("a"), "fine \u{FFFD}".as_bytes());
}

/// UTF-8 that is not taken for windows-1252, even if a byte is malformed.
const DEJA: &str = " déjà vu, à l’école, un été à Besançon, la fête de Noël à Sète\n";

#[test]
fn a_failed_file_does_not_stop_the_others_and_is_named_in_the_summary() {
    let [a, b] = [b"\xE9", b"\xFF"].map(|damage| [damage, DEJA.as_bytes()].concat());
    let dir = Dir::with([("a", &a), ("b", &b), ("c", b"\xC3\xA9"), ("d", b"ok"), ("e", "ж".as_bytes())]);
    fs::create_dir(dir.path("folder")).unwrap();
    let result = dir.convert("-t windows-1252 --in-place=.bak --unmappable=replace a b nothing folder c d e");
    assert_eq!(result.status, 3);
    let summary = "7 files: 1 converted, 1 unchanged, 3 with losses, 2 failed";
    let rest = result.stderr.split_once(summary).unwrap_or_else(|| panic!("{}", result.stderr)).1;
    let lists = "\n  with losses: a\n  with losses: b\n  with losses: e\n  failed: nothing: No such file or directory\n  \
                 failed: folder: is a directory\n";
    assert_eq!(rest, lists);
    assert!(result.stderr.contains("textcodec: nothing: No such file or directory"));
    assert!(result.stderr.contains("textcodec: folder: is a directory; -r converts the files in it"));
    assert_eq!((dir.read("c"), dir.read("e")), (b"\xE9".to_vec(), b"?".to_vec()));

    // The exit status is the highest that applies.
    let dir = Dir::with([("a", b"\xFF"), ("b", b"ok")]);
    assert_eq!(dir.convert("--in-place=.1 a b").status, 1);
    assert_eq!(dir.convert("--in-place=.2 b b").status, 0);
}

#[test]
fn a_file_with_several_names_is_converted_once() {
    let dir = Dir::with([("a", b"\xE9\xE9")]);
    for link in ["b", "c", "d"] {
        fs::hard_link(dir.path("a"), dir.path(link)).unwrap();
    }
    // Converting it twice with --force would encode the text twice.
    let result = dir.convert("-f windows-1252 --force --in-place -v a b ./a a c");
    result.assert_message(
        0,
        "./a: is another name of a, and is converted only once\n\
         textcodec: a: is named twice, and is converted only once\n\
         textcodec: a: has another hard link, which keeps the original content\n\
         textcodec: a: windows-1252 to UTF-8, 2 to 4 bytes\n\
         textcodec: b: the same file as a, converted with it\n\
         textcodec: c: the same file as a, converted with it\n\
         textcodec: 5 files: 3 converted, 2 named twice",
    );
    assert_eq!(["a", "b", "c", "d"].map(|name| dir.read(name).len()), [4, 4, 4, 2]);
    assert!(same_file::is_same_file(dir.path("a"), dir.path("c")).unwrap());
    assert_eq!(dir.names(), ["a", "b", "c", "d"]);
}

#[test]
fn every_name_of_a_file_with_losses_has_losses() {
    let dir = Dir::with([("a", b"a\xFF\n"), ("good", b"good")]);
    fs::hard_link(dir.path("a"), dir.path("b")).unwrap();
    let result = dir.convert("-f utf-8 -t utf-16le --in-place --malformed=replace a b good");
    assert_eq!(result.status, 1);
    let summary =
        "textcodec: 3 files: 1 converted, 2 with losses\n  with losses: a\n  with losses: b (the same file as a)\n";
    assert!(result.stderr.ends_with(summary), "{}", result.stderr);
    assert_eq!(result.stderr.matches("1 malformed sequence").count(), 1, "{}", result.stderr);

    let dir = Dir::with([("a", b"a\xFF\n")]);
    fs::hard_link(dir.path("a"), dir.path("b")).unwrap();
    let result = dir.convert("--in-place --malformed=replace a b --report=json");
    let json: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!((result.status, &json["counts"]["losses"], &json["counts"]["converted"]), (1, &2.into(), &0.into()));
    let b = &json["files"][1];
    assert_eq!((&b["outcome"], &b["same_file_as"]), (&"losses".into(), &"a".into()));
    // The losses are counted once.
    assert_eq!((&json["files"][0]["malformed"]["count"], &b["malformed"]["count"]), (&1.into(), &0.into()));
}

#[test]
fn an_empty_suffix_is_not_the_same_as_no_suffix() {
    let dir = Dir::with([("a", b"\xE9")]);
    // As in a script: --in-place=$SUFFIX
    dir.convert("-f windows-1252 --in-place= a").assert_usage(
        "--in-place=: the suffix for backups is empty, perhaps because a variable of the shell is not set; to keep no \
         backups, write --in-place",
    );
    assert_eq!(dir.read("a"), b"\xE9");
    dir.convert("-f windows-1252 --in-place a").assert_clean("");
    assert_eq!((dir.read("a"), dir.names()), ("é".into(), vec!["a".to_owned()]));
}

#[test]
fn every_name_of_a_file_is_in_the_json_report() {
    let dir = Dir::with([("a", b"\xE9")]);
    fs::hard_link(dir.path("a"), dir.path("b")).unwrap();
    let result = dir.convert("-f windows-1252 --in-place=.bak --report=json a b ./b");
    let json: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    let files = json["files"].as_array().unwrap();
    let field = |name: &str| files.iter().map(|file| file[name].as_str().unwrap_or("-")).collect::<Vec<_>>();
    assert_eq!(field("input"), ["a", "b", "./b"]);
    assert_eq!(field("outcome"), ["converted", "converted", "same-file"]);
    assert_eq!(field("same_file_as"), ["-", "a", "a"]);
    assert_eq!((dir.read("b"), dir.read("b.bak")), ("é".as_bytes().to_vec(), b"\xE9".to_vec()));
    assert_eq!(dir.names(), ["a", "a.bak", "b", "b.bak"]);
}

#[test]
fn files_in_an_output_directory_keep_their_names() {
    let dir = Dir::with([("a", b"\xE9")]);
    fs::create_dir_all(dir.path("in/deep/.git")).unwrap();
    for (name, bytes) in
        [("in/b.txt", &b"\xE8"[..]), ("in/deep/c.txt", b"\xE7"), ("in/d.csv", b"\xE6"), ("in/deep/.git/e", b"e")]
    {
        fs::write(dir.path(name), bytes).unwrap();
    }
    dir.convert("-f windows-1252 -r a in --output-dir out").assert_message(0, "4 files: 4 converted");
    assert_eq!(dir.read("out/a"), "é".as_bytes());
    assert_eq!(dir.read("out/deep/c.txt"), "ç".as_bytes());
    assert!(!dir.path("out/deep/.git").exists());
    assert_eq!(dir.read("in/deep/c.txt"), b"\xE7");
    // Again, replacing existing files.
    dir.convert("-f windows-1252 -t windows-1252 -r in --include *.txt --exclude deep/** --output-dir out")
        .assert_clean("");
    assert_eq!((dir.read("out/b.txt"), dir.read("out/d.csv")), (b"\xE8".to_vec(), "æ".as_bytes().to_vec()));
    // An output directory within the input directory is not read.
    dir.convert("-f windows-1252 -r in --output-dir in/out").assert_message(0, "3 files: 3 converted");
    dir.convert("-f windows-1252 -r in --output-dir in/out").assert_message(0, "3 files: 3 converted");
    assert!(!dir.path("in/out/out").exists());
}

#[test]
fn an_output_in_a_directory_is_never_an_input_or_written_twice() {
    let dir = Dir::with([("a", b"\xE9")]);
    fs::create_dir_all(dir.path("one")).unwrap();
    fs::create_dir_all(dir.path("two")).unwrap();
    fs::write(dir.path("one/x"), "1").unwrap();
    fs::write(dir.path("two/x"), "2").unwrap();
    dir.convert("one/x two/x --output-dir out")
        .assert_usage("--output-dir: one/x and two/x would both be written to out/x; convert them separately");
    dir.convert("one/x two/x --output-dir one").assert_usage(
        "one/x is also an input (one/x) and would be overwritten; choose another directory, or use --in-place",
    );
    fs::hard_link(dir.path("a"), dir.path("two/b")).unwrap();
    fs::write(dir.path("b"), "b").unwrap();
    assert_eq!(dir.convert("a b --output-dir two").status, 2);
    assert_eq!((dir.read("one/x"), dir.read("two/b")), (b"1".to_vec(), b"\xE9".to_vec()));
    assert!(!dir.path("out").exists());
}

#[test]
fn wrong_usage_is_reported_before_anything_is_touched() {
    let dir = Dir::with([("a", b"\xE9")]);
    for wrong in [
        "--in-place",
        "--in-place -",
        "--in-place --output-dir b a",
        "--in-place -o b a",
        "-o b --output-dir b a",
        "-r a",
        "--include *.txt --in-place a",
        "-r --include [ --in-place a",
        "--in-place -t replacement a",
        "--strict --malformed=replace a",
        "-j 0 a",
        "--unmappable=replace=é -t koi8-r a",
        "--bom=add -t koi8-r a",
        "-q -v a",
    ] {
        assert_eq!((dir.convert(&format!("-f windows-1252 {wrong}")).status, wrong), (2, wrong));
    }
    assert_eq!((dir.read("a"), dir.names()), (b"\xE9".to_vec(), vec!["a".to_owned()]));
}

#[test]
fn a_dry_run_writes_nothing_and_reports_what_would_be_written() {
    let dir = Dir::with([("a", b"\xE9"), ("b", b"\xFF\xFEx\0"), ("c", b"c")]);
    let before = dir.names();
    let result = dir.convert("-f windows-1252 --in-place=.bak --dry-run -j 1 a b c");
    result.assert_message(
        0,
        "a: windows-1252 to UTF-8, 1 to 2 bytes\n\
         textcodec: b: UTF-16LE (byte order mark) to UTF-8, 4 to 1 bytes\n\
         textcodec: 3 files: 2 would be converted, 1 unchanged; nothing was written",
    );
    dir.convert("-f windows-1252 a --dry-run -o out")
        .assert_message(0, "a: windows-1252 to UTF-8, 1 to 2 bytes; nothing was written");
    assert_eq!(dir.convert("a --dry-run --output-dir out").status, 1);
    assert_eq!((dir.names(), dir.read("a")), (before, b"\xE9".to_vec()));
}

#[test]
fn a_json_report_goes_to_standard_output_unless_the_text_does() {
    let [a, c] = [&b"\xE9"[..], b"c\xFF"].map(|damage| [damage, DEJA.as_bytes()].concat());
    let dir = Dir::with([("a", &a), ("b", "\u{FEFF}ж\nжж".as_bytes()), ("c", &c)]);
    let result =
        dir.convert("-t windows-1252 --unmappable=skip --in-place --malformed=replace --report=json -q a b c nothing");
    let json: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!(json["exit_status"], 3);
    let file = |n: usize| &json["files"][n];
    assert_eq!(file(0)["malformed"]["first"]["bytes"], "E9");
    assert_eq!(file(0)["outcome"], "losses");
    assert_eq!(file(1)["unmappable"]["count"], 3);
    assert_eq!(file(1)["unmappable"]["first"], serde_json::json!({"line": 1, "column": 1, "character": "ж"}));
    assert_eq!(
        (&file(1)["from"], &file(1)["why"], &file(1)["byte_order_mark_removed"]),
        (&"UTF-8".into(), &"byte order mark".into(), &true.into())
    );
    assert_eq!(file(2)["malformed"]["first"]["offset"], 1);
    assert_eq!(file(3)["outcome"], "failed");
    let error = as_on_unix(file(3)["error"].as_str().unwrap());
    assert!(error.starts_with("nothing: No such file"), "{error}");

    let dir = Dir::with([("a", b"\xE9!")]);
    let result = dir.convert("--report=json a -f windows-1252");
    let json: serde_json::Value = serde_json::from_str(&result.stderr).unwrap();
    assert_eq!(result.stdout, "é!".as_bytes());
    assert_eq!((&json["files"][0]["bytes_read"], &json["files"][0]["bytes_written"]), (&2.into(), &3.into()));
    assert_eq!((&json["files"][0]["outcome"], &json["exit_status"]), (&"converted".into(), &0.into()));
}

#[test]
fn quiet_and_verbose() {
    let dir = Dir::with([("a", b"\xE9\xFF")]);
    let result = dir.convert("-q a");
    assert_eq!((result.status, result.stderr.as_str()), (1, ""));
    assert!(dir.convert("-q --strict a").stderr.contains("malformed UTF-8 at byte 0"));
    dir.convert("-v -f windows-1252 a -o b").assert_message(0, "a: windows-1252 to UTF-8, 2 to 4 bytes");
}

#[test]
fn byte_order_marks_are_stripped_kept_or_added() {
    let dir = Dir::with([("with", b"\xEF\xBB\xBFa"), ("without", b"a"), ("le", b"\xFF\xFEa\0")]);
    for (bom, to, outputs) in [
        ("strip", "utf-8", [&b"a"[..], b"a", b"a"]),
        ("keep", "utf-8", [b"\xEF\xBB\xBFa", b"a", b"\xEF\xBB\xBFa"]),
        ("add", "utf-8", [b"\xEF\xBB\xBFa", b"\xEF\xBB\xBFa", b"\xEF\xBB\xBFa"]),
        ("add", "utf-16be", [b"\xFE\xFF\0a", b"\xFE\xFF\0a", b"\xFE\xFF\0a"]),
        ("keep", "koi8-r", [b"a", b"a", b"a"]),
    ] {
        for (input, output) in ["with", "without", "le"].into_iter().zip(outputs) {
            dir.convert(&format!("--bom={bom} -t {to} {input}")).assert_clean(output);
        }
    }
    dir.convert("--bom=keep --in-place with without").assert_message(0, "2 files: 0 converted, 2 unchanged");
    dir.convert("--bom=add with without").assert_clean(b"\xEF\xBB\xBFaa");
    dir.convert("--bom=keep without with").assert_clean("aa");
    dir.convert("--bom=strip --in-place with").assert_clean("");
    assert_eq!(dir.read("with"), b"a");
    dir.convert("--bom=add -t shift_jis with").assert_usage(
        "--bom: Shift_JIS has no byte order mark of its own; UTF-8, UTF-16 and UTF-32 in a byte order have one",
    );
}

#[test]
fn many_files_are_converted_in_parallel() {
    let dir = Dir::new();
    for n in 0..1000 {
        fs::write(dir.path(&format!("{n:04}")), [&b"\xCC\xE8\xF0 "[..], n.to_string().as_bytes()].concat()).unwrap();
    }
    let names = dir.names().join(" ");
    dir.convert(&format!("-f windows-1251 --in-place {names}")).assert_message(0, "1000 files: 1000 converted");
    for n in 0..1000 {
        assert_eq!(dir.read(&format!("{n:04}")), format!("Мир {n}").as_bytes());
    }
    assert_eq!(dir.names().len(), 1000);
}

#[test]
fn files_are_replaced_without_forcing_them_to_the_disk() {
    let dir = Dir::with([("a", b"\xE9"), ("b", b"\xE8"), ("c", b"\xE7")]);
    dir.convert("-f windows-1252 --no-sync --in-place=.bak a b").assert_message(0, "2 files: 2 converted");
    dir.convert("-f windows-1252 --no-sync c -o d").assert_clean("");
    assert_eq!(["a", "b", "d"].map(|name| dir.read(name)), ["é", "è", "ç"].map(|text| text.as_bytes().to_vec()));
    assert_eq!(dir.names(), ["a", "a.bak", "b", "b.bak", "c", "d"]);
}

#[test]
fn the_number_of_threads_does_not_change_the_output() {
    let dir = Dir::new();
    let text = "Der Text, 日本語の文章、\u{1F600} und mehr davon.\n".repeat(60_000);
    fs::write(dir.path("utf-8"), &text).unwrap();
    for encoding in
        ["utf-8", "shift_jis", "gb18030", "utf-16le", "iso-2022-jp", "euc-jp", "big5", "euc-kr", "windows-1252"]
    {
        dir.convert(&format!("-t {encoding} --unmappable=html -q utf-8 -o one -j 1"));
        let result = dir.convert(&format!("-t {encoding} --unmappable=html -q utf-8 -o many -j 5"));
        assert_eq!(dir.read("one"), dir.read("many"), "to {encoding}");
        assert!(matches!(result.status, 0 | 1));
        dir.convert(&format!("-f {encoding} one -o back -j 3")).assert_clean("");
        dir.convert(&format!("-f {encoding} one -o again -j 1")).assert_clean("");
        assert_eq!(dir.read("back"), dir.read("again"), "from {encoding}");
        if ["utf-8", "gb18030", "utf-16le"].contains(&encoding) {
            assert!(dir.read("back") == text.as_bytes(), "{encoding}");
        }
    }
    // Offsets and counts after many blocks; the first error in the file, whichever thread finds one first.
    let mut bytes = text.clone().into_bytes();
    for at in [1_000_000, 2_000_000, 3_000_000] {
        bytes[at] = 0xFF;
    }
    fs::write(dir.path("broken"), &bytes).unwrap();
    let one = dir.convert("-j 1 broken -t utf-16le -o one");
    let many = dir.convert("-j 4 broken -t utf-16le -o many");
    assert_eq!(one, many);
    assert!(one.stderr.contains(" at byte ") && one.status == 1);
    let strict = |jobs| dir.convert(&format!("--strict -j {jobs} broken"));
    assert_eq!(strict(1), strict(4));
    assert_eq!(strict(4).status, 3);
    let unmappable = |jobs| dir.convert(&format!("-j {jobs} utf-8 -t windows-1252 --unmappable=skip -o out"));
    assert_eq!(unmappable(1), unmappable(4));
}

#[test]
fn text_without_a_split_point_is_converted() {
    let dir = Dir::new();
    // Every byte may be part of a sequence, so no block has a split point.
    let input = [&b"begin "[..], &vec![0x81; 9 << 20], b"\x40 end"].concat();
    fs::write(dir.path("in"), &input).unwrap();
    let of = |arguments: &str| {
        let result = dir.convert(&format!("-f gbk -q {arguments}"));
        assert_eq!(result.status, 0, "{}", result.stderr);
        result.stdout
    };
    let from_file = of("in");
    let from_pipe = pipe("-f gbk -q -", &input);
    assert!(from_file == from_pipe.stdout && from_file.len() > 9 << 20);
    assert!(from_file.ends_with(" end".as_bytes()));
}

/// Returns whether a program has opened a file in a directory, which is known from the system on Linux, where new files have
/// no names, and from the names of new files elsewhere.
fn has_opened_file(program: &Child, dir: &Dir) -> bool {
    let directory = dir.path(".").canonicalize().unwrap();
    let is_inside = |file: fs::DirEntry| fs::read_link(file.path()).is_ok_and(|path| path.starts_with(&directory));
    let mut open_files = fs::read_dir(format!("/proc/{}/fd", program.id())).into_iter().flatten().flatten();
    open_files.any(is_inside) || dir.names().len() > 1
}

#[test]
fn a_file_changed_during_the_conversion_is_not_replaced() {
    let dir = Dir::new();
    let (mut noticed, mut too_late) = (0, 0);
    // The delays, in milliseconds, fall into reading, writing and syncing.
    for delay in [0, 2, 5, 10, 20, 40, 80, 160] {
        fs::write(dir.path("a"), b"\xE9".repeat(32 << 20)).unwrap();
        let mut child = dir.convert_command("-f windows-1252 --in-place a").stderr(Stdio::piped()).spawn().unwrap();
        while !has_opened_file(&child, &dir) && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(delay));
        let mut other = fs::File::create(dir.path("a")).unwrap();
        other.write_all(b"new").unwrap();
        let result = RunResult::from(child.wait_with_output().unwrap());
        let other = same_file::Handle::from_file(other).unwrap();
        if result.status == 0 && other != same_file::Handle::from_path(dir.path("a")).unwrap() {
            // The other program opened the file just before it was replaced, and wrote to it after that. Nothing can prevent this.
            too_late += 1;
            continue;
        }
        assert_eq!((dir.read("a"), dir.names()), (b"new".to_vec(), vec!["a".to_owned()]), "{}", result.stderr);
        if result.status == 3 {
            let expected =
                ["a: was changed by another program during the conversion", "a: became shorter while it was"];
            // On Windows, a file that another program has open may not be replaced.
            let is_named = cfg!(windows) || expected.iter().any(|expected| result.stderr.contains(expected));
            assert!(is_named, "{}", result.stderr);
            noticed += 1;
        }
    }
    assert!(noticed > 0 && too_late <= 1, "{noticed}, {too_late}");
}

#[test]
fn an_uncertain_guess_replaces_no_file() {
    let dir = Dir::with([("a", b"gr\xC3\xBC\xC3\x9Fe \xFF\xFE\xE9\xE8 \xFA\xFB \xC3\xA9 \xE4\xF6")]);
    let before = dir.read("a");
    for in_place in ["--in-place", "--in-place=.bak"] {
        let result = dir.convert(&format!("-f auto {in_place} a"));
        assert_eq!((result.status, dir.read("a") == before), (1, true), "{}", result.stderr);
        assert!(result.stderr.contains("a: the detected encoding, "), "{}", result.stderr);
        assert!(result.stderr.contains(", is uncertain ("), "{}", result.stderr);
    }
    assert_eq!(dir.convert("-f auto --in-place=.bak --min-confidence=low a").status, 0);
    assert_eq!(dir.read("a.bak"), before);
}

#[test]
fn a_separate_suffix_is_wrong_usage() {
    let dir = Dir::with([("a.txt", b"\xE9")]);
    dir.convert("-f windows-1252 -r --in-place=.bak .").assert_clean("");
    assert_eq!(dir.names(), ["a.txt", "a.txt.bak"]);
    assert_eq!(dir.convert("-f windows-1252 -r --force --in-place=.bak .").status, 3);
    assert_eq!((dir.names().len(), dir.read("a.txt.bak")), (2, b"\xE9".to_vec()));
    dir.convert("--in-place .bak a.txt")
        .assert_usage(".bak does not exist; if it is the suffix for backups, write --in-place=.bak");
}

#[test]
fn two_inputs_with_the_same_output_are_wrong_usage() {
    let dir = Dir::with([]);
    for (file, text) in [("in/x/f", "X"), ("in/y/f", "Y")] {
        fs::create_dir_all(dir.path(file).parent().unwrap()).unwrap();
        fs::write(dir.path(file), text).unwrap();
    }
    assert_eq!(dir.convert("-r in --output-dir in").status, 2);
    assert_eq!(dir.convert("in/x/f in/y/f --output-dir out").status, 2);
    dir.convert("-r in --include *.nothing --in-place").assert_message(0, "no files were found");
}

// Creating a link needs a privilege on Windows.
#[cfg(unix)]
#[test]
fn two_inputs_with_the_same_output_through_links_are_wrong_usage() {
    let dir = Dir::with([("a.txt", b"AAA"), ("b.txt", b"BBB")]);
    for folder in ["out", "in/x", "in/y", "co/x"] {
        fs::create_dir_all(dir.path(folder)).unwrap();
    }
    for (file, text) in [("out/b.txt", "old"), ("in/x/f", "X"), ("in/y/f", "Y")] {
        fs::write(dir.path(file), text).unwrap();
    }
    std::os::unix::fs::symlink("b.txt", dir.path("out/a.txt")).unwrap();
    std::os::unix::fs::symlink("x", dir.path("co/y")).unwrap();
    assert_eq!(dir.convert("a.txt b.txt --output-dir out").status, 2);
    assert_eq!(dir.convert("-r in --output-dir co").status, 2);
    assert_eq!((dir.read("out/b.txt"), dir.path("co/x/f").exists()), (b"old".to_vec(), false));
}

#[test]
fn a_report_marks_every_input_of_a_missing_output_as_failed() {
    let dir = Dir::with([("a", b"a"), ("bad", b"\xFF"), ("c", b"c")]);
    let outcomes = |arguments: &str| {
        let result = dir.convert(&format!("--report=json {arguments}"));
        let json: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
        let files = json["files"].as_array().unwrap();
        (result.status, files.iter().map(|file| file["outcome"].as_str().unwrap().to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(outcomes("--strict a bad c -o out"), (3, vec!["failed".to_owned(); 3]));
    assert_eq!(outcomes("a nothing -o out"), (3, vec!["failed".to_owned()]));
    assert_eq!(outcomes("a c -o out"), (0, vec!["converted".to_owned(); 2]));
    for to_stdout in ["a --report=json", "a -o - --report=json", "a -o /dev/stdout --report=json"] {
        if cfg!(windows) && to_stdout.contains("/dev/") {
            continue;
        }
        let result = dir.convert(to_stdout);
        assert_eq!((result.stdout.as_slice(), result.stderr.starts_with('{')), (&b"a"[..], true), "{to_stdout}");
    }
    // The bytes that end the text are counted, too.
    fs::write(dir.path("kanji"), "日本").unwrap();
    let result = dir.convert("-t iso-2022-jp kanji -o out --report=json");
    let json: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!(json["files"][0]["bytes_written"], 10);
}
