//! What the program says about the encodings, from `tables/encodings.txt`.

use textcodec::{Encoding, oem};

/// A line for each encoding: its name, a phrase, and other names.
const TEXT: &str = include_str!("../tables/encodings.txt");

/// What is known about an encoding.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    pub(crate) about: &'static str,
    aliases: &'static str,
}

impl Page {
    pub(crate) fn aliases(self) -> impl Iterator<Item = &'static str> {
        self.aliases.split(' ').filter(|name| !name.is_empty())
    }
}

/// Returns what is known about an encoding, or `None` if the caller made it.
pub(crate) fn find(encoding: Encoding) -> Option<Page> {
    TEXT.lines().find_map(|line| {
        let (name, rest) = line.split_once(" | ")?;
        let (about, aliases) = rest.split_once(" |")?;
        (name == encoding.name()).then_some(Page { about, aliases: aliases.trim_start() })
    })
}

/// Returns all names of the encodings that the standard leaves out, in lower case except for the canonical ones.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    oem::ALL.iter().flat_map(|&encoding| {
        let aliases = find(encoding).into_iter().flat_map(Page::aliases);
        std::iter::once(encoding.name()).chain(aliases)
    })
}

#[cfg(test)]
mod tests {
    use textcodec::Alias;

    use super::*;

    #[test]
    fn every_encoding_has_a_line_and_every_name_means_it() {
        for &encoding in Encoding::ALL.iter().chain(Encoding::EXTRA).chain(oem::ALL) {
            let page = find(encoding).unwrap();
            assert!(!page.about.is_empty(), "{encoding}");
            let own = oem::ALL.contains(&encoding).then(|| encoding.name());
            for name in page.aliases().chain(own) {
                assert_eq!(Alias::for_name(name).map(|alias| alias.encoding), Some(encoding), "{name}");
            }
        }
    }
}
