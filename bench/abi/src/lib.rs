//! The C interface between the benchmark and its engines.
//!
//! Each engine is a separate dynamic library, because cargo cannot link one crate with several sets of features. It has one
//! symbol, [`ENTRY`], which [`export!`] defines for a type that implements [`Library`]. The benchmark opens a [`Call`] for each
//! job. A call is a function pointer with its state, so nothing is looked up while time is measured.

use std::{ffi::c_void, slice};

/// The name of an engine's symbol, which is an [`Entry`].
pub const ENTRY: &[u8] = b"bench_engine\0";

/// Starts an engine. The arguments are the level of CPU features (a string and its length) and the place for the engine.
/// Returns false if the engine does not work at this level on this machine.
pub type Entry = unsafe extern "C" fn(*const u8, usize, *mut Engine) -> bool;

/// A started engine.
#[repr(C)]
#[derive(Debug)]
pub struct Engine {
    /// The version in UTF-8, which is never freed.
    pub version: *const u8,
    /// The length of the version.
    pub version_len: usize,
    /// Writes a call for a job to the second argument. Returns false if the engine does not support the job.
    pub open: unsafe extern "C" fn(*const RawJob, *mut Call) -> bool,
}

/// The kind of conversion.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// Bytes of an encoding to UTF-8. Malformed bytes become U+FFFD, and byte order marks are text.
    DecodeToUtf8,
    /// Bytes of an encoding to UTF-16. Malformed bytes become U+FFFD, and byte order marks are text.
    DecodeToUtf16,
    /// Well-formed UTF-8 to an encoding. Fails at unmappable characters.
    EncodeFromUtf8,
    /// Well-formed UTF-16 to an encoding. Fails at unmappable characters.
    EncodeFromUtf16,
    /// Validates UTF-8. Returns its length, or fails if it is ill-formed.
    ValidateUtf8,
    /// Validates UTF-16. Returns its length, or fails if it is ill-formed.
    ValidateUtf16,
    /// UTF-8 to UTF-16. The input is well-formed, but the engine must validate it.
    Utf8ToUtf16,
    /// UTF-16 to UTF-8. The input is well-formed, but the engine must validate it.
    Utf16ToUtf8,
    /// ISO's ISO-8859-1, not windows-1252, to UTF-8.
    Latin1ToUtf8,
    /// ISO's ISO-8859-1, not windows-1252, to UTF-16.
    Latin1ToUtf16,
    /// UTF-8 of U+0000 to U+00FF to ISO-8859-1.
    Utf8ToLatin1,
    /// UTF-16 of U+0000 to U+00FF to ISO-8859-1.
    Utf16ToLatin1,
    /// Bytes of an encoding to a string that the call allocates. Copies the result to the destination only if it fits. While
    /// time is measured, the destination is empty.
    DecodeWhole,
    /// A string to bytes of an encoding that the call allocates. See [`DecodeWhole`](Self::DecodeWhole).
    EncodeWhole,
}

/// Copies the output of a call to the destination, if it fits. Returns its length.
#[must_use]
pub fn copy_if_fits(output: &[u8], dst: &mut [u8]) -> usize {
    if let Some(dst) = dst.get_mut(..output.len()) {
        dst.copy_from_slice(output);
    }
    output.len()
}

impl Operation {
    /// Returns whether the call allocates its output.
    #[must_use]
    pub fn is_whole(self) -> bool {
        matches!(self, Self::DecodeWhole | Self::EncodeWhole)
    }

    /// Returns the number of bytes in a unit of input.
    #[must_use]
    pub fn unit_in(self) -> usize {
        match self {
            Self::EncodeFromUtf16 | Self::ValidateUtf16 | Self::Utf16ToUtf8 | Self::Utf16ToLatin1 => 2,
            _ => 1,
        }
    }

    /// Returns the number of bytes in a unit of output.
    #[must_use]
    pub fn unit_out(self) -> usize {
        match self {
            Self::DecodeToUtf16 | Self::Utf8ToUtf16 | Self::Latin1ToUtf16 => 2,
            _ => 1,
        }
    }
}

/// How malformed bytes and unmappable characters are handled.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Errors {
    /// As [`Operation`] describes: an ordinary job, for [`Library::open`].
    Plain,
    /// The engine writes U+FFFD when decoding, `?` when encoding. If it cannot write `?`, it reports, and its caller writes
    /// `?`.
    Replace,
    /// Encoding only: nothing is written.
    Skip,
    /// Encoding only: the engine writes a numeric character reference.
    Html,
    /// The engine stops at each error. Its caller writes the replacement of [`Replace`](Self::Replace) and continues.
    Report,
}

