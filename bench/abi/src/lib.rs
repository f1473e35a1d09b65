//! What the benchmark and an engine say to each other, in C's terms.
//!
//! An engine is a dynamic library of its own, because cargo cannot link one crate in several feature sets. It has one symbol,
//! [`ENTRY`], which [`export!`] makes of a type that implements [`Library`]. The benchmark asks it for a [`Call`] per job; a
//! call is a function pointer with its state, so that nothing is looked up while the clock runs.

use std::{ffi::c_void, slice};

/// The name of an engine's one symbol, an [`Entry`].
pub const ENTRY: &[u8] = b"bench_engine\0";

/// Starts an engine: at a level of CPU features (a string of so many bytes), into the third argument. False where the engine
/// cannot work at this level on this machine.
pub type Entry = unsafe extern "C" fn(*const u8, usize, *mut Engine) -> bool;

/// A started engine.
#[repr(C)]
#[derive(Debug)]
pub struct Engine {
    /// The version, UTF-8, never freed.
    pub version: *const u8,
    /// Its length.
    pub version_len: usize,
    /// Makes a call for a job, into the second argument. False where the engine cannot do it.
    pub open: unsafe extern "C" fn(*const RawJob, *mut Call) -> bool,
}

/// What is converted to what.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// Bytes of an encoding to UTF-8, malformed bytes to U+FFFD, no byte order mark looked for.
    DecodeToUtf8,
    /// The same to UTF-16.
    DecodeToUtf16,
    /// Valid UTF-8 to an encoding; fails at unmappable characters.
    EncodeFromUtf8,
    /// Valid UTF-16 to an encoding; fails at unmappable characters.
    EncodeFromUtf16,
    /// Is it UTF-8? Answers with the length, and fails where it is not.
    ValidateUtf8,
    /// Is it UTF-16? Answers with the length, and fails where it is not.
    ValidateUtf16,
    /// Valid UTF-8, not known to be valid, to UTF-16.
    Utf8ToUtf16,
    /// Valid UTF-16, not known to be valid, to UTF-8.
    Utf16ToUtf8,
    /// ISO-8859-1 as ISO has it, not windows-1252.
    Latin1ToUtf8,
    /// The same to UTF-16.
    Latin1ToUtf16,
    /// UTF-8 of U+0000 to U+00FF.
    Utf8ToLatin1,
    /// UTF-16 of U+0000 to U+00FF.
    Utf16ToLatin1,
    /// Bytes of an encoding to a string that the call makes, with what it allocates. The result goes to the destination
    /// only where that has room: it has none while the clock runs.
    DecodeWhole,
    /// The same from a string to bytes.
    EncodeWhole,
}

/// Hands over what a call has made, where that is wanted.
#[must_use]
pub fn hand_over(made: &[u8], dst: &mut [u8]) -> usize {
    if let Some(room) = dst.get_mut(..made.len()) {
        room.copy_from_slice(made);
    }
    made.len()
}

impl Operation {
    /// Whether the call makes its own output.
    #[must_use]
    pub fn is_whole(self) -> bool {
        matches!(self, Self::DecodeWhole | Self::EncodeWhole)
    }

    /// How many bytes a unit of input has.
    #[must_use]
    pub fn unit_in(self) -> usize {
        match self {
            Self::EncodeFromUtf16 | Self::ValidateUtf16 | Self::Utf16ToUtf8 | Self::Utf16ToLatin1 => 2,
            _ => 1,
        }
    }

    /// How many bytes a unit of output has.
    #[must_use]
    pub fn unit_out(self) -> usize {
        match self {
            Self::DecodeToUtf16 | Self::Utf8ToUtf16 | Self::Latin1ToUtf16 => 2,
            _ => 1,
        }
    }
}

/// What becomes of malformed bytes and unmappable characters.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Errors {
    /// The job is an ordinary one, as [`Operation`] describes it: [`Library::open`].
    Plain,
    /// The engine writes U+FFFD when decoding, `?` when encoding. An engine that cannot write `?` reports, and its caller does.
    Replace,
    /// Encoding only: nothing is written.
    Skip,
    /// Encoding only: the engine writes a numeric character reference.
    Html,
    /// The engine stops at each error. Its caller writes what [`Replace`](Self::Replace) does, and continues.
    Report,
}

/// A [`Job`] as it goes from library to library.
#[repr(C)]
#[derive(Debug)]
pub struct RawJob {
    operation: Operation,
    errors: Errors,
    encoding: *const u8,
    encoding_len: usize,
    chunk: usize,
    room: usize,
}

/// What is to be done again and again.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// What is converted to what.
    pub operation: Operation,
    /// The encoding's name in the Encoding Standard; empty where the operation needs none.
    pub encoding: &'a str,
    /// How many units of input there are in a chunk; 0 for the whole input in one call.
    pub chunk: usize,
    /// What happens at errors.
    pub errors: Errors,
    /// How many units of output a call may write; 0 for no limit. Ordinary jobs have none.
    pub room: usize,
}

