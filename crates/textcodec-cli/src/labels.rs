//! Looks up encodings by the names that users give.

use std::fmt::Write as _;

use textcodec::{Alias, Encoding, LATIN1, REPLACEMENT, US_ASCII, oem};
use textcodec_iconv::Form;

use crate::{Stop, charset::Charset, pages};

/// The meaning of a label or alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) encoding: Encoding,
    /// Whether an output begins with a byte order mark.
    pub(crate) bom: bool,
}

/// Returns the name by which the program accepts an encoding: the standard's name, or `isomorphic` or `strict-ascii`. The names
/// of these in the library are labels of windows-1252.
pub(crate) fn name(encoding: Encoding) -> &'static str {
    match encoding {
        LATIN1 => "isomorphic",
        US_ASCII => "strict-ascii",
        other => other.name(),
    }
}

/// Calls [`find`] for an option of the command line.
pub(crate) fn for_option(option: &str, label: &str, aliases: bool) -> Result<Named, Stop> {
    find(label, aliases).map_err(|problem| Stop::Usage(format!("{option}: {problem}")))
}

/// Fails if the encoding of a label has no encoder, so that it cannot be the encoding of an output.
pub(crate) fn require_encoder(option: &str, label: &str, encoding: Charset) -> Result<(), Stop> {
    if encoding.has_encoder() {
        return Ok(());
    }
    Err(Stop::Usage(match outside(label) {
        Some(other) => format!("{option}: the Encoding Standard does not encode '{}'; use {other}", label.trim()),
        None => format!("{option}: {encoding} has no encoder; use UTF-8, which can represent all characters"),
    }))
}

/// Returns the name of the encoding that a label names and does not mean, because on the web it means `replacement`.
pub(crate) fn outside(label: &str) -> Option<&'static str> {
    Encoding::for_label(label).filter(|&encoding| encoding == REPLACEMENT)?;
    let is = |names: &[&str]| names.iter().any(|name| label.trim_ascii().eq_ignore_ascii_case(name));
    if is(&["hz-gb-2312"]) {
        Some(oem::TRUE_HZ.name())
    } else if is(&["iso-2022-kr", "csiso2022kr"]) {
        Some(oem::TRUE_ISO_2022_KR.name())
    } else {
        None
    }
}

/// Returns the encoding of a label or an alias: see [`known`].
///
/// # Errors
/// Returns a message for the user if there is no such label: what is wrong, and what to do.
pub(crate) fn find(label: &str, aliases: bool) -> Result<Named, String> {
    if let Some(named) = known(label, aliases) {
        return Ok(named);
    }
    if label.trim().eq_ignore_ascii_case("auto") {
        return Err(format!(
            "'{label}' is not a label of the Encoding Standard; it detects the encoding of an input, and only --from of \
             convert and check accepts it"
        ));
    }
    let mut message = format!("'{label}' is not a label of the Encoding Standard");
    let closest = closest(label);
    if let Some((alias, similar)) = Alias::for_name(label).and_then(|alias| Some((alias, contradicted(alias)?))) {
        let (with_mark, encoding) = (if alias.bom { " with a byte order mark" } else { "" }, name(alias.encoding));
        let _ = write!(message, "; use '{similar}', or --aliases, with which '{label}' means {encoding}{with_mark}");
    } else if let Some((before, _)) = label.split_once("//") {
        // A suffix such as `//TRANSLIT` of iconv.
        let is_windows_1252 = Encoding::for_label(before) == Some(textcodec::WINDOWS_1252);
        let note = if is_windows_1252 && !before.to_ascii_lowercase().contains("1252") {
            " (here windows-1252, as on the web)"
        } else {
            ""
        };
        let _ = write!(message, "; use '{before}'{note} and --unmappable, or textcodec iconv");
    } else if let Some(same) = same_name(label) {
        let _ = write!(message, "; use '{same}'");
    } else if let Some(named) = known(&format!("true-{}", label.trim()), aliases) {
        let _ = write!(message, "; use '{}'", name(named.encoding));
    } else if Form::for_name(label).is_some() {
        let _ = write!(message, "; textcodec iconv converts it");
    } else if let Some(examples) = family(label) {
        let _ = write!(message, "; several encodings are for that, such as {examples}; 'textcodec list' shows all");
    } else if closest.is_empty() {
        message.push_str(", and textcodec has no encoding of this name; 'textcodec list' shows all");
    } else {
        let _ = write!(message, "; similar names: {}", closest.join(", "));
    }
    Err(message)
}

