//! Every name, and every label of the standard, in several spellings: what they mean, compared with the oracle.

use std::collections::{BTreeMap, BTreeSet};

use textcodec::{Alias, Encoding, oem};
use textcodec_iconv::{Form, Order, Request, conflicts_with_glibc};

/// The names that mean something else to iconv than to the standard and its aliases.
const DIFFERENT: &[(&str, Form, &[&str])] = &[
    (
        "true ISO-8859-1",
        Form::Encoding(textcodec::LATIN1),
        &[
            "cp819",
            "csisolatin1",
            "ibm819",
            "iso-8859-1",
            "iso-ir-100",
            "iso8859-1",
            "iso88591",
            "iso_8859-1",
            "iso_8859-1:1987",
            "l1",
            "latin-1",
            "latin1",
        ],
    ),
    ("true ASCII", Form::Encoding(textcodec::US_ASCII), &["ansi_x3.4-1968", "ascii", "csascii", "us", "us-ascii"]),
    (
        "true ISO-8859-9",
        Form::Encoding(oem::TRUE_ISO_8859_9),
        &[
            "cp28599",
            "csisolatin5",
            "iso-8859-9",
            "iso-8859-9-1989",
            "iso-ir-148",
            "iso8859-9",
            "iso88599",
            "iso_8859-9",
            "iso_8859-9:1989",
            "l5",
            "latin5",
        ],
    ),
    (
        "true ISO-8859-11",
        Form::Encoding(oem::TRUE_ISO_8859_11),
        &["iso-8859-11", "iso-8859-11-2001", "iso8859-11", "iso885911"],
    ),
    (
        "true TIS-620",
        Form::Encoding(oem::TRUE_TIS_620),
        &["iso-ir-166", "tis-620", "tis-620-0", "tis-620-2529-0", "tis-620-2529-1", "tis620"],
    ),
    ("true KOI8-U", Form::Encoding(oem::TRUE_KOI8_U), &["koi8-u"]),
    ("with a mark", Form::MarkedUtf16, &["csunicode", "unicode", "utf-16"]),
    ("without surrogates", Form::Ucs2(Order::NATIVE), &["ucs-2"]),
    ("without surrogates", Form::Ucs2(Order::Little), &["ucs-2le"]),
    ("without surrogates", Form::Ucs2(Order::Big), &["ucs-2be"]),
];

/// All names, with their forms.
fn table() -> BTreeMap<&'static str, Form> {
    Form::names().collect()
}

/// Reduces a name to what counts: ASCII letters in lower case, digits and some punctuation.
fn reduced(name: &str) -> String {
    let counts = |c: &char| c.is_ascii_alphanumeric() || "-_.,:/".contains(*c);
    name.chars().filter(counts).collect::<String>().to_ascii_lowercase().trim_end_matches('/').to_owned()
}

#[test]
fn every_label_and_alias_means_what_the_library_says_or_is_listed_as_different() {
    let table = table();
    let labels =
        Encoding::ALL.iter().flat_map(|&encoding| encoding.labels().iter().map(move |&label| (label, encoding)));
    // Names for text with a byte order mark are names of other forms, where iconv has them.
    let aliases = Alias::ALL.iter().filter(|alias| !alias.bom).map(|alias| (alias.name, alias.encoding));
    let mut different = Vec::new();
    for (name, encoding) in labels.chain(aliases) {
        let form = table.get(name).copied();
        if encoding == textcodec::REPLACEMENT {
            let expected = match name {
                "hz-gb-2312" => Some(Form::Encoding(oem::TRUE_HZ)),
                "iso-2022-kr" | "csiso2022kr" => Some(Form::Encoding(oem::TRUE_ISO_2022_KR)),
                _ => None,
            };
            assert_eq!(form, expected, "{name}");
        } else if oem::ALL.contains(&encoding) {
            // Those without a table are forms, or unknown.
            let expected = match encoding {
                oem::UTF_7 => Some(Form::Utf7),
                oem::UTF_7_IMAP => Some(Form::Utf7Imap),
                oem::UTF_32 => Some(Form::MarkedUtf32),
                oem::UTF_32BE => Some(Form::Utf32(Order::Big)),
                oem::UTF_32LE => Some(Form::Utf32(Order::Little)),
                oem::CESU_8 | oem::GSM_03_38 => Some(Form::Encoding(encoding)),
                _ => None,
            };
            assert_eq!(form, expected, "{name}");
        } else if form != Some(Form::Encoding(encoding)) {
            different.push((name, form.unwrap_or_else(|| panic!("{name} is missing"))));
        }
    }
    let listed = DIFFERENT.iter().flat_map(|&(_, form, names)| names.iter().map(move |&name| (name, form)));
    let mut listed: Vec<_> = listed.collect();
    different.sort_by_key(|&(name, _)| name);
    listed.sort_by_key(|&(name, _)| name);
    assert_eq!(different, listed);
}

