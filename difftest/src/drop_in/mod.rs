//! Compares the drop-in with encoding_rs, call by call. Here encoding_rs is always right, because programs were written for it.
//!
//! With large destinations, every call must have the same result: why it returned, how much was read and written, the
//! text, and whether there were errors. With small destinations the two may stop at different positions, so only the results
//! for the whole input are compared: the text, the errors and their positions.

pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod encodings;

use crate::trio::Trio;

/// An encoding in the drop-in and in encoding_rs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) ours: &'static drop_in::Encoding,
    pub(crate) theirs: &'static encoding_rs::Encoding,
}

impl Pair {
    pub(crate) fn of(trio: Trio) -> Self {
        let ours = drop_in::Encoding::for_label(trio.name().as_bytes()).expect("a name is a label");
        assert_eq!(ours.name(), trio.name(), "the drop-in has the same names");
        Self { ours, theirs: trio.witness }
    }

    pub(crate) fn name(self) -> &'static str {
        self.theirs.name()
    }
}

/// Why a call returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    InputEmpty,
    OutputFull,
    Malformed(u8, u8),
    Unmappable(char),
}