/// Returns the encoding of a label or an alias, if there is one. Without `aliases`, this excludes aliases that contradict a label.
pub(crate) fn known(label: &str, aliases: bool) -> Option<Named> {
    if let Some(encoding) = Encoding::for_label(label) {
        return Some(Named { encoding, bom: false });
    }
    let alias = Alias::for_name(label).filter(|&alias| aliases || contradicted(alias).is_none())?;
    Some(Named { encoding: alias.encoding, bom: alias.bom })
}

/// Returns the label that has the letters and digits of an alias and another meaning: `utf_16` writes a byte order mark, as in
/// Python, and `utf-16` does not.
fn contradicted(alias: Alias) -> Option<&'static str> {
    let letters = |name: &str| name.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let own = letters(alias.name);
    let mut labels =
        Encoding::ALL.iter().flat_map(|encoding| encoding.labels().iter().map(move |label| (encoding, *label)));
    let differs =
        |&(encoding, label): &(&Encoding, &str)| letters(label) == own && (alias.bom || *encoding != alias.encoding);
    labels.find(differs).map(|(_, label)| label)
}

/// Returns the name that differs from this one only in its separators, or in letters that look like digits, or that is a code page of
/// this number. All such names mean the same encoding.
fn same_name(label: &str) -> Option<String> {
    let label = label.trim_ascii();
    if let Some(encoding) = label.parse().ok().and_then(Encoding::for_code_page) {
        let numbered = format!("cp{label}");
        let is_same = known(&numbered, true).is_some_and(|named| named.encoding == encoding);
        return Some(if is_same { numbered } else { name(encoding).to_owned() });
    }
    let letters = |name: &str| {
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect::<String>()
    };
    let as_digits = |name: &str| letters(name).replace('o', "0").replace(['l', 'i'], "1");
    for key in [&letters as &dyn Fn(&str) -> String, &as_digits] {
        let own = key(label);
        let same: Vec<&str> = names().filter(|name| key(name) == own).collect();
        if let [first, rest @ ..] = &*same {
            let is_same = rest.iter().all(|name| known(name, true) == known(first, true));
            return is_same.then(|| (*first).to_owned());
        }
    }
    None
}

/// Returns some encodings of a family of which a label is the name, such as MS-DOS.
fn family(label: &str) -> Option<String> {
    let label = label.trim_ascii();
    // The name that Windows has for code pages of MS-DOS.
    let word = if label.eq_ignore_ascii_case("oem") { "DOS" } else { label };
    let is_word = |part: &str| part.eq_ignore_ascii_case(word);
    let is_for = |about: &str| about.split(|c: char| !c.is_ascii_alphanumeric()).any(is_word);
    let found = oem::ALL.iter().filter(|&&encoding| pages::find(encoding).is_some_and(|page| is_for(page.about)));
    let examples: Vec<_> = found.filter(|encoding| encoding.is_single_byte()).take(3).map(|page| page.name()).collect();
    (examples.len() == 3 && word.len() >= 3).then(|| examples.join(", "))
}

/// Returns all names of encodings.
fn names() -> impl Iterator<Item = &'static str> {
    let labels = Encoding::ALL.iter().flat_map(|encoding| encoding.labels()).copied();
    let extra = Encoding::EXTRA.iter().map(|&encoding| name(encoding));
    let others = Alias::ALL.iter().map(|alias| alias.name);
    labels.chain(extra).chain(others).chain(pages::names())
}

