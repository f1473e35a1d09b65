//! Each file to an output of its own: in place, and to a folder.

use std::{fs, thread, time::Duration};

use crate::common::{Place, Ran};

#[test]
fn a_file_is_converted_in_its_place() {
    let place = Place::with([("a", b"\x93\xFA"), ("b", b"\x96\x7B"), ("c", b"plain")]);
    place.run("-f shift_jis --in-place a").is_clean("");
    assert_eq!((place.read("a"), place.read("b")), ("日".as_bytes().to_vec(), b"\x96\x7B".to_vec()));
    place.run("-f shift_jis --in-place b c").says(0, "2 files: 1 converted, 1 with nothing to change");
    assert_eq!((place.read("b"), place.read("c")), ("本".as_bytes().to_vec(), b"plain".to_vec()));
    assert_eq!(place.names(), ["a", "b", "c"]);
}

#[test]
fn the_original_is_kept_with_a_suffix_and_no_backup_is_overwritten() {
    let place = Place::with([("a", b"\xE9"), ("b", b"\xE8")]);
    place.run("-f windows-1252 --in-place=.bak a").is_clean("");
    assert_eq!((place.read("a"), place.read("a.bak")), ("é".as_bytes().to_vec(), b"\xE9".to_vec()));
    let ran = place.run("-f windows-1252 -t utf-16le --in-place=.bak a b");
    assert_eq!(ran.status, 3);
    assert!(ran.stderr.contains("a: the backup a.bak is there already; it is never overwritten"), "{}", ran.stderr);
    assert_eq!((place.read("a"), place.read("a.bak")), ("é".as_bytes().to_vec(), b"\xE9".to_vec()));
    assert_eq!((place.read("b"), place.read("b.bak")), (b"\xE8\0".to_vec(), b"\xE8".to_vec()));
    place
        .run("--in-place=x/y a")
        .is_usage("--in-place: a suffix is added to the name of a file; it cannot hold a path");
    assert_eq!(place.names(), ["a", "a.bak", "b", "b.bak"]);
}

#[test]
fn what_there_would_be_no_way_back_from_is_an_error_in_place() {
    let broken = b"fine \xFF";
    let place = Place::with([("a", broken)]);
    place
        .run("-f utf-8 --in-place a")
        .says(3, "a: malformed UTF-8 at byte 5 (FF): this byte cannot start a character; it is as it was");
    assert_eq!(place.read("a"), broken);
    let message = "a: 1 malformed sequence replaced by U+FFFD, at byte 5 (FF): this byte cannot start a character";
    place.run("-f utf-8 --in-place=.bak a").says(1, message);
    assert_eq!((place.read("a"), place.read("a.bak")), ("fine \u{FFFD}".as_bytes().to_vec(), broken.to_vec()));
    fs::rename(place.path("a.bak"), place.path("a")).unwrap();
    place.run("-f utf-8 --in-place --malformed=replace a").says(1, message);
    assert_eq!(place.read("a"), "fine \u{FFFD}".as_bytes());
}

#[test]
fn one_bad_file_does_not_stop_the_others_and_the_summary_names_it() {
    let place = Place::with([("a", b"\xE9"), ("b", b"\xFF"), ("c", b"\xC3\xA9"), ("d", b"ok"), ("e", "ж".as_bytes())]);
    fs::create_dir(place.path("folder")).unwrap();
    let ran = place.run("-t windows-1252 --in-place=.bak --unmappable=replace a b nothing folder c d e");
    assert_eq!(ran.status, 3);
    let summary = "7 files: 1 converted, 1 with nothing to change, 3 with losses, 2 failed";
    let rest = ran.stderr.split_once(summary).unwrap_or_else(|| panic!("{}", ran.stderr)).1;
    assert_eq!(rest, "\n  with losses: a\n  with losses: b\n  with losses: e\n  failed: nothing\n  failed: folder\n");
    assert!(ran.stderr.contains("textcodec: nothing: No such file or directory"));
    assert!(ran.stderr.contains("textcodec: folder: is a directory; -r converts the files in it"));
    assert_eq!((place.read("c"), place.read("e")), (b"\xE9".to_vec(), b"?".to_vec()));

    // The worst of what happened.
    let place = Place::with([("a", b"\xFF"), ("b", b"ok")]);
    assert_eq!(place.run("--in-place=.1 a b").status, 1);
    assert_eq!(place.run("--in-place=.2 b b").status, 0);
}

