//! Engines: dynamic libraries with a common C interface, loaded as one copy for each level.

use std::{fs, mem::MaybeUninit, path::Path, slice};

use anyhow::{Context as _, Result};
use bench_abi::{Call, ENTRY, Engine, Entry, Job};
use libloading::Library;

/// A level of CPU features, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// The baseline of x86-64. Also for engines that detect CPU features themselves, which use at most AVX2.
    Scalar,
    /// NEON, of which instructions are counted under qemu.
    Neon,
    /// SSE4.1.
    Sse41,
    /// AVX2.
    Avx2,
    /// AVX-512.
    Avx512,
}

impl Level {
    pub(crate) const ALL: [Self; 5] = [Self::Avx512, Self::Avx2, Self::Sse41, Self::Neon, Self::Scalar];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Neon => "neon",
            Self::Sse41 => "sse4.1",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Returns whether this machine has the level.
    pub(crate) fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            Self::Neon => cfg!(target_arch = "aarch64"),
            #[cfg(target_arch = "x86_64")]
            Self::Sse41 => is_x86_feature_detected!("sse4.1"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512vbmi2"),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

/// The family of textcodec among the engines.
pub(crate) const OURS: &str = "textcodec";

/// The family of textcodec through the API of encoding_rs.
pub(crate) const DROP_IN: &str = "drop-in";

/// The family of the library from another checkout.
pub(crate) const BASELINE: &str = "textcodec-before";

/// An engine at a level.
pub(crate) struct Loaded {
    /// The engine's name without its level.
    pub(crate) family: String,
    /// The level at which this copy was started, which the machine must have.
    pub(crate) level: Level,
    /// The name to print: the family, with the level if there are several.
    pub(crate) label: String,
    pub(crate) version: String,
    engine: Engine,
    _library: Library,
}

impl Loaded {
    /// Loads the engine of an argument `NAME[@LEVEL]=PATH`. `copies` is a folder for copies of the libraries.
    pub(crate) fn load(argument: &str, copies: &Path) -> Result<Self> {
        let (label, path) = argument.split_once('=').context("an engine is NAME[@LEVEL]=PATH")?;
        let (family, level) = match label.split_once('@') {
            Some((family, level)) => (family, Level::from_name(level).context("unknown level")?),
            None => (label, Level::Scalar),
        };
        anyhow::ensure!(level.is_available(), "this machine lacks {}", level.name());
        let copy = copies.join(format!("{label}.so"));
        fs::copy(path, &copy)?;
        // SAFETY: the engine was built from this workspace, and its initialisers have no preconditions.
        let library = unsafe { Library::new(&copy) }?;
        // SAFETY: `export!` defines the symbol with this type.
        let entry = unsafe { library.get::<Entry>(ENTRY) }?;
        let mut engine = MaybeUninit::uninit();
        let name = level.name();
        // SAFETY: `name` is valid for reads of its length, and `engine` is valid for a write.
        let started = unsafe { entry(name.as_ptr(), name.len(), engine.as_mut_ptr()) };
        anyhow::ensure!(started, "the engine does not work at level {name} on this machine");
        // SAFETY: an engine that has started is initialised.
        let engine: Engine = unsafe { engine.assume_init() };
        // SAFETY: `version` has `version_len` bytes, and is never freed.
        let version = str::from_utf8(unsafe { slice::from_raw_parts(engine.version, engine.version_len) })?.to_owned();
        Ok(Self { family: family.to_owned(), level, label: label.to_owned(), version, engine, _library: library })
    }

    /// Returns whether this is textcodec, through either API.
    pub(crate) fn is_ours(&self) -> bool {
        self.family == OURS || self.family == DROP_IN
    }

    /// Returns a call for a job, or `None` if the engine does not support the job.
    pub(crate) fn open(&self, job: Job<'_>) -> Option<Call> {
        let mut call = MaybeUninit::uninit();
        let raw = job.to_raw();
        // SAFETY: `raw` is a valid job, and `call` is valid for a write.
        let opened = unsafe { (self.engine.open)(&raw const raw, call.as_mut_ptr()) };
        // SAFETY: `open` has initialised the call if it returns true.
        let call = opened.then(|| unsafe { call.assume_init() })?;
        assert!(call.fits(job.operation), "{}: a call has the wrong unit sizes", self.label);
        Some(call)
    }
}
