//! Hostile input: how much a conversion can cost if an attacker or a damaged file determines the input. These cells compare
//! only with encoding_rs, the only peer that follows the Encoding Standard.
//!
//! `cargo xtask bench --cells hostile` measures the cells, `cargo xtask bench --worst` searches for worse ones.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use bench_abi::{Errors, Job, Operation};
use textcodec::{Bom, DecodeOptions, Unmappable};

use crate::{
    cells,
    engines::Loaded,
    inputs::{self, Prepared},
    measure::{self, Contender},
    units::Units,
};

mod characters;
mod classes;
mod found;
mod make;
mod patterns;
mod recipe;
mod report;
mod search;

use patterns::{Pattern, Role};
use recipe::{Digits, Recipe};

/// The length of an input in bytes.
const LEN: usize = 4 << 10;

/// The minimum duration of an engine's pass.
const PASS_NS: u64 = 20_000;

/// A hostile input and how it is converted.
#[derive(Clone)]
pub(crate) struct Case {
    /// Like `hostile/decode/big5/utf-8/replace/4KiB/pair*20+bad-lead`.
    pub(crate) name: String,
    pub(crate) conversion: Conversion,
    /// The text form of the recipe.
    pub(crate) recipe: String,
    pub(crate) src: Units,
}

/// The size of the chunks and of the destinations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The whole input, with a destination for the whole output.
    Whole,
    /// Chunks of one unit.
    Units,
    /// The whole input, with destinations of this many units.
    Buffer(usize),
}

impl Shape {
    fn name(self) -> String {
        match self {
            Self::Whole => "4KiB".to_owned(),
            Self::Units => "1-unit-chunks".to_owned(),
            Self::Buffer(capacity) => format!("room-{capacity}"),
        }
    }
}

/// The index of each engine, and its time for the input in nanoseconds.
pub(crate) type Times = Vec<(usize, f64)>;

/// A case's times.
pub(crate) struct Outcome {
    pub(crate) case: Case,
    pub(crate) times: Times,
}

/// How an input is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conversion {
    pub(crate) operation: Operation,
    pub(crate) encoding: &'static str,
    pub(crate) errors: Errors,
    pub(crate) shape: Shape,
}

impl Conversion {
    /// Like `hostile/decode/big5/utf-8/replace/4KiB`.
    fn name(&self) -> String {
        let errors = match self.errors {
            Errors::Plain | Errors::Replace => "replace",
            Errors::Skip => "skip",
            Errors::Html => "html",
            Errors::Report => "report",
        };
        format!("hostile/{}/{errors}/{}", cells::prefix(self.operation, self.encoding), self.shape.name())
    }

    pub(crate) fn decodes(&self) -> bool {
        matches!(self.operation, Operation::DecodeToUtf8 | Operation::DecodeToUtf16)
    }

    fn job(&self) -> Job<'static> {
        let (chunk, capacity) = match self.shape {
            Shape::Whole => (0, 0),
            Shape::Units => (1, 0),
            Shape::Buffer(capacity) => (0, capacity),
        };
        Job { operation: self.operation, encoding: self.encoding, chunk, errors: self.errors, capacity }
    }

    /// Returns an input with its expected output, and a destination for any engine.
    fn prepare(&self, src: &Units) -> Result<(Prepared, Units)> {
        let mut dst = Units::new(self.operation.unit_out());
        // Enough for `&#1114111;` for each character, and for the additional units that encoding_rs requires.
        dst.resize(10 * src.len() + 64);
        Ok((Prepared::one(src.clone(), self.reference(src)?), dst))
    }

    /// Returns the expected output, from a single call with the library's scalar kernels.
    fn reference(&self, src: &Units) -> Result<Units> {
        let encoding = inputs::named(self.encoding)?;
        let options = DecodeOptions::new().bom(Bom::Keep);
        let unmappable = match self.errors {
            Errors::Plain => Unmappable::Fail,
            Errors::Replace | Errors::Report => Unmappable::Replace('?'),
            Errors::Skip => Unmappable::Skip,
            Errors::Html => Unmappable::Html,
        };
        Ok(match (self.operation, src) {
            (Operation::DecodeToUtf8, Units::Bytes(src)) => {
                Units::Bytes(encoding.decode_with(src, options)?.text.into_owned().into_bytes())
            }
            (Operation::DecodeToUtf16, Units::Bytes(src)) => {
                Units::Utf16(encoding.decode_to_utf16_with(src, options)?.text)
            }
            (_, Units::Bytes(src)) => {
                Units::Bytes(encoding.encode_with(str::from_utf8(src)?, unmappable)?.bytes.into_owned())
            }
            (_, Units::Utf16(src)) => Units::Bytes(encoding.encode_from_utf16_with(src, unmappable)?.bytes),
        })
    }
}