/// A [`Job`] in its C form.
#[repr(C)]
#[derive(Debug)]
pub struct RawJob {
    operation: Operation,
    errors: Errors,
    encoding: *const u8,
    encoding_len: usize,
    chunk: usize,
    capacity: usize,
}

/// A conversion that is measured.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The kind of conversion.
    pub operation: Operation,
    /// The encoding's name in the Encoding Standard, or an empty string if the operation needs none.
    pub encoding: &'a str,
    /// The number of units of input in a chunk, 0 for the whole input in one call, or [`PARTS`].
    pub chunk: usize,
    /// How errors are handled.
    pub errors: Errors,
    /// The number of units of output that a call may write, or 0 for no limit. Ordinary jobs have no limit.
    pub capacity: usize,
}

impl<'a> Job<'a> {
    /// Creates an ordinary job.
    #[must_use]
    pub fn plain(operation: Operation, encoding: &'a str, chunk: usize) -> Self {
        Self { operation, encoding, chunk, errors: Errors::Plain, capacity: 0 }
    }

    /// Converts the job to its C form.
    #[must_use]
    pub fn to_raw(&self) -> RawJob {
        let Self { operation, encoding, chunk, errors, capacity } = *self;
        RawJob { operation, errors, encoding: encoding.as_ptr(), encoding_len: encoding.len(), chunk, capacity }
    }
}

/// Why a step of [`Call::stepwise`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The chunk was read.
    InputEmpty,
    /// The next output does not fit.
    OutputFull,
    /// An error was reported.
    Error,
}

/// The result of a step of [`Call::stepwise`].
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The number of units read.
    pub read: usize,
    /// The number of units written.
    pub written: usize,
    /// Why the step ended.
    pub stop: Stop,
}

/// The result of a call that cannot convert the input.
pub const FAILED: usize = usize::MAX;

/// The chunk size of a job whose caller passes the chunks: each [`Call::run_part`] converts one.
pub const PARTS: usize = usize::MAX;

/// A chunk of a stream.
#[repr(C)]
#[derive(Debug)]
struct Part {
    /// Whether the stream ends with this chunk.
    last: bool,
    /// The number of units read, which the call sets.
    read: usize,
}

/// A conversion to run: `run(state, src, src_len, dst, dst_len, part)`, with lengths in units, returns the number of units
/// written. Only calls with `in_parts` use the last argument.
#[repr(C)]
#[derive(Debug)]
pub struct Call {
    run: unsafe extern "C" fn(*mut c_void, *const c_void, usize, *mut c_void, usize, *mut Part) -> usize,
    drop: unsafe extern "C" fn(*mut c_void),
    state: *mut c_void,
    unit_in: usize,
    unit_out: usize,
    in_parts: bool,
}

// SAFETY: a call owns its state, and the state of no engine depends on the thread: converters of iconv and ICU may move between
// threads.
unsafe impl Send for Call {}

impl Call {
    /// Creates a call that converts the whole input at once. The function returns the number of units written, or `None` if it
    /// fails.
    pub fn new<S: Unit, D: Unit>(mut function: impl FnMut(&[S], &mut [D]) -> Option<usize> + 'static) -> Self {
        Self::with_part(false, move |src, dst, _| function(src, dst))
    }

    fn with_part<S: Unit, D: Unit, F>(in_parts: bool, function: F) -> Self
    where
        F: FnMut(&[S], &mut [D], &mut Part) -> Option<usize> + 'static,
    {
        unsafe extern "C" fn run<S, D, F: FnMut(&[S], &mut [D], &mut Part) -> Option<usize>>(
            state: *mut c_void,
            src: *const c_void,
            src_len: usize,
            dst: *mut c_void,
            dst_len: usize,
            part: *mut Part,
        ) -> usize {
            // SAFETY: A call passes the state of this call, which `with_part` made from a `Box<F>`, and a valid part.
            // Its caller guarantees `src_len` and `dst_len` valid units, whose sizes are those of `S` and `D` (`Call::fits`).
            let (function, src, dst, part) = unsafe {
                (
                    &mut *state.cast::<F>(),
                    slice::from_raw_parts(src.cast::<S>(), src_len),
                    slice::from_raw_parts_mut(dst.cast::<D>(), dst_len),
                    &mut *part,
                )
            };
            function(src, dst, part).unwrap_or(FAILED)
        }
        unsafe extern "C" fn drop_state<F>(state: *mut c_void) {
            // SAFETY: `with_part` made the state with `Box::into_raw` from a `Box<F>`. Only `Call::drop` calls this function,
            // once.
            drop(unsafe { Box::from_raw(state.cast::<F>()) });
        }
        Self {
            run: run::<S, D, F>,
            drop: drop_state::<F>,
            state: Box::into_raw(Box::new(function)).cast(),
            unit_in: size_of::<S>(),
            unit_out: size_of::<D>(),
            in_parts,
        }
    }

