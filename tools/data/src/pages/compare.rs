//! Makes a page from the tables of several sources and from the decisions in `decisions.txt`, which says what its lines mean.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, bail, ensure};

use super::{
    page::{CodePoints, DUPLICATES, bytes_text, check_duplicates, code, parse_bytes, parse_code},
    unpack::UNMAPPED,
};

/// A source that is made from the tables of another one, and so does not confirm them.
const DERIVED: (&str, &str) = ("iconv-lite", "libiconv");

/// The maximum number of differences that a header lists with their code points.
const MAX_LISTED: usize = 16;

/// The parsed `decisions.txt`.
pub(super) struct Decisions {
    pub(super) known: Vec<Known>,
    pub(super) pages: Vec<Decision>,
}

/// A difference that is not compared.
pub(super) struct Known {
    scope: String,
    source: String,
    byte: u8,
    code: u16,
}

/// The sources of a page, and what decides between them.
pub(super) struct Decision {
    pub(super) name: String,
    /// The sources, and the page's name in each.
    pub(super) sources: Vec<(String, String)>,
    take: Option<String>,
    /// Bytes that encoders do not write.
    duplicates: Vec<u8>,
    fixed: BTreeMap<u8, u16>,
}

impl Decisions {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut decisions = Self { known: Vec::new(), pages: Vec::new() };
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            decisions.line(line).with_context(|| format!("not a decision: {line:?}"))?;
        }
        Ok(decisions)
    }

    fn line(&mut self, line: &str) -> Result<()> {
        let mut words = line.split_whitespace();
        if let Some(decision) = line.strip_prefix("    ") {
            let page = self.pages.last_mut().context("no page before it")?;
            if let Some(source) = decision.strip_prefix("take ") {
                ensure!(page.sources.iter().any(|(name, _)| name == source), "not a source of the page: {source}");
                ensure!(page.take.replace(source.to_owned()).is_none(), "two sources to take");
            } else if let Some(bytes) = decision.strip_prefix("duplicates ") {
                page.duplicates = parse_bytes(bytes)?;
            } else {
                for (byte, code) in words.map(entry).collect::<Result<Vec<_>>>()? {
                    ensure!(page.fixed.insert(byte, code).is_none(), "two decisions for byte {byte:02X}");
                }
            }
        } else if line.starts_with("known ") {
            let mut word = || words.next().context("incomplete");
            let (_, scope, source) = (word()?, word()?, word()?);
            ensure!(["ascii", "ebcdic", "all"].contains(&scope), "not a scope: {scope}");
            for (byte, code) in words.map(entry).collect::<Result<Vec<_>>>()? {
                self.known.push(Known { scope: scope.to_owned(), source: source.to_owned(), byte, code });
            }
        } else {
            let (name, sources) = line.split_once(": ").context("no name")?;
            let sources = sources.split(' ').map(|source| {
                let (source, name) = source.split_once(':').context("no name in a source")?;
                Ok((source.to_owned(), name.to_owned()))
            });
            let sources = sources.collect::<Result<_>>()?;
            self.pages.push(Decision {
                name: name.to_owned(),
                sources,
                take: None,
                duplicates: Vec::new(),
                fixed: BTreeMap::new(),
            });
        }
        Ok(())
    }
}

/// Parses `BYTE=CODE`.
fn entry(text: &str) -> Result<(u8, u16)> {
    let (byte, code) = text.split_once('=').with_context(|| format!("no `=` in {text:?}"))?;
    Ok((u8::from_str_radix(byte, 16)?, parse_code(code)?))
}

/// A page, and what sources say about it.
pub(super) struct Compared {
    pub(super) page: CodePoints,
    /// The lines of the header, but the first.
    pub(super) header: Vec<String>,
    /// The number of sources that have the page, apart from what is known, and are independent.
    pub(super) sources: usize,
}

