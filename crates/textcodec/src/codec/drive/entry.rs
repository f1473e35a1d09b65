//! The entry of a call, for both directions: [`choose`] decides, and the other functions do what it says.
//!
//! They are not inlined, and end in calls of each other, as jumps: so each saves only the registers that it needs itself, and short
//! inputs pay for nothing else ([short inputs](../../../../../docs/design/short-inputs.md)).

use super::{Phase, Stop, Turn};
use crate::{
    codec::{
        progress::{Costs, KernelCall, MIN_KERNEL_INPUT, Progress},
        source::Text,
    },
    kernel::Out,
};

/// A decoder or an encoder, as the entry sees it. `S` is the form of its input, `U` the code unit of its output.
pub(crate) trait Coder<S: Text + ?Sized, U: Copy> {
    /// What its errors are known by.
    type Reason;

    fn set_phase(&mut self, phase: Phase<Self::Reason>);

    fn progress(&self) -> &Progress;

    fn progress_mut(&mut self) -> &mut Progress;

    /// Whether a kernel can start at the beginning of `src`: nothing is pending, and no kernel has stopped early of late.
    fn is_ready(&self, src: &S) -> bool;

    /// How the text may start, by its first character.
    fn start(&self, src: &S) -> Start;

    /// Whether the encoding has a faster kernel for text that is all ASCII.
    fn has_faster_ascii(&self) -> bool;

