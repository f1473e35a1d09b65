//! Hostile input: what an attacker, or a broken file, can make a conversion cost. Cells of their own, next to encoding_rs
//! alone, because it is the one peer that does as the Encoding Standard says.
//!
//! `cargo xtask bench --cells hostile` measures them, `cargo xtask bench --worst` looks for worse ones.

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

/// How many bytes an input has.
const LEN: usize = 4 << 10;

/// How long a pass of one engine lasts at least.
const PASS_NS: u64 = 20_000;

/// A hostile input and how it is converted.
#[derive(Clone)]
pub(crate) struct Case {
    /// Like `hostile/decode/big5/utf-8/replace/4KiB/pair*20+bad-lead`.
    pub(crate) name: String,
    pub(crate) way: Way,
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

/// Engines, and nanoseconds for the input.
pub(crate) type Times = Vec<(usize, f64)>;

/// A case's times.
pub(crate) struct Outcome {
    pub(crate) case: Case,
    pub(crate) times: Times,
}

/// What is done to an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) operation: Operation,
    pub(crate) encoding: &'static str,
    pub(crate) errors: Errors,
    pub(crate) shape: Shape,
}

impl Way {
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
        let (chunk, room) = match self.shape {
            Shape::Whole => (0, 0),
            Shape::Units => (1, 0),
            Shape::Room(room) => (0, room),
        };
        Job { operation: self.operation, encoding: self.encoding, chunk, errors: self.errors, room }
    }

    /// An input with its expected output, and room for any engine's.
    fn prepare(&self, src: &Units) -> Result<(Prepared, Units)> {
        let mut room = Units::new(self.operation.unit_out());
        // `&#1114111;` for each character, and what encoding_rs asks for beyond what it fills.
        room.resize(10 * src.len() + 64);
        Ok((Prepared::one(src.clone(), self.reference(src)?), room))
    }

    /// What must come out, by the library's scalar kernels, in one call.
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
            (Operation::DecodeToUtf16, Units::Bytes(src)) => Units::Utf16(encoding.decode_to_utf16(src, options)?.text),
            (_, Units::Bytes(src)) => {
                Units::Bytes(encoding.encode_with(str::from_utf8(src)?, unmappable)?.bytes.into_owned())
            }
            (_, Units::Utf16(src)) => Units::Bytes(encoding.encode_utf16(src, unmappable)?.bytes.into_owned()),
        })
    }
}

/// Units that recipes are made of: bytes are decoded, code units of UTF-16 are encoded.
pub(crate) trait Input: Digits + 'static {
    /// The input of a way, or nothing where the text has lone surrogates and is to be UTF-8.
    fn fill(recipe: &Recipe<Self>, way: Way) -> Option<Units>;
}

impl Input for u8 {
    fn fill(recipe: &Recipe<Self>, _: Way) -> Option<Units> {
        Some(Units::Bytes(recipe.fill(LEN)))
    }
}

impl Input for u16 {
    fn fill(recipe: &Recipe<Self>, way: Way) -> Option<Units> {
        if way.operation == Operation::EncodeFromUtf16 {
            return Some(Units::Utf16(recipe.fill(LEN / 2)));
        }
        let mut text = String::from_utf16(&recipe.fill(LEN)).ok()?;
        text.truncate(text.floor_char_boundary(LEN));
        Some(Units::Bytes(text.into_bytes()))
    }
}

impl Case {
    fn new<T: Input>(way: Way, pattern: &str, recipe: &Recipe<T>) -> Option<Self> {
        let src = T::fill(recipe, way)?;
        Some(Self { name: format!("{}/{pattern}", way.name()), way, recipe: recipe.to_string(), src })
    }

    /// A pattern without a name is called as its recipe is written.
    fn found<T: Input>(way: Way, recipe: &Recipe<T>) -> Option<Self> {
        Self::new(way, &recipe.to_string().replace(' ', "_"), recipe)
    }
}

/// All cases: patterns, and what searches have found.
pub(crate) fn all() -> Result<Vec<Case>> {
    let mut cases = found::cases()?;
    for classes in classes::ALL {
        let state = if classes.prefix.is_empty() { String::new() } else { format!("{}:", classes.all[0].name) };
        for Pattern { name, recipe, role } in patterns::of(&classes) {
            let name = format!("{state}{name}");
            for (operation, tiny) in [(Operation::DecodeToUtf8, 4), (Operation::DecodeToUtf16, 2)] {
                let ways = ways(operation, classes.encoding, role, &[Errors::Replace, Errors::Report], tiny);
                cases.extend(ways.filter_map(|way| Case::new(way, &name, &recipe)));
            }
        }
    }
    for classes in characters::ALL {
        for Pattern { name, recipe, role } in patterns::of(&classes) {
            for operation in [Operation::EncodeFromUtf8, Operation::EncodeFromUtf16] {
                // encoding_rs needs room for a numeric character reference, an escape sequence and a character.
                let ways =
                    ways(operation, classes.encoding, role, &[Errors::Html, Errors::Replace, Errors::Report], 32);
                cases.extend(ways.filter_map(|way| Case::new(way, &name, &recipe)));
            }
        }
    }
    Ok(cases)
}