#[test]
fn a_file_with_two_names_is_converted_once() {
    let place = Place::with([("a", b"\xC3\xA9")]);
    fs::hard_link(place.path("a"), place.path("b")).unwrap();
    // Twice, it would be é as Ã©.
    let ran = place.run("-f windows-1252 --in-place a b ./a");
    ran.says(0, "a: has another name (a hard link), which keeps the original text");
    assert_eq!((place.read("a"), place.read("b")), ("Ã©".as_bytes().to_vec(), b"\xC3\xA9".to_vec()));
}

#[test]
fn files_go_to_a_folder_by_their_names() {
    let place = Place::with([("a", b"\xE9")]);
    fs::create_dir_all(place.path("in/deep/.git")).unwrap();
    for (name, bytes) in
        [("in/b.txt", &b"\xE8"[..]), ("in/deep/c.txt", b"\xE7"), ("in/d.csv", b"\xE6"), ("in/deep/.git/e", b"e")]
    {
        fs::write(place.path(name), bytes).unwrap();
    }
    place.run("-f windows-1252 -r a in --output-dir out").says(0, "4 files: 4 converted");
    assert_eq!(place.read("out/a"), "é".as_bytes());
    assert_eq!(place.read("out/deep/c.txt"), "ç".as_bytes());
    assert!(!place.path("out/deep/.git").exists());
    assert_eq!(place.read("in/deep/c.txt"), b"\xE7");
    // Again, over what is there.
    place.run("-f windows-1252 -t windows-1252 -r in --include *.txt --exclude deep/** --output-dir out").is_clean("");
    assert_eq!((place.read("out/b.txt"), place.read("out/d.csv")), (b"\xE8".to_vec(), "æ".as_bytes().to_vec()));
    // A folder within the one that is read is not read.
    place.run("-f windows-1252 -r in --output-dir in/out").says(0, "3 files: 3 converted");
    place.run("-f windows-1252 -r in --output-dir in/out").says(0, "3 files: 3 converted");
    assert!(!place.path("in/out/out").exists());
}

#[test]
fn an_output_in_a_folder_is_never_an_input_nor_written_twice() {
    let place = Place::with([("a", b"\xE9")]);
    fs::create_dir_all(place.path("one")).unwrap();
    fs::create_dir_all(place.path("two")).unwrap();
    fs::write(place.path("one/x"), "1").unwrap();
    fs::write(place.path("two/x"), "2").unwrap();
    place
        .run("one/x two/x --output-dir out")
        .is_usage("--output-dir: one/x and two/x would both be out/x; convert them one by one");
    place
        .run("one/x two/x --output-dir one")
        .is_usage("one/x is also an input (one/x): it would be overwritten; choose another folder, or --in-place");
    fs::hard_link(place.path("a"), place.path("two/b")).unwrap();
    fs::write(place.path("b"), "b").unwrap();
    assert_eq!(place.run("a b --output-dir two").status, 2);
    assert_eq!((place.read("one/x"), place.read("two/b")), (b"1".to_vec(), b"\xE9".to_vec()));
    assert!(!place.path("out").exists());
}

#[test]
fn wrong_usage_is_told_before_anything_is_touched() {
    let place = Place::with([("a", b"\xE9")]);
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
        assert_eq!((place.run(&format!("-f windows-1252 {wrong}")).status, wrong), (2, wrong));
    }
    assert_eq!((place.read("a"), place.names()), (b"\xE9".to_vec(), vec!["a".to_owned()]));
}