    /// Converts a short input that is all ASCII; returns false if it is not, or does not fit.
    fn short_ascii(src: &S, out: &mut Out<'_, U>) -> bool;

    /// Converts a short input from or to UTF-16; returns false if it does not fit, or there is no short conversion.
    fn short_utf16(&self, src: &S, out: &mut Out<'_, U>) -> bool;

    /// Converts ASCII by a kernel. Returns how many units were read.
    fn ascii(&self, src: &S, out: &mut Out<'_, U>) -> usize;

    /// Converts a prefix by a kernel. Returns how many units were read, and whether nothing is left to do.
    fn kernel(&mut self, src: &S, last: bool, out: &mut Out<'_, U>) -> (usize, bool);

    /// See [`Costs`].
    fn costs(&self) -> Costs;

    /// Converts by the loop. Returns how many units were read, and why it stopped.
    fn steps(&mut self, src: &S, last: bool, turn: Turn, out: &mut Out<'_, U>) -> (usize, Stop<Self::Reason>);
}

/// What a text starts with, as far as it decides how a short input is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// A character of an ASCII-compatible encoding that may be ASCII.
    Ascii,
    /// A character that may have a short conversion from or to UTF-16.
    Utf16,
    Other,
}

/// How a call begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// With the loop.
    Steps,
    /// As a short input that is all ASCII, if it is.
    ShortAscii,
    /// As a short input from or to UTF-16, if it is.
    ShortUtf16,
    /// With the kernel of ASCII.
    Ascii,
    /// With a kernel of the encoding.
    Kernel,
}

/// The length in units from which on text after ASCII is probably ASCII too.
const LONG: usize = 512;

/// Chooses the way of a call with `units` units of input and `spare` units of output capacity. `is_ready` and `start` are what the
/// [`Coder`] says. `expects_ascii` is whether more follows after the call, and all long chunks before were ASCII. They are functions, to
/// be called only as far as they matter.
#[inline(always)]
fn choose(
    units: usize,
    spare: usize,
    is_ready: impl FnOnce() -> bool,
    start: impl FnOnce() -> Start,
    expects_ascii: impl FnOnce() -> bool,
) -> Way {
    if cfg!(textcodec_small) || units < MIN_KERNEL_INPUT || spare < units || !is_ready() {
        return Way::Steps;
    }
    match start() {
        Start::Utf16 => Way::ShortUtf16,
        Start::Ascii if units < LONG => Way::ShortAscii,
        Start::Ascii if path!("ascii-stream") && expects_ascii() => Way::Ascii,
        _ => Way::Kernel,
    }
}

/// Converts a chunk. `last` is whether the input ends with it. Returns how many units were read, and why it stopped.
#[cfg_attr(not(textcodec_small), inline(never))]
pub(crate) fn convert<S: Text + ?Sized, U: Copy, C: Coder<S, U>>(
    coder: &mut C,
    src: &S,
    last: bool,
    out: &mut Out<'_, U>,
) -> (usize, Stop<C::Reason>) {
    let units = src.units();
    let expects_ascii = || !last && coder.progress().is_ascii && coder.has_faster_ascii();
    let way = choose(units, out.spare_len(), || coder.is_ready(src), || coder.start(src), expects_ascii);
    if way == Way::Steps {
        return coder.steps(src, last, Turn::Convert, out);
    }
    // If a kernel does not read all of it, `by_kernel` corrects this.
    coder.set_phase(if last { Phase::Finished } else { Phase::Text });
    match way {
        Way::ShortAscii if C::short_ascii(src, out) => {
            coder.progress_mut().advance(units);
            (units, Stop::InputEmpty)
        }
        Way::ShortUtf16 => as_short_utf16(coder, src, last, out),
        Way::Ascii => as_ascii(coder, src, last, out),
        Way::Steps | Way::ShortAscii | Way::Kernel => by_kernel(coder, src, last, out),
    }
}

/// Converts a chunk as short UTF-16, if it is.
#[inline(never)]
fn as_short_utf16<S: Text + ?Sized, U: Copy, C: Coder<S, U>>(
    coder: &mut C,
    src: &S,
    last: bool,
    out: &mut Out<'_, U>,
) -> (usize, Stop<C::Reason>) {
    if coder.short_utf16(src, out) {
        coder.progress_mut().advance(src.units());
        return (src.units(), Stop::InputEmpty);
    }
    by_kernel(coder, src, last, out)
}

/// Converts a long chunk after others that were all ASCII.
#[inline(never)]
fn as_ascii<S: Text + ?Sized, U: Copy, C: Coder<S, U>>(
    coder: &mut C,
    src: &S,
    last: bool,
    out: &mut Out<'_, U>,
) -> (usize, Stop<C::Reason>) {
    let read = coder.ascii(src, out);
    coder.progress_mut().advance(read);
    if read == src.units() {
        return (read, Stop::InputEmpty);
    }
    coder.progress_mut().is_ascii = false;
    let (more, stop) = by_kernel(coder, src.rest(read), last, out);
    (read + more, stop)
}

/// Converts a chunk by a kernel, and what is left by the loop.
#[inline(never)]
fn by_kernel<S: Text + ?Sized, U: Copy, C: Coder<S, U>>(
    coder: &mut C,
    src: &S,
    last: bool,
    out: &mut Out<'_, U>,
) -> (usize, Stop<C::Reason>) {
    let (read, is_done) = coder.kernel(src, last, out);
    if is_done {
        coder.progress_mut().advance(read);
        return (read, Stop::InputEmpty);
    }
    coder.set_phase(Phase::Text);
    let (call, costs) = (KernelCall { units: src.units(), taken: read, spare: out.spare_len() }, coder.costs());
    coder.progress_mut().record(call, costs, &|recent| src.count_non_ascii(read - recent..read));
    let (more, stop) = coder.steps(src.rest(read), last, Turn::Handle, out);
    (read + more, stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_of_a_call() {
        let (min, long) = (MIN_KERNEL_INPUT, LONG);
        for (units, spare, is_ready, start, expects_ascii, way) in [
            // Too little input or output, or something pending.
            (0, 100, true, Start::Ascii, true, Way::Steps),
            (min - 1, 100, true, Start::Ascii, true, Way::Steps),
            (min, min - 1, true, Start::Ascii, true, Way::Steps),
            (long, long - 1, true, Start::Other, false, Way::Steps),
            (min, 100, false, Start::Ascii, true, Way::Steps),
            (long, long, false, Start::Utf16, true, Way::Steps),
            // Short inputs, whatever came before.
            (min, min, true, Start::Ascii, false, Way::ShortAscii),
            (long - 1, long, true, Start::Ascii, true, Way::ShortAscii),
            (min, min, true, Start::Utf16, true, Way::ShortUtf16),
            (long, long, true, Start::Utf16, true, Way::ShortUtf16),
            // Long ones.
            (long, long, true, Start::Ascii, true, Way::Ascii),
            (long, long, true, Start::Ascii, false, Way::Kernel),
            (long, long, true, Start::Other, true, Way::Kernel),
            (min, min, true, Start::Other, true, Way::Kernel),
        ] {
            let expected = if cfg!(textcodec_small) { Way::Steps } else { way };
            let actual = choose(units, spare, || is_ready, || start, || expects_ascii);
            assert_eq!(actual, expected, "{units} {spare} {is_ready} {start:?} {expects_ascii}");
        }
    }
}