/// A unit of recipes: bytes are decoded, code units of UTF-16 are encoded.
pub(crate) trait Input: Digits + 'static {
    /// Returns the input for a conversion, or `None` if it must be UTF-8 and the text has unpaired surrogates.
    fn fill(recipe: &Recipe<Self>, conversion: Conversion) -> Option<Units>;
}

impl Input for u8 {
    fn fill(recipe: &Recipe<Self>, _: Conversion) -> Option<Units> {
        Some(Units::Bytes(recipe.fill(LEN)))
    }
}

impl Input for u16 {
    fn fill(recipe: &Recipe<Self>, conversion: Conversion) -> Option<Units> {
        if conversion.operation == Operation::EncodeFromUtf16 {
            return Some(Units::Utf16(recipe.fill(LEN / 2)));
        }
        let mut text = String::from_utf16(&recipe.fill(LEN)).ok()?;
        text.truncate(text.floor_char_boundary(LEN));
        Some(Units::Bytes(text.into_bytes()))
    }
}

impl Case {
    fn new<T: Input>(conversion: Conversion, pattern: &str, recipe: &Recipe<T>) -> Option<Self> {
        let src = T::fill(recipe, conversion)?;
        Some(Self { name: format!("{}/{pattern}", conversion.name()), conversion, recipe: recipe.to_string(), src })
    }

    /// Returns a case for a pattern without a name, which is named after its recipe.
    fn found<T: Input>(conversion: Conversion, recipe: &Recipe<T>) -> Option<Self> {
        Self::new(conversion, &recipe.to_string().replace(' ', "_"), recipe)
    }
}

/// Returns all cases: the patterns, and those that searches have found.
pub(crate) fn all() -> Result<Vec<Case>> {
    let mut cases = found::cases()?;
    for classes in classes::ALL {
        let state = if classes.prefix.is_empty() { String::new() } else { format!("{}:", classes.all[0].name) };
        for Pattern { name, recipe, role } in patterns::of(&classes) {
            let name = format!("{state}{name}");
            for (operation, tiny) in [(Operation::DecodeToUtf8, 4), (Operation::DecodeToUtf16, 2)] {
                let conversions =
                    conversions(operation, classes.encoding, role, &[Errors::Replace, Errors::Report], tiny);
                cases.extend(conversions.filter_map(|conversion| Case::new(conversion, &name, &recipe)));
            }
        }
    }
    for classes in characters::ALL {
        for Pattern { name, recipe, role } in patterns::of(&classes) {
            for operation in [Operation::EncodeFromUtf8, Operation::EncodeFromUtf16] {
                // encoding_rs requires capacity for a numeric character reference, an escape sequence and a character.
                let conversions = conversions(
                    operation,
                    classes.encoding,
                    role,
                    &[Errors::Html, Errors::Replace, Errors::Report],
                    32,
                );
                cases.extend(conversions.filter_map(|conversion| Case::new(conversion, &name, &recipe)));
            }
        }
    }
    Ok(cases)
}