    /// Creates a call that converts its input in chunks of `chunk` units, or in a single chunk if that is 0, or in those of its
    /// caller if that is [`PARTS`].
    ///
    /// The arguments of the function are a chunk, the destination and whether the chunk is the last one. It returns the numbers
    /// of units read and written. The next chunk starts with the units that it has not read.
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
        if chunk == PARTS {
            return Self::with_part(true, move |src: &[S], dst: &mut [D], part| {
                let len = if part.last { src.len() } else { cut(src, src.len() - 1) };
                let (read, written) = function(&src[..len], dst, part.last)?;
                part.read = read;
                Some(written)
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

    /// Creates a call that converts its input with a decoder or an encoder, in chunks as [`chunked`](Self::chunked) does.
    ///
    /// Without chunks, `new` and `convert` are one path, as in a program that converts a single string. With chunks, the next
    /// one is ready when a stream begins, so that only its calls are measured.
    pub fn with_coder<C: 'static, S: Unit, D: Unit>(
        chunk: usize,
        cut: fn(&[S], usize) -> usize,
        new: impl Fn() -> C + 'static,
        convert: impl Fn(&mut C, &[S], &mut [D], bool) -> Option<(usize, usize)> + 'static,
    ) -> Self {
        if chunk == 0 {
            return Self::chunked(0, cut, move |src, dst, last| convert(&mut new(), src, dst, last));
        }
        let mut coder = new();
        Self::chunked(chunk, cut, move |src, dst, last| {
            let converted = convert(&mut coder, src, dst, last);
            if last || converted.is_none() {
                coder = new();
            }
            converted
        })
    }

    /// Creates a call for hostile input. The chunk size and the capacity are those of the job, and each may be a single unit.
    ///
    /// The function converts part of a chunk. After an error that it reports, the call writes `instead`. The call fails if the
    /// function makes no progress, which happens if an engine needs a larger capacity.
    pub fn stepwise<S: Unit, D: Unit>(
        job: &Job<'_>,
        cut: fn(&[S], usize) -> usize,
        instead: &'static [D],
        mut function: impl FnMut(&[S], &mut [D], bool) -> Step + 'static,
    ) -> Self {
        let (chunk, capacity) = (job.chunk, job.capacity);
        Self::new(move |src: &[S], dst: &mut [D]| {
            let (mut at, mut filled) = (0, 0);
            loop {
                let rest = &src[at..];
                let end = if chunk == 0 || rest.len() <= chunk { src.len() } else { at + cut(rest, chunk) };
                let last = end == src.len();
                let mut stuck = false;
                loop {
                    let limit = if capacity == 0 { dst.len() } else { dst.len().min(filled + capacity) };
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

    /// Returns whether the call has the unit sizes of the operation.
    #[must_use]
    pub fn fits(&self, operation: Operation) -> bool {
        (self.unit_in, self.unit_out) == (operation.unit_in(), operation.unit_out())
    }

    /// Returns whether the call converts streams, with [`run_part`](Self::run_part).
    #[must_use]
    pub fn in_parts(&self) -> bool {
        self.in_parts
    }

    /// Runs the call.
    ///
    /// # Safety
    /// `src` must be valid for reads of `src_len` units and `dst` for writes of `dst_len` units. Both must be aligned. The
    /// input must be well-formed if the operation requires it.
    #[inline]
    pub unsafe fn run(&mut self, src: *const c_void, src_len: usize, dst: *mut c_void, dst_len: usize) -> usize {
        let mut part = Part { last: true, read: 0 };
        // SAFETY: the state belongs to this call, and the caller guarantees the rest.
        unsafe { (self.run)(self.state, src, src_len, dst, dst_len, &raw mut part) }
    }

    /// Converts one chunk of a stream. Returns the numbers of units read and written, or `None` if it fails. The next chunk
    /// starts with the units that were not read.
    ///
    /// With `last`, the chunk is all of `src`, and the stream ends with it. Otherwise the last unit of `src` is not a part of
    /// the chunk: it shows engines that convert only whole characters whether they can cut there.
    ///
    /// # Safety
    /// The requirements are those of [`run`](Self::run).
    ///
    /// # Panics
    /// If the call does not convert streams, or if `src` is empty without `last`.
    #[inline]
    pub unsafe fn run_part(
        &mut self,
        src: *const c_void,
        src_len: usize,
        dst: *mut c_void,
        dst_len: usize,
        last: bool,
    ) -> Option<(usize, usize)> {
        assert!(self.in_parts && (last || src_len > 0), "a call that needs its whole input");
        let mut part = Part { last, read: 0 };
        // SAFETY: the state belongs to this call, and the caller guarantees the rest.
        let written = unsafe { (self.run)(self.state, src, src_len, dst, dst_len, &raw mut part) };
        (written != FAILED).then_some((part.read, written))
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        // SAFETY: the state belongs to this call, which is dropped once.
        unsafe { (self.drop)(self.state) }
    }
}

/// A byte or a code unit.
pub trait Unit: Copy + 'static {}

impl Unit for u8 {}
impl Unit for u16 {}

/// Functions that move the end of a chunk to a position where the text may be cut.
pub mod cut {
    /// Cuts at any unit.
    #[must_use]
    pub fn anywhere<S>(_: &[S], at: usize) -> usize {
        at
    }

    /// Cuts UTF-8 before a character. Chunks have at most the requested length.
    #[must_use]
    pub fn utf8(src: &[u8], mut at: usize) -> usize {
        while src[at] & 0xC0 == 0x80 {
            at -= 1;
        }
        at
    }

    /// Cuts UTF-8 after a character. Chunks have at least the requested length.
    #[must_use]
    pub fn after_utf8(src: &[u8], mut at: usize) -> usize {
        while at < src.len() && src[at] & 0xC0 == 0x80 {
            at += 1;
        }
        at
    }

    /// Cuts UTF-16 after a surrogate pair. Chunks have the requested length or one unit more.
    #[must_use]
    pub fn after_utf16(src: &[u16], at: usize) -> usize {
        at + usize::from(src[at - 1] & 0xFC00 == 0xD800 && src[at] & 0xFC00 == 0xDC00)
    }

    /// Cuts UTF-16 before a surrogate pair. Chunks have the requested length or one unit less.
    #[must_use]
    pub fn utf16(src: &[u16], at: usize) -> usize {
        at - usize::from(src[at] & 0xFC00 == 0xDC00)
    }
}

/// The implementation of an engine.
pub trait Library {
    /// Starts the engine at a level of CPU features. Returns its version, or `None` if it does not work at this level.
    fn start(level: &str) -> Option<String>;

    /// Returns a call for a job, or `None` if the engine does not support the job.
    fn open(job: Job<'_>) -> Option<Call>;

    /// Returns a call for a job with hostile input, which is not [`Errors::Plain`]. Engines that do not follow the Encoding
    /// Standard return `None`.
    #[must_use]
    fn open_hostile(_: Job<'_>) -> Option<Call> {
        None
    }
}

/// The implementation of [`Entry`].
///
/// # Safety
/// `level` must be valid for reads of `level_len` bytes, and `engine` for a write.
///
/// # Panics
/// If the level is not UTF-8.
pub unsafe fn start<L: Library>(level: *const u8, level_len: usize, engine: *mut Engine) -> bool {
    unsafe extern "C" fn open<L: Library>(job: *const RawJob, call: *mut Call) -> bool {
        // SAFETY: the benchmark passes a valid job, whose `encoding` has `encoding_len` bytes, and a `call` that is valid for a
        // write.
        unsafe {
            let RawJob { operation, errors, encoding, encoding_len, chunk, capacity } = *job;
            let encoding = str::from_utf8(slice::from_raw_parts(encoding, encoding_len)).expect("the name is UTF-8");
            let job = Job { operation, encoding, chunk, errors, capacity };
            let opened = if errors == Errors::Plain { L::open(job) } else { L::open_hostile(job) };
            opened.map(|opened| call.write(opened)).is_some()
        }
    }
    // SAFETY: the caller guarantees `level_len` readable bytes, and that `engine` is valid for a write.
    unsafe {
        let level = str::from_utf8(slice::from_raw_parts(level, level_len)).expect("the level is UTF-8");
        let Some(version) = L::start(level) else { return false };
        let version = version.leak();
        engine.write(Engine { version: version.as_ptr(), version_len: version.len(), open: open::<L> });
    }
    true
}

/// Defines [`ENTRY`] for a [`Library`].
#[macro_export]
macro_rules! export {
    ($library:ty) => {
        /// Starts the engine.
        ///
        /// # Safety
        /// `level` must be valid for reads of `len` bytes, and `engine` for a write.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn bench_engine(level: *const u8, len: usize, engine: *mut $crate::Engine) -> bool {
            // SAFETY: `start` has the same requirements, which the caller guarantees.
            unsafe { $crate::start::<$library>(level, len, engine) }
        }
    };
}
