//! Stub.
#![allow(clippy::all, clippy::pedantic, dead_code, reason = "stub")]
use std::io::{self, Read};
use textcodec::{Encoding, UTF_8};
pub(crate) enum Extent {
    Whole,
    Beginning,
}
pub(crate) struct Detection {
    pub(crate) encoding: Encoding,
}
impl Detection {
    pub(crate) fn why(&self) -> String {
        String::new()
    }
    pub(crate) fn is_guess(&self) -> bool {
        false
    }
}
pub(crate) fn detect(_text: &mut dyn Read, _extent: Extent) -> io::Result<Detection> {
    Ok(Detection { encoding: UTF_8 })
}
