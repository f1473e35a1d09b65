//! Engines: dynamic libraries behind one C interface, a copy for each level.

use std::{fs, mem::MaybeUninit, path::Path, slice};

use anyhow::{Context as _, Result};
use bench_abi::{Call, ENTRY, Engine, Entry, Job};
use libloading::Library;

/// A level of CPU features, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// What every x86-64 has, or what the engine finds out for itself, up to AVX2.
    Scalar,
    /// SSE4.1.
    Sse41,
    /// AVX2.
    Avx2,
    /// AVX-512.
    Avx512,
}

impl Level {
    pub(crate) const ALL: [Self; 4] = [Self::Avx512, Self::Avx2, Self::Sse41, Self::Scalar];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Sse41 => "sse4.1",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Whether this machine has it.
    pub(crate) fn is_here(self) -> bool {
        match self {
            Self::Scalar => true,
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

/// The name of the library itself among the engines.
pub(crate) const OURS: &str = "textcodec";

/// The library of another checkout, to compare with.
pub(crate) const BASELINE: &str = "textcodec-before";

/// An engine at a level.
pub(crate) struct Loaded {
    /// Without the level.
    pub(crate) family: String,
    /// What its copy was started at, and what a machine needs for it.
    pub(crate) level: Level,
    /// What to print: the family, and the level where there are several.
    pub(crate) label: String,
    pub(crate) version: String,
    engine: Engine,
    _library: Library,
}

impl Loaded {
    /// Loads what `NAME[@LEVEL]=PATH` says. `copies` is a folder for the copies.
    pub(crate) fn load(argument: &str, copies: &Path) -> Result<Self> {
        let (label, path) = argument.split_once('=').context("an engine is NAME[@LEVEL]=PATH")?;
        let (family, level) = match label.split_once('@') {
            Some((family, level)) => (family, Level::from_name(level).context("no such level")?),
            None => (label, Level::Scalar),
        };
        anyhow::ensure!(level.is_here(), "this machine lacks {}", level.name());
        let copy = copies.join(format!("{label}.so"));
        fs::copy(path, &copy)?;
        // SAFETY: the engine is built from this workspace; loading it does nothing.
        let library = unsafe { Library::new(&copy) }?;
        // SAFETY: `export!` made the symbol, of this type.
        let entry = unsafe { library.get::<Entry>(ENTRY) }?;
        let mut engine = MaybeUninit::uninit();
        let name = level.name();
        // SAFETY: a string, and a place to write to.
        let started = unsafe { entry(name.as_ptr(), name.len(), engine.as_mut_ptr()) };
        anyhow::ensure!(started, "it does not work at level {name} on this machine");
        // SAFETY: it has started.
        let engine: Engine = unsafe { engine.assume_init() };
        // SAFETY: the version is a string that is never freed.
        let version = str::from_utf8(unsafe { slice::from_raw_parts(engine.version, engine.version_len) })?.to_owned();
        Ok(Self { family: family.to_owned(), level, label: label.to_owned(), version, engine, _library: library })
    }

    pub(crate) fn is_ours(&self) -> bool {
        self.family == OURS
    }

    /// A call for a job, where the engine can do it.
    pub(crate) fn open(&self, job: Job<'_>) -> Option<Call> {
        let mut call = MaybeUninit::uninit();
        let raw = job.to_raw();
        // SAFETY: a job, and a place to write to.
        let opened = unsafe { (self.engine.open)(&raw const raw, call.as_mut_ptr()) };
        // SAFETY: true says that the call is written.
        let call = opened.then(|| unsafe { call.assume_init() })?;
        assert!(call.fits(job.operation), "{} confuses bytes and code units", self.label);
        Some(call)
    }
}
