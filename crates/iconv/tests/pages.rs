//! Code pages: streams in every name of glibc for one, compared with glibc, and split anywhere.

mod common;

use std::{collections::BTreeMap, env, fs, path::Path, process::Command};

use textcodec::{Encoding, UTF_8, oem};
use textcodec_iconv::{Conversion, Form, Options, Stop, conflicts_with_glibc};

use common::whole;

/// The names of each code page.
fn pages() -> BTreeMap<Encoding, Vec<&'static str>> {
    let mut pages = BTreeMap::<_, Vec<_>>::new();
    for (name, form) in Form::names() {
        match form {
            Form::Encoding(encoding) if oem::ALL.contains(&encoding) && encoding.is_single_byte() => {
                pages.entry(encoding).or_default().push(name);
            }
            _ => {}
        }
    }
    pages
}

/// Skips what cannot be converted.
fn skipping() -> Options {
    let mut options = Options::default();
    (options.skip_malformed, options.skip_unmappable) = (true, true);
    options
}

/// All characters of plane 0, and some others.
fn characters() -> String {
    ('\0'..='\u{FFFF}').chain(['😀', '𠀋', '\u{10FFFF}']).collect()
}

/// Converts in two calls.
fn in_two(mut conversion: Conversion, src: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let first = conversion.convert_with(&src[..at], usize::MAX, |part| bytes.extend_from_slice(part));
    assert!(matches!(first.stop, Stop::InputEmpty | Stop::Incomplete), "{first:?}");
    let second = conversion.convert_with(&src[first.read..], usize::MAX, |part| bytes.extend_from_slice(part));
    assert_eq!((first.read + second.read, second.stop), (src.len(), Stop::InputEmpty));
    bytes
}

#[test]
fn the_result_does_not_depend_on_the_split() {
    let bytes: Vec<u8> = (0..=0xFF).collect();
    let utf_8 = Form::Encoding(UTF_8);
    let pages = pages();
    assert!(pages.len() >= 87, "{}", pages.len());
    for &page in pages.keys() {
        let form = Form::Encoding(page);
        let decoder = Conversion::new(form, utf_8, skipping());
        let text = whole(decoder.clone(), &bytes).bytes;
        assert_eq!(
            String::from_utf8(text.clone()).unwrap(),
            page.decode(&bytes).text.replace('\u{FFFD}', ""),
            "{page}"
        );
        let encoder = Conversion::new(utf_8, form, skipping());
        let encoded = whole(encoder.clone(), &text).bytes;
        assert_eq!(*encoded, *page.encode(str::from_utf8(&text).unwrap()).unwrap(), "{page}");
        for at in 0..=bytes.len() {
            assert!(in_two(decoder.clone(), &bytes, at) == text, "{page}, split at {at}");
        }
        for at in 0..=text.len() {
            assert!(in_two(encoder.clone(), &text, at) == encoded, "{page}, split at {at}");
        }
    }
}

/// What glibc reads and writes by the names of code pages that it has. Bytes and characters that it cannot convert are skipped.
#[cfg(target_os = "linux")]
#[test]
fn names_of_glibc_read_and_write_the_same() {
    let run = |arguments: &[&str], file: &Path| Command::new("iconv").args(arguments).arg(file).output();
    let Ok(list) = run(&["-l"], Path::new("")) else {
        println!("SKIPPED: iconv is not installed");
        return;
    };
    let list = String::from_utf8(list.stdout).unwrap().to_ascii_lowercase();
    let names: Vec<&str> = list.split_whitespace().map(|name| name.trim_end_matches(['/', ','])).collect();
    if !names.contains(&"osf100201b5") {
        println!("SKIPPED: iconv is not that of glibc");
        return;
    }
    let folder = env::temp_dir().join(format!("textcodec-iconv-pages-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (bytes, text) = (folder.join("bytes"), folder.join("text"));
    fs::write(&bytes, (0..=0xFF).collect::<Vec<u8>>()).unwrap();
    fs::write(&text, characters()).unwrap();
    let (mut count, mut conflicts) = (0, Vec::new());
    for (page, own) in pages() {
        let (form, utf_8) = (Form::Encoding(page), Form::Encoding(UTF_8));
        for name in own.into_iter().filter(|name| names.contains(name)) {
            if conflicts_with_glibc(name.as_bytes()) {
                conflicts.push(name);
                continue;
            }
            let theirs = run(&["-c", "-f", name, "-t", "UTF-8"], &bytes).unwrap().stdout;
            let ours = whole(Conversion::new(form, utf_8, skipping()), &fs::read(&bytes).unwrap()).bytes;
            assert_eq!(String::from_utf8(ours), String::from_utf8(theirs), "{name}");
            let theirs = run(&["-c", "-f", "UTF-8", "-t", name], &text).unwrap().stdout;
            let ours = whole(Conversion::new(utf_8, form, skipping()), &fs::read(&text).unwrap()).bytes;
            assert!(ours == theirs, "{name}: {} bytes, and {} in glibc", ours.len(), theirs.len());
            count += 1;
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    println!("{count} names are the same; {conflicts:?} differ");
    assert!(count >= 300, "{count}");
}