/// Makes a page. `tables` has the table of each source of the decision. Adds the numbers of the known differences that the page
/// has to `used`.
pub(super) fn compare(
    decision: &Decision,
    tables: &[(&str, &CodePoints)],
    known: &[Known],
    used: &mut BTreeSet<usize>,
) -> Result<Compared> {
    let is_ebcdic = tables.iter().all(|(_, table)| table[0x40] == 0x20);
    let scope = if is_ebcdic { "ebcdic" } else { "ascii" };
    let mut is_known = |source: &str, byte: usize, code: u16| {
        let matches = |known: &Known| {
            known.source == source
                && usize::from(known.byte) == byte
                && known.code == code
                && [scope, "all"].contains(&&*known.scope)
        };
        known.iter().position(matches).inspect(|&number| _ = used.insert(number)).is_some()
    };
    let mut page = [UNMAPPED; 256];
    let mut differences: Vec<(&str, Vec<(usize, u16)>)> =
        tables.iter().map(|(source, _)| (*source, Vec::new())).collect();
    let (mut undecided, mut taken) = (Vec::new(), false);
    for byte in 0..256 {
        let codes: Vec<(&str, u16)> = tables
            .iter()
            .map(|(source, table)| (*source, table[byte]))
            .filter(|&(source, code)| !is_known(source, byte, code))
            .collect();
        let same = codes.first().filter(|(_, first)| codes.iter().all(|(_, code)| code == first));
        let follow = codes.iter().find(|(source, _)| decision.take.as_deref() == Some(source));
        page[byte] = match (decision.fixed.get(&(byte as u8)), same, follow) {
            (Some(&fixed), Some(&(_, code)), _) if fixed == code => {
                bail!("the decision for byte {byte:02X} has no effect")
            }
            (Some(&fixed), ..) => fixed,
            (None, Some(&(_, code)), _) => code,
            (None, None, Some(&(_, code))) => {
                taken = true;
                code
            }
            (None, None, None) => {
                let codes = codes.iter().map(|(source, of)| format!(" {source}={}", code(*of)));
                undecided.push(format!("{byte:02X}:{}", codes.collect::<String>()));
                continue;
            }
        };
        for &(source, code) in codes.iter().filter(|(_, code)| *code != page[byte]) {
            let of = differences.iter_mut().find(|(name, _)| *name == source).expect("the source has a table");
            of.1.push((byte, code));
        }
    }
    ensure!(undecided.is_empty(), "sources differ, and decisions.txt does not decide:\n{}", undecided.join("\n"));
    ensure!(taken || decision.take.is_none(), "`take` has no effect");

    let agreeing: Vec<&str> = differences.iter().filter(|(_, of)| of.is_empty()).map(|(source, _)| *source).collect();
    let sources = agreeing.iter().filter(|&&source| source != DERIVED.0 || !agreeing.contains(&DERIVED.1)).count();
    let mut header = vec![match sources {
        0 => format!("Sources: one, in part ({})", decision.sources[0].0),
        1 => format!("Sources: one ({})", agreeing.join(", ")),
        _ => format!("Sources: {}", agreeing.join(", ")),
    }];
    if let Some(source) = &decision.take {
        header.push(format!("Taken: {source}, where sources differ"));
    }
    if !decision.fixed.is_empty() {
        let fixed: Vec<String> =
            decision.fixed.iter().map(|(byte, fixed)| format!("{byte:02X}={}", code(*fixed))).collect();
        header.push(format!("Taken: {}", fixed.join(" ")));
    }
    check_duplicates(&page, &decision.duplicates)?;
    if !decision.duplicates.is_empty() {
        header.push(format!("{DUPLICATES}{}", bytes_text(&decision.duplicates)));
    }
    while let Some((first, of)) = differences.iter().find(|(_, of)| !of.is_empty()).cloned() {
        let same = differences.iter().filter(|(_, other)| *other == of).map(|(source, _)| *source).collect::<Vec<_>>();
        header.push(format!("Differs: {}: {}", same.join(", "), listed(&of)));
        differences.retain(|(source, other)| *source != first && *other != of);
    }
    Ok(Compared { page, header, sources })
}

