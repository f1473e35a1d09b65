//! What an `iconv_t` points to, and whose it is.
//!
//! A program can call `iconv()` with a descriptor of another library: glibc's iconv(1) opens with a private function and converts
//! with the public one. So each descriptor has a mark that is a random number of this process, and a descriptor without it
//! belongs to the next library.

use core::{
    ffi::{CStr, c_char, c_void},
    mem::MaybeUninit,
    sync::atomic::{AtomicUsize, Ordering},
};

use iconv::{Conversion, Options, Request, conflicts_with_glibc};

use crate::{
    environment::{self, Environment},
    next, set_errno,
};

/// How a descriptor behaves where implementations differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flavour {
    /// With `//IGNORE`, a call that skipped something fails with `EILSEQ` after all input is read. Unknown names go to the next
    /// `iconv_open`.
    Glibc,
    /// With `//IGNORE`, skipping is not an error. Unknown names go to libiconv, if the program has it.
    Posix,
}

/// What an `iconv_t` of this library points to.
#[repr(C)]
pub(crate) struct Descriptor {
    /// Unused, because the C library writes here when the memory is freed. So a descriptor that was closed keeps its mark until the
    /// memory is used again.
    freed: MaybeUninit<[usize; 2]>,
    /// [`OPEN`] while the descriptor is open, and its complement after that.
    mark: usize,
    pub(crate) flavour: Flavour,
    pub(crate) conversion: Conversion,
}

const _: () = assert!(size_of::<Descriptor>() <= 1024, "programs open many descriptors");
const _: () = assert!(align_of::<Descriptor>() <= align_of::<libc::max_align_t>(), "`malloc` aligns it");
const _: () = assert!(!core::mem::needs_drop::<Descriptor>(), "`close` drops nothing");

/// The mark of descriptors that are open, or 0 before the first one. Neither the mark nor its complement is an address or a small
/// number, because their two highest bits differ.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// The value of `iconv_t` that means failure.
pub(crate) const INVALID: *mut c_void = usize::MAX as *mut c_void;

/// Returns the descriptor if it is open and of this library.
///
/// # Safety
/// `cd` is valid for [`mark`], and if it is of this library, no other thread uses it.
#[inline]
pub(crate) unsafe fn get<'a>(cd: *mut c_void) -> Option<&'a mut Descriptor> {
    let open = OPEN.load(Ordering::Relaxed);
    // SAFETY: as the caller promises.
    let is_open = open != 0 && unsafe { mark(cd) } == open;
    // SAFETY: only `open` writes this mark, and `close` removes it, so `cd` is from `open` and not closed.
    is_open.then(|| unsafe { &mut *cd.cast() })
}

/// Returns whether a descriptor is null, -1, or one of this library that was closed.
///
/// # Safety
/// `cd` is valid for [`mark`].
pub(crate) unsafe fn is_invalid(cd: *mut c_void) -> bool {
    let open = OPEN.load(Ordering::Relaxed);
    // SAFETY: as the caller promises.
    cd.is_null() || cd == INVALID || open != 0 && unsafe { mark(cd) } == !open
}

/// Returns the word of a descriptor that is its mark, if the descriptor is of this library, or 0 if it cannot be.
///
/// # Safety
/// `cd` is null, -1, from [`open`], or of another library. An `iconv_t` of another library is not aligned, or it is the address of
/// memory where the word can be read.
#[inline]
unsafe fn mark(cd: *mut c_void) -> usize {
    let descriptor = cd.cast::<Descriptor>();
    if cd.is_null() || !descriptor.is_aligned() {
        return 0;
    }
    // SAFETY: `cd` is aligned, so it is not -1. If it is this library's, it is memory from `malloc`. If it is another library's,
    // the caller promises that the word can be read. glibc's and libiconv's descriptors are larger than that; musl's are odd
    // numbers, or blocks of `malloc`. A descriptor that was closed breaks the promise, and the word says so as long as the memory
    // is not used again.
    unsafe { (&raw const (*descriptor).mark).read() }
}