/// Returns the conversions of a pattern. All patterns have whole calls with the first error policy, some have others.
fn conversions(
    operation: Operation,
    encoding: &'static str,
    role: Role,
    errors: &[Errors],
    tiny: usize,
) -> impl Iterator<Item = Conversion> {
    let conversion = |errors, shape| Conversion { operation, encoding, errors, shape };
    let policies = if role == Role::Other { 1 } else { errors.len() };
    let mut conversions: Vec<Conversion> =
        errors[..policies].iter().map(|&errors| conversion(errors, Shape::Whole)).collect();
    if matches!(role, Role::Alone | Role::Representative) {
        conversions.extend(
            [Shape::Units, Shape::Buffer(tiny), Shape::Buffer(4 * tiny)].map(|shape| conversion(errors[0], shape)),
        );
        // Not ISO-2022-JP: for a skipped character, the library also omits the escape sequences around it.
        if !conversions[0].decodes() && encoding != "ISO-2022-JP" {
            conversions.push(conversion(Errors::Skip, Shape::Whole));
        }
    }
    conversions.into_iter()
}

/// Returns whether an engine is measured with hostile input.
fn is_measured(engine: &Loaded) -> bool {
    engine.is_ours() || [BEFORE, "encoding_rs", "encoding_rs-fast"].contains(&&*engine.family)
}

/// The family of the library from the checkout of `--baseline`.
const BEFORE: &str = "textcodec-before";

/// Measures cases. Returns their times, and the engines with wrong outputs. Without passes, only checks outputs.
pub(crate) fn run(
    engines: &[Loaded],
    cases: Vec<Case>,
    passes: usize,
    mut progress: impl FnMut(usize, &str),
) -> Result<(Vec<Outcome>, Vec<String>)> {
    let (mut outcomes, mut wrong) = (Vec::new(), BTreeMap::<String, Vec<String>>::new());
    for (done, case) in cases.into_iter().enumerate() {
        progress(done, &case.name);
        let mut contenders = Contenders::open(engines, case.conversion);
        let times = contenders.measure(engines, &case.src, |contenders, prepared, dst| {
            if passes == 0 { Vec::new() } else { measure::fastest(contenders, prepared, dst, passes, PASS_NS) }
        });
        let (times, left_out) = times.with_context(|| format!("{} ({})", case.name, case.recipe))?;
        for why in left_out {
            wrong.entry(why).or_default().push(format!("{} [{}]", case.name, case.recipe));
        }
        outcomes.push(Outcome { case, times });
    }
    let lines =
        wrong.into_iter().map(|(why, cells)| format!("{why} left out of {} cells: {} …", cells.len(), cells[0]));
    Ok((outcomes, lines.collect()))
}

/// The calls of all engines for a conversion.
struct Contenders {
    conversion: Conversion,
    all: Vec<Contender>,
}

impl Contenders {
    fn open(engines: &[Loaded], conversion: Conversion) -> Self {
        let opened = engines.iter().enumerate().filter(|(_, engine)| is_measured(engine)).filter_map(|(at, engine)| {
            let call = engine.open(conversion.job())?;
            Some(Contender { engine: at, ours: engine.is_ours(), level: engine.level, call })
        });
        Self { conversion, all: opened.collect() }
    }

    /// Checks outputs, then measures. Returns the times, and the peers with wrong outputs. A wrong output of the library is an
    /// error.
    fn measure(
        &mut self,
        engines: &[Loaded],
        src: &Units,
        clock: impl FnOnce(&mut [Contender], &Prepared, &mut Units) -> Vec<f64>,
    ) -> Result<(Times, Vec<String>)> {
        let (prepared, mut dst) = self.conversion.prepare(src)?;
        let (mut right, mut wrong, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
        for mut contender in self.all.drain(..) {
            let engine = &engines[contender.engine];
            match prepared.check(&mut contender.call, &mut dst, false) {
                Ok(()) => right.push(contender),
                Err(why) => {
                    ensure!(!engine.is_ours(), "{} is wrong: {why}", engine.label);
                    left_out.push(format!("{}, because {why},", engine.label));
                    contender.call = engine.open(self.conversion.job()).context("the job was opened before")?;
                    wrong.push(contender);
                }
            }
        }
        let times = clock(&mut right, &prepared, &mut dst);
        let times = right.iter().zip(times).map(|(contender, ns)| (contender.engine, ns)).collect();
        self.all = right;
        self.all.extend(wrong);
        Ok((times, left_out))
    }
}

pub(crate) use found::{cases as found, file as found_file};
pub(crate) use report::{all_times, cases as worst_cases, figures, print, record, worst};
pub(crate) use search::{Limits, search};