#[test]
fn a_dry_run_writes_nothing_and_says_what_would_be_written() {
    let place = Place::with([("a", b"\xE9"), ("b", b"\xFF\xFEx\0"), ("c", b"c")]);
    let before = place.names();
    let ran = place.run("-f windows-1252 --in-place=.bak --dry-run -j 1 a b c");
    ran.says(
        0,
        "a: windows-1252 to UTF-8, 1 to 2 bytes; nothing was written\n\
         textcodec: b: UTF-16LE (byte order mark) to UTF-8, 4 to 1 bytes; nothing was written\n\
         textcodec: c: windows-1252: nothing to change; nothing was written\n\
         textcodec: 3 files: 2 would be converted, 1 with nothing to change",
    );
    place
        .run("-f windows-1252 a --dry-run -o out")
        .says(0, "a: windows-1252 to UTF-8, 1 to 2 bytes; nothing was written");
    assert_eq!(place.run("a --dry-run --output-dir out").status, 1);
    assert_eq!((place.names(), place.read("a")), (before, b"\xE9".to_vec()));
}

#[test]
fn a_report_is_json_on_standard_output_or_beside_the_text() {
    let place = Place::with([("a", b"\xE9"), ("b", "\u{FEFF}ж\nжж".as_bytes()), ("c", b"c\xFF")]);
    let ran =
        place.run("-t windows-1252 --unmappable=skip --in-place --malformed=replace --report=json -q a b c nothing");
    let json: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
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
    assert!(file(3)["error"].as_str().unwrap().starts_with("nothing: No such file"));

    let place = Place::with([("a", b"\xE9!")]);
    let ran = place.run("--report=json a -f windows-1252");
    let json: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!(ran.stdout, "é!".as_bytes());
    assert_eq!((&json["files"][0]["bytes_read"], &json["files"][0]["bytes_written"]), (&2.into(), &3.into()));
    assert_eq!((&json["files"][0]["outcome"], &json["exit_status"]), (&"converted".into(), &0.into()));
}

#[test]
fn quiet_and_verbose() {
    let place = Place::with([("a", b"\xE9\xFF")]);
    let ran = place.run("-q a");
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    assert!(place.run("-q --strict a").stderr.contains("malformed UTF-8 at byte 0"));
    place.run("-v -f windows-1252 a -o b").says(0, "a: windows-1252 to UTF-8, 2 to 4 bytes");
}

#[test]
fn byte_order_marks_are_stripped_kept_or_added() {
    let place = Place::with([("with", b"\xEF\xBB\xBFa"), ("without", b"a"), ("le", b"\xFF\xFEa\0")]);
    for (bom, to, outputs) in [
        ("strip", "utf-8", [&b"a"[..], b"a", b"a"]),
        ("keep", "utf-8", [b"\xEF\xBB\xBFa", b"a", b"\xEF\xBB\xBFa"]),
        ("add", "utf-8", [b"\xEF\xBB\xBFa", b"\xEF\xBB\xBFa", b"\xEF\xBB\xBFa"]),
        ("add", "utf-16be", [b"\xFE\xFF\0a", b"\xFE\xFF\0a", b"\xFE\xFF\0a"]),
        ("keep", "koi8-r", [b"a", b"a", b"a"]),
    ] {
        for (input, output) in ["with", "without", "le"].into_iter().zip(outputs) {
            place.run(&format!("--bom={bom} -t {to} {input}")).is_clean(output);
        }
    }
    place.run("--bom=keep --in-place with without").says(0, "2 files: 0 converted, 2 with nothing to change");
    place.run("--bom=add with without").is_clean(b"\xEF\xBB\xBFaa");
    place.run("--bom=keep without with").is_clean("aa");
    place.run("--bom=strip --in-place with").is_clean("");
    assert_eq!(place.read("with"), b"a");
    place
        .run("--bom=add -t shift_jis with")
        .is_usage("--bom: Shift_JIS has no byte order mark; only UTF-8 and UTF-16 have one");
}