/// Returns a descriptor, or [`INVALID`] with `errno`.
///
/// # Safety
/// Both names are null or strings of C.
pub(crate) unsafe fn open(to: *const c_char, from: *const c_char, flavour: Flavour) -> *mut c_void {
    if to.is_null() || from.is_null() {
        set_errno(libc::EINVAL);
        return INVALID;
    }
    // SAFETY: they are not null, and the caller promises that they are strings.
    let (to, from) = unsafe { (CStr::from_ptr(to), CStr::from_ptr(from)) };
    if flavour == Flavour::Glibc && to == c"L1" && from == c"L1" {
        next::read_names();
    }
    let mut environment = Environment::get();
    environment.leaves_conflicts &= flavour == Flavour::Glibc;
    match conversion(to, from, environment) {
        Some(Ok(conversion)) => new(flavour, conversion),
        Some(Err(NoMemory)) => {
            set_errno(libc::ENOMEM);
            INVALID
        }
        None if environment.allows_next => next::open(flavour, to, from),
        None => {
            set_errno(libc::EINVAL);
            INVALID
        }
    }
}

/// There is not enough memory for the tables of a code page.
struct NoMemory;

/// Returns the conversion between two names, if this library does it.
fn conversion(to: &CStr, from: &CStr, environment: Environment) -> Option<Result<Conversion, NoMemory>> {
    let (to_request, from_request) = (Request::parse(to.to_bytes()), Request::parse(from.to_bytes()));
    // glibc transliterates otherwise, and in each locale in another way.
    let conflicts = || to_request.transliterate || [to, from].iter().any(|name| conflicts_with_glibc(name.to_bytes()));
    if environment.leaves_conflicts && conflicts() {
        return None;
    }
    let form = |request: Request| if request.is_empty { environment::locale_form(environment) } else { request.form };
    let mut options = Options::default();
    options.transliterate = to_request.transliterate;
    options.skip_malformed = to_request.ignore;
    options.skip_unmappable = to_request.ignore || to_request.discard;
    options.skip_tags = environment.leaves_conflicts;
    options.exchange_newlines = to_request.zos_unix != from_request.zos_unix;
    let (from, to) = (form(from_request)?, form(to_request)?);
    let is_prepared = from.prepare() && to.prepare();
    Some(if is_prepared { Ok(Conversion::new(from, to, options)) } else { Err(NoMemory) })
}

/// Allocates a descriptor. Returns [`INVALID`] with `ENOMEM` if there is no memory.
fn new(flavour: Flavour, conversion: Conversion) -> *mut c_void {
    // SAFETY: `malloc` accepts every size.
    let memory = unsafe { libc::malloc(size_of::<Descriptor>()) }.cast::<Descriptor>();
    if memory.is_null() {
        set_errno(libc::ENOMEM);
        return INVALID;
    }
    // SAFETY: the memory is as large as a descriptor, and aligned for every type.
    unsafe { memory.write(Descriptor { freed: MaybeUninit::uninit(), mark: open_mark(), flavour, conversion }) };
    memory.cast()
}

/// Returns [`OPEN`], and chooses it at the first call.
fn open_mark() -> usize {
    let open = OPEN.load(Ordering::Relaxed);
    if open != 0 {
        return open;
    }
    // The address differs between processes and between copies of this library, if the system has no random bytes.
    let mut random = (&raw const OPEN).addr().wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as usize);
    // SAFETY: the buffer is as large as the length says.
    unsafe { libc::getrandom((&raw mut random).cast(), size_of::<usize>(), libc::GRND_NONBLOCK) };
    let new = random >> 2 | 1 << (usize::BITS - 1);
    // Another thread may be faster.
    OPEN.compare_exchange(0, new, Ordering::Relaxed, Ordering::Relaxed).map_or_else(|other| other, |_| new)
}

/// Closes a descriptor of this library.
///
/// # Safety
/// `cd` is from [`open`], and [`get`] has found it open.
pub(crate) unsafe fn close(cd: *mut c_void) {
    let descriptor = cd.cast::<Descriptor>();
    // SAFETY: as the caller promises. The compiler would remove a store that is not volatile, because the memory is freed.
    unsafe { (&raw mut (*descriptor).mark).write_volatile(!OPEN.load(Ordering::Relaxed)) };
    // SAFETY: it is from `malloc`, and has nothing to drop.
    unsafe { libc::free(cd) };
}
