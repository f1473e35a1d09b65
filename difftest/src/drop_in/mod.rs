//! The drop-in for encoding_rs beside encoding_rs itself, call by call. Here the witness is the judge: programs were written for it.
//!
//! With room to spare, every call gives the same: what has ended it, how much is read and written, the text, whether there
//! were errors. With little room the two may stop at other places, so there it is the whole that is compared: text, errors and
//! their positions.

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

/// Why a call has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    InputEmpty,
    OutputFull,
    Malformed(u8, u8),
    Unmappable(char),
}
