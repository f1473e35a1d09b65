//! What an `iconv_t` points to.

use core::{
    ffi::{CStr, c_char, c_int, c_void},
    ptr::NonNull,
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
    /// With `//IGNORE`, skipping is not an error. Unknown names are errors.
    Posix,
}

/// What an `iconv_t` points to.
#[expect(clippy::large_enum_variant, reason = "one allocation for a descriptor")]
pub(crate) enum Descriptor {
    Own {
        conversion: Conversion,
        flavour: Flavour,
    },
    /// A descriptor of the next library.
    Next(NonNull<c_void>),
}

const _: () = assert!(size_of::<Descriptor>() <= 1024, "programs open many descriptors");
const _: () = assert!(align_of::<Descriptor>() <= align_of::<libc::max_align_t>(), "`malloc` aligns it");
const _: () = assert!(!core::mem::needs_drop::<Descriptor>(), "`close` drops nothing");

/// The value of `iconv_t` that means failure.
pub(crate) const INVALID: *mut c_void = usize::MAX as *mut c_void;

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
    let environment = Environment::get();
    let Some(conversion) = conversion(to, from, environment) else {
        if flavour == Flavour::Glibc && environment.allows_next {
            return next::open(to, from).map_or(INVALID, |descriptor| {
                let new = new(Descriptor::Next(descriptor));
                if new == INVALID {
                    next::close(descriptor);
                    set_errno(libc::ENOMEM);
                }
                new
            });
        }
        set_errno(libc::EINVAL);
        return INVALID;
    };
    new(Descriptor::Own { conversion, flavour })
}

/// Returns the conversion between two names, if this library does it.
fn conversion(to: &CStr, from: &CStr, environment: Environment) -> Option<Conversion> {
    let (to_request, from_request) = (Request::parse(to.to_bytes()), Request::parse(from.to_bytes()));
    if environment.leaves_conflicts && (conflicts_with_glibc(to.to_bytes()) || conflicts_with_glibc(from.to_bytes())) {
        return None;
    }
    let form = |request: Request| if request.is_empty { environment::locale_form() } else { request.form };
    let mut options = Options::default();
    options.transliterate = to_request.transliterate;
    options.skip_malformed = to_request.ignore;
    options.skip_unmappable = to_request.ignore || to_request.discard;
    Some(Conversion::new(form(from_request)?, form(to_request)?, options))
}

/// Allocates a descriptor. Returns [`INVALID`] with `ENOMEM` if there is no memory.
fn new(descriptor: Descriptor) -> *mut c_void {
    // SAFETY: `malloc` accepts every size.
    let memory = unsafe { libc::malloc(size_of::<Descriptor>()) }.cast::<Descriptor>();
    if memory.is_null() {
        set_errno(libc::ENOMEM);
        return INVALID;
    }
    // SAFETY: the memory is as large as a descriptor, and aligned for every type.
    unsafe { memory.write(descriptor) };
    memory.cast()
}

/// Returns the descriptor of an `iconv_t`, or `None` with `EBADF` if it is invalid.
///
/// # Safety
/// `cd` is -1, null, or from [`open`] and not closed, and no other thread uses it.
pub(crate) unsafe fn get<'a>(cd: *mut c_void) -> Option<&'a mut Descriptor> {
    if cd.is_null() || cd == INVALID {
        set_errno(libc::EBADF);
        return None;
    }
    // SAFETY: as the caller promises; `open` returns no other pointers.
    Some(unsafe { &mut *cd.cast::<Descriptor>() })
}

/// Closes a descriptor.
///
/// # Safety
/// The same as for [`get`].
pub(crate) unsafe fn close(cd: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    let Some(descriptor) = (unsafe { get(cd) }) else { return -1 };
    let status = if let Descriptor::Next(next) = descriptor { next::close(*next) } else { 0 };
    // SAFETY: it is from `malloc`, and has nothing to drop.
    unsafe { libc::free(cd) };
    status
}
