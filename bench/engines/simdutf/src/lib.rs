//! simdutf, the C++ library, through its C interface: a newer version if one is available, else the linked one.

use std::{env, fs, sync::OnceLock};

use bench_abi::{Call, Job, Library, Operation, Unit, cut};
use simdutf as _; // links it; its functions are called by their C names

struct Simdutf;

bench_abi::export!(Simdutf);

/// The environment variable with the path of a newer `libsimdutf.so`, a colon and its version.
const NEWER: &str = "BENCH_SIMDUTF";

impl Library for Simdutf {
    fn start(level: &str) -> Option<String> {
        let implementation = match level {
            "avx512" if is_x86_feature_detected!("avx512vbmi2") => "icelake",
            "avx2" if is_x86_feature_detected!("avx2") => "haswell",
            "sse4.1" if is_x86_feature_detected!("sse4.2") => "westmere",
            _ => return None,
        };
        // SAFETY: the benchmark has a single thread, on which it starts its engines. simdutf reads this variable at its first
        // call, and each copy of this engine has its own copy of simdutf.
        unsafe { env::set_var("SIMDUTF_FORCE_IMPLEMENTATION", implementation) };
        let (api, version) = match env::var(NEWER).ok().as_deref().and_then(|newer| newer.rsplit_once(':')) {
            Some((path, version)) => (load(path, level)?, version.to_owned()),
            None => (Api::linked(), "7.7.1 (its crate's; there are newer ones)".to_owned()),
        };
        // SAFETY: the pointer is valid for reads of one byte.
        let works = unsafe { (api.validate_utf8)(b"a".as_ptr(), 1) };
        API.set(api).ok()?;
        works.then(|| format!("{version}, {implementation}"))
    }

    fn open(job: Job<'_>) -> Option<Call> {
        let api = API.get()?;
        let chunk = job.chunk;
        Some(match job.operation {
            Operation::ValidateUtf8 => validate(api.validate_utf8),
            Operation::ValidateUtf16 => validate(api.validate_utf16le),
            Operation::Utf8ToUtf16 => convert(chunk, cut::utf8, api.convert_utf8_to_utf16le),
            Operation::Utf16ToUtf8 => convert(chunk, cut::utf16, api.convert_utf16le_to_utf8),
            Operation::Latin1ToUtf8 => convert(chunk, cut::anywhere, api.convert_latin1_to_utf8),
            Operation::Latin1ToUtf16 => convert(chunk, cut::anywhere, api.convert_latin1_to_utf16le),
            Operation::Utf8ToLatin1 => convert(chunk, cut::utf8, api.convert_utf8_to_latin1),
            Operation::Utf16ToLatin1 => convert(chunk, cut::utf16, api.convert_utf16le_to_latin1),
            _ => return None,
        })
    }
}

fn validate<S: Unit>(function: unsafe extern "C" fn(*const S, usize) -> bool) -> Call {
    Call::new(move |src: &[S], _: &mut [u8]| {
        // SAFETY: the arguments are a slice's pointer and length.
        unsafe { function(src.as_ptr(), src.len()) }.then_some(src.len())
    })
}

fn convert<S: Unit, D: Unit>(
    chunk: usize,
    cut: fn(&[S], usize) -> usize,
    function: unsafe extern "C" fn(*const S, usize, *mut D) -> usize,
) -> Call {
    Call::chunked(chunk, cut, move |src: &[S], dst: &mut [D], _| {
        // SAFETY: the arguments are a slice's pointer and length, and the benchmark's destination is larger than any output.
        Some((src.len(), unsafe { function(src.as_ptr(), src.len(), dst.as_mut_ptr()) }))
    })
}

static API: OnceLock<Api> = OnceLock::new();

macro_rules! api {
    ($($name:ident($($argument:ty),+) -> $result:ty;)+) => {
        unsafe extern "C" {
            $(
                #[link_name = concat!("simdutf_", stringify!($name))]
                fn $name($(_: $argument),+) -> $result;
            )+
        }

        /// The functions of a copy of simdutf.
        #[derive(Clone, Copy)]
        struct Api {
            $($name: unsafe extern "C" fn($($argument),+) -> $result,)+
        }

        impl Api {
            /// Returns the functions of the linked simdutf.
            fn linked() -> Self {
                Self { $($name,)+ }
            }

            /// Returns the functions of a loaded simdutf.
            fn loaded(library: &libloading::Library) -> Option<Self> {
                // SAFETY: the types are those of the declarations in simdutf's header.
                Some(Self { $($name: *unsafe { library.get(concat!("simdutf_", stringify!($name), "\0").as_bytes()) }.ok()?,)+ })
            }
        }
    };
}

api! {
    validate_utf8(*const u8, usize) -> bool;
    validate_utf16le(*const u16, usize) -> bool;
    convert_utf8_to_utf16le(*const u8, usize, *mut u16) -> usize;
    convert_utf16le_to_utf8(*const u16, usize, *mut u8) -> usize;
    convert_latin1_to_utf8(*const u8, usize, *mut u8) -> usize;
    convert_latin1_to_utf16le(*const u8, usize, *mut u16) -> usize;
    convert_utf8_to_latin1(*const u8, usize, *mut u8) -> usize;
    convert_utf16le_to_latin1(*const u16, usize, *mut u8) -> usize;
}

/// Loads a copy of the library, so that each level has its own copy and implementation.
fn load(path: &str, level: &str) -> Option<Api> {
    let copy = env::temp_dir().join(format!("bench-simdutf-{level}-{}.so", std::process::id()));
    fs::copy(path, &copy).ok()?;
    // SAFETY: simdutf's initialisers have no preconditions.
    let library = unsafe { libloading::Library::new(&copy) };
    fs::remove_file(&copy).ok()?;
    let library = library.ok()?;
    let api = Api::loaded(&library);
    std::mem::forget(library);
    api
}