/// A name of a code page means it, or another table in iconv. Then it means nothing here, and the page has another name.
#[test]
fn every_name_of_a_code_page_means_it_or_nothing() {
    let table = table();
    let mut others = BTreeSet::new();
    for page in 0..textcodec_oem::COUNT {
        let encoding: Encoding = textcodec_oem::name(page).parse().unwrap();
        let mut found = 0;
        for name in textcodec_oem::aliases(page).chain([textcodec_oem::name(page)]) {
            let form = Form::for_name(name);
            match Form::other_table(name) {
                None => assert_eq!(form, Some(Form::Encoding(encoding)), "{name}"),
                Some(other) => {
                    assert_eq!((form, other, table.get(reduced(name).as_str())), (None, encoding, None), "{name}");
                    assert_eq!(Form::other_table(format!(" {} ", name.to_ascii_uppercase())), Some(encoding));
                    others.insert(encoding.name());
                }
            }
            found += usize::from(form.is_some());
        }
        assert!(found > 0, "{encoding} has no name");
    }
    let expected = "IBM1026 IBM278 IBM285 IBM290 IBM420 IBM424 IBM870 IBM871 IBM875 IBM880 IBM905 IBM918 \
                    x-mac-croatian x-mac-greek x-mac-icelandic x-mac-romanian x-mac-turkish";
    assert_eq!(Vec::from_iter(others).join(" "), expected);
    assert_eq!((Form::other_table("cp437"), Form::other_table("no-such-name")), (None, None));
}

#[test]
fn every_spelling_is_found_by_every_function() {
    let table = table();
    assert!(table.len() > 900, "{}", table.len());
    let of_table = table.keys().flat_map(|name| {
        let mixed = name.char_indices().map(|(n, c)| if n % 2 == 0 { c.to_ascii_uppercase() } else { c }).collect();
        [name.to_string(), name.to_ascii_uppercase(), mixed, format!("\t {name}\n"), format!("{name}/")]
    });
    let of_oracle = spec_model::spellings().into_iter().map(|spelling| spelling.text);
    let long = ["utf-8".repeat(100_000), " ".repeat(100_000) + "gbk", "/".repeat(100_000)];
    let mut found = 0;
    for name in of_table.chain(of_oracle).chain(long) {
        let reduced = reduced(&name);
        let expected = table.get(reduced.as_str()).copied();
        assert_eq!(Form::for_name(&name), expected, "{name:?}");
        found += usize::from(expected.is_some());
        if name.contains("//") || name.ends_with(',') {
            continue;
        }
        for suffix in ["", "/", "//", "//TRANSLIT", "//ignore", "//,translit/IGNORE"] {
            let request = Request::parse(format!("{name}{suffix}").as_bytes());
            assert_eq!(request.form, expected, "{name:?}{suffix}");
            assert_eq!(request.is_empty, reduced.is_empty(), "{name:?}{suffix}");
            let with_suffix = conflicts_with_glibc(format!("{name}{suffix}").as_bytes());
            assert_eq!(with_suffix, conflicts_with_glibc(reduced.as_bytes()), "{name:?}{suffix}");
        }
    }
    assert!(found > 4000, "{found}");
}

/// In the standard's spelling of a label, white space is removed only at the ends, and other characters make it unknown. To iconv,
/// they do not count: so each spelling of a label is found, and no spelling means something else.
#[test]
fn what_the_standard_finds_is_found() {
    let table = table();
    for spelling in spec_model::spellings() {
        let Some(encoding) = spelling.encoding.filter(|encoding| encoding.name() != "replacement") else { continue };
        let form = Form::for_name(&spelling.text).unwrap_or_else(|| panic!("{:?} is unknown", spelling.text));
        let label = spelling.text.trim_ascii().to_ascii_lowercase();
        assert_eq!(Some(&form), table.get(label.as_str()), "{:?}", spelling.text);
        let is_different = DIFFERENT.iter().any(|(_, _, names)| names.contains(&label.as_str()));
        if !is_different {
            assert_eq!(form, Form::Encoding(encoding.name().parse().unwrap()), "{:?}", spelling.text);
        }
    }
}