/// Returns differences as text: each run of consecutive code points, or only the bytes if there are too many.
fn listed(differences: &[(usize, u16)]) -> String {
    let runs = |differences: &[(usize, u16)], same: &dyn Fn(u16, u16) -> bool| {
        let mut runs: Vec<[(usize, u16); 2]> = Vec::new();
        for &(byte, code) in differences {
            match runs.last_mut() {
                Some([_, last]) if last.0 + 1 == byte && same(last.1, code) => *last = (byte, code),
                _ => runs.push([(byte, code); 2]),
            }
        }
        runs
    };
    let range = |first: String, last: String| if first == last { first } else { format!("{first}-{last}") };
    let bytes = |[first, last]: [(usize, u16); 2]| range(format!("{:02X}", first.0), format!("{:02X}", last.0));
    let consecutive = runs(differences, &|last, next| last < UNMAPPED && last + 1 == next);
    if consecutive.len() <= MAX_LISTED {
        let run = |run: [(usize, u16); 2]| format!("{}={}", bytes(run), range(code(run[0].1), code(run[1].1)));
        return consecutive.into_iter().map(run).collect::<Vec<_>>().join(" ");
    }
    let all = runs(differences, &|_, _| true).into_iter().map(bytes).collect::<Vec<_>>();
    format!("{} bytes, {}", differences.len(), all.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(decisions: &str, changes: &[&[(usize, u16)]]) -> Result<Compared> {
        let decisions = Decisions::parse(decisions)?;
        let tables: Vec<CodePoints> = changes
            .iter()
            .map(|changes| {
                let mut table = std::array::from_fn(|byte| byte as u16);
                changes.iter().for_each(|&(byte, code)| table[byte] = code);
                table
            })
            .collect();
        let sources = decisions.pages[0].sources.iter().map(|(source, _)| source.as_str());
        let tables: Vec<_> = sources.zip(&tables).collect();
        compare(&decisions.pages[0], &tables, &decisions.known, &mut BTreeSet::new())
    }

    #[test]
    fn decisions_cover_differences() {
        let three: [&[_]; 3] = [&[], &[(0x80, 0x20AC)], &[(0x80, 0x20AC), (0x1A, 0x1C)]];
        let all = compared("known ascii c 1A=001C\nX: a:1 b:2 c:3\n    take b\n", &three).unwrap();
        assert_eq!((all.page[0x80], all.page[0x1A], all.sources), (0x20AC, 0x1A, 2));
        assert_eq!(all.header, ["Sources: b, c", "Taken: b, where sources differ", "Differs: a: 80=0080"]);
        let all = compared("X: a:1 b:2 c:3\n    80=---- 1A=001A\n", &three).unwrap();
        assert_eq!((all.page[0x80], all.sources), (UNMAPPED, 0));
        let derived = compared("X: libiconv:1 iconv-lite:2\n", &[&[], &[]]).unwrap();
        assert_eq!(derived.header, ["Sources: one (libiconv, iconv-lite)"]);
    }

    #[test]
    fn undecided_differences_and_useless_decisions_are_errors() {
        let two: [&[_]; 2] = [&[], &[(0x80, 0x20AC)]];
        assert!(compared("X: a:1 b:2\n", &two).is_err());
        assert!(compared("X: a:1 b:2\n    81=0082\n", &two).is_err());
        assert!(compared("known ebcdic b 80=20AC\nX: a:1 b:2\n", &two).is_err());
        assert!(compared("X: a:1 b:2\n    take c\n", &two).is_err());
        assert!(compared("X: a:1 b:2\n    take a\n", &[&[], &[]]).is_err());
        assert!(compared("X: a:1 b:2\n    81=0081 80=0080\n", &two).is_err());
    }

    #[test]
    fn differences_are_listed_in_runs() {
        assert_eq!(
            listed(&[(0x80, 0x80), (0x81, 0x81), (0x83, UNMAPPED), (0x84, UNMAPPED)]),
            "80-81=0080-0081 83=---- 84=----"
        );
        let many: Vec<_> = (0..40).map(|n| (n * 3, 0x4000)).collect();
        assert!(listed(&many).starts_with("40 bytes, 00 03 06 "));
    }
}
