//! `textcodec list`.

use serde_json::Value;
use textcodec::oem;

use crate::common::{Dir, RunResult};

fn list(arguments: &str) -> RunResult {
    RunResult::of(&mut Dir::new().textcodec(&format!("list {arguments}")))
}

#[track_caller]
fn lines(arguments: &str) -> Vec<String> {
    let result = list(arguments);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""));
    String::from_utf8(result.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn the_table_lists_all_encodings() {
    let lines = lines("");
    assert_eq!(lines.len(), 1 + 40 + 2 + 4 + oem::ALL.len());
    assert!(lines[..43].iter().all(|line| line.chars().count() <= 100));
    assert_eq!(lines[1], "UTF-8            1,112,064  1 to 4    all of Unicode; use it for all new text");
    assert!(lines.iter().any(|line| line.starts_with("Shift_JIS            7,521  1 or 2    Japanese")));
    assert!(lines.iter().any(|line| line.starts_with("replacement              0  none ")));
}

#[test]
fn labels_and_aliases_are_listed_by_encoding() {
    assert_eq!(lines("--labels euc-jp"), ["EUC-JP: cseucpkdfmtjapanese euc-jp x-euc-jp"]);
    assert_eq!(
        lines("--aliases windows-874"),
        ["windows-874: thai iso-8859-11-2001 tis-620-0 tis-620-2529-0 tis-620-2529-1 iso-ir-166 tis620 cp874"]
    );
    assert_eq!(lines("--labels --aliases koi8-u"), ["KOI8-U: koi8-ru koi8-u cp21866"]);
    // The two encodings that are not in the standard have no labels.
    let labels = lines("--labels");
    assert_eq!(labels.len(), 40);
    assert_eq!(labels.iter().map(|line| line.split_whitespace().count() - 1).sum::<usize>(), 228);
    assert!(lines("--aliases").iter().any(|line| line.starts_with("isomorphic: isomorphic true-iso-8859-1")));
}

#[test]
fn labels_and_aliases_select_an_encoding() {
    let expected = [
        "ISO-8859-5",
        "  for         Cyrillic",
        "  labels      csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
        "  aliases     iso-8859-5-1988 cp28595",
        "  bytes       1 per character; ASCII-compatible",
        "  characters  256",
        "                 128 ASCII",
        "                  92 Cyrillic",
        "                  32 control characters (C1)",
        "                   4 symbols, punctuation and others",
    ];
    assert_eq!(lines("cyrillic"), expected);
    assert_eq!(lines("cp28595"), expected);
    let japanese = lines("iso-2022-jp").join("\n");
    assert!(
        japanese.contains("1 or 2 per character; not ASCII-compatible; stateful, with escape sequences"),
        "{japanese}"
    );
    assert!(lines("replacement").contains(&"  characters  none can be encoded or decoded".to_owned()));
    list("klingon").assert_usage_of("list");
}

#[test]
fn json_contains_all_details() {
    let all: Value = serde_json::from_slice(&list("--json").stdout).unwrap();
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), 42 + oem::ALL.len());
    let all = &all[..42];
    let shift_jis = all.iter().find(|encoding| encoding["name"] == "Shift_JIS").unwrap();
    assert_eq!((&shift_jis["characters"], &shift_jis["scripts"]["Cyrillic"]), (&7521.into(), &66.into()));
    assert_eq!(shift_jis["labels"].as_array().unwrap().len(), 8);
    assert!(shift_jis["aliases"].as_array().unwrap().contains(&"cp932".into()));
    for (key, of) in
        [("stateful", &["ISO-2022-JP"][..]), ("ascii_compatible", &[]), ("single_byte", &[]), ("encoder", &[])]
    {
        let those: Vec<_> =
            all.iter().filter(|one| one[key] == true).map(|one| one["name"].as_str().unwrap()).collect();
        match key {
            "stateful" => assert_eq!(those, of),
            "encoder" => assert_eq!(those.len(), 41),
            "single_byte" => assert_eq!(those.len(), 31),
            _ => assert_eq!(those.len(), 42 - 4),
        }
    }
    // The counts by script add up to the number of characters.
    for one in all.iter().filter(|one| one["characters"].as_u64().unwrap() < 1_000_000) {
        let sum: u64 = one["scripts"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(sum, one["characters"].as_u64().unwrap(), "{}", one["name"]);
    }
}