/// Returns up to three names that are similar to this one.
pub(crate) fn closest(label: &str) -> Vec<&'static str> {
    // Names that differ in a digit are names of different encodings.
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let label = label.trim_ascii().to_ascii_lowercase();
    let (number, len) = (digits(&label), label.chars().count());
    let mut names: Vec<(usize, &str)> = names()
        .filter(|name| digits(name) == number)
        // The distance is at least the difference of the lengths. To compute it for a long string would take long.
        .filter(|name| len.abs_diff(name.len()) * 3 <= name.len())
        .map(|name| (strsim::damerau_levenshtein(&label, &name.to_ascii_lowercase()), name))
        .collect();
    names.sort_unstable();
    names.dedup();
    // At most a third of the letters may differ. Otherwise a short name would match almost anything.
    names.into_iter().take_while(|(distance, name)| distance * 3 <= name.len()).map(|(_, name)| name).take(3).collect()
}

#[cfg(test)]
mod tests {
    use textcodec::{SHIFT_JIS, UTF_8, UTF_16LE};

    use super::*;

    #[test]
    fn aliases_are_accepted_unless_they_contradict_a_label() {
        assert_eq!(find(" SJIS ", false), Ok(Named { encoding: SHIFT_JIS, bom: false }));
        assert_eq!(find(" Strict-ASCII ", false), Ok(Named { encoding: US_ASCII, bom: false }));
        assert_eq!(find("isomorphic", false), Ok(Named { encoding: LATIN1, bom: false }));
        assert_eq!(find("cp932", false), Ok(Named { encoding: SHIFT_JIS, bom: false }));
        assert_eq!(find("utf-8-sig", false), Ok(Named { encoding: UTF_8, bom: true }));
        assert_eq!(find("utf_16", true), Ok(Named { encoding: UTF_16LE, bom: true }));
        // Every alias, and which of them need the flag.
        let refused: Vec<_> =
            Alias::ALL.iter().filter(|alias| find(alias.name, false).is_err()).map(|a| a.name).collect();
        assert_eq!(refused, ["utf_16", "utf16"]);
        for alias in Alias::ALL {
            assert_eq!(
                find(alias.name, true),
                Ok(Named { encoding: alias.encoding, bom: alias.bom }),
                "{}",
                alias.name
            );
        }
    }

    #[test]
    fn the_message_about_an_unknown_label_suggests_a_solution() {
        let message = |label, aliases| find(label, aliases).unwrap_err();
        let expected = "; use 'utf-16', or --aliases, with which 'UTF_16' means UTF-16LE with a byte order mark";
        assert!(message("UTF_16", false).ends_with(expected));
        assert!(message("ucs-4", false).ends_with("; textcodec iconv converts it"));
        assert!(message("widows-1252", false).ends_with("; similar names: windows-1252, windows1252"));
        assert!(message("EUC-JP//TRANSLIT", false).contains("; use 'EUC-JP' and --unmappable, or textcodec iconv"));
        for aliases in [false, true] {
            assert!(message("strict-asci", aliases).ends_with("; similar names: strict-ascii"));
        }
        assert!(
            message("Auto", true)
                .ends_with("; it detects the encoding of an input, and only --from of convert and check accepts it")
        );
        for (label, name) in [
            ("850", "cp850"),
            ("65001", "cp65001"),
            ("CP-850", "cp850"),
            ("cp_850", "cp850"),
            ("utf7-imap", "UTF-7-IMAP"),
            ("gsm-03-38", "gsm0338"),
            ("IBM1O47", "IBM1047"),
            ("hz", "true-hz"),
        ] {
            assert!(message(label, false).ends_with(&format!("; use '{name}'")), "{}", message(label, false));
            assert!(find(name, false).is_ok(), "{name}");
        }
        for family in ["dos", "oem"] {
            let advice =
                "; several encodings are for that, such as IBM437, DOS-720, IBM737; 'textcodec list' shows all";
            assert!(message(family, false).ends_with(advice), "{}", message(family, false));
        }
        // A name that differs in a digit is not similar.
        for label in ["klingon", "cp849", "utf-9", "windows-1521"] {
            let advice = ", and textcodec has no encoding of this name; 'textcodec list' shows all";
            assert_eq!(message(label, true), format!("'{label}' is not a label of the Encoding Standard{advice}"));
        }
    }
}