/// How a pattern is converted: each in whole calls and with the first choice about errors, some also in other ways.
fn ways(
    operation: Operation,
    encoding: &'static str,
    role: Role,
    errors: &[Errors],
    tiny: usize,
) -> impl Iterator<Item = Way> {
    let way = |errors, shape| Way { operation, encoding, errors, shape };
    let policies = if role == Role::Other { 1 } else { errors.len() };
    let mut ways: Vec<Way> = errors[..policies].iter().map(|&errors| way(errors, Shape::Whole)).collect();
    if matches!(role, Role::Alone | Role::Representative) {
        ways.extend([Shape::Units, Shape::Room(tiny), Shape::Room(4 * tiny)].map(|shape| way(errors[0], shape)));
        // Where nothing is written for a character, the library leaves out the escape sequences around it, too.
        if !ways[0].decodes() && encoding != "ISO-2022-JP" {
            ways.push(way(Errors::Skip, Shape::Whole));
        }
    }
    ways.into_iter()
}

/// Whether an engine is measured with hostile input.
fn takes_part(engine: &Loaded) -> bool {
    engine.is_ours() || [BEFORE, "encoding_rs", "encoding_rs-fast"].contains(&&*engine.family)
}

/// The library as it was before, in the checkout that `--baseline` names.
const BEFORE: &str = "textcodec-before";

/// Measures cases and returns their times, and which engines are wrong where. With no passes it only checks outputs.
pub(crate) fn run(
    engines: &[Loaded],
    cases: Vec<Case>,
    passes: usize,
    mut progress: impl FnMut(usize, &str),
) -> Result<(Vec<Outcome>, Vec<String>)> {
    let (mut outcomes, mut wrong) = (Vec::new(), BTreeMap::<String, Vec<String>>::new());
    for (done, case) in cases.into_iter().enumerate() {
        progress(done, &case.name);
        let mut contenders = Contenders::open(engines, case.way);
        let times = contenders.measure(engines, &case.src, |contenders, prepared, room| {
            if passes == 0 { Vec::new() } else { measure::fastest(contenders, prepared, room, passes, PASS_NS) }
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

/// The engines' calls for one way.
struct Contenders {
    way: Way,
    all: Vec<Contender>,
}

impl Contenders {
    fn open(engines: &[Loaded], way: Way) -> Self {
        let opened = engines.iter().enumerate().filter(|(_, engine)| takes_part(engine)).filter_map(|(at, engine)| {
            let call = engine.open(way.job())?;
            Some(Contender { engine: at, ours: engine.is_ours(), level: engine.level, call })
        });
        Self { way, all: opened.collect() }
    }

    /// Checks outputs, then measures. Returns the times, and the peers that are wrong; that the library is wrong is an error.
    fn measure(
        &mut self,
        engines: &[Loaded],
        src: &Units,
        clock: impl FnOnce(&mut [Contender], &Prepared, &mut Units) -> Vec<f64>,
    ) -> Result<(Times, Vec<String>)> {
        let (prepared, mut room) = self.way.prepare(src)?;
        let (mut right, mut wrong, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
        for mut contender in self.all.drain(..) {
            let engine = &engines[contender.engine];
            match prepared.check(&mut contender.call, &mut room, false) {
                Ok(()) => right.push(contender),
                Err(why) => {
                    ensure!(!engine.is_ours(), "{} is wrong: {why}", engine.label);
                    left_out.push(format!("{}, because {why},", engine.label));
                    contender.call = engine.open(self.way.job()).context("it opened before")?;
                    wrong.push(contender);
                }
            }
        }
        let times = clock(&mut right, &prepared, &mut room);
        let times = right.iter().zip(times).map(|(contender, ns)| (contender.engine, ns)).collect();
        self.all = right;
        self.all.extend(wrong);
        Ok((times, left_out))
    }
}

pub(crate) use found::{cases as found, file as found_file};
pub(crate) use report::{all_times, cases as worst_cases, figures, print, record, section, worst};
pub(crate) use search::{Limits, search};