impl<'a> Job<'a> {
    /// An ordinary job.
    #[must_use]
    pub fn plain(operation: Operation, encoding: &'a str, chunk: usize) -> Self {
        Self { operation, encoding, chunk, errors: Errors::Plain, room: 0 }
    }

    /// For the other side.
    #[must_use]
    pub fn to_raw(&self) -> RawJob {
        let Self { operation, encoding, chunk, errors, room } = *self;
        RawJob { operation, errors, encoding: encoding.as_ptr(), encoding_len: encoding.len(), chunk, room }
    }
}

/// Why a step of [`Call::stepwise`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The chunk is read.
    InputEmpty,
    /// The output buffer is full.
    OutputFull,
    /// An error was reported.
    Error,
}

/// What a step of [`Call::stepwise`] did.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// How many units it read.
    pub read: usize,
    /// How many units it wrote.
    pub written: usize,
    /// Why it ended.
    pub stop: Stop,
}

/// What a call answers where it cannot convert the input.
pub const FAILED: usize = usize::MAX;

/// Something to run: `run(state, src, src_len, dst, dst_len)`, lengths in units, answers with how much is written.
#[repr(C)]
#[derive(Debug)]
pub struct Call {
    run: unsafe extern "C" fn(*mut c_void, *const c_void, usize, *mut c_void, usize) -> usize,
    drop: unsafe extern "C" fn(*mut c_void),
    state: *mut c_void,
    unit_in: usize,
    unit_out: usize,
}

impl Call {
    /// A call that is done in one piece. The function answers with how much it has written, or nothing where it fails.
    pub fn new<S: Unit, D: Unit, F: FnMut(&[S], &mut [D]) -> Option<usize> + 'static>(function: F) -> Self {
        unsafe extern "C" fn run<S, D, F: FnMut(&[S], &mut [D]) -> Option<usize>>(
            state: *mut c_void,
            src: *const c_void,
            src_len: usize,
            dst: *mut c_void,
            dst_len: usize,
        ) -> usize {
            // SAFETY: `Call::run` gives the state, which is an `F`, and slices of units with the sizes of `S` and `D`.
            let (function, src, dst) = unsafe {
                (
                    &mut *state.cast::<F>(),
                    slice::from_raw_parts(src.cast::<S>(), src_len),
                    slice::from_raw_parts_mut(dst.cast::<D>(), dst_len),
                )
            };
            function(src, dst).unwrap_or(FAILED)
        }
        unsafe extern "C" fn drop_state<F>(state: *mut c_void) {
            // SAFETY: the state came out of a box of an `F`, and is dropped once.
            drop(unsafe { Box::from_raw(state.cast::<F>()) });
        }
        Self {
            run: run::<S, D, F>,
            drop: drop_state::<F>,
            state: Box::into_raw(Box::new(function)).cast(),
            unit_in: size_of::<S>(),
            unit_out: size_of::<D>(),
        }
    }

    /// A call that gets its input in chunks of so many units, or in one where that is 0. The function takes a chunk, room,
    /// and whether it is the last one; it answers with how much it has read and written. What it has not read comes again at
    /// the front of the next chunk.
    pub fn chunked<S: Unit, D: Unit>(
        chunk: usize,
        cut: fn(&[S], usize) -> usize,
        mut function: impl FnMut(&[S], &mut [D], bool) -> Option<(usize, usize)> + 'static,
    ) -> Self {
        if chunk == 0 {
            return Self::new(move |src: &[S], dst: &mut [D]| {
                let (read, written) = function(src, dst, true)?;
                (read == src.len()).then_some(written)
            });
        }
        Self::new(move |mut src: &[S], dst: &mut [D]| {
            let mut filled = 0;
            loop {
                let len = if src.len() <= chunk { src.len() } else { cut(src, chunk) };
                let last = len == src.len();
                let (read, written) = function(&src[..len], &mut dst[filled..], last)?;
                src = &src[read..];
                filled += written;
                if last {
                    return src.is_empty().then_some(filled);
                }
                if read == 0 {
                    return None;
                }
            }
        })
    }

    /// A call for hostile input: the chunk size and the room are those of the job, and each may be a single unit. The
    /// function converts a part of a chunk; where it reports an error, `instead` is written. The call fails when the function
    /// makes no progress, which is how an engine declines a room that is too small for it.
    pub fn stepwise<S: Unit, D: Unit>(
        job: &Job<'_>,
        cut: fn(&[S], usize) -> usize,
        instead: &'static [D],
        mut function: impl FnMut(&[S], &mut [D], bool) -> Step + 'static,
    ) -> Self {
        let (chunk, room) = (job.chunk, job.room);
        Self::new(move |src: &[S], dst: &mut [D]| {
            let (mut at, mut filled) = (0, 0);
            loop {
                let rest = &src[at..];
                let end = if chunk == 0 || rest.len() <= chunk { src.len() } else { at + cut(rest, chunk) };
                let last = end == src.len();
                let mut stuck = false;
                loop {
                    let limit = if room == 0 { dst.len() } else { dst.len().min(filled + room) };
                    let Step { read, written, stop } = function(&src[at..end], &mut dst[filled..limit], last);
                    at += read;
                    filled += written;
                    match stop {
                        Stop::InputEmpty => break,
                        Stop::OutputFull => {
                            let idle = read == 0 && written == 0;
                            if idle && stuck {
                                return None;
                            }
                            stuck = idle;
                        }
                        Stop::Error => {
                            dst.get_mut(filled..filled + instead.len())?.copy_from_slice(instead);
                            filled += instead.len();
                        }
                    }
                }
                if at != end {
                    return None;
                }
                if last {
                    return Some(filled);
                }
            }
        })
    }

    /// Whether its units have these sizes.
    #[must_use]
    pub fn fits(&self, operation: Operation) -> bool {
        (self.unit_in, self.unit_out) == (operation.unit_in(), operation.unit_out())
    }

    /// Runs it.
    ///
    /// # Safety
    /// `src` holds `src_len` units for reading and `dst` `dst_len` units for writing, aligned; input that the operation calls
    /// valid is so.
    #[inline]
    pub unsafe fn run(&mut self, src: *const c_void, src_len: usize, dst: *mut c_void, dst_len: usize) -> usize {
        // SAFETY: the caller's promise.
        unsafe { (self.run)(self.state, src, src_len, dst, dst_len) }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        // SAFETY: the state is this call's own.
        unsafe { (self.drop)(self.state) }
    }
}

