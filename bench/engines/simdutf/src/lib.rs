//! simdutf, the C++ library, through its C interface: a newer version if one is available, else the linked one.

use std::{env, fs, sync::OnceLock};

use bench_abi::{Call, Job, Library, Operation, Unit, copy_if_fits, cut};
#[cfg(target_arch = "x86_64")]
use simdutf as _; // links it; its functions are called by their C names

struct Simdutf;

bench_abi::export!(Simdutf);

/// The environment variable with the path of a newer `libsimdutf.so`, a colon and its version.
const NEWER: &str = "BENCH_SIMDUTF";

impl Library for Simdutf {
    fn start(level: &str) -> Option<String> {
        let implementation = match level {
            #[cfg(target_arch = "x86_64")]
            "avx512" if is_x86_feature_detected!("avx512vbmi2") => "icelake",
            #[cfg(target_arch = "x86_64")]
            "avx2" if is_x86_feature_detected!("avx2") => "haswell",
            #[cfg(target_arch = "x86_64")]
            "sse4.1" if is_x86_feature_detected!("sse4.2") => "westmere",
            #[cfg(target_arch = "aarch64")]
            "neon" => "arm64",
            _ => return None,
        };
        // SAFETY: the benchmark has a single thread, on which it starts its engines. simdutf reads this variable at its first
        // call, and each copy of this engine has its own copy of simdutf.
        unsafe { env::set_var("SIMDUTF_FORCE_IMPLEMENTATION", implementation) };
        let (api, version) = match env::var(NEWER).ok().as_deref().and_then(|newer| newer.rsplit_once(':')) {
            Some((path, version)) => (load(path, level)?, version.to_owned()),
            #[cfg(not(target_arch = "x86_64"))]
            None => return None,
            #[cfg(target_arch = "x86_64")]
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
            // Without malformed input, these are what a decoder and an encoder do. They keep no state between chunks.
            Operation::DecodeToUtf8 if chunk == 0 => match job.encoding {
                "UTF-8" => Call::new(move |src: &[u8], dst: &mut [u8]| {
                    // SAFETY: the arguments are a slice's pointer and length.
                    let is_valid = unsafe { (api.validate_utf8)(src.as_ptr(), src.len()) };
                    is_valid.then(|| copy_if_fits(src, dst))
                }),
                "UTF-16LE" => decode_utf_16(to_utf8(api.convert_utf16le_to_utf8)),
                "UTF-16BE" => decode_utf_16(to_utf8(api.convert_utf16be_to_utf8)),
                _ => return None,
            },
            Operation::DecodeToUtf16 if chunk == 0 => match job.encoding {
                "UTF-8" => convert(0, cut::utf8, api.convert_utf8_to_utf16le),
                "UTF-16LE" => {
                    let function = *TO_WELL_FORMED.get()?;
                    decode_utf_16(move |src, dst: &mut [u16]| {
                        // SAFETY: the arguments are a slice's pointer and length, and the destination is larger.
                        unsafe { function(src.as_ptr(), src.len(), dst.as_mut_ptr()) };
                        src.len()
                    })
                }
                _ => return None,
            },
            Operation::EncodeFromUtf8 if chunk == 0 => match job.encoding {
                "UTF-16LE" => encode_utf_16(api.convert_utf8_to_utf16le),
                "UTF-16BE" => encode_utf_16(api.convert_utf8_to_utf16be),
                _ => return None,
            },
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

/// Creates a call from the bytes of UTF-16, which are aligned in the benchmark's inputs.
fn decode_utf_16<D: Unit>(function: impl Fn(&[u16], &mut [D]) -> usize + 'static) -> Call {
    Call::new(move |src: &[u8], dst: &mut [D]| {
        // SAFETY: any two bytes are a code unit.
        let (before, units, after) = unsafe { src.align_to::<u16>() };
        (before.is_empty() && after.is_empty()).then(|| function(units, dst))
    })
}

fn to_utf8(function: unsafe extern "C" fn(*const u16, usize, *mut u8) -> usize) -> impl Fn(&[u16], &mut [u8]) -> usize {
    // SAFETY: the arguments are a slice's pointer and length, and the benchmark's destination is larger than any output.
    move |src, dst| unsafe { function(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// Creates a call to the bytes of UTF-16.
fn encode_utf_16(function: unsafe extern "C" fn(*const u8, usize, *mut u16) -> usize) -> Call {
    Call::new(move |src: &[u8], dst: &mut [u8]| {
        // SAFETY: any two bytes are a code unit.
        let (before, units, _) = unsafe { dst.align_to_mut::<u16>() };
        // SAFETY: the arguments are a slice's pointer and length, and the benchmark's destination is larger than any output.
        before.is_empty().then(|| 2 * unsafe { function(src.as_ptr(), src.len(), units.as_mut_ptr()) })
    })
}

/// Copies UTF-16 with U+FFFD for each unpaired surrogate. Only newer versions of simdutf have it.
type ToWellFormed = unsafe extern "C" fn(*const u16, usize, *mut u16);

static TO_WELL_FORMED: OnceLock<ToWellFormed> = OnceLock::new();

static API: OnceLock<Api> = OnceLock::new();

macro_rules! api {
    ($($name:ident($($argument:ty),+) -> $result:ty;)+) => {
        #[cfg(target_arch = "x86_64")]
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
            #[cfg(target_arch = "x86_64")]
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
    convert_utf8_to_utf16be(*const u8, usize, *mut u16) -> usize;
    convert_utf16be_to_utf8(*const u16, usize, *mut u8) -> usize;
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
    // SAFETY: the type is that of the declaration in simdutf's header.
    if let Ok(function) = unsafe { library.get::<ToWellFormed>(b"simdutf_to_well_formed_utf16le\0") } {
        let _ = TO_WELL_FORMED.set(*function);
    }
    std::mem::forget(library);
    api
}
