//! What the comparisons found.

use std::{
    collections::BTreeMap,
    fmt::{self, Debug, Display},
};

/// How many differences of a comparison are shown.
const SHOWN: usize = 20;

/// All comparisons by name.
#[derive(Debug, Default)]
pub(crate) struct Report {
    comparisons: BTreeMap<&'static str, Comparison>,
}

/// The counts of one comparison.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    cases: u64,
    /// How often the witness differs and the standard is with the library, by encoding.
    witness: BTreeMap<&'static str, u64>,
    /// How often the library differs from the standard, by encoding.
    library: BTreeMap<&'static str, u64>,
    shown: Vec<String>,
}

impl Report {
    /// The comparison of a name.
    pub(crate) fn comparison(&mut self, name: &'static str) -> &mut Comparison {
        self.comparisons.entry(name).or_default()
    }

    /// Adds what another thread found.
    pub(crate) fn merge(&mut self, other: Self) {
        for (name, other) in other.comparisons {
            let comparison = self.comparison(name);
            comparison.cases += other.cases;
            for (encoding, count) in other.witness {
                *comparison.witness.entry(encoding).or_default() += count;
            }
            for (encoding, count) in other.library {
                *comparison.library.entry(encoding).or_default() += count;
            }
            comparison.shown.extend(other.shown);
        }
    }

    /// How many comparisons with cases have names that begin so.
    pub(crate) fn comparisons_of(&self, group: &str) -> usize {
        self.comparisons.iter().filter(|(name, comparison)| name.starts_with(group) && comparison.cases > 0).count()
    }

    /// Whether no difference is the library's fault.
    pub(crate) fn library_is_right(&self) -> bool {
        self.comparisons.values().all(|comparison| comparison.library.is_empty())
    }
}

impl Comparison {
    /// Counts a case.
    pub(crate) fn count(&mut self) {
        self.cases += 1;
    }

    /// Notes a difference, and who is right about it.
    pub(crate) fn differs<T: PartialEq + Debug>(
        &mut self,
        encoding: &'static str,
        input: impl Display,
        library: &T,
        witness: &T,
        model: &T,
    ) {
        let (fault, who) =
            if model == library { (&mut self.witness, "witness") } else { (&mut self.library, "LIBRARY") };
        let count = fault.entry(encoding).or_default();
        *count += 1;
        // Some of every encoding, so that one does not hide the others; the printed list is cut again.
        if *count <= SHOWN as u64 {
            self.shown.push(format!(
                "{who} differs: {encoding} {input}: library {library:?}, witness {witness:?}, model {model:?}"
            ));
        }
    }

    /// Counts a case of two results that are at hand, and notes a difference.
    pub(crate) fn case<T: PartialEq + Debug>(
        &mut self,
        encoding: &'static str,
        input: impl FnOnce() -> String,
        library: &T,
        witness: &T,
        model: impl FnOnce() -> T,
    ) {
        self.count();
        if library != witness {
            self.differs(encoding, input(), library, witness, &model());
        }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, comparison) in &self.comparisons {
            let sum = |counts: &BTreeMap<_, u64>| counts.values().sum::<u64>();
            let (witness, library) = (sum(&comparison.witness), sum(&comparison.library));
            writeln!(f, "{name}: {} cases, witness differs {witness}, library differs {library}", comparison.cases)?;
            for (who, counts) in [("witness", &comparison.witness), ("library", &comparison.library)] {
                if !counts.is_empty() {
                    writeln!(f, "    {who}: {counts:?}")?;
                }
            }
            let mut shown: Vec<&String> = comparison.shown.iter().collect();
            // The library's own first, then the shortest.
            shown.sort_by_key(|line| (!line.starts_with("LIBRARY"), line.len()));
            for line in shown.into_iter().take(SHOWN) {
                writeln!(f, "    {line}")?;
            }
        }
        Ok(())
    }
}