#[test]
fn many_files_at_once() {
    let place = Place::new();
    for n in 0..1000 {
        fs::write(place.path(&format!("{n:04}")), [&b"\xCC\xE8\xF0 "[..], n.to_string().as_bytes()].concat()).unwrap();
    }
    let names = place.names().join(" ");
    place.run(&format!("-f windows-1251 --in-place {names}")).says(0, "1000 files: 1000 converted");
    for n in 0..1000 {
        assert_eq!(place.read(&format!("{n:04}")), format!("Мир {n}").as_bytes());
    }
    assert_eq!(place.names().len(), 1000);
}

#[test]
fn a_large_file_is_the_same_however_many_threads_convert_it() {
    let place = Place::new();
    let text = "Der Text, 日本語の文章、\u{1F600} und mehr davon.\n".repeat(60_000);
    fs::write(place.path("utf-8"), &text).unwrap();
    for encoding in
        ["utf-8", "shift_jis", "gb18030", "utf-16le", "iso-2022-jp", "euc-jp", "big5", "euc-kr", "windows-1252"]
    {
        place.run(&format!("-t {encoding} --unmappable=html -q utf-8 -o one -j 1"));
        let ran = place.run(&format!("-t {encoding} --unmappable=html -q utf-8 -o many -j 5"));
        assert_eq!(place.read("one"), place.read("many"), "to {encoding}");
        assert!(matches!(ran.status, 0 | 1));
        place.run(&format!("-f {encoding} one -o back -j 3")).is_clean("");
        place.run(&format!("-f {encoding} one -o again -j 1")).is_clean("");
        assert_eq!(place.read("back"), place.read("again"), "from {encoding}");
        if ["utf-8", "gb18030", "utf-16le"].contains(&encoding) {
            assert!(place.read("back") == text.as_bytes(), "{encoding}");
        }
    }
    // Places and counts behind many blocks; the first error of all, whichever thread meets it.
    let mut bytes = text.clone().into_bytes();
    for at in [1_000_000, 2_000_000, 3_000_000] {
        bytes[at] = 0xFF;
    }
    fs::write(place.path("broken"), &bytes).unwrap();
    let one = place.run("-j 1 broken -t utf-16le -o one");
    let many = place.run("-j 4 broken -t utf-16le -o many");
    assert_eq!(one, many);
    assert!(one.stderr.contains(" at byte ") && one.status == 1);
    let strict = |jobs| place.run(&format!("--strict -j {jobs} broken"));
    assert_eq!(strict(1), strict(4));
    assert_eq!(strict(4).status, 3);
    let unmappable = |jobs| place.run(&format!("-j {jobs} utf-8 -t windows-1252 --unmappable=skip -o out"));
    assert_eq!(unmappable(1), unmappable(4));
}

#[test]
fn text_without_a_place_to_cut_goes_through() {
    let place = Place::new();
    // Only bytes that could be part of something: no block can be cut.
    let input = [&b"begin "[..], &vec![0x81; 9 << 20], b"\x40 end"].concat();
    fs::write(place.path("in"), &input).unwrap();
    let of = |arguments: &str| {
        let ran = place.run(&format!("-f gbk -q {arguments}"));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.stdout
    };
    let from_file = of("in");
    let from_pipe = Ran::of(
        place.command("-f gbk -q -").stdin(std::process::Stdio::from(
            std::process::Command::new("cat")
                .arg(place.path("in"))
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap()
                .stdout
                .unwrap(),
        )),
    );
    assert!(from_file == from_pipe.stdout && from_file.len() > 9 << 20);
    assert!(from_file.ends_with(" end".as_bytes()));
}

#[test]
fn a_file_that_is_changed_meanwhile_is_left_alone() {
    let place = Place::new();
    let mut noticed = 0;
    // While it is read, or written, or forced to the disk; before all that there is nothing to convert in it.
    for delay in [20, 40, 60, 80, 120, 160] {
        fs::write(place.path("a"), b"\xE9".repeat(32 << 20)).unwrap();
        let child = place.command("-f windows-1252 --in-place a").stderr(std::process::Stdio::piped()).spawn().unwrap();
        thread::sleep(Duration::from_millis(delay));
        fs::write(place.path("a"), "new").unwrap();
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!((place.read("a"), place.names()), (b"new".to_vec(), vec!["a".to_owned()]), "{}", ran.stderr);
        if ran.status == 3 {
            assert!(
                ran.stderr.contains("it was changed while it was converted; it is left as it is now"),
                "{}",
                ran.stderr
            );
            noticed += 1;
        }
    }
    assert!(noticed > 0);
}

