//! Restricts text to characters that all engines map alike, because the tables of some engines differ from the Encoding
//! Standard.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use bench_abi::{Call, Job, Operation};

use crate::{engines::Loaded, inputs, units::Units};

/// Text that an encoding can represent, and that all compared engines map alike.
pub(crate) struct Alike {
    pub(crate) text: String,
    /// The number of characters that are removed from the text because engines differ.
    pub(crate) differing: usize,
    /// Families of engines that differ too much and are left out.
    pub(crate) out: BTreeSet<String>,
}

/// An engine that maps more than one in `TOLERATED` characters differently is left out. Otherwise the characters are removed.
const TOLERATED: usize = 50;

/// Restricts text to characters that an encoding can represent and that engines map alike.
pub(crate) fn restrict(engines: &[Loaded], encoding: &'static str, text: &str) -> Result<Alike> {
    let ours = inputs::named(encoding)?;
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for c in text.chars() {
        *counts.entry(c).or_default() += 1;
    }
    let lacks: BTreeSet<char> = counts.keys().copied().filter(|&c| !round_trips(ours, c)).collect();
    let mut differs = BTreeSet::new();
    let mut out = BTreeSet::new();
    let mut families = BTreeSet::new();
    for engine in engines.iter().filter(|engine| !engine.is_ours()) {
        if !families.insert(&engine.family) {
            continue;
        }
        let mut probe = Probe::new(engine, encoding);
        let other: Vec<char> = counts.keys().copied().filter(|c| !lacks.contains(c) && !probe.agrees(*c)).collect();
        let weight: usize = other.iter().map(|c| counts[c]).sum();
        if weight * TOLERATED > text.chars().count() {
            out.insert(engine.family.clone());
        } else {
            differs.extend(other);
        }
    }
    let differing = differs.iter().map(|c| counts[c]).sum();
    let text = text.chars().filter(|c| !lacks.contains(c) && !differs.contains(c)).collect();
    Ok(Alike { text, differing, out })
}

fn round_trips(encoding: textcodec::Encoding, c: char) -> bool {
    let text = c.to_string();
    encoding.encode(&text).is_ok_and(|bytes| encoding.decode(&bytes).text == text)
}

/// An engine's calls for one encoding.
struct Probe {
    encoding: &'static str,
    calls: Vec<(Operation, Call)>,
}

impl Probe {
    fn new(engine: &Loaded, encoding: &'static str) -> Self {
        let operations =
            [Operation::DecodeToUtf8, Operation::DecodeToUtf16, Operation::EncodeFromUtf8, Operation::EncodeFromUtf16];
        let open = |operation| Some((operation, engine.open(Job::plain(operation, encoding, 0))?));
        Self { encoding, calls: operations.into_iter().filter_map(open).collect() }
    }

    fn agrees(&mut self, c: char) -> bool {
        // Between two letters, so that it is not a byte order mark and the initial state is restored.
        let text = format!("a{c}b");
        let utf8 = Units::Bytes(text.clone().into_bytes());
        let utf16 = Units::Utf16(text.encode_utf16().collect());
        let Ok(encoded) = inputs::reference(Operation::EncodeFromUtf8, self.encoding, &utf8) else { return false };
        self.calls.iter_mut().all(|(operation, call)| {
            let (src, expected) = match operation {
                Operation::DecodeToUtf8 => (&encoded, &utf8),
                Operation::DecodeToUtf16 => (&encoded, &utf16),
                Operation::EncodeFromUtf8 => (&utf8, &encoded),
                _ => (&utf16, &encoded),
            };
            let mut dst = Units::new(operation.unit_out());
            dst.resize(256);
            // SAFETY: the pointers are those of `src` and `dst`, with their lengths. `dst` is longer than any output of three
            // characters, and the input is well-formed.
            let written = unsafe { call.run(src.as_ptr(0), src.len(), dst.as_mut_ptr(), dst.len()) };
            written == expected.len() && dst.starts_with(expected)
        })
    }
}
