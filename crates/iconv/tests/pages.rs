//! Code pages: streams in every name of glibc for one, compared with glibc, and split anywhere.

mod common;

use std::{collections::BTreeMap, env, fs, path::Path, process::Command};

use textcodec::{Encoding, UTF_8, oem};
use textcodec_iconv::{Conversion, Form, Options, Request, Stop, conflicts_with_glibc};

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
    assert!(count >= 271, "{count}");
}

/// `/ZOS_UNIX`: in EBCDIC, U+000A and U+0085 are exchanged.
#[test]
fn line_ends_of_zos() {
    let convert = |from: &str, to: &str, text: &[u8]| {
        let (from, to) = (Request::parse(from.as_bytes()), Request::parse(to.as_bytes()));
        let mut options = Options::default();
        options.exchange_newlines = from.zos_unix != to.zos_unix;
        let conversion = Conversion::new(from.form.unwrap(), to.form.unwrap(), options);
        for at in 0..=text.len() {
            assert_eq!(in_two(conversion.clone(), text, at), whole(conversion.clone(), text).bytes, "{at}");
        }
        whole(conversion, text).bytes
    };
    assert_eq!(convert("UTF-8", "IBM-1047", b"a\n\xC2\x85"), b"\x81\x25\x15");
    assert_eq!(convert("UTF-8", "IBM-1047/ZOS_UNIX", b"a\n\xC2\x85"), b"\x81\x15\x25");
    assert_eq!(convert("ibm-1047/zos_unix//translit", "UTF-8", b"\x81\x15\x25"), b"a\n\xC2\x85");
    assert_eq!(convert("CP037/ZOS_UNIX/TRANSLIT", "UTF-16BE", b"\x15"), b"\0\n");
    assert_eq!(convert("IBM-1047/ZOS_UNIX", "CP037/ZOS_UNIX", b"\x15\x25"), b"\x15\x25");
    assert_eq!(convert("IBM-1047/ZOS_UNIX", "CP037", b"\x15\x25"), b"\x25\x15");
    // It says nothing about other encodings.
    assert_eq!(convert("UTF-8/ZOS_UNIX", "IBM437/ZOS_UNIX", b"a\n"), b"a\n");
    let request = Request::parse(b"IBM-1047/ZOS_UNIX/TRANSLIT//IGNORE");
    assert!(request.zos_unix && request.transliterate && request.ignore);
    assert!(!Request::parse(b"no-such-name/ZOS_UNIX").zos_unix);
}
