//! Hostile input: what an attacker, or a broken file, can make a conversion cost. Cells of their own, next to encoding_rs
//! alone, because it is the one peer that does as the Encoding Standard says.
//!
//! `cargo xtask bench --cells hostile` measures them.

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

mod classes;
mod patterns;
mod recipe;
mod report;

use patterns::{Pattern, Role};

/// How many bytes an input has.
const LEN: usize = 4 << 10;

/// A hostile input and how it is converted.
pub(crate) struct Case {
    /// Like `hostile/decode/big5/utf-8/replace/4KiB/pair*20+bad-lead`.
    pub(crate) name: String,
    pub(crate) operation: Operation,
    pub(crate) encoding: &'static str,
    pub(crate) errors: Errors,
    pub(crate) shape: Shape,
    /// The text form of the recipe.
    pub(crate) recipe: String,
    pub(crate) src: Units,
}

/// How much goes into a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// All of the input, and room for all of the output.
    Whole,
    /// One unit.
    Units,
    /// All of the input, and room for so many units of output.
    Room(usize),
}

impl Shape {
    fn name(self) -> String {
        match self {
            Self::Whole => "4KiB".to_owned(),
            Self::Units => "1-unit-chunks".to_owned(),
            Self::Room(room) => format!("room-{room}"),
        }
    }
}

/// A case's times.
pub(crate) struct Outcome {
    pub(crate) case: Case,
    /// Engines, and nanoseconds for the input.
    pub(crate) times: Vec<(usize, f64)>,
}

impl Case {
    fn new(operation: Operation, encoding: &'static str, errors: Errors, shape: Shape, src: Units) -> Self {
        Self { name: String::new(), operation, encoding, errors, shape, recipe: String::new(), src }
    }

    fn named(self, pattern: &str, recipe: String) -> Self {
        let errors = match self.errors {
            Errors::Plain | Errors::Replace => "replace",
            Errors::Skip => "skip",
            Errors::Html => "html",
            Errors::Report => "report",
        };
        let prefix = cells::prefix(self.operation, self.encoding);
        Self { name: format!("hostile/{prefix}/{errors}/{}/{pattern}", self.shape.name()), recipe, ..self }
    }

    fn job(&self) -> Job<'_> {
        let (chunk, room) = match self.shape {
            Shape::Whole => (0, 0),
            Shape::Units => (1, 0),
            Shape::Room(room) => (0, room),
        };
        Job { operation: self.operation, encoding: self.encoding, chunk, errors: self.errors, room }
    }

    /// What must come out, by the library's scalar kernels, in one call.
    fn reference(&self) -> Result<Units> {
        let encoding = inputs::named(self.encoding)?;
        let options = DecodeOptions::new().bom(Bom::Keep);
        let unmappable = match self.errors {
            Errors::Plain => Unmappable::Fail,
            Errors::Replace | Errors::Report => Unmappable::Replace('?'),
            Errors::Skip => Unmappable::Skip,
            Errors::Html => Unmappable::Html,
        };
        Ok(match (self.operation, &self.src) {
            (Operation::DecodeToUtf8, Units::Bytes(src)) => {
                Units::Bytes(encoding.decode_with(src, options)?.text.into_owned().into_bytes())
            }
            (Operation::DecodeToUtf16, Units::Bytes(src)) => Units::Utf16(encoding.decode_to_utf16(src, options)?.text),
            (_, Units::Bytes(src)) => {
                Units::Bytes(encoding.encode_with(str::from_utf8(src)?, unmappable)?.bytes.into_owned())
            }
            (_, Units::Utf16(src)) => Units::Bytes(encoding.encode_utf16(src, unmappable)?.bytes.into_owned()),
        })
    }
}

/// All cases.
pub(crate) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for classes in classes::ALL {
        let state = if classes.prefix.is_empty() { String::new() } else { format!("{}:", classes.all[0].name) };
        for Pattern { name, recipe, role } in patterns::of_bytes(&classes) {
            let (name, src) = (format!("{state}{name}"), Units::Bytes(recipe.fill(LEN)));
            let mut add = |operation, errors, shape| {
                let case = Case::new(operation, classes.encoding, errors, shape, src.clone());
                cases.push(case.named(&name, recipe.to_string()));
            };
            for (operation, small) in [(Operation::DecodeToUtf8, 4), (Operation::DecodeToUtf16, 2)] {
                add(operation, Errors::Replace, Shape::Whole);
                if role != Role::Other {
                    add(operation, Errors::Report, Shape::Whole);
                    add(operation, Errors::Replace, Shape::Units);
                    add(operation, Errors::Replace, Shape::Room(small));
                    add(operation, Errors::Replace, Shape::Room(16));
                }
            }
        }
    }
    cases
}

/// Measures cases and returns their times; and which engines are wrong where.
pub(crate) fn run(
    engines: &[Loaded],
    cases: Vec<Case>,
    passes: usize,
    mut progress: impl FnMut(usize, &str),
) -> Result<(Vec<Outcome>, Vec<String>)> {
    let (mut outcomes, mut wrong) = (Vec::new(), Vec::new());
    for (done, case) in cases.into_iter().enumerate() {
        progress(done, &case.name);
        let times = measure_one(engines, &case, passes, &mut wrong).with_context(|| case.name.clone())?;
        outcomes.push(Outcome { case, times });
    }
    Ok((outcomes, wrong))
}

/// One case's times.
fn measure_one(engines: &[Loaded], case: &Case, passes: usize, wrong: &mut Vec<String>) -> Result<Vec<(usize, f64)>> {
    let expected = case.reference()?;
    let mut room = Units::new(case.operation.unit_out());
    // `&#1114111;` for each character, and what encoding_rs asks for beyond what it fills.
    room.resize(10 * case.src.len() + 64);
    let prepared = Prepared::one(case.src.clone(), expected);
    let mut contenders = Vec::new();
    for (at, engine) in engines.iter().enumerate() {
        let Some(mut call) = engine.open(case.job()) else { continue };
        if let Err(why) = prepared.check(&mut call, &mut room, false) {
            ensure!(!engine.is_ours(), "{} is wrong: {why}", engine.label);
            wrong.push(format!("{} left out, because {why}: {} ({})", engine.label, case.name, case.recipe));
            continue;
        }
        contenders.push(Contender { engine: at, ours: engine.is_ours(), level: engine.level, call });
    }
    let times = measure::fastest(&mut contenders, &prepared, &mut room, passes);
    Ok(contenders.iter().zip(times).map(|(contender, ns)| (contender.engine, ns)).collect())
}

pub(crate) use report::print;