/// A byte or a code unit.
pub trait Unit: Copy + 'static {}

impl Unit for u8 {}
impl Unit for u16 {}

/// Where a text may be cut into chunks.
pub mod cut {
    /// Anywhere.
    #[must_use]
    pub fn anywhere<S>(_: &[S], at: usize) -> usize {
        at
    }

    /// Before a character of UTF-8.
    #[must_use]
    pub fn utf8(src: &[u8], mut at: usize) -> usize {
        while src[at] & 0xC0 == 0x80 {
            at -= 1;
        }
        at
    }

    /// After a character of UTF-8: chunks are as long as asked for, or a little longer.
    #[must_use]
    pub fn after_utf8(src: &[u8], mut at: usize) -> usize {
        while at < src.len() && src[at] & 0xC0 == 0x80 {
            at += 1;
        }
        at
    }

    /// Not within a surrogate pair: chunks are as long as asked for, or one unit longer.
    #[must_use]
    pub fn after_utf16(src: &[u16], at: usize) -> usize {
        at + usize::from(src[at - 1] & 0xFC00 == 0xD800 && src[at] & 0xFC00 == 0xDC00)
    }

    /// Not within a surrogate pair.
    #[must_use]
    pub fn utf16(src: &[u16], at: usize) -> usize {
        at - usize::from(src[at] & 0xFC00 == 0xDC00)
    }
}

/// An engine, seen from within.
pub trait Library {
    /// Starts it at a level of CPU features and answers with its version, or with nothing where it cannot work.
    fn start(level: &str) -> Option<String>;

    /// A call for a job, or nothing where it cannot do that.
    fn open(job: Job<'_>) -> Option<Call>;

    /// The same for a job with hostile input, which is not [`Errors::Plain`]. Engines that do not do what the Encoding
    /// Standard says have none.
    #[must_use]
    fn open_hostile(_: Job<'_>) -> Option<Call> {
        None
    }
}

/// The engine's side of [`Entry`].
///
/// # Safety
/// That of [`Entry`]: a string, and a place to write to.
///
/// # Panics
/// Where the level is not UTF-8.
pub unsafe fn start<L: Library>(level: *const u8, level_len: usize, engine: *mut Engine) -> bool {
    unsafe extern "C" fn open<L: Library>(job: *const RawJob, call: *mut Call) -> bool {
        // SAFETY: the benchmark gives a job, whose encoding is a string, and a place to write to.
        unsafe {
            let RawJob { operation, errors, encoding, encoding_len, chunk, room } = *job;
            let encoding = str::from_utf8(slice::from_raw_parts(encoding, encoding_len)).expect("a name");
            let job = Job { operation, encoding, chunk, errors, room };
            let opened = if errors == Errors::Plain { L::open(job) } else { L::open_hostile(job) };
            opened.map(|made| call.write(made)).is_some()
        }
    }
    // SAFETY: the caller's promise.
    unsafe {
        let level = str::from_utf8(slice::from_raw_parts(level, level_len)).expect("a level");
        let Some(version) = L::start(level) else { return false };
        let version = version.leak();
        engine.write(Engine { version: version.as_ptr(), version_len: version.len(), open: open::<L> });
    }
    true
}

/// Makes [`ENTRY`] of a [`Library`].
#[macro_export]
macro_rules! export {
    ($library:ty) => {
        /// The engine's one symbol.
        ///
        /// # Safety
        /// A string, and a place to write to.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn bench_engine(level: *const u8, len: usize, engine: *mut $crate::Engine) -> bool {
            // SAFETY: the caller's promise.
            unsafe { $crate::start::<$library>(level, len, engine) }
        }
    };
}