#[test]
fn a_guess_that_may_be_wrong_does_not_replace_the_only_copy() {
    let place = Place::with([("a", b"gr\xC3\xBC\xC3\x9Fe \xFF\xFE\xE9\xE8 \xFA\xFB \xC3\xA9 \xE4\xF6")]);
    let before = place.read("a");
    let ran = place.run("-f auto --in-place a");
    assert_eq!((ran.status, place.read("a") == before), (3, true), "{}", ran.stderr);
    assert!(ran.stderr.contains("a: the encoding may well not be "), "{}", ran.stderr);
    assert_eq!(place.run("-f auto --in-place=.bak a").status, 0);
    assert_eq!(place.read("a.bak"), before);
}

#[test]
fn backups_are_not_found_and_a_suffix_is_not_a_file() {
    let place = Place::with([("a.txt", b"\xE9")]);
    place.run("-f windows-1252 -r --in-place=.bak .").is_clean("");
    assert_eq!(place.names(), ["a.txt", "a.txt.bak"]);
    assert_eq!(place.run("-f windows-1252 -r --in-place=.bak .").status, 3);
    assert_eq!((place.names().len(), place.read("a.txt.bak")), (2, b"\xE9".to_vec()));
    place
        .run("--in-place .bak a.txt")
        .is_usage("there is no file .bak; a suffix stands behind an equals sign: --in-place=.bak");
}

#[test]
fn two_outputs_in_one_place_are_wrong_usage_by_whatever_way_they_are_reached() {
    let place = Place::with([("a.txt", b"AAA"), ("b.txt", b"BBB")]);
    for folder in ["out", "in/x", "in/y", "co/x"] {
        fs::create_dir_all(place.path(folder)).unwrap();
    }
    for (file, text) in [("out/b.txt", "old"), ("in/x/f", "X"), ("in/y/f", "Y")] {
        fs::write(place.path(file), text).unwrap();
    }
    std::os::unix::fs::symlink("b.txt", place.path("out/a.txt")).unwrap();
    std::os::unix::fs::symlink("x", place.path("co/y")).unwrap();
    assert_eq!(place.run("a.txt b.txt --output-dir out").status, 2);
    assert_eq!(place.run("-r in --output-dir co").status, 2);
    assert_eq!((place.read("out/b.txt"), place.path("co/x/f").exists()), (b"old".to_vec(), false));
    assert_eq!(place.run("-r in --output-dir in").status, 2);
    place.run("-r in --include *.nothing --in-place").says(0, "no files were found");
}

#[test]
fn a_report_says_what_is_not_there_whatever_the_reason() {
    let place = Place::with([("a", b"a"), ("bad", b"\xFF"), ("c", b"c")]);
    let outcomes = |arguments: &str| {
        let ran = place.run(&format!("--report=json {arguments}"));
        let json: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
        let files = json["files"].as_array().unwrap();
        (ran.status, files.iter().map(|file| file["outcome"].as_str().unwrap().to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(outcomes("--strict a bad c -o out"), (3, vec!["failed".to_owned(); 3]));
    assert_eq!(outcomes("a nothing -o out"), (3, vec!["failed".to_owned()]));
    assert_eq!(outcomes("a c -o out"), (0, vec!["converted".to_owned(); 2]));
    for to_stdout in ["a --report=json", "a -o - --report=json", "a -o /dev/stdout --report=json"] {
        let ran = place.run(to_stdout);
        assert_eq!((ran.stdout.as_slice(), ran.stderr.starts_with('{')), (&b"a"[..], true), "{to_stdout}");
    }
    // What ends the text counts as well.
    fs::write(place.path("kanji"), "日本").unwrap();
    let ran = place.run("-t iso-2022-jp kanji -o out --report=json");
    let json: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(json["files"][0]["bytes_written"], 10);
}
