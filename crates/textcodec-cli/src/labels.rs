//! From what the user calls an encoding to the encoding, with advice where there is none.

use std::fmt::Write as _;

use textcodec::{Alias, Encoding};

use crate::Stop;

/// What a label or alias asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) encoding: Encoding,
    /// Whether an output begins with a byte order mark.
    pub(crate) bom: bool,
}

/// [`find`] for an option of the command line.
pub(crate) fn for_option(option: &str, label: &str, aliases: bool) -> Result<Named, Stop> {
    find(label, aliases).map_err(|problem| Stop::Usage(format!("{option}: {problem}")))
}

/// The encoding of a label and, with `aliases`, of other names.
///
/// # Errors
/// What is wrong with the label and what to do about it, for the user.
pub(crate) fn find(label: &str, aliases: bool) -> Result<Named, String> {
    if let Some(encoding) = Encoding::for_label(label) {
        return Ok(Named { encoding, bom: false });
    }
    let alias = Alias::for_name(label);
    if let (Some(alias), true) = (alias, aliases) {
        return Ok(Named { encoding: alias.encoding, bom: alias.bom });
    }
    let mut message = format!("'{label}' is no label of the Encoding Standard");
    if let Some(alias) = alias {
        let _ = if alias.encoding.name().eq_ignore_ascii_case(label) {
            write!(message, "; --aliases allows it")
        } else {
            write!(message, "; with --aliases it means {}", alias.encoding)
        };
    } else if let Some((before, _)) = label.split_once("//") {
        // From the habits of iconv.
        let _ = write!(message, "; give '{before}' alone, and --unmappable, or use textcodec iconv");
        if Encoding::for_label(before) == Some(textcodec::WINDOWS_1252) && !before.to_ascii_lowercase().contains("1252")
        {
            let _ = write!(message, ": here '{before}' is windows-1252, as on the web");
        }
    } else {
        let closest = closest(label, aliases);
        if !closest.is_empty() {
            let _ = write!(message, "; similar: {}", closest.join(", "));
        }
    }
    Err(message)
}

/// Three names at most that look like this one.
fn closest(label: &str, aliases: bool) -> Vec<&'static str> {
    let label = label.trim_ascii().to_ascii_lowercase();
    let labels = Encoding::ALL.iter().flat_map(|encoding| encoding.labels()).copied();
    let others = Alias::ALL.iter().filter(|_| aliases).map(|alias| alias.name);
    let mut names: Vec<(usize, &str)> =
        labels.chain(others).map(|name| (strsim::damerau_levenshtein(&label, name), name)).collect();
    names.sort_unstable();
    // A third of the letters may differ, or a short name would be like any other.
    names.into_iter().take_while(|(distance, name)| distance * 3 <= name.len()).map(|(_, name)| name).take(3).collect()
}

#[cfg(test)]
mod tests {
    use textcodec::{SHIFT_JIS, UTF_8};

    use super::*;

    #[test]
    fn labels_come_before_aliases_and_need_no_flag() {
        assert_eq!(find(" SJIS ", false), Ok(Named { encoding: SHIFT_JIS, bom: false }));
        assert_eq!(find("cp932", true), Ok(Named { encoding: SHIFT_JIS, bom: false }));
        assert_eq!(find("utf-8-sig", true), Ok(Named { encoding: UTF_8, bom: true }));
    }

    #[test]
    fn an_unknown_label_gets_advice() {
        let advice = |label, aliases| find(label, aliases).unwrap_err();
        assert!(advice("cp932", false).ends_with("; with --aliases it means Shift_JIS"));
        assert!(advice("utf-9", false).contains("; similar: utf-8"));
        assert!(advice("EUC-JP//TRANSLIT", false).contains("; give 'EUC-JP' alone"));
        assert!(advice("windows-1521", false).contains("windows-1251"));
        assert_eq!(advice("klingon", true), "'klingon' is no label of the Encoding Standard");
    }
}
