//! The patterns of the cells: each class alone, each two classes alternating, one bad or rare item among common ones, and
//! shuffles.

use super::{
    classes::{Class, Classes, Kind},
    recipe::{Digits, Recipe},
};

/// A named recipe.
#[derive(Clone, Debug)]
pub(crate) struct Pattern<T> {
    /// Like `pair*20+bad-lead`.
    pub(crate) name: String,
    pub(crate) recipe: Recipe<T>,
    pub(crate) role: Role,
}

/// Determines for which conversions a pattern is used, in addition to whole calls with replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A class alone.
    Alone,
    /// A few patterns for each encoding that reach all code paths: common text with occasional errors, and a shuffle of all
    /// classes.
    Representative,
    /// Common text with errors at other distances.
    Errors,
    Other,
}

/// The distances of rare items: one item in `ONE_IN`.
const ONE_IN: [usize; 3] = [5, 21, 201];
/// A fixed seed, so that patterns are the same in each run.
const SEED: u64 = 1;

/// Returns all patterns of an encoding's classes.
pub(crate) fn of<T: Digits>(classes: &Classes<T>) -> Vec<Pattern<T>> {
    let items = classes.all;
    let mut patterns = Vec::new();
    let mut add = |name: String, recipe: Recipe<T>, role| {
        patterns.push(Pattern { name, recipe: recipe.after(classes.prefix), role });
    };
    let usual = |item: &Class<T>| matches!(item.kind, Kind::Ascii | Kind::Common);
    let is_first = |item: &Class<T>| {
        items.iter().find(|other| other.kind == item.kind).is_some_and(|first| first.name == item.name)
    };
    for item in items {
        add(item.name.to_owned(), Recipe::of(&[(item.units, 1)]), Role::Alone);
    }
    for (at, one) in items.iter().enumerate() {
        for other in &items[at + 1..] {
            let name = format!("{}+{}", one.name, other.name);
            let role = if usual(one) && other.kind == Kind::Bad { Role::Errors } else { Role::Other };
            add(name, Recipe::of(&[(one.units, 1), (other.units, 1)]), role);
        }
    }
    for base in items.iter().filter(|item| usual(item)) {
        for odd in items.iter().filter(|odd| odd.name != base.name) {
            for one_in in ONE_IN {
                let role = match (odd.kind, one_in) {
                    (Kind::Bad, 21) if is_first(base) => Role::Representative,
                    (Kind::Bad, _) => Role::Errors,
                    _ => Role::Other,
                };
                let recipe = Recipe::of(&[(base.units, one_in - 1), (odd.units, 1)]);
                add(format!("{}*{}+{}", base.name, one_in - 1, odd.name), recipe, role);
            }
        }
    }
    let pick = |name: &str, wanted: &dyn Fn(Kind) -> bool| {
        let runs: Vec<(&[T], usize)> =
            items.iter().filter(|item| wanted(item.kind)).map(|item| (item.units, 1)).collect();
        (runs.len() > 1).then(|| (format!("~{name}"), Recipe::of(&runs).shuffled(SEED)))
    };
    let shuffles = [
        pick("all", &|_| true),
        pick("valid", &|kind| kind != Kind::Bad),
        pick("common,bad", &|kind| matches!(kind, Kind::Common | Kind::Bad)),
        pick("ascii,bad", &|kind| matches!(kind, Kind::Ascii | Kind::Bad)),
        pick("common,rare", &|kind| matches!(kind, Kind::Common | Kind::Rare)),
        pick("bad", &|kind| kind == Kind::Bad),
    ];
    for (name, recipe) in shuffles.into_iter().flatten() {
        let role = match &*name {
            "~all" => Role::Representative,
            "~valid" | "~common,rare" => Role::Other,
            _ => Role::Errors,
        };
        add(name, recipe, role);
    }
    patterns
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::hostile::classes;

    #[test]
    fn every_class_occurs_alone_and_with_every_other() {
        for classes in classes::ALL {
            let patterns = of(&classes);
            let names: BTreeSet<&str> = patterns.iter().map(|pattern| pattern.name.as_str()).collect();
            assert_eq!(names.len(), patterns.len(), "{}", classes.encoding);
            let count = classes.all.len();
            let alone = patterns.iter().filter(|pattern| pattern.role == Role::Alone).count();
            assert_eq!(alone, count);
            let pairs = patterns.iter().filter(|pattern| pattern.name.contains('+') && !pattern.name.contains('*'));
            assert_eq!(pairs.count(), count * (count - 1) / 2);
        }
    }

    #[test]
    fn each_encoding_has_representative_patterns() {
        for classes in classes::ALL {
            let patterns = of(&classes);
            let some = patterns.iter().filter(|pattern| pattern.role == Role::Representative).count();
            assert!((1..=classes.all.len() * 2).contains(&some), "{} {some}", classes.encoding);
        }
    }

    #[test]
    fn one_in_21_has_20_common_items() {
        let patterns = of(classes::ALL.iter().find(|classes| classes.encoding == "Big5").unwrap());
        let pattern = patterns.iter().find(|pattern| pattern.name == "pair*20+bad-lead").unwrap();
        assert_eq!(pattern.recipe.to_string(), "a4a4*20 ff");
    }
}
