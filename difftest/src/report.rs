//! The results of the comparisons.

use std::{
    collections::BTreeMap,
    fmt::{self, Debug, Display},
};

/// The maximum number of differences shown for a comparison.
const SHOWN: usize = 20;

/// All comparisons, each with its name. The last one used is the first, because it is looked up for each of many millions of cases.
#[derive(Debug, Default)]
pub(crate) struct Report {
    comparisons: Vec<(&'static str, Comparison)>,
}

/// The counts of one comparison.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    cases: u64,
    /// The number of cases in which only the witness differs from the model, by encoding.
    witness: BTreeMap<&'static str, u64>,
    /// The number of cases in which the library differs from the model, by encoding.
    library: BTreeMap<&'static str, u64>,
    shown: Vec<String>,
}

impl Report {
    /// Returns the comparison with this name.
    pub(crate) fn comparison(&mut self, name: &'static str) -> &mut Comparison {
        let index = self.comparisons.iter().position(|&(other, _)| other == name).unwrap_or_else(|| {
            self.comparisons.push((name, Comparison::default()));
            self.comparisons.len() - 1
        });
        self.comparisons.swap(0, index);
        &mut self.comparisons[0].1
    }

    /// Adds the results of another thread.
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

    /// Returns the number of comparisons with cases whose names start with `group`.
    pub(crate) fn comparisons_of(&self, group: &str) -> usize {
        self.comparisons.iter().filter(|(name, comparison)| name.starts_with(group) && comparison.cases > 0).count()
    }

    /// Returns whether the library never differs from the model.
    pub(crate) fn library_is_right(&self) -> bool {
        self.comparisons.iter().all(|(_, comparison)| comparison.library.is_empty())
    }
}

impl Comparison {
    /// Counts a case.
    pub(crate) fn count(&mut self) {
        self.cases += 1;
    }

    /// Reports a difference, and whether the library or the witness is wrong.
    pub(crate) fn differs<T: PartialEq + Debug>(
        &mut self,
        encoding: &'static str,
        input: impl Display,
        library: &T,
        witness: &T,
        model: &T,
    ) {
        let (counts, who) =
            if model == library { (&mut self.witness, "witness") } else { (&mut self.library, "LIBRARY") };
        let count = counts.entry(encoding).or_default();
        *count += 1;
        // Keeps some of every encoding, so that one encoding does not hide the others. The printed list is shortened again.
        if *count <= SHOWN as u64 {
            self.shown.push(format!(
                "{who} differs: {encoding} {input}: library {library:?}, witness {witness:?}, model {model:?}"
            ));
        }
    }

    /// Counts a case, and reports a difference between the results.
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
        let mut comparisons: Vec<_> = self.comparisons.iter().collect();
        comparisons.sort_by_key(|(name, _)| name);
        for (name, comparison) in comparisons {
            let sum = |counts: &BTreeMap<_, u64>| counts.values().sum::<u64>();
            let (witness, library) = (sum(&comparison.witness), sum(&comparison.library));
            writeln!(f, "{name}: {} cases, witness differs {witness}, library differs {library}", comparison.cases)?;
            for (who, counts) in [("witness", &comparison.witness), ("library", &comparison.library)] {
                if !counts.is_empty() {
                    writeln!(f, "    {who}: {counts:?}")?;
                }
            }
            let mut shown: Vec<&String> = comparison.shown.iter().collect();
            // Errors of the library first, then the shortest lines.
            shown.sort_by_key(|line| (!line.starts_with("LIBRARY"), line.len()));
            for line in shown.into_iter().take(SHOWN) {
                writeln!(f, "    {line}")?;
            }
        }
        Ok(())
    }
}
